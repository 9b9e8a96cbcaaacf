import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { LongRequests } from "../../src/server/http/long-requests.ts";
import type { Caller } from "../../src/server/kit/context.ts";
import { FairLimiter } from "../../src/server/kit/fair-limiter.ts";
import { mostTransactions } from "../../src/server/serve-names.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const fix = "Start PostgreSQL there, and look at the user, the password and the database that the URL names.";

describe("openStore reports the problem, its place and a fix, never the password", () => {
  const folder = new URL(inject("postgres") ?? "").search;
  test.each<[string, string, string, string]>([
    [
      "no server",
      "postgres://user:secret@localhost/zones?host=/nowhere",
      "cannot open the database postgres://user@localhost/zones",
      "no server is listening there.",
    ],
    [
      "no such host",
      "postgres://user:secret@zonewright.invalid:5433/zones",
      "cannot open the database postgres://user@zonewright.invalid:5433/zones",
      "its host name does not resolve.",
    ],
    [
      "no such database",
      `postgresql://zonewright:secret@localhost/nothing${folder}`,
      "cannot open the database postgresql://zonewright@localhost/nothing",
      "the database does not exist.",
    ],
    [
      "no such user",
      `postgres://nobody:secret@localhost/postgres${folder}`,
      "cannot open the database postgres://nobody@localhost/postgres",
      "the user and the password are not accepted.",
    ],
  ])("%s", async (_, url, summary, detail) => {
    const error = await openStore(url).catch((error) => error);
    expect(error.problems).toEqual([{ id: "store-open", kind: "failed", severity: "error", summary, detail, fix }]);
  });

  test("an invalid URL", async () => {
    const error = await openStore("postgres://user:se cret@:port").catch((error) => error);
    expect(error.problems).toEqual([
      {
        id: "store-open",
        kind: "failed",
        severity: "error",
        summary: "cannot open the database of DATABASE_URL",
        detail: "It is not of the form postgres://user:password@host:port/database.",
        fix,
      },
    ]);
  });
});

