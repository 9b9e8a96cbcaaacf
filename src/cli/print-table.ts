import { palette } from "../report/palette.ts";
import { replyTable } from "../report/reply-text.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Prints rows below the names of their columns. On a terminal, long values are shortened until lines fit its width.
 * Without rows, `none` says so on standard error.
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
  const items = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  const { ellipsis } = palette(terminal.printStyle);
  terminal.print(replyTable(items, { wanted: names, order: [], width: terminal.printWidth(), ellipsis }).text);
}
