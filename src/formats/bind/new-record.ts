import { type Name, type NameKey, nameKey, sortKey } from "../../dns/name/name.ts";
import type { SpellName } from "../../dns/rdata/field.ts";
import { rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { hasAbsoluteName, keepAbsolute, ttlText } from "./record-splices.ts";
import { type Entry, headIndexes, type RecordEntry, type Tree } from "./tree.ts";

/**
 * Finds the entry after which a new record is inserted, by index; -1 is before the first. It is the last one of the
 * same owner, or else the one before it in canonical order if the neighbours are in that order, or else the last
 * record. A record with the zone's default TTL is inserted where that `$TTL` applies, if possible.
 */
export class InsertionPoints {
  readonly #entries: readonly Entry[];
  readonly #last = new Map<NameKey, number>();
  readonly #keys: readonly { readonly key: string; readonly owner: NameKey }[];

  constructor({ entries }: Tree) {
    this.#entries = entries;
    entries.forEach((entry, index) => {
      if (entry.kind === "record" && entry.role !== "repeat") this.#last.set(nameKey(entry.record.owner), index);
    });
    const keys = [...this.#last.keys()].map((owner) => ({ key: sortKey(owner), owner }));
    this.#keys = keys.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  of(record: ZoneRecord): number {
    const wished = this.#last.get(nameKey(record.owner)) ?? this.#canonical(record.owner) ?? this.#end();
    const entries = this.#entries;
    if (record.ttl !== undefined || isDefault(entries[wished])) return wished;
    const fitting = entries.findLastIndex((entry, index) => index <= this.#end() && isDefault(entry));
    return fitting === -1 ? wished : fitting;
  }

  #canonical(owner: Name): number | undefined {
    const key = sortKey(owner);
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle]?.key ?? "") < key) low = middle + 1;
      else high = middle;
    }
    const previous = this.#keys[low - 1];
    const before = previous && this.#last.get(previous.owner);
    if (before === undefined) return undefined;
    const entries = this.#entries;
    let at = before + 1;
    while (at < entries.length && entries[at]?.kind !== "record" && entries[at]?.kind !== "origin") at++;
    const next = entries[at];
    if (!next) return before;
    return next.kind === "record" && sortKey(next.record.owner) > key ? before : undefined;
  }

  /** The last entry with records, before the SOA record that a printed transfer repeats at its end. */
  #end(): number {
    return this.#entries.findLastIndex(
      (entry) =>
        entry.kind !== "origin" && entry.kind !== "ttl" && !(entry.kind === "record" && entry.role === "repeat"),
    );
  }
}

function isDefault(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.ttlAfter === undefined;
}

/** The single-line record whose layout a new line copies, and its neighbours. */
export interface Model {
  readonly entry: RecordEntry;
  readonly text: string;
  readonly others: readonly RecordEntry[];
}

type Kind = "owner" | "ttl" | "class" | "type" | "data";

interface Cell {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** The model for a line after the entry at `index`: the nearest record of one line, those before it first. */
export function modelAt({ entries, text }: Tree, index: number): Model | undefined {
  const fits = (entry: Entry): entry is RecordEntry =>
    entry.kind === "record" && entry.record.type !== "SOA" && isOneLine(entry, text);
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
  /** Undefined if the line inherits its owner. */
  readonly owner: string | undefined;
  readonly ttl: number | undefined;
  readonly origin: Name;
  readonly spellTarget: SpellName;
}

/** Writes a record as a line, without its end, in the columns of the model. */
export function newLine({ record, owner, ttl, origin, spellTarget }: NewLine, model: Model | undefined): string {
  const cells = model ? cellsOf(model) : [];
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
    data: rdataText(record, hasAbsoluteName(words.slice(1), origin) ? keepAbsolute : spellTarget),
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

/** Pads the line with white space up to the start of a cell. */
function upTo(line: string, cell: Cell | undefined, cells: readonly Cell[], model: Model | undefined): string {
  if (!cell || !model) return line === "" ? "\t" : `${line} `;
  const { text, entry } = model;
  const before = cells[cells.indexOf(cell) - 1];
  const gap = text.slice(before?.end ?? entry.start, cell.start);
  const column = width(text.slice(entry.start, cell.start));
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

/** Whether the cell starts in the same column in another line, whatever precedes it. */
function isShared({ entry, text, others }: Model, cell: Cell, cells: readonly Cell[]): boolean {
  const column = cell.start - entry.start;
  const before = cells[cells.indexOf(cell) - 1];
  return others.some((other) => {
    const all = cellsOf({ text, entry: other });
    const same = all.find(({ kind }) => kind === cell.kind);
    const previous = same && all[all.indexOf(same) - 1];
    if (!same || !previous || !before || text.slice(other.start, same.start).includes("\t")) return false;
    return same.start - other.start === column && previous.end - other.start !== before.end - entry.start;
  });
}

function cellsOf({ text, entry }: Pick<Model, "text" | "entry">): Cell[] {
  const { tokens, typeAt } = entry;
  const { ttlAt, classAt } = headIndexes(text, entry, tokens);
  const kinds: [Kind, number][] = [
    ["owner", entry.inheritsOwner ? -1 : 0],
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

function isOneLine({ start, tokens }: Entry, text: string): boolean {
  return !/[()\r\n]/.test(text.slice(start, tokens.at(-1)?.end ?? start));
}

/** Columns with tab stops of eight. */
function width(text: string): number {
  let column = 0;
  for (const character of text) column += character === "\t" ? 8 - (column % 8) : 1;
  return column;
}
