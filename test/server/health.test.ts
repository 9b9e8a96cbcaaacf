// @suite postgres

import { expect, onTestFinished, test, vi } from "vitest";
import { countDeadSlaves } from "../../src/server/areas/zones/slaves-rows.ts";
import { allowAddresses } from "../../src/server/kit/allowed-networks.ts";
import { Health } from "../../src/server/kit/health.ts";
import { createRemote } from "../../src/server/kit/remote.ts";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import { HealthWatch, type WatchedNames } from "../../src/server/serve-health.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { createServer } from "../../src/server/server.ts";
import { type Store, StoreFailure } from "../../src/server/store/store.ts";
import { startNameServer } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { beginSlaves, slave, zoneOf } from "./nameserver/masters.ts";
import { start } from "./start.ts";

const failed = (access: StoreFailure["access"], reason: string) => new StoreFailure(access, reason, undefined);

/** Asks both probes. */
async function probe(server: (request: Request) => Promise<Response>) {
  const replies = ["healthz", "readyz"].map(async (path) => {
    const reply = await server(new Request(`http://api/${path}`));
    return [path, [reply.status, await reply.json()]];
  });
  return Object.fromEntries(await Promise.all(replies));
}

const ok = [200, { status: "ok" }];

test("a server that is not ready is alive", async () => {
  const health = new Health();
  const { server } = await start({ health });
  expect(await probe(server)).toEqual({ healthz: ok, readyz: ok });
  health.isStarted = false;
  const problems = [{ id: "starting", message: "The server is starting." }];
  expect(await probe(server)).toEqual({ healthz: ok, readyz: [503, { status: "unavailable", problems }] });
});

test("a database that cannot be read fails both probes", async () => {
  const { store } = await start();
  let failure: Error | undefined = failed("read", "no server is listening there");
  const read: Store["read"] = (...args) => (failure ? Promise.reject(failure) : store.read(...args));
  const errors: unknown[] = [];
  const server = createServer({
    store: { ...store, read },
    clock: () => new Date(),
    onError: (error) => errors.push(error),
  });
  const message = "The service cannot read its database: no server is listening there.";
  const reply = [503, { status: "unavailable", problems: [{ id: "database-unreadable", message }] }];
  expect(await probe(server)).toEqual({ healthz: reply, readyz: reply });
  expect(errors).toEqual([failure]);
  failure = undefined;
  expect(await probe(server)).toEqual({ healthz: ok, readyz: ok });
});

test("probes that wait share a read, and give up in time", async () => {
  const { store } = await start();
  let reads = 0;
  let answer = () => {};
  const read: Store["read"] = async (...args) => {
    reads++;
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return store.read(...args);
  };
  const { server } = await start({ store: { ...store, read }, health: new Health(100) });
  const asked = Array.from({ length: 100 }, () => probe(server));
  const message = "The database has not answered within 0.1 seconds.";
  const reply = [503, { status: "unavailable", problems: [{ id: "database-unreadable", message }] }];
  expect((await Promise.all(asked)).at(-1)).toEqual({ healthz: reply, readyz: reply });
  expect(reads).toBe(1);
  answer();
});

const none = {
  isFromMemory: async () => false,
  listStuck: () => [],
  retryStuck: async () => {},
  countDeadSlaves: async () => 0,
};

/** A watch whose store fails to write while there is a `failure`. */
async function beginWatch() {
  const begun = await start();
  const state: { failure: Error | undefined; writes: number } = { failure: undefined, writes: 0 };
  const write: Store["write"] = (...args) => {
    state.writes++;
    return state.failure ? Promise.reject(state.failure) : begun.store.write(...args);
  };
  const log: string[] = [];
  const watch = new HealthWatch({
    store: { ...begun.store, write },
    clock: () => begun.clock.now,
    log: (line) => log.push(line),
    onError: (error) => expect.fail(String(error)),
  });
  const { server } = await start({ store: watch.store, health: watch.health, onError: () => {} });
  return { ...begun, state, log, watch, probe: () => probe(server) };
}

