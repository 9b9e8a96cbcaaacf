/** The result codes that the server tells apart, and one extended code (sqlite.org/rescode.html). */
const names: Readonly<Record<number, string>> = {
  3: "PERM",
  5: "BUSY",
  6: "LOCKED",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  15: "PROTOCOL",
  26: "NOTADB",
  2067: "CONSTRAINT_UNIQUE",
};

/** SQLite's name of a result code, such as `SQLITE_BUSY`. The lower eight bits of an extended code are its family. */
export function nameResult(code: number): string {
  return `SQLITE_${names[code] ?? names[code & 0xff] ?? "ERROR"}`;
}
