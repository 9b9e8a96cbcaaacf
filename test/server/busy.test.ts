import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { type LockWait, openStore } from "../../src/server/store/store.ts";
import { isMissing } from "../judges.ts";
import { start } from "./start.ts";

const www = { type: "A", name: "www", target: "192.0.2.1" };
const held = {
  status: 503,
  body: { errors: [{ reason: "The service cannot write to its database: it is locked by another process" }] },
};

/** A path for a database file that goes with the test. */
function emptyPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "zonewright.db");
}

/** Another process with the same database; each call resolves once that process has done it. */
async function lockHolder(path: string) {
  const program = fileURLToPath(new URL("lock-holder.ts", import.meta.url));
  const child = fork(program, [path], { execArgv: ["--import", "tsx"] });
  onTestFinished(async () => {
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  });
  await once(child, "message");
  const say = async (wanted: "hold" | "release") => {
    const done = once(child, "message");
    child.send(wanted);
    await done;
  };
  return { hold: () => say("hold"), release: () => say("release") };
}

/** A clock that advances only during sleeps; `onSleep` is part of each sleep. */
function testTime(onSleep: () => Promise<void>): LockWait & { sleeps: number } {
  let now = 0;
  const time = {
    total: 5000,
    sleeps: 0,
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
      time.sleeps++;
      await onSleep();
    },
  };
  return time;
}

async function startHeld(onSleep: (other: Awaited<ReturnType<typeof lockHolder>>) => Promise<void>) {
  const path = emptyPath();
  let other: Awaited<ReturnType<typeof lockHolder>> | undefined;
  const time = testTime(async () => {
    if (other) await onSleep(other);
  });
  const store = await openStore(path, time);
  onTestFinished(() => store.close());
  const failures: unknown[] = [];
  const api = await start({ store, onError: (error) => failures.push(error) });
  const id = await api.domain("example.com");
  other = await lockHolder(path);
  await other.hold();
  return { ...api, id, time, other, failures };
}

/** Every kind of request works, and what one writes the next one reads. */
async function expectWorking({ call, id }: Pick<Awaited<ReturnType<typeof startHeld>>, "call" | "id">) {
  for (let round = 0; round < 3; round++) {
    const { status, body } = await call("POST", `/domains/${id}/records`, { ...www, name: `after${round}` });
    expect(status).toBe(200);
    expect((await call("GET", `/domains/${id}/records/${body.id}`)).body.name).toBe(`after${round}`);
    expect((await call("PUT", `/domains/${id}/records/${body.id}`, { target: "192.0.2.2" })).status).toBe(200);
    expect((await call("GET", `/domains/${id}/zone-file`)).body.zone_file).toContain(`after${round} A 192.0.2.2`);
    expect((await call("DELETE", `/domains/${id}/records/${body.id}`)).status).toBe(200);
  }
}

describe("another process holds the write lock", () => {
  test("reads continue; writes wait and succeed once the lock is released", async () => {
    const meanwhile: number[] = [];
    let released: Promise<void> | undefined;
    const api = await startHeld((other) => {
      released ??= readAndRelease(other);
      return released;
    });
    const paths = ["/healthz", "/v4/domains", `/v4/domains/${api.id}`, `/v4/domains/${api.id}/records`];
    async function readAndRelease(other: typeof api.other): Promise<void> {
      for (const path of paths) meanwhile.push((await api.ask("GET", path)).status);
      await other.release();
    }
    const names = Array.from({ length: 10 }, (_, index) => `h${index}`);
    const writes = names.map((name) => api.call("POST", `/domains/${api.id}/records`, { ...www, name }));
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(meanwhile).toEqual([200, 200, 200, 200]);
    const { body } = await api.call("GET", `/domains/${api.id}/records`);
    expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(names);
    expect(api.failures).toEqual([]);
    await expectWorking(api);
  });

  test("writes are refused after five seconds, and succeed once the lock is released", async () => {
    const api = await startHeld(async () => {
      expect((await api.ask("GET", "/healthz")).status).toBe(200);
    });
    expect(await api.call("POST", `/domains/${api.id}/records`, www)).toEqual(held);
    expect(api.time.now()).toBeGreaterThanOrEqual(5000);
    expect(api.time.now()).toBeLessThan(5100);
    expect((await api.call("GET", `/domains/${api.id}/records`)).body.results).toBe(0);
    expect(await api.call("DELETE", `/domains/${api.id}`)).toEqual(held);
    await api.other.release();
    await expectWorking(api);
  });

  test("waiting writes do not prolong the wait of later ones", async () => {
    const api = await startHeld(async () => {});
    const writes = Array.from({ length: 20 }, () => api.call("POST", `/domains/${api.id}/records`, www));
    expect(await Promise.all(writes)).toEqual(writes.map(() => held));
    // The test's clock moves for each of them.
    expect(api.time.now()).toBeLessThan(2 * 5000);
    await api.other.release();
    await expectWorking(api);
  });

  test("a store opens once the lock is released", async () => {
    const path = emptyPath();
    await (await openStore(path)).close();
    const other = await lockHolder(path);
    await other.hold();
    const time = testTime(other.release);
    const store = await openStore(path, time);
    await store.close();
    expect(time.sleeps).toBe(1);
  });

  test("a store does not open while the lock is held", async () => {
    const path = emptyPath();
    await (await openStore(path)).close();
    const other = await lockHolder(path);
    await other.hold();
    const time = testTime(async () => {});
    await expect(openStore(path, time)).rejects.toMatchObject({
      problems: [{ id: "store-open", detail: "it is locked by another process." }],
    });
  });
});

