import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";

/** The server of `soak.ts` with its name service, in its own process: reports its ports, and its memory on demand. */
const [place = "", token = ""] = process.argv.slice(2);
const options = { store: await openStore(place), clock: () => new Date() };
await createToken(options.store, { username: "admin", token, now: new Date() });
const { url } = await listen(createServer(options), { port: 0 });
const { port } = await serveNames(options, { port: 0, isAllowed: () => false });
process.on("message", async () => {
  // What only finalizers free is gone after the second collection.
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, live: heapUsed + external });
});
process.send?.({ url, port });
