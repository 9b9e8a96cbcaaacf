import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "../../src/server/store/sqlite/database.ts";
import { nameResult } from "../../src/server/store/sqlite/result-codes.ts";

/**
 * Opens a database with the SQLite that Node contains. The single executable has it in the place of
 * src/server/store/sqlite/libsql.ts.
 *
 * @param timeoutMs how long a statement waits for the lock of another process
 */
export function openDatabase(path: string, timeoutMs: number): SqliteDatabase {
  const options = { timeout: timeoutMs, enableForeignKeyConstraints: false };
  const database = named(() => new DatabaseSync(path, options));
  return {
    get isOpen() {
      return database.isOpen;
    },
    get isTransaction() {
      return database.isTransaction;
    },
    exec: (sql) => named(() => database.exec(sql)),
    prepare: (sql) => statementOf(named(() => database.prepare(sql))),
    close: () => database.close(),
  };
}

function statementOf(statement: StatementSync): SqliteStatement {
  const columns = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  return {
    columns,
    get: (values) => named(() => statement.get(...storable(values)) as unknown[] | undefined),
    all: (values) => named(() => statement.all(...storable(values)) as unknown as unknown[][]),
    run: (values) => named(() => statement.run(...storable(values))),
  };
}

/** SQLite has no booleans. */
function storable(values: readonly unknown[]): SQLInputValue[] {
  return values.map((value) => (typeof value === "boolean" ? Number(value) : value) as SQLInputValue);
}

/** Gives errors SQLite's name as `code`: Node has the number only. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    if (errcode !== undefined) Object.assign(error as Error, { code: nameResult(errcode) });
    throw error;
  }
}

/** Text of JavaScript that declares `openDatabase` in a worker thread. */
export const openInWorker = `
  const { DatabaseSync } = require("node:sqlite");
  const openDatabase = (path, timeout) => new DatabaseSync(path, { timeout });
`;
