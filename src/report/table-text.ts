import { plain } from "../diagnostics/plain.ts";

/** Rows as lines of columns, two spaces apart; an empty cell shows as `-`. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => plain(cell) || "-"))];
  const widths = head.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ");
  return cells.map((row) => `${line(row).trimEnd()}\n`).join("");
}
