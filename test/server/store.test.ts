// @suite postgres

import { sql } from "kysely";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createFirstToken } from "../../src/server/areas/account/tokens-operator.ts";
import type { WriteWorkOptions } from "../../src/server/store/driver.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { refused, start } from "./start.ts";
import { emptyPlace, emptyStore, isPostgres } from "./stores.ts";

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

async function opened(place: string): Promise<Store> {
  const store = await openStore(place);
  open.push(store);
  return store;
}

test("a restart keeps all data, and ids and serials are never reused", async () => {
  const place = await emptyPlace();
  const before = await start({ store: await openStore(place) });
  await before.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await before.domain("example.net");
  await before.call("PUT", "/domains/1", { tags: ["prod"], axfr_ips: ["192.0.2.2"] });
  await before.call("DELETE", "/domains/2");
  const paths = ["/domains", "/domains/1", "/domains/1/records", "/domains/1/zone-file"];
  const seen = await Promise.all(paths.map((path) => before.call("GET", path)));
  await before.store.close();

  const after = await start({ store: await opened(place) });
  expect(await Promise.all(paths.map((path) => after.call("GET", path, undefined, { as: before.token })))).toEqual(
    seen,
  );
  expect(await after.domain("example.org")).toBe(3);
  await after.call("DELETE", "/domains/1/records/1");
  expect((await after.call("GET", "/domains/1/zone-file")).body.zone_file[2]).toContain(" 2026000002 ");
});

test("two programs may use one database", async () => {
  const place = await emptyPlace();
  const one = await start({ store: await opened(place) });
  const two = await start({ store: await opened(place) });
  const id = await one.domain("example.com");
  expect((await two.call("GET", `/domains/${id}`)).body.domain).toBe("example.com");
  expect(
    await two.call("POST", "/domains", { domain: "example.com", type: "slave", master_ips: ["192.0.2.1"] }),
  ).toEqual(refused(["DNS zone already exists.", "domain"]));
});

test("a program that has read a record sees later changes of another program", async () => {
  const place = await emptyPlace();
  const one = await start({ store: await opened(place) });
  const two = await start({ store: await opened(place) });
  await two.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  const seen = async () => [
    (await one.call("GET", "/domains/1/records/1")).body.target,
    (await one.call("GET", "/domains/1")).body.description,
  ];
  expect(await seen()).toEqual(["192.0.2.1", ""]);
  await two.call("PUT", "/domains/1/records/1", { target: "192.0.2.2" });
  expect(await seen()).toEqual(["192.0.2.2", ""]);
  await one.call("GET", "/domains/1/records/1");
  await two.call("PUT", "/domains/1", { description: "changed" });
  expect((await one.call("GET", "/domains/1")).body.description).toBe("changed");
});

test.each(["of a file or a server", "in memory"])(
  "the version of a store %s differs after every commit",
  async (where) => {
    const place = where === "in memory" && !isPostgres() ? ":memory:" : await emptyPlace();
    const one = await opened(place);
    const writers = [one, ...(place === ":memory:" ? [] : [await opened(place)])];
    const seen: unknown[] = [await one.version()];
    for (const writer of [...writers, ...writers])
      for (const change of [
        sql`insert into domain_roots (root) values (${`new${seen.length}.example`})`,
        sql`update domain_roots set root = ${`other${seen.length}.example`}`,
        sql`delete from domain_roots`,
      ]) {
        await writer.write((db) => change.execute(db));
        seen.push(await one.version());
      }
    expect(new Set(seen).size).toBe(seen.length);
    // Other tests commit in the same cluster of PostgreSQL.
    if (isPostgres()) return;
    await one.read((db) => db.selectFrom("domain_roots").selectAll().execute());
    expect(await one.version()).toBe(seen.at(-1));
  },
);

