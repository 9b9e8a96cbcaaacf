import { escapeControl, escapeLines } from "../../diagnostics/escape.ts";
import { columns, shorten, wrap } from "../text/columns.ts";
import { tableText } from "../text/table-text.ts";

/** Items of a list as a table. */
export interface ReplyTable {
  readonly text: string;
  /** Columns without room on the terminal. */
  readonly omitted: readonly string[];
}

interface TableOptions {
  /** The columns to show, as dotted paths; by default all that have a value. */
  readonly wanted?: readonly string[] | undefined;
  /** The order of the columns; others follow. */
  readonly order: readonly string[];
  /** Columns of the terminal; undefined for values in full. */
  readonly width: number | undefined;
  readonly ellipsis: string;
}

/** The widest cell on a terminal, unless its column was asked for. */
const widestCell = 40;
/** The widest cell of numbers and times, which are shortened last. */
const defaultCell = 20;
/** The narrowest cell that a value is shortened to. */
const leastCell = 8;
/** Spaces between columns. */
const gap = 2;

/**
 * Items as lines of columns. In a pipe, every column is shown with its values in full. On a terminal, lines fit its
 * width: of columns that were not asked for, those without a value and then the last ones are left out, and long values
 * are shortened.
 */
export function replyTable(items: readonly unknown[], { wanted, order, width, ellipsis }: TableOptions): ReplyTable {
  const names = wanted ?? columnsOf(items, order);
  const all = names.map((name) => [name, ...items.map((item) => cellText(valueAt(item, name)))].map(escapeControl));
  if (width === undefined) return { text: tableOf(all), omitted: [] };
  if (wanted) return { text: tableOf(fitAll(all, width, ellipsis)), omitted: [] };
  const filled = all.filter(([, ...cells]) => cells.some((cell) => cell !== ""));
  const short = filled.map((cells) => shortenCells(cells, widestCell, ellipsis));
  let used = -gap;
  const fitting = short.findIndex((cells) => {
    used += gap + widthOf(cells);
    return used > width;
  });
  const count = fitting === -1 ? short.length : Math.max(1, fitting);
  const omitted = filled.slice(count).map(([name = ""]) => name);
  return { text: tableOf(fitAll(short.slice(0, count), width, ellipsis)), omitted };
}

function tableOf(all: readonly (readonly string[])[]): string {
  const rows = all[0]?.map((_, index) => all.map((cells) => cells[index] ?? "")) ?? [];
  return escapeLines(tableText(rows));
}

function widthOf(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columns(cell)), 0);
}

function shortenCells([name = "", ...cells]: readonly string[], width: number, ellipsis: string): string[] {
  return [name, ...cells.map((cell) => shorten(cell, { width: Math.max(width, columns(name)), ellipsis }))];
}

/**
 * Shortens the values of the widest columns until a line fits: first of those that are wider than numbers and times.
 * Columns do not get narrower than their names.
 */
function fitAll(all: readonly (readonly string[])[], width: number, ellipsis: string): (readonly string[])[] {
  const fitted = all.map((cells) => ({
    cells,
    isLong: widthOf(cells) > defaultCell,
    least: Math.max(leastCell, columns(cells[0] ?? "")),
    width: widthOf(cells),
  }));
  const isTooWide = () => fitted.reduce((sum, column) => sum + column.width + gap, -gap) > width;
  for (const shrinking of [fitted.filter(({ isLong }) => isLong), fitted])
    while (isTooWide()) {
      const able = shrinking.filter((column) => column.width > column.least);
      const widest = able.toSorted((a, b) => b.width - a.width)[0];
      if (widest === undefined) break;
      widest.width--;
    }
  return fitted.map((column) => shortenCells(column.cells, column.width, ellipsis));
}

/** The paths of all values in items: the known ones in order, then others as they occur. */
export function columnsOf(items: readonly unknown[], order: readonly string[]): string[] {
  const found = new Set(items.flatMap((item) => leavesOf(item).map(([path]) => path)));
  // An object that is null in one item has its columns from the others.
  for (const path of found) for (const outer of outerPaths(path)) found.delete(outer);
  return [...order.filter((path) => found.has(path)), ...[...found].filter((path) => !order.includes(path))];
}

/** `a` and `a.b` for `a.b.c`. */
function outerPaths(path: string): string[] {
  return [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index));
}

/** One object as lines of names and values; each item of a list and each line of a text has a line. */
export function replyLines(reply: unknown, width: number | undefined): string {
  const leaves = leavesOf(reply).map(([path, value]) => [escapeControl(path), value] as const);
  const indent = Math.max(0, ...leaves.map(([path]) => columns(path))) + gap;
  const lines = leaves.flatMap(([path, value]) => {
    const values = Array.isArray(value) ? value.map(cellText) : cellText(value).split(/\r?\n/);
    const texts = values.flatMap((text) => wrap(escapeControl(text), width === undefined ? undefined : width - indent));
    return (texts.length > 0 ? texts : [""]).map((text, index) => {
      const name = index === 0 ? path : "";
      return `${name}${" ".repeat(indent - columns(name))}${text || "-"}`;
    });
  });
  return escapeLines(lines.map((line) => `${line}\n`).join(""));
}

/** The values of an object by their dotted paths; a list is one value. */
function leavesOf(value: unknown, prefix = ""): [path: string, value: unknown][] {
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [[prefix, value]];
  return entries.flatMap(([key, inner]) => leavesOf(inner, prefix === "" ? key : `${prefix}.${key}`));
}

function valueAt(item: unknown, path: string): unknown {
  if (!isObject(item)) return undefined;
  if (Object.hasOwn(item, path)) return item[path];
  const dot = path.indexOf(".");
  return dot === -1 ? undefined : valueAt(item[path.slice(0, dot)], path.slice(dot + 1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