test("a name server that answers from memory is reported, although the database answers the probe", async () => {
  const { store, watch, probe } = await beginWatch();
  const version: Store["version"] = () => new Promise(() => {});
  const onHealth = (names: WatchedNames) => watch.watchNames(names);
  const clock = () => new Date();
  const service = await serveNames(
    { store: { ...store, version }, clock, nameservers: ["ns1.example.net"] },
    { port: 0, onHealth },
  );
  onTestFinished(service.close);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let replies: Awaited<ReturnType<typeof probe>> | undefined;
  void probe().then((all) => {
    replies = all;
  });
  // Less than the five seconds of the database, which answers the probe in its own time.
  for (let passed = 0; replies === undefined; passed += 100) {
    if (passed < 2000) vi.advanceTimersByTime(100);
    await new Promise(setImmediate);
  }
  const message =
    "The database has not answered the name server within a second. " +
    "The name server answers from the zones that it has loaded.";
  const reply = [503, { status: "unavailable", problems: [{ id: "database-unreadable", message }] }];
  expect(replies).toEqual({ healthz: reply, readyz: reply });
});

test("after a failed write the database is written until that succeeds", async () => {
  const { state, log, watch, probe } = await beginWatch();
  await watch.look();
  expect(await probe()).toEqual({ healthz: ok, readyz: ok });
  state.failure = failed("write", "the disk is full");
  await expect(watch.store.write(async () => {})).rejects.toThrow("the disk is full");
  state.writes = 0;
  await watch.look();
  await watch.look();
  const message = "The service cannot write to its database: the disk is full.";
  const problems = [{ id: "database-unwritable", message }];
  expect(await probe()).toEqual({
    healthz: [200, { status: "degraded", problems }],
    readyz: [503, { status: "unavailable", problems }],
  });
  state.failure = undefined;
  for (let looks = 0; looks < 3; looks++) await watch.look();
  expect(await probe()).toEqual({ healthz: ok, readyz: ok });
  expect(state.writes).toBe(3);
  expect(log).toEqual([`health: database-unwritable: ${message}`, "health: database-unwritable has ended"]);
});

test("a write that another request refuses is no problem", async () => {
  const { state, log, watch } = await beginWatch();
  state.failure = failed("write", "the row is locked by another request");
  await expect(watch.store.write(async () => {})).rejects.toThrow("locked");
  state.failure = undefined;
  await watch.look();
  expect(log).toEqual([]);
});

test("stuck zones and dead slaves are counted for everybody, and named in the log only", async () => {
  const { log, watch, probe } = await beginWatch();
  const stuck = Array.from({ length: 12 }, (_, index) => `zone${index}.example`);
  watch.watchNames({ ...none, listStuck: () => stuck, countDeadSlaves: async () => 2 });
  await watch.look();
  const problems = [
    { id: "zones-stuck", count: 12, message: "Zones that cannot be loaded: 12." },
    { id: "slaves-dead", count: 2, message: "Slave zones that cannot be refreshed: 2." },
  ];
  const reply = [200, { status: "degraded", problems }];
  expect(await probe()).toEqual({ healthz: reply, readyz: reply });
  watch.watchNames(none);
  await watch.look();
  expect(await probe()).toEqual({ healthz: ok, readyz: ok });
  expect(log).toEqual([
    `health: zones-stuck: Zones that cannot be loaded: 12. ${stuck.slice(0, 10).join(", ")}`,
    "health: slaves-dead: Slave zones that cannot be refreshed: 2.",
    "health: zones-stuck has ended",
    "health: slaves-dead has ended",
  ]);
});

