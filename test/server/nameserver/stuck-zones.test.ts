import { expect, test } from "vitest";
import { StoredZones } from "../../../src/server/nameserver/stored-zones.ts";
import { StuckZones } from "../../../src/server/nameserver/stuck-zones.ts";
import { readSettings } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";

test("a zone that cannot be rendered for ten seconds is stuck until that succeeds, or the zone is gone", async () => {
  const { store, clock, domain, call } = await start();
  let isFailing = true;
  const write: Store["write"] = (...args) =>
    isFailing ? Promise.reject(new Error("the write lock is held")) : store.write(...args);
  let now = 0;
  const stuck = new StuckZones(() => now);
  const settings = readSettings({ store: { ...store, write }, clock: () => clock.now });
  const zones = new StoredZones(settings, () => clock.now, { stuck });
  const find = (name: string) => zones.findTransferable(domainName(`${name}.`));
  const retry = () => stuck.retry(async (name) => (await find(name)) !== "unavailable");
  for (const name of ["example.com", "example.net", "example.org"]) {
    await domain(name);
    await expect(find(name)).rejects.toThrow("the write lock is held");
  }
  expect(stuck.list()).toEqual([]);
  now = 9_999;
  await retry();
  expect(stuck.list()).toEqual([]);
  now = 10_000;
  // The zone whose load still failed is tried last the next time.
  expect(stuck.list()).toEqual(["example.net", "example.org", "example.com"]);
  await call("DELETE", "/domains/2");
  await retry();
  expect(stuck.list()).toEqual(["example.com", "example.org"]);
  isFailing = false;
  await find("example.com");
  expect(stuck.list()).toEqual(["example.org"]);
  await retry();
  expect(stuck.list()).toEqual([]);
});

test("a zone whose load does not end is stuck after a minute", async () => {
  let now = 0;
  const stuck = new StuckZones(() => now);
  let end = () => {};
  const load = stuck.watch("example.com", () => new Promise<void>((resolve) => (end = resolve)));
  now = 59_999;
  expect(stuck.list()).toEqual([]);
  now = 60_000;
  expect(stuck.list()).toEqual(["example.com"]);
  end();
  await load;
  expect(stuck.list()).toEqual([]);
});

test("zones are retried one after the other, up to the first that fails", async () => {
  const stuck = new StuckZones(() => 0);
  const names = Array.from({ length: 2000 }, (_, index) => `zone${index}.example`);
  for (const name of names) await stuck.watch(name, () => Promise.reject(new Error("full"))).catch(() => {});
  const tried: string[] = [];
  const load = async (name: string) => {
    tried.push(name);
    if (name === "zone2.example") throw new Error("full");
    return true;
  };
  await Promise.all([stuck.retry(load), stuck.retry(load)]);
  expect(tried).toEqual(["zone0.example", "zone1.example", "zone2.example"]);
  await stuck.retry(load);
  expect(tried.length).toBe(3 + 998);
});