describe("a database that fails in the middle of a transaction works again once the cause is gone", () => {
  test.each([
    ["full", sql`pragma max_page_count = 1`, sql`pragma max_page_count = 1073741823`, "the disk is full"],
    ["read-only", sql`pragma query_only = 1`, sql`pragma query_only = 0`, "it is read-only"],
  ])("%s", async (_, damage, mend, reason) => {
    const store = await openStore(emptyPath());
    onTestFinished(() => store.close());
    const failures: unknown[] = [];
    const api = await start({ store, onError: (error) => failures.push(error) });
    const id = await api.domain("example.com");
    const failing = store.write(async (db) => {
      await db.insertInto("accounts").values({ name: "half", created: "" }).execute();
      await damage.execute(db);
      const name = "x".repeat(100_000);
      await db.insertInto("accounts").values({ name, created: "" }).execute();
    });
    await expect(failing).rejects.toThrow(`The service cannot write to its database: ${reason}`);
    expect((await api.ask("GET", "/healthz")).status).toBe(200);
    expect((await api.call("GET", `/domains/${id}`)).status).toBe(200);
    await store.write((db) => mend.execute(db));
    const rows = await store.read((db) => db.selectFrom("accounts").select("name").execute());
    expect(rows).toEqual([{ name: "admin" }]);
    await expectWorking({ ...api, id });
    expect(failures).toEqual([]);
  });

  // The limit on the size of files is the one I/O error that a test can switch on and off in its own process.
  test.skipIf(isMissing("prlimit"))("I/O errors", async () => {
    const ignore = () => {};
    process.on("SIGXFSZ", ignore);
    const limit = (octets: string) => execFileSync("prlimit", [`--fsize=${octets}:`, `--pid=${process.pid}`]);
    onTestFinished(() => {
      limit("unlimited");
      process.off("SIGXFSZ", ignore);
    });
    const store = await openStore(emptyPath());
    onTestFinished(() => store.close());
    const failures: unknown[] = [];
    const api = await start({ store, onError: (error) => failures.push(error) });
    const id = await api.domain("example.com");
    limit("65536");
    const answers = [];
    for (let round = 0; round < 3; round++) {
      const text = { type: "TXT", name: `t${round}`, target: "x".repeat(60_000) };
      answers.push(await api.call("POST", `/domains/${id}/records`, text));
      expect((await api.ask("GET", "/healthz")).status).toBe(200);
      expect((await api.call("GET", `/domains/${id}`)).status).toBe(200);
    }
    limit("unlimited");
    const reason = "The service cannot write to its database: the disk reports an error";
    expect(answers).toEqual(answers.map(() => ({ status: 503, body: { errors: [{ reason }] } })));
    expect((await api.call("GET", `/domains/${id}/records`)).body.results).toBe(0);
    await expectWorking({ ...api, id });
  });
});
