/**
 * The calls of a SQLite library that the server makes. Errors have SQLite's name as `code`, such as `SQLITE_BUSY` or
 * `SQLITE_IOERR_WRITE` (sqlite.org/rescode.html).
 */
export interface SqliteDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** A prepared statement. Rows are lists in the order of the columns. */
export interface SqliteStatement {
  /** The names of the columns; empty for a statement that gives no rows. */
  readonly columns: readonly string[];
  get(values: readonly unknown[]): readonly unknown[] | undefined;
  all(values: readonly unknown[]): (readonly unknown[])[];
  run(values: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}
