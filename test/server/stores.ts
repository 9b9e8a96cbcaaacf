import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { inject, onTestFinished, TestRunner } from "vitest";
import { openStore, type Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import type {} from "./with-postgres.ts";

/**
 * Stores that no test holds, of all files of this worker; to empty one is faster than to set one up. They end with its
 * process.
 */
const free: Store[] = [];

/** A store with nothing in it: SQLite in memory, or PostgreSQL. It is used again when its test is over. */
export async function emptyStore(): Promise<Store> {
  // A store that no test waits for may be there only when one runs, which it does not belong to.
  const isOfTest = TestRunner.getCurrentTest() !== undefined;
  const store = await lease();
  if (isOfTest) onTestFinished(() => giveBack(store));
  return store;
}

/** The same for a part of a test. */
export async function withEmptyStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await lease();
  try {
    return await work(store);
  } finally {
    giveBack(store);
  }
}

/** Pairs of stores of one database that no test holds. */
const freePairs: (readonly [Store, Store])[] = [];

/**
 * Two stores of one empty database for a part of a test, as two processes have them; with SQLite twice the one that a
 * process has.
 */
export async function withTwoStores<T>(work: (one: Store, other: Store) => Promise<T>): Promise<T> {
  if (!isPostgres()) return withEmptyStore((store) => work(store, store));
  const pair = freePairs.pop() ?? (await openPair());
  try {
    await empty(pair[0]);
    return await work(...pair);
  } finally {
    freePairs.push(pair);
  }
}

async function openPair(): Promise<readonly [Store, Store]> {
  const place = await emptyDatabase();
  return [await openStore(place), await openStore(place)];
}

async function lease(): Promise<Store> {
  const used = free.pop();
  if (used === undefined) return openStore(isPostgres() ? await emptyDatabase() : ":memory:");
  await empty(used);
  return used;
}

function giveBack(store: Store): void {
  free.push(store);
}

/** Whether the stores of this run are in PostgreSQL. */
export const isPostgres = () => inject("postgres") !== undefined;

/** The address of an empty store: a file of SQLite, or a database of PostgreSQL. */
export async function emptyPlace(): Promise<string> {
  if (isPostgres()) return emptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "data", "zonewright.db");
}

/** The URL of a database without a table, in the project that tests with PostgreSQL. */
async function emptyDatabase(): Promise<string> {
  const url = new URL(inject("postgres") ?? "");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  url.pathname = name;
  return url.href;
}

async function empty(store: Store): Promise<void> {
  await store.write((db) => (isPostgres() ? truncate(db) : deleteAll(db)));
}

/** All rows of an SQLite database, by table. */
export type Tables = ReadonlyMap<string, readonly Record<string, unknown>[]>;

export function readTables(store: Store): Promise<Tables> {
  return store.read(async (db) => {
    const found = new Map<string, readonly Record<string, unknown>[]>();
    for (const name of await filledTables(db))
      found.set(name, (await sql<Record<string, unknown>>`select * from ${sql.id(name)}`.execute(db)).rows);
    return found;
  });
}

/** Fills an empty SQLite database with these rows. */
export function fillTables(store: Store, tables: Tables): Promise<void> {
  return store.write(async (db) => {
    await sql`pragma defer_foreign_keys = on`.execute(db);
    for (const [name, rows] of tables)
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((column) => sql.id(column)));
        await sql`insert into ${sql.id(name)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db);
      }
  });
}

async function truncate(db: Database): Promise<void> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`.execute(db);
  const names = sql.join(tables.rows.map(({ name }) => sql.id(name)));
  await sql`truncate ${names} restart identity cascade`.execute(db);
}

/** Deletes all rows of an SQLite database; ids begin at 1 again. */
async function deleteAll(db: Database): Promise<void> {
  const filled = await filledTables(db);
  await sql`pragma defer_foreign_keys = on`.execute(db);
  for (const name of filled) await sql`delete from ${sql.id(name)}`.execute(db);
}

/** The tables with rows. Most are empty, and one query tells which. */
async function filledTables(db: Database): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name <> 'migrations'`.execute(db);
  const rows = tables.rows.map(({ name }) => sql`select ${name} as name where exists (select 1 from ${sql.id(name)})`);
  const filled = await sql<{ name: string }>`${sql.join(rows, sql` union all `)}`.execute(db);
  return filled.rows.map(({ name }) => name);
}
