// @suite only-postgres

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { Lanes } from "../../src/server/http/lanes.ts";
import { FairLimiter } from "../../src/server/kit/fair-limiter.ts";
import { mostTransactions } from "../../src/server/serve-names.ts";
import { requireLong } from "../../src/server/store/long-work.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const fix = "Start PostgreSQL, and check the user, password and database in the URL.";

describe("openStore reports the problem, its place and a fix, never the password", () => {
  const folder = new URL(inject("postgres") ?? "").search;
  test.each<[string, string, string, string, string?]>([
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
      "Create the database (CREATE DATABASE), or check its name in the URL.",
    ],
    [
      "no such user",
      `postgres://nobody:secret@localhost/postgres${folder}`,
      "cannot open the database postgres://nobody@localhost/postgres",
      "the user and the password are not accepted.",
    ],
  ])("%s", async (_, url, summary, detail, own = fix) => {
    const error = await openStore(url).catch((error) => error);
    const expected = { id: "store-open", kind: "failed", severity: "error", summary, detail, fix: own };
    expect(error.problems).toEqual([expected]);
  });

  test("an invalid URL", async () => {
    const error = await openStore("postgres://user:se cret@:port").catch((error) => error);
    expect(error.problems).toEqual([
      {
        id: "store-open",
        kind: "failed",
        severity: "error",
        summary: "cannot open the database of DATABASE_URL",
        detail: "it is not of the form postgres://user:password@host:port/database.",
        fix,
      },
    ]);
  });
});

