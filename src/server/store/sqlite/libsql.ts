import Libsql from "libsql";
import type { SqliteDatabase, SqliteStatement } from "./database.ts";
import { nameResult } from "./result-codes.ts";

/**
 * Opens a database with libsql, which works on every version of Node that zonewright runs on. The single executable has
 * Node's own SQLite in its place, because one file cannot have a package's machine code in it.
 *
 * @param timeoutMs how long a statement waits for the lock of another process
 */
export function openDatabase(path: string, timeoutMs: number): SqliteDatabase {
  const database = named(() => new Libsql(path, { timeout: timeoutMs }));
  return {
    get isOpen() {
      return database.open;
    },
    get isTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => void named(() => database.exec(sql)),
    prepare: (sql) => statementOf(named(() => database.prepare(sql) as Libsql.Statement)),
    close: () => void database.close(),
  };
}

// It reads rows as lists, because libsql takes twice as long to make objects of them.
function statementOf(statement: Libsql.Statement): SqliteStatement {
  const columns = statement.reader ? statement.columns().map(({ name }) => name) : [];
  if (statement.reader) statement.raw();
  return {
    columns,
    get: (values) => named(() => statement.get(storable(values)) as unknown[] | undefined),
    all: (values) => named(() => statement.all(storable(values)) as unknown[][]),
    run: (values) => named(() => statement.run(storable(values))),
  };
}

/**
 * Gives errors SQLite's name as `code`: libsql 0.5 names most of them itself, but not extended codes such as that of a
 * read-only folder (1544), and of a failed opening it has the code only at the end of its text.
 */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = "", message = "" } = error as { code?: string; message?: string };
    const [, found] =
      /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? /^ConnectionFailed\(.*: (\d+)"\)$/.exec(message) ?? [];
    if (found !== undefined) Object.assign(error as Error, { code: nameResult(Number(found)) });
    throw error;
  }
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
