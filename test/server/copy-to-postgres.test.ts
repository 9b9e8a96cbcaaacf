// @suite only-postgres

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { copyToPostgres } from "../../src/server/store/copy-to-postgres.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { tables } from "../../src/server/store/tables.ts";
import { findPostgres, findPython } from "../judges.ts";
import { rows } from "./access-matrix.ts";
import { populate } from "./populated.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const names = Object.keys(tables);
const open = { records: "open", secretKey: () => new Uint8Array(32) } as const;

async function sqliteStore() {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  const path = join(folder, "zonewright.db");
  const store = await openStore(path);
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { store, path };
}

async function postgresStore() {
  const place = await emptyPlace();
  const store = await openStore(place);
  onTestFinished(() => store.close());
  return { store, place };
}

/** All rows of each table, as Python reads them from the file of SQLite. */
function rowsOfFile(path: string): Record<string, unknown[]> {
  const script = `
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.row_factory = sqlite3.Row
print(json.dumps({name: [dict(row) for row in database.execute(f"select * from {name}")] for name in sys.argv[2:]}))
`;
  const python = findPython("sqlite3") ?? expect.fail("no Python with sqlite3");
  return JSON.parse(execFileSync(python, ["-c", script, path, ...names], { encoding: "utf8" }));
}

/** The same of a database of PostgreSQL, as psql reads them. */
function rowsOfDatabase(url: string): Record<string, unknown[]> {
  const list = names.map((name) => `'${name}', (select coalesce(json_agg(t), '[]') from ${name} t)`);
  // A function takes at most 100 arguments.
  const parts = [list.slice(0, 40), list.slice(40)].filter((part) => part.length > 0);
  const found = parts.map((part) =>
    execFileSync(join(findPostgres() ?? "", "psql"), ["-XAtc", `select json_build_object(${part.join(", ")})`, url], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    }),
  );
  return Object.assign({}, ...found.map((text) => JSON.parse(text)));
}

/** Rows in an order of their own, each with its columns in alphabetical order. */
function sorted(all: Record<string, unknown[]>): Record<string, string[]> {
  const text = (row: unknown) => JSON.stringify(Object.entries(row as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  return Object.fromEntries(Object.entries(all).map(([name, found]) => [name, found.map(text).sort()]));
}

/** The replies of a server to all readings of the API. */
async function readAll(store: Store, now: Date, ids: Record<string, string>) {
  const api = await start({ store, ...open });
  api.clock.now = now;
  const replies: Record<string, unknown> = {};
  for (const { endpoint } of rows) {
    const [method = "", path = ""] = endpoint.split(" ");
    const where = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "1");
    if (method === "GET") replies[endpoint] = await api.call("GET", where);
  }
  // Ids continue where those of the source would.
  const id = await api.domain("later.example", [{ type: "ALIAS", name: "www", target: "example.net" }]);
  replies.later = [id, await api.call("GET", `/domains/${id}/records`), await api.call("GET", "/domains")];
  return replies;
}

test("a copy has all rows, and a server on it gives the same replies", async () => {
  const { store: source, path } = await sqliteStore();
  const { api, ids } = await populate(start({ store: source, ...open }));
  await api.domain("alias.example", [
    { type: "ALIAS", name: "www", target: "example.net" },
    { type: "TXT", name: "long", target: "ü".repeat(3000) },
  ]);
  await api.call("GET", "/managed/credentials/sshkey"); // makes the key
  const deleted = await api.domain("deleted.example");
  expect((await api.call("DELETE", `/domains/${deleted}`)).status).toBe(200);
  const { store: target, place } = await postgresStore();
  const copied = await copyToPostgres(source, target);
  const [before, after] = [rowsOfFile(path), rowsOfDatabase(place)];
  expect(sorted(after)).toEqual(sorted(before));
  expect(copied).toEqual(names.map((name) => ({ name, rows: before[name]?.length })));
  expect(copied.filter(({ rows }) => rows > 0).length).toBeGreaterThan(25);
  const replies = await readAll(target, api.clock.now, ids);
  expect(replies).toEqual(await readAll(source, api.clock.now, ids));
  expect(
    Object.values(replies).filter((reply) => (reply as { status?: number }).status === 200).length,
  ).toBeGreaterThan(50);
});

test("a database with rows is refused, and left as it is", async () => {
  const { store: source } = await sqliteStore();
  await start({ store: source });
  const { store: target, place } = await postgresStore();
  await copyToPostgres(source, target);
  const before = rowsOfDatabase(place);
  await expect(copyToPostgres(source, target)).rejects.toMatchObject({
    problems: [
      {
        id: "copy-filled",
        summary: `the database ${target.place} is not empty, so nothing was copied`,
        detail: 'Its table "accounts" has rows.',
        fix: "Name a new database. A server that has started on it has already made an account in it.",
      },
    ],
  });
  expect(rowsOfDatabase(place)).toEqual(before);
});

test("a row that PostgreSQL refuses leaves nothing behind; without it, the copy succeeds", async () => {
  const { store: source, path } = await sqliteStore();
  await (await start({ store: source })).domain("example.com");
  const setManaged = (managed: number) => source.write((db) => db.updateTable("accounts").set({ managed }).execute());
  await setManaged(2 ** 40);
  const { store: target, place } = await postgresStore();
  await expect(copyToPostgres(source, target)).rejects.toMatchObject({
    problems: [
      {
        id: "copy-differs",
        summary: 'PostgreSQL refuses a row of the table "accounts", so nothing was copied',
        detail: 'It says: value "1099511627776" is out of range for type integer.',
      },
    ],
  });
  expect(rowsOfDatabase(place)).toEqual(Object.fromEntries(names.map((name) => [name, []])));
  await setManaged(1);
  await copyToPostgres(source, target);
  expect(sorted(rowsOfDatabase(place))).toEqual(sorted(rowsOfFile(path)));
});

test("records and the counts that triggers keep change in the copy as before", async () => {
  const { store: source } = await sqliteStore();
  const { domain } = await start({ store: source });
  const id = await domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  const { store: target } = await postgresStore();
  await copyToPostgres(source, target);
  const { call } = await start({ store: target });
  await call("POST", `/domains/${id}/records`, { type: "A", name: "mail", target: "192.0.2.2" });
  const { rows } = await target.read((db) => sql`select records from domains`.execute(db));
  expect(rows).toEqual([{ records: 2 }]);
});

test("a source that is written to meanwhile is copied in one state", async () => {
  const { store: source } = await sqliteStore();
  const { call, domain } = await start({ store: source });
  const id = await domain("example.com");
  const create = (name: string) => call("POST", `/domains/${id}/records`, { type: "A", name, target: "192.0.2.1" });
  for (let number = 0; number < 100; number++) await create(`before${number}`);
  const { store: target, place } = await postgresStore();
  let isOver = false;
  const copying = copyToPostgres(source, target).finally(() => {
    isOver = true;
  });
  let written = 0;
  while (!isOver) expect((await create(`meanwhile${written++}`)).status).toBe(200);
  await copying;
  const { records = [], events = [] } = rowsOfDatabase(place) as Record<string, { action: string }[]>;
  expect(records.length).toBeGreaterThanOrEqual(100);
  expect(records.length).toBeLessThan(100 + written);
  expect(events.filter(({ action }) => action === "dns_record_create").length).toBe(records.length);
});
