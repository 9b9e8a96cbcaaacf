// @suite only-postgres

import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore, type Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { type Answer, refused, start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

async function opened(place: string): Promise<Store> {
  const store = await openStore(place);
  onTestFinished(() => store.close());
  return store;
}

/** A server with two domains. */
async function startWithDomains() {
  const place = await emptyPlace();
  const store = await opened(place);
  const failures: unknown[] = [];
  const api = await start({ store, onError: (error) => failures.push(error) });
  const [one, two] = [await api.domain("example.com"), await api.domain("example.net")];
  const create = (name: string, target = "192.0.2.1", type = "A", id = one): Promise<Answer> =>
    api.call("POST", `/domains/${id}/records`, { type, name, target });
  const stored = async (id = one): Promise<string[]> => {
    const { body } = await api.call("GET", `/domains/${id}/records?page_size=500`);
    return body.data.map(({ name }: { name: string }) => name).sort();
  };
  return { ...api, place, store, one, two, create, stored, failures };
}

type Query = (...parameters: unknown[]) => Promise<unknown>;

/** Replaces the statements of all connections from now on. `send` sends one. */
function onStatements(replace: (text: string, send: () => Promise<unknown>, client: pg.Client) => Promise<unknown>) {
  const query = pg.Client.prototype.query as Query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...parameters: unknown[]
  ) {
    const [first] = parameters as [string | { text: string }];
    const text = typeof first === "string" ? first : first.text;
    return replace(text, () => query.apply(this, parameters), this);
  } as never);
  onTestFinished(() => spy.mockRestore());
}

/** The transactions of writes from now on, as the number of their records, once committed. */
function watchCommits(): number[] {
  const inserted = new Map<pg.Client, number>();
  const commits: number[] = [];
  onStatements((text, send, client) => {
    if (text.startsWith("begin")) inserted.set(client, 0);
    const rows = text.startsWith('insert into "records"') ? text.split("), (").length : 0;
    inserted.set(client, (inserted.get(client) ?? 0) + rows);
    if (text === "commit") commits.push(inserted.get(client) ?? 0);
    if (text === "commit" || text === "rollback") inserted.delete(client);
    return send();
  });
  return commits;
}

