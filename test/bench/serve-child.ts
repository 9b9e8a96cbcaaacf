import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { listen } from "../../src/server/http/node.ts";
import { createToken } from "../../src/server/operator/tokens.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";

/**
 * The server that is measured, in a process of its own: `bare` is a handler of the same HTTP library that reads its
 * body and answers with a record, anything else is where zonewright keeps its data. Says its URL and memory by
 * messages.
 */
const [place = ":memory:", token = ""] = process.argv.slice(2);
const url = place === "bare" ? await bare() : await zonewright();
process.send?.({ url });
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed });
});

async function zonewright(): Promise<string> {
  const store = await openStore(place);
  await createToken(store, { username: "admin", token, now: new Date() });
  return (await listen(createServer({ store, clock: () => new Date() }), { port: 0 })).url;
}

async function bare(): Promise<string> {
  const record = { id: 1, type: "A", name: "www", target: "192.0.2.1", priority: 0, weight: 0, port: 0, ttl_sec: 0 };
  const app = new Hono();
  app.all("*", async (c) => {
    if (c.req.method === "POST") await c.req.json();
    return c.json(record);
  });
  const http = createHttpServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
