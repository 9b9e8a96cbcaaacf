import { expect, test } from "vitest";
import type { FormatName } from "../../src/formats/readers.ts";
import { domainName } from "../names.ts";
import { formats } from "./api.ts";
import { withChanges } from "./changes.ts";

/** A file, what is to change (see `withChanges`), and the file afterwards. */
export interface Row {
  readonly what: string;
  readonly before: string;
  readonly change: string;
  readonly after: string;
}

/** One test for each row: the change, written into the file. */
export function testRows(format: FormatName, rows: readonly Row[]): void {
  const { read, rewrite, endings } = formats[format];
  test.each(rows)("$what", ({ before, change, after }) => {
    const previous = { file: `example${endings[0]}`, bytes: Buffer.from(before), origin: domainName("example.") };
    const { zone } = read(previous);
    expect(String(rewrite(withChanges(zone, change), previous))).toBe(after);
  });
}
