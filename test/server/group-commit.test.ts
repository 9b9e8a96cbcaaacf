import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../src/server/http/node.ts";
import { yieldToEventLoop } from "../../src/server/store/event-loop.ts";
import { SqliteConnection } from "../../src/server/store/sqlite/sqlite.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { isMissing } from "../judges.ts";
import { type Answer, refused, start } from "./start.ts";

/** A path for a database file that is deleted after the test. */
function emptyPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "zonewright.db");
}

async function opened(path = emptyPath()): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}

const insert = (db: Database, name: string) => db.insertInto("accounts").values({ name, created: "" }).execute();
const namesIn = async (store: Store) =>
  (await store.read((db) => db.selectFrom("accounts").select("name").orderBy("id").execute())).map(({ name }) => name);

/** The transactions of writes from now on, with their savepoints. */
function watchTransactions(): string[][] {
  const transactions: string[][] = [];
  const run = SqliteConnection.prototype.run;
  let writer: SqliteConnection | undefined;
  const spy = vi.spyOn(SqliteConnection.prototype, "run").mockImplementation(function (this: SqliteConnection, sql) {
    if (sql === "begin immediate") {
      writer = this;
      transactions.push([]);
    } else if (this === writer) transactions.at(-1)?.push(...sql.replaceAll(" member", "").split("; "));
    run.call(this, sql);
  });
  onTestFinished(() => spy.mockRestore());
  return transactions;
}

/** The number of statements of writes from now on, by their beginnings. */
function countStatements(): () => Record<string, number> {
  const counts: Record<string, number> = {};
  let writer: SqliteConnection | undefined;
  const count = (connection: SqliteConnection, text: string) => {
    if (text === "begin immediate") writer = connection;
    const [beginning = ""] = /^(select \* from|insert into|with) [a-z]+|^.*/.exec(text.replaceAll('"', "")) ?? [];
    if (connection === writer) counts[beginning] = (counts[beginning] ?? 0) + 1;
  };
  const { run, query, executeQuery } = SqliteConnection.prototype;
  const spies = [
    vi.spyOn(SqliteConnection.prototype, "run").mockImplementation(function (this: SqliteConnection, sql) {
      count(this, sql);
      run.call(this, sql);
    }),
    vi.spyOn(SqliteConnection.prototype, "query").mockImplementation(function (this: SqliteConnection, sql, ...rest) {
      count(this, sql);
      return query.call(this, sql, ...rest) as never;
    }),
    vi.spyOn(SqliteConnection.prototype, "executeQuery").mockImplementation(function (this: SqliteConnection, sent) {
      count(this, sent.sql);
      return executeQuery.call(this, sent) as never;
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => counts;
}

/** A server on a file, with one domain. */
async function startWithDomain() {
  const store = await opened();
  const failures: unknown[] = [];
  const api = await start({ store, onError: (error) => failures.push(error) });
  const id = await api.domain("example.com");
  const create = (name: string, target = "192.0.2.1", type = "A"): Promise<Answer> =>
    api.call("POST", `/domains/${id}/records`, { type, name, target });
  const stored = async (): Promise<string[]> => {
    const { body } = await api.call("GET", `/domains/${id}/records?page_size=500`);
    return body.data.map(({ name }: { name: string }) => name);
  };
  return { ...api, id, create, stored, failures };
}

const names = (count: number, prefix = "h") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const diskFull = { errors: [{ reason: "The service cannot write to its database: the disk is full" }] };

test("writes that wait share a transaction, and each sees those before", async () => {
  const store = await opened();
  const transactions = watchTransactions();
  const write = (name: string) =>
    store.write(async (db) => {
      const before = await db.selectFrom("accounts").select("name").orderBy("id").execute();
      await insert(db, name);
      return before.map(({ name }) => name);
    });
  expect(await Promise.all(["a", "b", "c"].map(write))).toEqual([[], ["a"], ["a", "b"]]);
  expect(transactions).toEqual([["savepoint", "release", "savepoint", "release", "savepoint", "commit"]]);
  expect(await write("d")).toEqual(["a", "b", "c"]);
  expect(transactions.slice(1)).toEqual([["commit"]]);
});

test("each write ends after the commit, also one that is refused", async () => {
  const store = await opened();
  const log: string[] = [];
  const transactions = watchTransactions();
  const commits = () => transactions.flat().filter((sql) => sql === "commit").length;
  const work = ["a", "b", "a"].map((name) =>
    store
      .write(async (db) => {
        log.push(`write ${name}`);
        await insert(db, name);
      })
      .then(
        () => log.push(`${name} is stored after ${commits()} commit`),
        (error) => log.push(`${name} is refused after ${commits()} commit: ${error.code}`),
      ),
  );
  await Promise.all(work);
  expect(log).toEqual([
    "write a",
    "write b",
    "write a",
    "a is stored after 1 commit",
    "b is stored after 1 commit",
    "a is refused after 1 commit: SQLITE_CONSTRAINT_UNIQUE",
  ]);
});

test("reads see all of a group or nothing", async () => {
  const store = await opened();
  const seen: string[][] = [];
  const write = (name: string) =>
    store.write(async (db) => {
      await insert(db, name);
      await yieldToEventLoop();
      seen.push(await namesIn(store));
    });
  await Promise.all(["a", "b", "c"].map(write));
  expect([...seen, await namesIn(store)]).toEqual([[], [], [], ["a", "b", "c"]]);
});

test("a write that fails leaves nothing behind, and the others are stored", async () => {
  const store = await opened();
  const write = (name: string) =>
    store.write(async (db) => {
      await insert(db, name);
      if (name.startsWith("bad")) throw new Error(`${name} is refused`);
    });
  const wanted = [...names(20), "bad0", ...names(20, "i"), "bad1", ...names(8, "j")];
  const ends = await Promise.allSettled(wanted.map(write));
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.message] : []));
  expect(failed).toEqual(["bad0 is refused", "bad1 is refused"]);
  expect(await namesIn(store)).toEqual(wanted.filter((name) => !name.startsWith("bad")));
});

