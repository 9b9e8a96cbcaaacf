import { columns, packItems, pad, shorten, wrap } from "../text/columns.ts";
import type { Line, LineKind, Value } from "../text/line.ts";
import type { Palette } from "../text/palette.ts";

/** Maximum widths of the columns; longer text shifts the rest of its line. `body` is type, TTL and value. */
const widest = { owner: 32, type: 8, ttl: 14, body: 72 };

/** Minimum width for values that are wrapped beside the owner name. */
const leastRoom = 24;

/**
 * Rows of a zone's changes: symbol, word, owner name, type, TTL, value, consequences and place. With a width, long
 * values are shortened and the rest is wrapped below them. Without one, each change is one line with its full values.
 */
export function planRows(lines: readonly Line[], colors: Palette, width: number | undefined): string[] {
  const table = tableOf(lines, width);
  const most = width ?? Number.POSITIVE_INFINITY;
  const rows = lines.map((line) => {
    const number = `${line.step}`.padStart(table.step);
    const kind = `${pad(symbol(line.kind, colors), columns(colors.swap))} ${pad(line.kind, 6)}`;
    const row = { head: `  ${number} ${kind}  `, line, ...table };
    const cells = width === undefined ? [ownerAndType(row) + valueText(line)] : fitRow(row, width, colors);
    const [first = ""] = cells;
    const indent = columns(row.head);
    const { marks = [], gaps = [], effects, place } = line;
    const items = [...marks, ...gaps, ...effects, place].filter(Boolean);
    const start = Math.min(columns(first), width ?? table.owner + widest.body);
    // The last column where consequences and place fit beside the change.
    const end = cells.length > 1 ? -1 : most - indent - columns(`  ${items.join("  ")}`);
    return { head: `  ${number} ${paint(line.kind, kind, colors)}  `, indent, cells, items, start, end };
  });
  const body = commonColumn(rows.filter(({ items }) => items.length > 0));
  return rows.flatMap(({ head, indent, cells: [first = "", ...more], items, start, end }) => {
    const isBeside = items.length > 0 && start <= body && body <= end;
    const text = isBeside ? `${pad(first, body)}  ${colors.dim(items.join("  "))}` : first;
    const below = isBeside ? [] : packItems(items, ` ${colors.dot} `, most - indent).map(colors.dim);
    return [`${head}${text}`.trimEnd(), ...[...more, ...below].map((line) => " ".repeat(indent) + line)];
  });
}

/** The column that lies in the most of the ranges. */
function commonColumn(ranges: readonly { readonly start: number; readonly end: number }[]): number {
  let [best, most] = [0, 0];
  for (const column of new Set(ranges.map(({ start }) => start))) {
    const number = ranges.filter(({ start, end }) => start <= column && column <= end).length;
    if (number > most) [best, most] = [column, number];
  }
  return best;
}

/** Widths of the columns. */
interface Table {
  readonly step: number;
  readonly owner: number;
  readonly type: number;
  readonly ttl: number;
}

interface Row extends Table {
  readonly head: string;
  readonly line: Line;
}

function tableOf(lines: readonly Line[], width: number | undefined): Table {
  const widestOf = (texts: readonly string[], most: number) =>
    texts.reduce((wide, text) => Math.max(wide, Math.min(columns(text), most)), 0);
  const owner = width === undefined ? widest.owner : Math.min(widest.owner, Math.max(8, Math.floor(width / 5)));
  const records = lines.flatMap(({ typeAndTtl }) => (typeAndTtl ? [typeAndTtl] : []));
  return {
    step: lines.reduce((wide, { step }) => Math.max(wide, `${step}`.length), 0),
    owner: widestOf(
      lines.map(({ owner }) => owner),
      owner,
    ),
    type: widestOf(
      records.map(([type]) => type),
      widest.type,
    ),
    ttl: widestOf(
      records.map(([, ttl]) => ttl),
      widest.ttl,
    ),
  };
}

/** The columns before the value, each followed by two spaces. */
function ownerAndType({ line: { owner, typeAndTtl }, ...table }: Row): string {
  const cells = [pad(owner, table.owner)];
  if (typeAndTtl) cells.push(pad(typeAndTtl[0], table.type), pad(typeAndTtl[1], table.ttl));
  return cells.map((cell) => `${cell}  `).join("");
}

function valueText({ values }: Pick<Line, "values">): string {
  return values.map(({ text, joint }) => (joint === undefined ? text : `${joint} ${text}`)).join(" ");
}

/**
 * The cells of a change as lines; all but the first are indented to the owner name. Values that do not fit beside it
 * are put below it, where they have more room.
 */
function fitRow(row: Row, width: number, { ellipsis }: Palette): string[] {
  const { line, head } = row;
  const before = ownerAndType(row);
  const most = width - columns(head);
  const room = most - columns(before);
  const all = valueText(line);
  if (columns(all) <= room) return [before + all];
  const isProse = line.values.some((value) => value.isProse);
  if (room >= leastRoom && (isProse || line.values.every((value) => columns(valueText({ values: [value] })) <= room))) {
    const [first = "", ...more] = valueLines(line.values, room, ellipsis);
    return [before + first, ...more.map((text) => " ".repeat(columns(before)) + text)];
  }
  const cells = [line.owner, ...(line.typeAndTtl ?? [])];
  return [
    ...(columns(before.trimEnd()) <= most ? [before.trimEnd()] : packItems(cells, "  ", most)),
    ...(columns(all) <= most ? [all] : valueLines(line.values, most, ellipsis)),
  ];
}

function valueLines(values: readonly Value[], width: number, ellipsis: string): string[] {
  return values.flatMap(({ text, joint, isProse }, index) => {
    const before = joint === undefined ? "" : `${joint} `;
    const room = width - columns(before);
    const unlike = (values[index - 1] ?? values[index + 1])?.text;
    const lines = isProse
      ? wrap(text, room).map((word) => shorten(word, { width: room, ellipsis }))
      : [shorten(text, { width: room, ellipsis, unlike })];
    return lines.map((line, at) => (at === 0 ? before + line : line));
  });
}

export function symbol(kind: LineKind, { swap }: Palette): string {
  return { create: "+", change: "~", swap, delete: "-" }[kind];
}

export function paint(kind: LineKind, text: string, { blue, red, magenta, bold }: Palette): string {
  return bold({ create: blue, change: (text: string) => text, swap: magenta, delete: red }[kind](text));
}
