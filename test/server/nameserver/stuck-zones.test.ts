import { expect, test } from "vitest";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { StuckZones } from "../../../src/server/nameserver/zones/stuck-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";

test.each([
  ["fails", () => Promise.reject(new Error("the zone is broken"))],
  ["does not end", () => new Promise<never>(() => {})],
])("a zone whose rendering %s has its last serial, and holds up no other zone's", async (_, end) => {
  const { store, clock, domain, call } = await start();
  const ids = [await domain("bad.example"), await domain("good.example")];
  let isBroken = false;
  const write: Store["write"] = (work, options) => {
    const unlessBroken: typeof work = async (db) => {
      const result = await work(db);
      const rendered = db.selectFrom("domains").where("domain_key", "=", "bad.example").where("changed", "is", null);
      if (isBroken && (await rendered.select("id").executeTakeFirst())) throw new Error("bad");
      return result;
    };
    return store.write(unlessBroken, options).catch(end);
  };
  const waitForCurrent = (ms: number) => new Promise<void>((pass) => isBroken && ms === 500 && setImmediate(pass));
  const settings = readServerSettings({ store: { ...store, write }, clock: () => clock.now });
  const options = { isAllTransferred: true, waitForCurrent, onError: () => {} };
  const zones = new StoredZones(settings, () => clock.now, options);
  const serials = async () =>
    Object.fromEntries((await zones.listTransferred()).map(({ name, serial }) => [name, serial]));
  let now = await serials();
  expect(now).toEqual({ "bad.example.": 2026000001, "good.example.": 2026000001 });
  for (const id of ids) await call("POST", `/domains/${id}/records`, { type: "A", target: "192.0.2.1" });
  isBroken = true;
  while (now["good.example."] === 2026000001) now = await serials();
  expect(now).toEqual({ "bad.example.": 2026000001, "good.example.": 2026000002 });
});

async function begin() {
  const begun = await start();
  const { store, clock } = begun;
  const state = { now: 0, isFailing: true, isDown: false };
  const failing: Store = {
    ...store,
    read: (...args) => (state.isDown ? Promise.reject(new Error("down")) : store.read(...args)),
    write: (...args) => (state.isFailing ? Promise.reject(new Error("the write lock is held")) : store.write(...args)),
    version: () => (state.isDown ? Promise.resolve(undefined) : store.version()),
  };
  const stuck = new StuckZones(() => state.now);
  const settings = readServerSettings({ store: failing, clock: () => clock.now });
  const zones = new StoredZones(settings, () => clock.now, { stuck });
  const find = (name: string) => zones.findTransferable(domainName(`${name}.`));
  return { ...begun, stuck, state, find, retry: () => zones.retryStuck() };
}

test("a stuck zone is stuck while the database is down too, although its previous version is in memory", async () => {
  const { call, domain, stuck, state, find, retry } = await begin();
  state.isFailing = false;
  await domain("example.com");
  await find("example.com");
  await call("POST", "/domains/1/records", { type: "A", target: "192.0.2.1" });
  state.isFailing = true;
  await expect(find("example.com")).rejects.toThrow("the write lock is held");
  state.now = 10_000;
  state.isDown = true;
  expect(await find("example.com")).toMatchObject({ zone: { apex: "example.com." } });
  await retry();
  expect(stuck.list()).toEqual(["example.com"]);
  Object.assign(state, { isDown: false, isFailing: false });
  await retry();
  expect(stuck.list()).toEqual([]);
});

test("a zone that cannot be rendered for ten seconds is stuck until that succeeds, or the zone is gone", async () => {
  const { domain, call, stuck, state, find, retry } = await begin();
  for (const name of ["example.com", "example.net", "example.org"]) {
    await domain(name);
    await expect(find(name)).rejects.toThrow("the write lock is held");
  }
  expect(stuck.list()).toEqual([]);
  state.now = 9_999;
  await retry();
  expect(stuck.list()).toEqual([]);
  state.now = 10_000;
  // The zone whose load still failed is tried last the next time.
  expect(stuck.list()).toEqual(["example.net", "example.org", "example.com"]);
  await call("DELETE", "/domains/2");
  await retry();
  expect(stuck.list()).toEqual(["example.com", "example.org"]);
  state.isFailing = false;
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