test("of 50 requests at once, one is refused because of another, and the others are stored", async () => {
  const { create, stored, failures } = await startWithDomain();
  const transactions = watchTransactions();
  const wanted = names(49);
  const requests = wanted.map((name) => create(name));
  const answers = await Promise.all([...requests, create("h7", "example.org", "CNAME")]);
  expect(statuses(answers.slice(0, 49))).toEqual(wanted.map(() => 200));
  expect(answers[49]).toEqual(refused(["Record conflict - CNAMES must be unique", "name"]));
  expect((await stored()).sort()).toEqual(wanted.sort());
  expect(transactions.length).toBe(1);
  expect(failures).toEqual([]);
});

test("creates at once take few statements together", async () => {
  const { domain, call } = await startWithDomain();
  const ids: number[] = [];
  for (let index = 0; index < 16; index++) ids.push(await domain(`d${index}.example`));
  const statements = countStatements();
  const body = { type: "A", target: "192.0.2.1" };
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) => call("POST", `/domains/${ids[n % 16]}/records`, { ...body, name: `h${n}` })),
  );
  expect(statuses(answers)).toEqual(answers.map(() => 200));
  expect(statements()).toEqual({
    "begin immediate": 1,
    "select * from domains": 1,
    "with places": 1,
    "insert into records": 1,
    "insert into events": 1,
    commit: 1,
  });
});

test("long work has a transaction of its own, and the order of writes stays", async () => {
  const store = await opened();
  const transactions = watchTransactions();
  const write = (name: string, isLong = false) => store.write((db) => insert(db, name), { isLong });
  await Promise.all([write("a"), write("b"), write("long", true), write("c"), write("d")]);
  expect(transactions).toEqual([
    ["savepoint", "release", "savepoint", "commit"],
    ["commit"],
    ["savepoint", "release", "savepoint", "commit"],
  ]);
  expect(await namesIn(store)).toEqual(["a", "b", "long", "c", "d"]);
});

test("a query that its write did not wait for is refused", async () => {
  const store = await opened();
  const late: Promise<string>[] = [];
  const careless = store.write(async (db) => {
    const query = yieldToEventLoop().then(() => insert(db, "late"));
    late.push(query.then(String, (error) => error.message));
  });
  const others = names(3).map((name) =>
    store.write(async (db) => {
      await yieldToEventLoop();
      await insert(db, name);
    }),
  );
  await careless;
  expect(await Promise.all(late)).toEqual(["a query after the end of its transaction"]);
  await Promise.all(others);
  expect(await namesIn(store)).toEqual(names(3));
});

test("of writes to a database that becomes full, those that fit are stored", async () => {
  const { create, stored, store, failures } = await startWithDomain();
  const { rows } = await store.read((db) => sql<{ page_count: number }>`pragma page_count`.execute(db));
  const pages = (rows[0]?.page_count ?? 0) + 4; // a text of 60,000 octets takes 15
  await store.write((db) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db));
  const long = "x".repeat(60_000);
  const answers = await Promise.all([
    ...names(10).map((name) => create(name)),
    create("long", long, "TXT"),
    ...names(10, "i").map((name) => create(name)),
  ]);
  expect(statuses(answers)).toEqual([...names(10).map(() => 200), 503, ...names(10).map(() => 200)]);
  expect(answers[10]?.body).toEqual(diskFull);
  expect(failures.length).toBe(1);
  expect((await stored()).sort()).toEqual([...names(10), ...names(10, "i")].sort());
});