describe("a user whom PostgreSQL limits", () => {
  /** A user of an own database, and the URL with which they reach it. */
  async function userOf(place: string) {
    const user = `user_${randomUUID().replaceAll("-", "")}`;
    const owner = new pg.Client({ connectionString: place });
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query(`create role ${user} login password 'secret'`);
    const url = new URL(place);
    Object.assign(url, { username: user, password: "secret" });
    return { owner, user, url: url.href, database: url.pathname.slice(1) };
  }

  const once = { total: 0, now: () => 0, sleep: async () => {} };
  const problemsOf = (url: string) =>
    openStore(url, once).then(
      (store) => store.close(),
      (error) => error.problems ?? error,
    );
  const problem = (url: string, detail: string, fix: string) => [
    {
      id: "store-open",
      kind: "failed",
      severity: "error",
      summary: `cannot open the database ${url.replace(/:secret|\?.*/g, "")}`,
      detail,
      fix,
    },
  ];
  const more = "or end other programs that are connected. A server of zonewright has up to 13.";

  test("the connection limit of a user", async () => {
    const { owner, user, url, database } = await userOf(await emptyPlace());
    await owner.query(`alter database ${database} owner to ${user}; alter role ${user} connection limit 0`);
    expect(await problemsOf(url)).toEqual(
      problem(
        url,
        "its user has as many connections as its limit allows.",
        `Allow the user more (ALTER ROLE name CONNECTION LIMIT number), ${more}`,
      ),
    );
    await owner.query(`alter role ${user} connection limit 13`);
    expect(await problemsOf(url)).toBe(undefined);
  });

  test("the connection limit of a database", async () => {
    const { owner, user, url, database } = await userOf(await emptyPlace());
    await owner.query(`alter database ${database} owner to ${user}; alter database ${database} connection limit 0`);
    expect(await problemsOf(url)).toEqual(
      problem(
        url,
        "the database has as many connections as its limit allows.",
        `Allow the database more (ALTER DATABASE name CONNECTION LIMIT number), ${more}`,
      ),
    );
    await owner.query(`alter database ${database} connection limit 14`); // the owner here has one
    expect(await problemsOf(url)).toBe(undefined);
  });

  test("a user who may read the tables and not write", async () => {
    const place = await emptyPlace();
    await (await openStore(place)).close();
    const { owner, user, url, database } = await userOf(place);
    await owner.query(`grant select on all tables in schema public to ${user}`);
    expect(await problemsOf(url)).toEqual(
      problem(
        url,
        "its user lacks the privilege for it.",
        "Name the user in the URL who owns the database and its tables: it has to create and change tables.",
      ),
    );
    await owner.query(`revoke connect on database ${database} from public`);
    expect(await problemsOf(url)).toMatchObject([{ detail: "its user lacks the privilege for it." }]);
    expect(await problemsOf(place)).toBe(undefined);
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
      problems: [
        {
          id: "store-open",
          detail: "it is read-only.",
          fix: "Name the primary server of PostgreSQL in the URL: a standby cannot be written. On a primary, set default_transaction_read_only to off.",
        },
      ],
    });
    await store.write(async (db) => {
      await sql`set transaction read write`.execute(db);
      await sql`alter database ${sql.id(database)} set default_transaction_read_only = off`.execute(db);
    });
    await (await openStore(place)).close();
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
        "The service cannot write to its database: another transaction locks the row or the table",
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

describe("work that waits for a lock holds no connection that other work needs", () => {
  /** A server with 12 domains, a record in the first, and another account; `lock` runs SQL in a transaction outside. */
  async function begin() {
    const place = await emptyPlace();
    const store = await openStore(place);
    onTestFinished(() => store.close());
    const errors: unknown[] = [];
    const api = await start({ store, onError: (error) => errors.push(error) });
    for (let n = 1; n <= 12; n++) await api.domain(`d${n}.example`, n > 1 ? [] : [{ type: "A", target: "192.0.2.1" }]);
    const as = await api.mint({ username: "other", account: "other" });
    const outside = new pg.Client({ connectionString: place });
    await outside.connect();
    onTestFinished(() => outside.end());
    const lock = (statement: string) => outside.query(`begin; ${statement}`);
    const unlock = () => outside.query("rollback");
    const waiting = async () => {
      const { rows } = await outside.query(
        "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'",
      );
      return rows[0].n;
    };
    return { ...api, as, errors, lock, unlock, waiting };
  }

  test("40 readers of a locked table: others are answered while all of them wait", async () => {
    const { call, as, errors, lock, unlock, waiting } = await begin();
    await lock("lock table records in access exclusive mode");
    const answered: number[] = [];
    const readers = Array.from({ length: 40 }, async (_, n) => {
      const { status } = await call("GET", n % 2 === 0 ? "/domains/1/records" : "/domains/1/records/1");
      answered.push(status);
    });
    for (const path of ["/profile", "/domains", "/domains/1", "/account/events"])
      for (const headers of [{}, { as }])
        expect([path, (await call("GET", path, undefined, headers)).status, answered]).toEqual([
          path,
          path === "/domains/1" && "as" in headers ? 404 : 200,
          [],
        ]);
    expect([(await call("POST", "/account/events/1/seen")).status, answered]).toEqual([200, []]);
    while ((await waiting()) > 2);
    await unlock();
    await Promise.all(readers);
    expect([answered, errors]).toEqual([Array.from({ length: 40 }, () => 200), []]);
  });

  test("writes to 12 locked domains: others are answered while all of them wait", async () => {
    const { call, as, errors, lock, unlock, waiting } = await begin();
    await lock("select * from domains for update");
    const answered: number[] = [];
    const writers = Array.from({ length: 48 }, async (_, n) => {
      const path = `/domains/${1 + (n % 12)}`;
      const { status } = await (n < 24
        ? call("PUT", path, { description: `${n}` })
        : call("POST", `${path}/records`, { type: "A", name: `n${n}`, target: "192.0.2.1" }));
      answered.push(status);
    });
    for (const path of ["/profile", "/domains", "/domains/1/records/1"]) await call("GET", path);
    const soa_email = "a@b.example";
    const created = await call("POST", "/domains", { domain: "e.example", type: "master", soa_email }, { as });
    expect([created.status, answered]).toEqual([200, []]);
    while ((await waiting()) > 2);
    await unlock();
    await Promise.all(writers);
    expect([answered, errors]).toEqual([Array.from({ length: 48 }, () => 200), []]);
  });
});

test("long lists, clones and the name service under full load leave two connections to other requests", async () => {
  const store = await openStore(await emptyPlace());
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holding: Promise<void>[] = [];
  /** The same store, in which every long read holds its connection until the end. */
  const held: Store = {
    ...store,
    read: (work, options) =>
      options?.pace !== "long"
        ? store.read(work, options)
        : new Promise((resolve, reject) => {
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
  const readLong = (from: Store) =>
    from.read((db) => {
      requireLong(db);
      return db.selectFrom("accounts").selectAll().execute();
    });
  const lanes = new Lanes(store);
  const names = new FairLimiter(mostTransactions).limitStore(held);
  const work = Array.from({ length: 12 }, (_, account) => {
    const client = { owner: `account ${account}`, signal: undefined };
    return [readLong(lanes.storeFor(held, client)), read(lanes.storeFor(held, client, "cloneDomain")), read(names)];
  }).flat();
  while (holding.length < 8) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all(holding);
  expect(await Promise.all([read(store), read(store)])).toEqual([[], []]);
  end();
  await Promise.all(work);
  await store.close();
});
