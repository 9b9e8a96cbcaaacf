// @suite postgres

import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { Outages } from "../../src/server/kit/outages.ts";
import { openStore, StoreFailure } from "../../src/server/store/store.ts";
import { start } from "./start.ts";
import { emptyPlace, isPostgres } from "./stores.ts";

/** A server whose failures of the database are written as lines; the test moves the time, in seconds. */
async function begin() {
  const place = await emptyPlace();
  const opened = await openStore(place);
  onTestFinished(() => opened.close());
  const lines: string[] = [];
  const time = { seconds: 0 };
  const outages = new Outages(
    (line) => lines.push(line),
    () => time.seconds * 1000,
  );
  const store = outages.watch(opened);
  const onError = outages.reportTo((error) => expect.fail(String(error)));
  const api = await start({ store, onError });
  const create = async (name: string) => {
    const domain = {
      domain: `${name}.example`,
      type: "master",
      soa_email: "a@b.example",
      description: "x".repeat(200),
    };
    return (await api.call("POST", "/domains", domain)).status;
  };
  return { ...api, opened, place, lines, time, create };
}

const many = (count: number, ask: (n: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));

test.skipIf(isPostgres()).each([
  [0, "once"],
  [20, "21 times within 5 seconds"],
])("a full disk is one line, and its end another with the number of failures: %i more", async (refused, times) => {
  const { opened, lines, time, create, call } = await begin();
  const setSize = (pages: number) => opened.write((db) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db));
  await setSize(1);
  const fill = async () => {
    for (let n = 0; (await create(`filler${n}`)) === 200; n++);
  };
  await fill();
  time.seconds = 5;
  const statuses = new Set(await many(refused, (n) => create(`refused${n}-${"y".repeat(40)}`)));
  expect([...statuses]).toEqual(refused === 0 ? [] : [503]);
  expect(lines).toEqual(["The service cannot write to its database: the disk is full"]);
  expect((await call("GET", "/domains")).status).toBe(200);
  await setSize(1_073_741_823);
  expect(await create("a")).toBe(200);
  expect(lines).toHaveLength(1); // it may fail again at once
  time.seconds = 15;
  expect(await create("b")).toBe(200);
  expect(lines.slice(1)).toEqual([`The service can write to its database again. It failed ${times}`]);
  expect(await create("c")).toBe(200);
  expect(lines).toHaveLength(2);
});

test.runIf(isPostgres()).each([
  ["is away", (name: string) => `rename to ${name}_away`, (name: string) => `${name}_away rename to ${name}`],
  ["is closed", () => "allow_connections false", (name: string) => `${name} allow_connections true`],
])("a database that %s is a line for each reason, and its return another", async (state, close, open) => {
  const { place, lines, time, call, create } = await begin();
  const url = new URL(place);
  const name = url.pathname.slice(1);
  url.pathname = "postgres";
  const operator = new pg.Client(url.href);
  await operator.connect();
  onTestFinished(() => operator.end());
  const alter = (what: string) => operator.query(`alter database ${what}`);
  const endAll = () =>
    operator.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await endAll();
  for (;;) {
    try {
      await alter(`${name} ${close(name)}`);
      break;
    } catch {
      await endAll();
    }
  }
  await endAll();
  onTestFinished(() =>
    alter(open(name)).then(
      () => {},
      () => {},
    ),
  );
  const ask = async () => (await call("GET", "/domains")).status;
  expect(new Set(await many(20, ask))).toEqual(new Set([503]));
  time.seconds = 3;
  expect(await ask()).toBe(503);
  const reason = state === "is away" ? "the database does not exist" : "it refuses connections";
  expect(lines).toEqual([`The service cannot read its database: ${reason}`]);
  await alter(open(name));
  expect(await ask()).toBe(200);
  time.seconds = 12;
  expect(await ask()).toBe(200);
  expect(lines).toHaveLength(1);
  time.seconds = 13;
  expect([await ask(), await create("a")]).toEqual([200, 200]);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^The service can read its database again\. It failed \d+ times within 3 seconds$/),
  ]);
});

test("each reason is one line in an outage, reads and writes are told apart, and other errors are passed on", () => {
  const lines: string[] = [];
  const others: unknown[] = [];
  const report = new Outages((line) => lines.push(line)).reportTo((error) => others.push(error));
  for (const reason of ["it is away", "it starts", "it is away", "it starts"])
    report(new StoreFailure("read", reason, undefined));
  report(new StoreFailure("write", "it starts", undefined));
  report("another error");
  expect(lines).toEqual([
    "The service cannot read its database: it is away",
    "The service cannot read its database: it starts",
    "The service cannot write to its database: it starts",
  ]);
  expect(others).toEqual(["another error"]);
});
