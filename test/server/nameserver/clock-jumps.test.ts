// @suite postgres

import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { openStore, type Store } from "../../../src/server/store/store.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { domainName } from "../../names.ts";
import { isNightly, seed } from "../../properties.ts";
import { noon, start } from "../start.ts";
import { emptyPlace } from "../stores.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const hour = 3600;
const jump = fc.record({ at: fc.nat(2), seconds: fc.integer({ min: -hour, max: hour }) });
const write = fc.record({
  /** The server that gets the request. */
  at: fc.nat(2),
  verb: fc.constantFrom("create" as const, "change" as const, "delete" as const, "settings" as const),
  /** Chooses a record. */
  choice: fc.nat(20),
});
/** Writes with jumps before each, and jumps while their rendering waits. */
const round = fc.record({
  writes: fc.array(fc.tuple(fc.array(jump, { maxLength: 2 }), write), { minLength: 1, maxLength: 3 }),
  later: fc.array(jump, { maxLength: 3 }),
});

interface Server {
  readonly api: Awaited<ReturnType<typeof start>>;
  /** Seconds by which its wall clock differs. */
  ahead: number;
  readonly zones: StoredZones;
}

/** Servers of one database, whose wall clocks are set one by one; time passes for all at once. */
async function startServers(count: number, renderDelay: number) {
  const place = await emptyPlace();
  const stores: Store[] = [];
  for (let index = 0; index < count; index++) stores.push(await openStore(place));
  onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
  let passed = 0;
  const monotonic = () => passed;
  const servers: Server[] = [];
  for (const [index, store] of stores.entries()) {
    const clock = () => new Date(Date.parse(`${noon}Z`) + passed + (servers[index]?.ahead ?? 0) * 1000);
    const options = { store, clock, monotonic, renderDelay, nameservers: ["ns1.example.net"] };
    const zones = new StoredZones(readServerSettings(options), clock, { waitForCurrent });
    servers.push({ api: await start(options), zones, ahead: 0 });
  }
  const set = ({ at, seconds }: { at: number; seconds: number }) => {
    const server = servers[at % count] ?? expect.fail();
    server.ahead += seconds;
  };
  const pass = (seconds: number) => {
    passed += seconds * 1000;
  };
  return { servers, set, pass };
}

/** The A records that a server's name server has, by name. */
async function served({ zones }: Server): Promise<Record<string, string>> {
  const found = (await zones.findZones(domainName("example.com."))).find(domainName("example.com."), "A");
  if (found === undefined || found === "unavailable") return {};
  const records = recordsOf(found).flatMap(({ owner, type, data }) =>
    type === "A" ? [[owner.replace(".example.com.", ""), (data as { address: string }).address]] : [],
  );
  return Object.fromEntries(records);
}

/** Those of the zone file of a server. */
async function inFile({ api }: Server, id: number): Promise<Record<string, string>> {
  const { body } = await api.call("GET", `/domains/${id}/zone-file`);
  return Object.fromEntries(
    body.zone_file.filter((line: string) => / A /.test(line)).map((line: string) => line.split(/ (?:\d+ )?A /)),
  );
}

test.each([
  [1, 0],
  [1, 30],
  [3, 0],
  [3, 30],
])(
  "%i servers whose clocks jump by an hour serve each write a second after it and a delay of %i s",
  async (count, renderDelay) => {
    const { servers, set, pass } = await startServers(count, renderDelay);
    const id = await servers[0]?.api.domain("example.com");
    const path = `/domains/${id}`;
    const expected: Record<string, string> = {};
    const ids: Record<string, number> = {};
    let made = 0;
    const carryOut = async ({ at, verb, choice }: typeof write extends fc.Arbitrary<infer W> ? W : never) => {
      const { call } = servers[at % count]?.api ?? expect.fail();
      const names = Object.keys(expected);
      const name = names[choice % Math.max(1, names.length)];
      const target = `192.0.2.${made % 250}`;
      const send = async (...request: Parameters<typeof call>) => {
        const { status, body } = await call(...request);
        expect([status, request, body]).toEqual([200, request, body]);
        return body;
      };
      if (verb === "settings") await send("PUT", path, { soa_email: `h${made++}@example.com` });
      else if (verb === "create" || name === undefined) {
        const created = `n${made++}`;
        ids[created] = (await send("POST", `${path}/records`, { type: "A", name: created, target })).id;
        expected[created] = target;
      } else if (verb === "change") {
        await send("PUT", `${path}/records/${ids[name]}`, { target });
        expected[name] = target;
      } else {
        await send("DELETE", `${path}/records/${ids[name]}`);
        delete expected[name];
      }
    };
    for (const { writes, later } of fc.sample(round, { seed, numRuns: isNightly ? 500 : 12 })) {
      for (const [jumps, one] of writes) {
        jumps.forEach(set);
        await carryOut(one);
      }
      later.slice(0, 1).forEach(set);
      pass(1);
      await Promise.all(servers.map(({ zones }) => zones.listTransferred())); // as their loops do
      later.slice(1).forEach(set);
      pass(renderDelay);
      for (const server of servers) {
        expect(await served(server)).toEqual(expected);
        expect(await inFile(server, id ?? 0)).toEqual(expected);
      }
    }
  },
);
