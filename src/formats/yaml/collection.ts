import { isCollection, isMap, isPair, isScalar, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import type { Splice } from "../edit/splice.ts";
import type { YamlPair } from "./tree.ts";

type Item = Node | YamlPair | null;

/** A source token of the library. */
interface Token {
  readonly type: string;
  readonly offset: number;
}

interface SourceItem {
  readonly start?: readonly Token[];
  readonly key?: Token | null;
  readonly sep?: readonly Token[];
  readonly value?: Token | null;
}

/** Whether the collection is written with brackets or braces. */
export function isFlow(node: unknown): boolean {
  return isCollection(node) && node.flow === true;
}

/** The offset of an item, with its dash, anchor or tag. */
export function startOfItem(collection: YAMLMap | YAMLSeq, index: number): number {
  const item = collection.items[index] as Item;
  const source = sourceOf(collection, index);
  const sign = source?.start?.find(({ type }) => ["seq-item-ind", "explicit-key-ind", "anchor", "tag"].includes(type));
  const node = isPair(item) ? (item as YamlPair).key : item;
  return sign?.offset ?? source?.key?.offset ?? (node as Node | null)?.range?.[0] ?? 0;
}

/** The offset after the last significant character of a node or pair. */
export function endOf(item: unknown): number {
  if (isPair(item)) {
    const { key, value } = item as YamlPair;
    return Math.max(endOfNode(key), value ? endOfNode(value) : 0, colonOf(item as YamlPair));
  }
  return endOfNode(item);
}

/** The offset after the colon of a pair; 0 if it has none. */
export function colonOf(pair: YamlPair): number {
  const { sep } = (pair as { srcToken?: SourceItem }).srcToken ?? {};
  const colon = sep?.find(({ type }) => type === "map-value-ind");
  return colon ? colon.offset + 1 : 0;
}

/** The start of the next line after an offset, or the offset itself at the start of a line. */
export function nextLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** The column of an offset, from 0. */
export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

/** Indices of items to remove, and new items, each after the item of an index, or -1 for the start. */
export interface ItemChanges {
  readonly gone?: ReadonlySet<number>;
  readonly added?: readonly { readonly behind: number; readonly text: string }[];
}

/** Removes items of a list or map and adds new ones. Texts of several lines are indented from column 0. */
export function itemSplices(
  text: string,
  lineEnd: string,
  collection: YAMLMap | YAMLSeq,
  changes: ItemChanges,
): Splice[] {
  return isFlow(collection) ? flowSplices(text, collection, changes) : blockSplices(text, lineEnd, collection, changes);
}

function blockSplices(
  text: string,
  lineEnd: string,
  collection: YAMLMap | YAMLSeq,
  { gone = new Set(), added = [] }: ItemChanges,
): Splice[] {
  const splices: Splice[] = [];
  const { items } = collection;
  for (const index of gone) {
    const at = startOfItem(collection, index);
    const end = endOfBlock(text, nextLine(text, endOf(items[index])), columnOf(text, at));
    splices.push({ start: lineStart(text, at), end, text: "" });
  }
  const first = startOfItem(collection, 0);
  const indent = " ".repeat(columnOf(text, first));
  for (const { behind, text: fresh } of added) {
    const at = behind === -1 ? lineStart(text, first) : nextLine(text, endOf(items[behind]));
    const dash = isMap(collection) ? "" : "- ";
    splices.push(lineSplice(text, lineEnd, at, indentLines(dash + fresh, indent, dash === "" ? "" : "  ", lineEnd)));
  }
  return splices;
}

/** The offset after the further indented comments that follow an item and belong to it. */
function endOfBlock(text: string, start: number, column: number): number {
  let end = start;
  const line = /[ \t]*(#)?[^\n]*(?:\n|$)/y;
  for (let at = start; at < text.length; at = line.lastIndex) {
    line.lastIndex = at;
    const [whole = "", mark] = line.exec(text) ?? [];
    if (mark && whole.indexOf(mark) > column) end = line.lastIndex;
    else if (mark || whole.trim() !== "") break;
  }
  return end;
}

/** Inserts lines at the start of a line, or after an incomplete last line. */
export function lineSplice(text: string, lineEnd: string, at: number, lines: string): Splice {
  const isOpen = at === text.length && at > 0 && text[at - 1] !== "\n";
  return { start: at, end: at, text: isOpen ? lineEnd + lines : lines + lineEnd };
}

export function indentLines(text: string, indent: string, further: string, lineEnd: string): string {
  return text
    .split("\n")
    .map((line, index) => (line === "" ? "" : indent + (index === 0 ? "" : further) + line))
    .join(lineEnd);
}

function flowSplices(
  text: string,
  collection: YAMLMap | YAMLSeq,
  { gone = new Set(), added = [] }: ItemChanges,
): Splice[] {
  const { items } = collection;
  const splices: Splice[] = [];
  const lastKept = items.findLastIndex((_, index) => !gone.has(index));
  for (const index of gone) {
    const [start, end] = [startOfItem(collection, index), endOf(items[index])];
    if (index < lastKept) splices.push({ ...lineOf(text, start, afterComma(text, end)), text: "" });
    else if (index === 0) splices.push({ start, end, text: "" });
    else {
      const before = endOf(items[index - 1]);
      const comma = afterComma(text, before);
      if (!text.slice(before, start).includes("#")) splices.push({ start: before, end, text: "" });
      else splices.push({ start: comma - 1, end: comma, text: "" }, { ...lineOf(text, start, end), text: "" });
    }
  }
  const fresh = added.map(({ text }) => text);
  if (fresh.length === 0) return splices;
  const between = items.length > 1 ? text.slice(endOf(items.at(-2)), startOfItem(collection, items.length - 1)) : "";
  const comma = /^\s*,\s*$/.test(between) && between.includes("\n") ? between : ", ";
  const at = lastKept === -1 ? openOf(text, collection) : endOf(items[lastKept]);
  const joined = fresh.join(comma);
  return [...splices, { start: at, end: at, text: lastKept === -1 ? joined : comma + joined }];
}

/** The offset after the next comma outside comments. */
function afterComma(text: string, at: number): number {
  const comma = /[^,#]*(?:#[^\n]*\n[^,#]*)*,/y;
  comma.lastIndex = at;
  return comma.test(text) ? comma.lastIndex : at;
}

/**
 * The range removed with an item in brackets: its line with the comment at its end, or the space up to the next item.
 */
function lineOf(text: string, start: number, end: number): { start: number; end: number } {
  const rest = /[ \t]*(?:(?:#[^\n]*?)?(\r?\n))?/y;
  rest.lastIndex = end;
  const [, lineEnd = ""] = rest.exec(text) ?? [];
  const behind = rest.lastIndex;
  const isFirst = text.slice(lineStart(text, start), start).trim() === "";
  if (lineEnd === "") return { start, end: behind };
  return isFirst ? { start: lineStart(text, start), end: behind } : { start, end: behind - lineEnd.length };
}

/** The offset after the bracket of an empty flow collection, or of its first item. */
function openOf(text: string, collection: YAMLMap | YAMLSeq): number {
  const start = collection.range?.[0] ?? 0;
  return collection.items.length > 0 ? startOfItem(collection, 0) : start + (/^[[{]/.test(text[start] ?? "") ? 1 : 0);
}

function endOfNode(node: unknown): number {
  if (isCollection(node) && !isFlow(node) && node.items.length > 0) return endOf(node.items.at(-1));
  if (isScalar(node) || isCollection(node)) return node.range?.[1] ?? 0;
  return (node as Node | null)?.range?.[1] ?? 0;
}

function sourceOf(collection: YAMLMap | YAMLSeq, index: number): SourceItem | undefined {
  const item = collection.items[index];
  if (isPair(item)) return (item as { srcToken?: SourceItem }).srcToken;
  let sources = sourceItems.get(collection);
  if (!sources) {
    const { items = [] } = (collection.srcToken ?? {}) as { items?: readonly SourceItem[] };
    sources = items.filter(({ start, value }) => value || start?.some(({ type }) => type === "seq-item-ind"));
    sourceItems.set(collection, sources);
  }
  return sources[index];
}

/** Caches the source items of each list. */
const sourceItems = new WeakMap<YAMLMap | YAMLSeq, readonly SourceItem[]>();
