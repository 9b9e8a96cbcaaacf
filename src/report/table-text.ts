import { plain } from "../diagnostics/plain.ts";
import { columns, pad } from "./columns.ts";

/** Rows as lines of columns, two spaces apart; an empty cell shows as `-`. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => plain(cell) || "-"));
  const widths = cells[0]?.map((_, index) => Math.max(...cells.map((row) => columns(row[index] ?? "")))) ?? [];
  const line = (row: readonly string[]) => row.map((cell, index) => pad(cell, widths[index] ?? 0)).join("  ");
  return cells.map((row) => `${line(row).trimEnd()}\n`).join("");
}