test("the servers of a PostgreSQL database have its time, whatever that of their hosts is", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const store = await opened(await emptyPlace());
  if (!isPostgres()) return expect(store.now).toBeUndefined();
  const { rows } = await store.read((db) =>
    sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db),
  );
  const now = rows[0]?.now ?? 0;
  const later = store.now?.().getTime() ?? 0;
  expect(later).toBeGreaterThan(now - 1000);
  expect(later).toBeLessThan(now + 60_000);
});

test("of transactions that exclude others, each begins after the one before has ended", async () => {
  const place = await emptyPlace();
  const stores = [await opened(place), await opened(place)];
  const log: string[] = [];
  const run = (store: Store, then?: () => void) =>
    store.writeAlone(async (db) => {
      log.push("begin");
      then?.();
      for (let n = 0; n < 20; n++) await sql`select 1`.execute(db);
      log.push("end");
    });
  const others: Promise<void>[] = [];
  const [first] = stores;
  if (!first) throw new Error("no store");
  await run(first, () => others.push(...stores.map((store) => run(store))));
  await Promise.all(others);
  expect(log).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
});

test("of servers that start at once on an empty database, one prints the first token", async () => {
  const place = await emptyPlace();
  const stores = [await opened(place), await opened(place)];
  const wanted = { username: "admin", now: new Date() };
  const created = await Promise.all([...stores, ...stores].map((store) => createFirstToken(store, wanted)));
  expect(created.filter((token) => token !== undefined).length).toBe(1);
});

test("a transaction whose work throws is rolled back", async () => {
  const store = await emptyStore();
  const failing = store.write(async (db) => {
    await db.insertInto("accounts").values({ name: "a", created: "" }).execute();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await store.read((db) => db.selectFrom("accounts").selectAll().execute())).toEqual([]);
});

test("a read whose signal is aborted begins no further statement", async () => {
  const store = await opened(await emptyPlace());
  const abort = new AbortController();
  const all: unknown[] = [];
  const read = store.read(
    async (db) => {
      all.push(await db.selectFrom("accounts").selectAll().execute());
      abort.abort("left");
      all.push(await db.selectFrom("accounts").selectAll().execute());
    },
    { signal: abort.signal },
  );
  await expect(read).rejects.toBe("left");
  expect(all).toEqual([[]]);
  const single = store.read(async () => all.push("begun"), { signal: abort.signal });
  await (isPostgres() ? expect(single).rejects.toBe("left") : single);
});

test("a write whose signal is aborted before it begins is dropped, and one that has begun is stored whole", async () => {
  const store = await opened(await emptyPlace());
  const abort = new AbortController();
  const insert = (db: Database, name: string) => db.insertInto("accounts").values({ name, created: "" }).execute();
  const begun = store.write(
    async (db) => {
      await insert(db, "one");
      abort.abort("left");
      await insert(db, "two");
    },
    { locks: "row", signal: abort.signal },
  );
  const insertLater = (options: WriteWorkOptions) => store.write((db) => insert(db, "three"), options);
  const { signal } = abort;
  const batch = { run: async () => expect.fail(), item: "three" };
  const waiting = [{ locks: "row" }, {}, { isLong: true }, { locks: "row", batch }].map((options) =>
    begun.then(() => insertLater({ ...options, signal })),
  );
  expect(await Promise.allSettled([begun, ...waiting])).toEqual([
    { status: "fulfilled", value: undefined },
    ...waiting.map(() => ({ status: "rejected", reason: "left" })),
  ]);
  const names = await store.read((db) => db.selectFrom("accounts").select("name").orderBy("id").execute());
  expect(names).toEqual([{ name: "one" }, { name: "two" }]);
});

test("a database of a newer version is refused", async () => {
  const place = await emptyPlace();
  const store = await openStore(place);
  await store.write((db) => sql`insert into migrations (name) values ('9999-later')`.execute(db));
  await store.close();
  await expect(openStore(place)).rejects.toMatchObject({
    problems: [
      {
        id: "store-newer",
        kind: "failed",
        severity: "error",
        summary: `the database ${store.place} was written by a newer zonewright`,
        detail: "This version does not know the migration 9999-later.",
        fix: "Start the newer version, or name another database.",
      },
    ],
  });
});