// The limit on the size of files is the one failure of a commit that a test can switch on and off in its own process.
test.skipIf(isMissing("prlimit"))("of writes whose commit fails, those that fit are stored", async () => {
  const path = emptyPath();
  const store = await opened(path);
  const failures: unknown[] = [];
  const { call, domain } = await start({ store, onError: (error) => failures.push(error) });
  const id = await domain("example.com");
  const create = (name: string, target: string, type: string) =>
    call("POST", `/domains/${id}/records`, { type, name, target });
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  const limit = (octets: string) => execFileSync("prlimit", [`--fsize=${octets}:`, `--pid=${process.pid}`]);
  onTestFinished(() => {
    limit("unlimited");
    process.off("SIGXFSZ", ignore);
  });
  const transactions = watchTransactions();
  const sizeOfLog = () => statSync(`${path}-wal`).size;
  const before = sizeOfLog();
  await create("first", "192.0.2.1", "A");
  const record = sizeOfLog() - before;
  transactions.length = 0;
  // Room for the commits of two records and of one text, which takes as much and its own octets, but not for two texts.
  limit(String(sizeOfLog() + 3 * record + 90_000));
  const texts = names(3, "long");
  const answers = await Promise.all([
    create("a", "192.0.2.1", "A"),
    ...texts.map((name) => create(name, "x".repeat(60_000), "TXT")),
    create("b", "192.0.2.1", "A"),
  ]);
  limit("unlimited");
  // The group of five, then each alone. The first text still fits, and so do the records.
  expect(transactions.length).toBe(6);
  expect(statuses(answers)).toEqual([200, 200, 503, 503, 200]);
  const reason = "The service cannot write to its database: the disk reports an error";
  expect(answers.filter(({ status }) => status === 503).map(({ body }) => body)).toEqual(
    [1, 2].map(() => ({ errors: [{ reason }] })),
  );
  const { body } = await call("GET", `/domains/${id}/records`);
  expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(["a", "b", "first", "long0"]);
  expect(failures.length).toBe(2);
});

test("a client that disconnects, and one that does not send its body, affect no other of their group", async () => {
  const { server, token, id, stored, failures } = await startWithDomain();
  const { url, close } = await listen(server, { port: 0, timeouts: { headers: 500, request: 1000 } });
  onTestFinished(close);
  const send = async (name: string, length?: number): Promise<[socket: ReturnType<typeof connect>, said: string[]]> => {
    const body = JSON.stringify({ type: "A", name, target: "192.0.2.1" });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const said: string[] = [];
    socket.setEncoding("utf8").on("data", (text: string) => said.push(text));
    await once(socket, "connect");
    const head = [
      `POST /v4/domains/${id}/records HTTP/1.1`,
      "Host: api",
      "Connection: close",
      `Authorization: Bearer ${token}`,
      `Content-Length: ${length ?? body.length}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    return [socket, said];
  };
  const wanted = names(20);
  const [gone, incomplete, ...others] = await Promise.all([
    send("gone"),
    send("incomplete", 1000),
    ...wanted.map((name) => send(name)),
  ]);
  if (!gone || !incomplete) throw new Error("nothing was sent");
  gone[0].destroy();
  await Promise.all([incomplete, ...others].map(([socket]) => once(socket, "close")));
  const statusOf = (said: readonly string[]) => said.join("").split("\r\n")[0];
  expect(statusOf(incomplete[1])).toBe("HTTP/1.1 408 Request Timeout");
  expect(others.map(([, said]) => statusOf(said))).toEqual(wanted.map(() => "HTTP/1.1 200 OK"));
  // The request of the client that disconnected was complete: it is carried out or not, and once.
  const found = (await stored()).sort();
  expect(found.filter((name) => name !== "gone")).toEqual(wanted.sort());
  expect(found.filter((name) => name === "gone").length).toBeLessThanOrEqual(1);
  expect(failures).toEqual([]);
});

test("two servers on one file store the groups of both", async () => {
  const path = emptyPath();
  const [one, two] = [await opened(path), await opened(path)];
  const api = await start({ store: one });
  const other = await start({ store: two });
  const id = await api.domain("example.com");
  const wanted = names(120);
  const create = (name: string, index: number) =>
    (index % 2 === 0 ? api : other).call("POST", `/domains/${id}/records`, { type: "A", name, target: "192.0.2.1" });
  expect(statuses(await Promise.all(wanted.map(create)))).toEqual(wanted.map(() => 200));
  const { body } = await other.call("GET", `/domains/${id}/records?page_size=500`);
  expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(wanted.sort());
});