describe("a database that fails", () => {
  let place: string;
  let store: Store;
  beforeEach(async () => {
    place = await emptyPlace();
    store = await openStore(place);
  });
  afterEach(() => store.close());

  async function begin() {
    const errors: unknown[] = [];
    const api = await start({ store, onError: (error) => errors.push(error) });
    return { ...api, errors, id: await api.domain("example.com") };
  }

  const a = { type: "A", name: "www", target: "192.0.2.1" };

  test("a read-only database without its tables cannot be opened", async () => {
    const database = new URL(place).pathname.slice(1);
    await store.write((db) =>
      sql`alter database ${sql.id(database)} set default_transaction_read_only = on`.execute(db),
    );
    await expect(openStore(place)).rejects.toMatchObject({
      problems: [{ id: "store-open", detail: "it is read-only.", fix }],
    });
  });

  test("a read-only database: writes fail with a reason, reads succeed", async () => {
    const { call, errors, id } = await begin();
    await store.write((db) => sql`set session characteristics as transaction read only`.execute(db));
    const body = { errors: [{ reason: "The service cannot write to its database: it is read-only" }] };
    expect(await call("POST", `/domains/${id}/records`, a)).toEqual({ status: 503, body });
    expect(errors).toHaveLength(1);
    expect((await call("GET", `/domains/${id}`)).status).toBe(200);
  });

  test("a row locked by another transaction: the write fails with a reason", async () => {
    const { call, errors, id } = await begin();
    await store.write(async (db) => {
      await db.selectFrom("domains").selectAll().forUpdate().execute();
      const other = await openStore(place);
      const held = other.write(async (db) => {
        await sql`set local lock_timeout = 50`.execute(db);
        await db.selectFrom("domains").selectAll().forUpdate().execute();
      });
      await expect(held).rejects.toThrow(
        "The service cannot write to its database: the row is locked by another request",
      );
      await other.close();
    });
    expect((await call("POST", `/domains/${id}/records`, a)).status).toBe(200);
    expect(errors).toEqual([]);
  });

  test("a slow statement is cancelled: the request fails with a reason, the next one succeeds", async () => {
    const { call, id } = await begin();
    const { rows } = await store.read((db) => sql`show statement_timeout`.execute(db));
    expect(rows).toEqual([{ statement_timeout: "30s" }]);
    const long = store.read(async (db) => {
      await sql`set local statement_timeout = 20`.execute(db);
      await sql`select pg_sleep(3600)`.execute(db);
    });
    await expect(long).rejects.toThrow("The service cannot read its database: it took too long");
    expect((await call("GET", `/domains/${id}`)).status).toBe(200);
  });

  test("a broken connection: the request fails with a reason, the next one gets another connection", async () => {
    const { call, errors, id } = await begin();
    const broken = store.write(async (db) => {
      await db.insertInto("accounts").values({ name: "half", created: "" }).execute();
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    });
    await expect(broken).rejects.toThrow("The service cannot write to its database: it is shutting down or starting");
    const { rows } = await store.read((db) => sql`select id from accounts where name = 'half'`.execute(db));
    expect(rows).toEqual([]);
    expect((await call("POST", `/domains/${id}/records`, a)).status).toBe(200);
    expect(errors).toEqual([]);
  });

  test("idle connections that break are replaced, and every request is answered", async () => {
    const { call, id, errors } = await begin();
    const other = await openStore(inject("postgres") ?? "");
    const database = new URL(place).pathname.slice(1);
    const breakAll = () =>
      other.write((db) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`.execute(db),
      );
    const atOnce = (ask: (index: number) => ReturnType<typeof call>) =>
      Promise.all(Array.from({ length: 10 }, async (_, index) => (await ask(index)).status));
    const answered = Array.from({ length: 10 }, () => 200);
    for (let round = 0; round < 5; round++) {
      expect(await atOnce(() => call("GET", `/domains/${id}`))).toEqual(answered);
      await breakAll();
      expect(await atOnce(() => call("GET", `/domains/${id}`))).toEqual(answered);
      await breakAll();
      const name = (index: number) => `www${round}-${index}`;
      expect(await atOnce((index) => call("POST", `/domains/${id}/records`, { ...a, name: name(index) }))).toEqual(
        answered,
      );
      await breakAll();
      expect((await call("GET", `/domains/${id}/records`)).body.results).toBe(10 * (round + 1));
    }
    expect(errors).toEqual([]);
    await other.close();
  });

  test("prepared statements whose columns another server has changed are prepared again", async () => {
    const { call, errors, id } = await begin();
    const other = await openStore(place);
    const createAll = (round: string) =>
      Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const name = `${round}${index}`;
          const { status } = await call("POST", `/domains/${id}/records`, { ...a, name });
          return status === 200 ? (await call("GET", `/domains/${id}`)).status : status;
        }),
      );
    const answered = Array.from({ length: 10 }, () => 200);
    expect(await createAll("before")).toEqual(answered);
    for (const table of ["records", "domains"])
      await other.write((db) => db.schema.alterTable(table).addColumn("later", "integer").execute());
    expect(await createAll("after")).toEqual(answered);
    expect(errors).toEqual([]);
    await other.close();
  });

  test("a connection that the database ends for being idle is replaced", async () => {
    const { call, id, errors } = await begin();
    await store.read((db) => sql`set session idle_session_timeout = 1`.execute(db));
    const other = await openStore(inject("postgres") ?? "");
    const database = new URL(place).pathname.slice(1);
    const left = () =>
      other.read((db) =>
        sql`select from pg_stat_activity where datname = ${database} and application_name = 'zonewright'`.execute(db),
      );
    while ((await left()).rows.length > 0);
    expect((await call("GET", `/domains/${id}`)).status).toBe(200);
    expect(errors).toEqual([]);
    await other.close();
  });
});

test("filtered lists, clones and the name service under full load leave two connections to other requests", async () => {
  const store = await openStore(await emptyPlace());
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holding: Promise<void>[] = [];
  /** The same store, in which every read holds its connection until the end. */
  const held: Store = {
    ...store,
    read: (work) =>
      new Promise((resolve, reject) => {
        const hold = new Promise<void>((isHeld) => {
          const reading = store.read(async (db) => {
            isHeld();
            await ended;
            return work(db);
          });
          reading.then(resolve, reject);
        });
        holding.push(hold);
      }),
  };
  const read = (from: Store) => from.read((db) => db.selectFrom("accounts").selectAll().execute());
  const long = new LongRequests();
  const names = new FairLimiter(mostTransactions).limitStore(held);
  const filter = { filter: { where: { kind: "compare" } } };
  const work = Array.from({ length: 12 }, (_, accountId) => [
    long.run(filter, { accountId } as Caller, () => read(held)),
    read(long.storeFor("cloneDomain", held, { accountId } as Caller)),
    read(names),
  ]).flat();
  await new Promise((resolve) => setImmediate(resolve)); // what has a slot has begun
  await Promise.all(holding);
  expect(await Promise.all([read(store), read(store)])).toEqual([[], []]);
  end();
  await Promise.all(work);
  await store.close();
});
