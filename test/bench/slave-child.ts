import { setTimeout as delay } from "node:timers/promises";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { createRemote, slaveLimits } from "../../src/server/kit/remote.ts";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { Slaves } from "../../src/server/nameserver/zones/slaves.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { createServer, readServerSettings } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";

/**
 * A name server with a slave zone: `slave-child.ts FOLDER ZONE PORT RECORDS` transfers it from a master on 127.0.0.1,
 * and prints its own port. It ends with its standard input.
 */
const [folder = "", domain = "", port = "", records = ""] = process.argv.slice(2);
const host = "127.0.0.1";
const store = await openStore(`${folder}/zonewright.db`);
const clock = () => new Date();
const token = await createToken(store, { username: "bench", now: clock() });
const api = createServer({ store, clock });
await api(
  new Request("http://api/v4/domains", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ domain, type: "slave", master_ips: [host], axfr_ips: [host] }),
  }),
  { remoteAddress: host },
);
const settings = readServerSettings({ store, clock });
const zones = new StoredZones(settings, clock);
const { bounds } = slaveLimits(Number(records));
const remote = createRemote({ isAllowed: () => true, bounds });
const sleep = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
const slaves = new Slaves({
  settings: { ...settings, remote },
  clock,
  port: Number(port),
  sleep,
  onError: console.error,
});
const service = await listenDns({ host, port: 0, zones, onError: console.error });
slaves.start((signal) => sleep(1000, signal));
console.log(service.port);
process.stdin.resume();
process.stdin.on("end", () => process.exit());
