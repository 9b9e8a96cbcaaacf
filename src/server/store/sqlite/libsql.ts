import Libsql from "libsql";
import type { SqliteDatabase, SqliteStatement } from "./database.ts";

/**
 * Opens a database with libsql, which works on every version of Node that zonewright runs on. The single executable has
 * Node's own SQLite in its place, because one file cannot have a package's machine code in it.
 *
 * @param timeoutMs how long a statement waits for the lock of another process
 */
export function openDatabase(path: string, timeoutMs: number): SqliteDatabase {
  const database = new Libsql(path, { timeout: timeoutMs });
  return {
    get isOpen() {
      return database.open;
    },
    get isTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => void database.exec(sql),
    prepare: (sql) => statementOf(database.prepare(sql) as Libsql.Statement),
    close: () => void database.close(),
  };
}

// It reads rows as lists, because libsql takes twice as long to make objects of them.
function statementOf(statement: Libsql.Statement): SqliteStatement {
  const columns = statement.reader ? statement.columns().map(({ name }) => name) : [];
  if (statement.reader) statement.raw();
  return {
    columns,
    get: (values) => statement.get(storable(values)) as unknown[] | undefined,
    all: (values) => statement.all(storable(values)) as unknown[][],
    run: (values) => statement.run(storable(values)),
  };
}

/** libsql 0.5 aborts the process on a boolean parameter. */
function storable(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === "boolean" ? Number(value) : value));
}

/** Text of JavaScript that declares `openDatabase` in a worker thread. */
export const openInWorker = `
  const Libsql = require("node:module").createRequire(${JSON.stringify(import.meta.url)})("libsql");
  const openDatabase = (path, timeout) => new Libsql(path, { timeout });
`;
