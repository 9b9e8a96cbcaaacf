import type { Name } from "../../dns/name.ts";
import { rdataText, type ZoneRecord } from "../../dns/zone.ts";
import { isAbsolute, speller, ttlText } from "./edit.ts";
import type { Entry, Layout } from "./layout.ts";

/** What a new line is written like: an entry of one line, where its cells start, and its neighbours. */
export interface Model {
  readonly entry: Entry;
  readonly text: string;
  readonly others: readonly Entry[];
}

type Kind = "owner" | "ttl" | "class" | "type" | "data";

interface Cell {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** The model for a line behind the entry at `index`: the nearest record of one line, those before it first. */
export function modelAt({ entries, text }: Layout, index: number): Model | undefined {
  const fits = (entry: Entry) => entry.kind === "record" && entry.record?.type !== "SOA" && isOneLine(entry, text);
  const before = entries
    .slice(Math.max(0, index - 50), index + 1)
    .filter(fits)
    .reverse();
  const near = [...before, ...entries.slice(index + 1, index + 50).filter(fits)];
  const [entry, ...others] = near;
  return entry && { entry, text, others: others.slice(0, 8) };
}

export interface NewLine {
  readonly record: ZoneRecord;
  /** Undefined where the line goes on with the owner before. */
  readonly owner: string | undefined;
  readonly ttl: number | undefined;
  readonly origin: Name;
}

/** A record as a line, without its end, in the columns of the model. */
export function newLine({ record, owner, ttl, origin }: NewLine, model: Model | undefined): string {
  const cells = model ? cellsOf(model.entry) : [];
  const find = (kind: Kind) => cells.find((cell) => cell.kind === kind);
  const textOf = (kind: Kind) => {
    const cell = find(kind);
    return cell && model ? model.text.slice(cell.start, cell.end) : "";
  };
  const words = model ? model.entry.tokens.map(({ start, end }) => model.text.slice(start, end)) : [];
  const type = /^[a-z]+$/.test(textOf("type")) ? record.type.toLowerCase() : record.type;
  const texts: Readonly<Record<Kind, string>> = {
    owner: owner ?? "",
    ttl: ttl === undefined ? "" : ttlText(ttl, textOf("ttl")),
    class: model ? textOf("class") : "IN",
    type,
    data: rdataText(record, speller(origin, isAbsolute(words.slice(1), origin))),
  };
  const isClassFirst = (find("class")?.start ?? 1) < (find("ttl")?.start ?? 0);
  const order: Kind[] = [
    "owner",
    ...(isClassFirst ? (["class", "ttl"] as const) : (["ttl", "class"] as const)),
    "type",
    "data",
  ];
  let line = "";
  for (const kind of order) {
    if (texts[kind] === "" && kind !== "owner") continue;
    if (kind !== "owner") line = upTo(line, find(kind), cells, model);
    line += texts[kind];
  }
  return line;
}

/** The line with white space up to where a cell starts. */
function upTo(line: string, cell: Cell | undefined, cells: readonly Cell[], model: Model | undefined): string {
  if (!cell || !model) return line === "" ? "\t" : `${line} `;
  const { text, entry } = model;
  const before = cells[cells.indexOf(cell) - 1];
  const gap = text.slice(before?.end ?? entry.from, cell.start);
  const column = width(text.slice(entry.from, cell.start));
  if (gap.includes("\t")) {
    let out = line;
    do out += "\t";
    while (width(out) < column);
    return out;
  }
  if (line === "") return " ".repeat(Math.max(1, column));
  const isColumn = gap.length > 1 || isShared(model, cell, cells);
  return isColumn ? `${line.padEnd(column - 1)} ` : `${line} `;
}

/** Does the cell start in the same column in another line, whatever stands before it? */
function isShared({ entry, text, others }: Model, cell: Cell, cells: readonly Cell[]): boolean {
  const column = cell.start - entry.from;
  const before = cells[cells.indexOf(cell) - 1];
  return others.some((other) => {
    const all = cellsOf(other);
    const same = all.find(({ kind }) => kind === cell.kind);
    const previous = same && all[all.indexOf(same) - 1];
    if (!same || !previous || !before || text.slice(other.from, same.start).includes("\t")) return false;
    return same.start - other.from === column && previous.end - other.from !== before.end - entry.from;
  });
}

function cellsOf({ tokens, record }: Entry): Cell[] {
  if (!record) return [];
  const { ttlAt, classAt, typeAt } = record;
  const kinds: [Kind, number][] = [
    ["owner", record.inheritsOwner ? -1 : 0],
    ["ttl", ttlAt],
    ["class", classAt],
    ["type", typeAt],
    ["data", typeAt + 1],
  ];
  return kinds
    .flatMap(([kind, token]): Cell[] => {
      const span = tokens[token];
      return span ? [{ kind, ...span }] : [];
    })
    .sort((a, b) => a.start - b.start);
}

function isOneLine({ from, tokens }: Entry, text: string): boolean {
  return !/[()\r\n]/.test(text.slice(from, tokens.at(-1)?.end ?? from));
}

/** Columns with tab stops of eight. */
function width(text: string): number {
  let column = 0;
  for (const character of text) column += character === "\t" ? 8 - (column % 8) : 1;
  return column;
}
