import { replyTable } from "../report/api/reply.ts";
import { palette } from "../report/text/palette.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Prints rows below the names of their columns. On a terminal, columns without a value are left out, and long values
 * are shortened until lines fit its width. Without rows, `none` says so on standard error.
 */
export function printTable(
  terminal: Terminal,
  [names = [], ...rows]: readonly (readonly string[])[],
  none: string,
): void {
  if (rows.length === 0) {
    terminal.log(`${none}\n`);
    return;
  }
  const width = terminal.printWidth();
  const wanted = names.filter((_, index) => width === undefined || rows.some((row) => row[index] !== ""));
  const items = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  const { ellipsis } = palette(terminal.printStyle);
  terminal.print(replyTable(items, { wanted, order: [], width, ellipsis }).text);
}
