import { escapeControl } from "../../diagnostics/escape.ts";
import { columns, pad } from "./columns.ts";

/** Rows as lines of columns, two spaces apart; an empty cell shows as `-`. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => escapeControl(cell) || "-"));
  const widthOf = (index: number) => cells.reduce((most, row) => Math.max(most, columns(row[index] ?? "")), 0);
  const widths = cells[0]?.map((_, index) => widthOf(index)) ?? [];
  const line = (row: readonly string[]) => row.map((cell, index) => pad(cell, widths[index] ?? 0)).join("  ");
  return cells.map((row) => `${line(row).trimEnd()}\n`).join("");
}
