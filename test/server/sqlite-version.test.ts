import { expect, test } from "vitest";
import type { SqliteDatabase } from "../../src/server/store/sqlite/database.ts";
import { SqliteVersion } from "../../src/server/store/sqlite/sqlite.ts";

/** A connection that answers with these numbers, and then fails. */
function connection(numbers: number[]): SqliteDatabase {
  const get = () => {
    const number = numbers.shift();
    if (number === undefined) throw new Error("disk I/O error");
    return [number];
  };
  const statement = { columns: ["data_version"], get, all: () => [], run: () => ({ changes: 0, lastInsertRowid: 0 }) };
  return { isOpen: true, isTransaction: false, exec: () => {}, prepare: () => statement, close: () => {} };
}

test("the versions of two connections differ, although each counts from the same number", () => {
  const connections = [connection([1, 1, 2]), connection([1, 2, 2])];
  const version = new SqliteVersion({
    open: () => connections.shift() ?? connection([]),
    query: "pragma data_version",
  });
  const [one, same, two, failed, other, third, last, gone, still] = Array.from({ length: 9 }, () => version.read());
  expect([same, last]).toEqual([one, third]);
  expect(new Set([one, two, other, third]).size).toBe(4);
  expect([failed, gone, still]).toEqual([undefined, undefined, undefined]);
});