test("a look that hangs delays neither the others nor the next ones", async () => {
  const { state, log, watch } = await beginWatch();
  let stuck: string[] = [];
  let end = (_: number) => {};
  const hanging = new Promise<number>((resolve) => {
    end = resolve;
  });
  let counts = 0;
  const countDeadSlaves = () => (counts++ === 0 ? hanging : Promise.resolve(0));
  watch.watchNames({ ...none, listStuck: () => stuck, countDeadSlaves });
  let next = () => {};
  const loop = watch.start((signal) => {
    const wait = new Promise<void>((resolve) => {
      next = resolve;
    });
    signal.addEventListener("abort", next);
    return wait;
  });
  const until = async (...lines: string[]) => {
    while (log.length < lines.length) {
      next();
      await new Promise(setImmediate);
    }
    expect(log.splice(0)).toEqual(lines.map((line) => expect.stringMatching(`^health: ${line}`)));
  };
  stuck = ["zone.example"];
  await until("zones-stuck: Zones that cannot be loaded: 1. zone.example");
  stuck = [];
  state.failure = failed("write", "the disk is full");
  await expect(watch.store.write(async () => {})).rejects.toThrow("the disk is full");
  await until("zones-stuck has ended", "database-unwritable:");
  state.failure = undefined;
  await until("database-unwritable has ended");
  expect(counts).toBe(1);
  end(1);
  await until("slaves-dead:", "slaves-dead has ended");
  await loop.close();
});

test.skipIf(isMissing("nsd"))(
  "a primary that dies is reported after its second failure, until it is back",
  async () => {
    const zones = { "example.com.": zoneOf(7) };
    const primary = await startNameServer("nsd", { zones });
    const { host, port } = primary;
    const isAllowed = allowAddresses([{ address: host, prefix: 32 }]);
    const remote = createRemote({ isAllowed, bounds: { timeoutMs: 500, attempts: 1 } });
    const { call, clock, store, lookAfter, www } = await beginSlaves({ remote, port });
    const log: string[] = [];
    const watch = new HealthWatch({
      store,
      clock: () => clock.now,
      log: (line) => log.push(line),
      onError: (error) => expect.fail(String(error)),
    });
    watch.watchNames({ ...none, countDeadSlaves: () => store.read((db) => countDeadSlaves(db, timestamp(clock.now))) });
    const { server } = await start({ store, health: watch.health });
    const statusAfter = async (seconds: number) => {
      await lookAfter(seconds);
      await watch.look();
      const { healthz, readyz } = await probe(server);
      expect(readyz).toEqual(healthz);
      return `${healthz[0]} ${healthz[1].status}`;
    };
    await call("POST", "/domains", { ...slave, master_ips: [host] });
    expect(await statusAfter(0)).toBe("200 ok");
    expect(await www()).toBe("aa 192.0.2.10");
    await primary.stop();
    expect(await statusAfter(3600)).toBe("200 ok");
    expect(await statusAfter(600)).toBe("200 degraded");
    expect(await www()).toBe("aa 192.0.2.10");
    await useNameServer("nsd", { zones, port });
    expect(await statusAfter(600)).toBe("200 ok");
    expect(log).toEqual([
      "health: slaves-dead: Slave zones that cannot be refreshed: 1.",
      "health: slaves-dead has ended",
    ]);
  },
);

test("dead slaves are counted while the transactions of the name service hang", async () => {
  const { call, clock, store, masters, lookAfter } = await beginSlaves();
  await call("POST", "/domains", slave);
  await lookAfter(0);
  let goOn = () => {};
  const hanging = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const read: Store["read"] = async (work, options) => {
    if (options?.pace === "long") await hanging;
    return store.read(work, options);
  };
  let names: WatchedNames = none;
  const settings = { store: { ...store, read }, clock: () => clock.now, remote: masters, nameservers: ["ns.example"] };
  const service = await serveNames(settings, { port: 0, onHealth: (watched) => (names = watched) });
  onTestFinished(service.close);
  onTestFinished(goOn);
  expect(await names.countDeadSlaves()).toBe(1);
});

test("a slave zone is dead after its first failure if it was never transferred, but not once it is disabled", async () => {
  const { call, clock, store, lookAfter } = await beginSlaves();
  const dead = () => store.read((db) => countDeadSlaves(db, timestamp(clock.now)));
  await call("POST", "/domains", slave);
  expect(await dead()).toBe(0);
  await lookAfter(0);
  expect(await dead()).toBe(1);
  await call("PUT", "/domains/1", { status: "disabled" });
  expect(await dead()).toBe(0);
});