const names = (count: number, prefix = "h") =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, "0")}`);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const insert = (db: Database, name: string) => db.insertInto("accounts").values({ name, created: "" }).execute();
const accountsIn = async (store: Store) =>
  (await store.read((db) => db.selectFrom("accounts").select("name").orderBy("name").execute())).map(
    ({ name }) => name,
  );
const locks = "row";

test("creates in one domain that wait share commits, and are stored in the order of their requests", async () => {
  const { create, stored, failures } = await startWithDomains();
  const commits = watchCommits();
  const wanted = names(100);
  expect(statuses(await Promise.all(wanted.map((name) => create(name))))).toEqual(wanted.map(() => 200));
  expect(await stored()).toEqual(wanted);
  const groups = commits.filter((size) => size > 0);
  expect(groups.reduce((sum, size) => sum + size)).toBe(100);
  expect(groups.length).toBeLessThan(10);
  expect(failures).toEqual([]);
});

test("creates at once take few statements together, and one alone takes no more", async () => {
  const { create, one, two } = await startWithDomains();
  const sent: string[] = [];
  onStatements((text, send) => {
    const [beginning = ""] = /^insert into [a-z]+|^[a-z]+/.exec(text.replaceAll('"', "")) ?? [];
    sent.push(beginning);
    return send();
  });
  // The token, the domains, the names.
  const reads = ["select", "begin", "select", "with"];
  await create("alone");
  expect(sent.splice(0)).toEqual([...reads, "insert into records", "insert into events", "commit"]);
  await Promise.all(names(64).map((name, index) => create(name, "192.0.2.1", "A", index % 2 ? one : two)));
  const batches = sent.filter((text) => text === "commit").length;
  // Which creates wait for the same look-up of the token depends on the moment.
  expect(batches).toBeLessThan(6);
  expect(sent.length).toBeLessThan(batches * 20);
});

test("each write ends after the commit: another server sees it then", async () => {
  const { place, store } = await startWithDomains();
  const other = await opened(place);
  const seen: boolean[] = [];
  const write = async (name: string) => {
    await store.write((db) => insert(db, name), { locks });
    seen.push((await accountsIn(other)).includes(name));
  };
  await Promise.all(names(20).map(write));
  expect(seen).toEqual(names(20).map(() => true));
});

test("of 50 requests at once, one is refused because of another, and the others are stored", async () => {
  const { create, stored, failures } = await startWithDomains();
  const wanted = names(49);
  const requests = wanted.map((name) => create(name));
  const answers = await Promise.all([...requests, create("h007", "example.org", "CNAME")]);
  expect(statuses(answers.slice(0, 49))).toEqual(wanted.map(() => 200));
  expect(answers[49]).toEqual(refused(["Record conflict - CNAMES must be unique", "name"]));
  expect(await stored()).toEqual(wanted);
  expect(failures).toEqual([]);
});

test("a write that fails leaves nothing behind, and the others are stored", async () => {
  const { store } = await startWithDomains();
  const write = (name: string) =>
    store.write(
      async (db) => {
        await insert(db, name);
        if (name === "bad000") throw new Error("refused");
        if (name === "bad001") await sql`select 1 / 0`.execute(db);
      },
      { locks },
    );
  const wanted = [...names(20), "bad000", ...names(20, "i"), "bad001", ...names(8, "j")];
  const ends = await Promise.allSettled(wanted.map(write));
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.message] : []));
  expect(failed).toEqual(["refused", "division by zero"]);
  expect(await accountsIn(store)).toEqual(["admin", ...wanted.filter((name) => !name.startsWith("bad"))].sort());
});

test("writes of one domain do not wait for those of another, whose row is locked", async () => {
  const { store, create, stored, one, two } = await startWithDomains();
  let answered: Answer[] = [];
  const waiting = await store.write(async (db) => {
    await db.selectFrom("domains").select("id").where("id", "=", one).forUpdate().execute();
    const waiting = Promise.all(names(20).map((name) => create(name)));
    answered = await Promise.all(names(20).map((name) => create(name, "192.0.2.1", "A", two)));
    return { waiting };
  });
  expect(statuses(answered)).toEqual(names(20).map(() => 200));
  expect(statuses(await waiting.waiting)).toEqual(names(20).map(() => 200));
  expect([await stored(one), await stored(two)]).toEqual([names(20), names(20)]);
});

test("of writes that wait for a locked row, each waits for it once, all at the same time", async () => {
  const { store, one } = await startWithDomains();
  const run: string[] = [];
  const write = (name: string) =>
    store.write(
      async (db) => {
        run.push(name);
        await sql`set local lock_timeout = 50`.execute(db);
        await db.selectFrom("domains").select("id").where("id", "=", one).forUpdate().execute();
      },
      { locks },
    );
  const ends = await store.write(async (db) => {
    await db.selectFrom("domains").select("id").where("id", "=", one).forUpdate().execute();
    return Promise.allSettled(names(20).map(write));
  });
  const reason = "The service cannot write to its database: another transaction locks the row or the table";
  expect(ends.map((end) => (end.status === "rejected" ? end.reason.message : "stored"))).toEqual(
    names(20).map(() => reason),
  );
  expect(run.length).toBeLessThanOrEqual(2);
});

test("a connection that breaks amid a group: its writes run again, and one that breaks it each time fails", async () => {
  const { store } = await startWithDomains();
  const write = (name: string) =>
    store.write(
      async (db) => {
        await insert(db, name);
        if (name === "bad000") await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
      },
      { locks },
    );
  const wanted = [...names(10), "bad000", ...names(10, "i")];
  const ends = await Promise.allSettled(wanted.map(write));
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.message] : []));
  expect(failed).toEqual(["The service cannot write to its database: it is shutting down or starting"]);
  expect(await accountsIn(store)).toEqual(["admin", ...names(10), ...names(10, "i")]);
});

test("a commit that the database refuses: the write that causes it fails, and the others are stored once", async () => {
  const { store, create, stored } = await startWithDomains();
  await store.write(async (db) => {
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused at the commit' using errcode = '53100'; end $$`.execute(db);
    await sql`create constraint trigger refuse after insert on records deferrable initially deferred
      for each row when (new.name = 'bad') execute function refuse()`.execute(db);
  });
  const wanted = [...names(10), "bad", ...names(10, "i")];
  const answers = await Promise.all(wanted.map((name) => create(name)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([
    { status: 503, body: { errors: [{ reason: "The service cannot write to its database: the disk is full" }] } },
  ]);
  expect(await stored()).toEqual([...names(10), ...names(10, "i")]);
});

test.each([
  ["before", false],
  ["after", true],
])("a connection that breaks %s its commit took place: no write runs twice", async (_, takesPlace) => {
  const { store } = await startWithDomains();
  let runs = 0;
  const write = (name: string) =>
    store.write(
      async (db) => {
        runs++;
        await insert(db, name);
      },
      { locks },
    );
  onStatements(async (text, send, client) => {
    if (text !== "commit") return send();
    if (takesPlace) await send();
    client.connection.stream.destroy();
    return send();
  });
  const ends = await Promise.allSettled(names(10).map(write));
  vi.restoreAllMocks();
  const failed = ends.filter(({ status }) => status === "rejected").length;
  expect({ runs, failed }).toEqual({ runs: 10, failed: 10 });
  expect(await accountsIn(store)).toEqual(["admin", ...(takesPlace ? names(10) : [])]);
});
