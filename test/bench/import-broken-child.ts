import { startBrokenServer } from "../dns/transfer/broken-server.ts";

/** The name server of `import-broken.ts`, in a process of its own: prints its port. */
const [every] = process.argv.slice(2);
startBrokenServer(Number(every)).then(({ port }) => console.log(port));
