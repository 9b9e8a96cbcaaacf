import { expect, test } from "vitest";
import { listTransferred } from "../../../src/server/areas/domains/served-rows.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { ZoneCache } from "../../../src/server/nameserver/zones/zone-cache.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

/** `3:50` caches zone 3 with 50 octets, `3` reads it; then the zones in the cache. */
test.each<[string, string]>([
  ["1:10 2:10 3:10", "1 2 3"],
  ["1:10 2:10 3:10 4:10", "2 3 4"],
  ["1:10 2:10 3:10 1 4:10", "1 3 4"],
  ["1:60 2:40 3:1", "2 3"],
  ["1:30 2:30 3:60", "2 3"],
  ["1:30 2:30 1 3:60", "1 3"],
  ["1:30 2:500", "2"],
  ["1:500 2:10", "2"],
  ["1:60 1:50 2:40", "1 2"],
  ["1:60 1:70 2:40", "2"],
])("three zones of 100 octets: %s", (acts, expected) => {
  const cache = new ZoneCache<number, string>({ zones: 3, octets: 100 });
  for (const act of acts.split(" ")) {
    const [id, octets] = act.split(":");
    if (octets === undefined) cache.get(Number(id));
    else cache.set(Number(id), `zone ${id}`, Number(octets));
  }
  const there = [1, 2, 3, 4].filter((id) => cache.get(id) === `zone ${id}`);
  expect(there.join(" ")).toBe(expected);
});

test("zones are evicted by size, not only by number", async () => {
  const api = await start();
  const large = { type: "TXT", name: "", target: "x".repeat(5000) };
  for (const name of ["one.example", "two.example"]) await api.domain(name, [{ type: "A", target: "192.0.2.1" }]);
  await api.domain("large.example", [large]);
  let reads = 0;
  const store: Store = {
    ...api.store,
    read: (work) => {
      reads++;
      return api.store.read(work);
    },
  };
  const settings = readServerSettings({ store, clock: () => api.clock.now });
  const zones = new StoredZones(settings, () => api.clock.now, {
    cacheLimits: { zones: 1000, octets: 5000 },
    waitForCurrent,
  });
  /** One read says which version it is, another one is for the zone. */
  const readsFor = async (...names: string[]) => {
    reads = 0;
    for (const name of names) await zones.findTransferable(domainName(`${name}.`));
    return reads;
  };
  expect(await readsFor("one.example", "two.example")).toBe(4);
  expect(await readsFor("one.example", "two.example")).toBe(2);
  expect(await readsFor("large.example", "large.example")).toBe(3);
  expect(await readsFor("one.example", "two.example")).toBe(4);
});

test("the notifier reads only the version and the secondaries of each zone", async () => {
  const { store, domain } = await start();
  await domain("example.com");
  const [row = {}] = await store.read((db) => listTransferred(db, true));
  expect(Object.keys(row).sort()).toEqual([
    "axfr_ips",
    "changed",
    "domain_key",
    "expires",
    "id",
    "name_servers",
    "serial",
    "slave_serial",
    "type",
  ]);
});
