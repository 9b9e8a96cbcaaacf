import { expect, test } from "vitest";
import { FairLimiter } from "../../../src/server/kit/fair-limiter.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

/** A store that counts its transactions, and how many of them were under way at the same moment. */
function counting(store: Store) {
  const counts = { reads: 0, writes: 0, most: 0 };
  let underWay = 0;
  const counted = async <T>(kind: "reads" | "writes", work: () => Promise<T>): Promise<T> => {
    counts[kind]++;
    counts.most = Math.max(counts.most, ++underWay);
    try {
      return await work();
    } finally {
      underWay--;
    }
  };
  const both: Store = {
    ...store,
    read: (work) => counted("reads", () => store.read(work)),
    write: (work) => counted("writes", () => store.write(work)),
  };
  return { store: both, counts };
}

async function begin(waitForZone: () => Promise<void> = waitForCurrent) {
  const api = await start();
  const { store, counts } = counting(api.store);
  const settings = readServerSettings({ store: new FairLimiter(4).limitStore(store), clock: () => api.clock.now });
  const zones = new StoredZones(settings, () => api.clock.now, { waitForCurrent: waitForZone });
  /** The serials in the answers to `count` concurrent queries, with the number of answers that had each. */
  const ask = async (count: number, zone = "example.com.") => {
    Object.assign(counts, { reads: 0, writes: 0, most: 0 });
    const questions = Array.from({ length: count }, (_, index) => zones.findZones(domainName(`h${index}.${zone}`)));
    const serials: Record<string, number> = {};
    for (const found of await Promise.all(questions)) {
      const served = found.find(domainName(zone), "A");
      const serial = served === undefined || served === "unavailable" ? String(served) : String(served.soa.data.serial);
      serials[serial] = (serials[serial] ?? 0) + 1;
    }
    return { serials, reads: counts.reads, writes: counts.writes };
  };
  return { ...api, counts, zones, ask };
}

const a = (name: string) => ({ type: "A", name, target: "192.0.2.1" });

test("a thousand concurrent first queries cost one read of the version and one rendering and load, later ones nothing", async () => {
  const { domain, ask } = await begin();
  await domain("example.com", [a("h0")]);
  expect(await ask(1000)).toEqual({ serials: { 2026000001: 1000 }, reads: 2, writes: 1 });
  expect(await ask(1000)).toEqual({ serials: { 2026000001: 1000 }, reads: 1, writes: 0 }); // the rendering is a change
  expect(await ask(1000)).toEqual({ serials: { 2026000001: 1000 }, reads: 0, writes: 0 });
});

test("after a change they cost the same, and all get the new version if loading is quick", async () => {
  const { domain, call, ask } = await begin();
  const id = await domain("example.com", [a("h0")]);
  await ask(1);
  await call("POST", `/domains/${id}/records`, a("h1"));
  expect(await ask(1000)).toEqual({ serials: { 2026000002: 1000 }, reads: 2, writes: 1 });
});

test("a query that waits too long for a changed zone gets no answer, never the previous version, and transfers wait", async () => {
  const { domain, call, ask, zones, counts } = await begin(async () => {});
  const id = await domain("example.com", [a("h0")]);
  await zones.findTransferable(domainName("example.com."));
  expect((await ask(1)).serials).toEqual({ 2026000001: 1 });
  await call("POST", `/domains/${id}/records`, a("h1"));
  const asked = ask(1000);
  const found = await zones.findTransferable(domainName("example.com."));
  expect((await asked).serials).toEqual({ unavailable: 1000 });
  expect(counts).toMatchObject({ reads: 2, writes: 1 });
  expect(found).toMatchObject({ zone: { soa: { data: { serial: 2026000002 } } } });
  expect((await ask(1000)).serials).toEqual({ 2026000002: 1000 });
});

test("a query after a change sees it, even while an older version is being loaded", async () => {
  const { domain, call, zones } = await begin();
  const id = await domain("example.com", [a("h0")]);
  const serials = [];
  for (let round = 0; round < 10; round++) {
    const before = zones.findZones(domainName("www.example.com."));
    const change = call("POST", `/domains/${id}/records`, a(`r${round}`));
    await Promise.all([before, change]);
    const found = (await zones.findZones(domainName(`r${round}.example.com.`))).find(domainName("example.com."), "A");
    if (found === undefined || found === "unavailable") return expect.fail();
    expect(recordsOf(found).map(({ owner }) => owner)).toContain(`r${round}.example.com.`);
    serials.push(found.soa.data.serial);
  }
  expect(new Set(serials).size).toBe(10);
});

test("queries for zones that were never rendered are limited too", async () => {
  const api = await start();
  const { store, counts } = counting(api.store);
  const settings = readServerSettings({
    store: new FairLimiter(4).limitStore(store),
    ...api.clocks,
    renderDelay: 60,
  });
  const zones = new StoredZones(settings, () => api.clock.now, { waitForCurrent });
  await api.domain("example.com", [a("h0")]);
  const asked = await Promise.all(Array.from({ length: 1000 }, () => zones.findZones(domainName("h0.example.com."))));
  expect(asked.map((found) => found.find(domainName("h0.example.com."), "A"))).toEqual(asked.map(() => undefined));
  expect(counts).toMatchObject({ reads: 2, writes: 0 });
});

test("concurrent first queries for 200 zones use four connections and read all versions together", async () => {
  const { domain, zones, counts } = await begin();
  for (let index = 0; index < 200; index++) await domain(`zone${index}.example`, [a("www")]);
  Object.assign(counts, { reads: 0, writes: 0, most: 0 });
  const asked = Array.from({ length: 1000 }, (_, index) =>
    zones.findZones(domainName(`www.zone${index % 200}.example.`)),
  );
  const found = await Promise.all(asked);
  expect(
    found.filter((zones, index) => zones.find(domainName(`www.zone${index % 200}.example.`), "A") === undefined),
  ).toEqual([]);
  expect(counts.reads).toBe(1 + 200);
  expect(counts.writes).toBe(200);
  expect(counts.most).toBeLessThanOrEqual(4);
});
