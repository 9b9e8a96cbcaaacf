import { isCollection, isMap, isPair, isScalar, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import type { Splice } from "../splice.ts";
import type { YamlPair } from "./outline.ts";

type Item = Node | YamlPair | null;

/** A token of the source as `yaml` keeps it. */
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

/** Is the collection written with brackets or braces? */
export function isFlow(node: unknown): boolean {
  return isCollection(node) && node.flow === true;
}

/** Where an item starts, with its dash, anchor or tag. */
export function startOfItem(collection: YAMLMap | YAMLSeq, index: number): number {
  const item = collection.items[index] as Item;
  const source = sourceOf(collection, index);
  const sign = source?.start?.find(({ type }) => ["seq-item-ind", "explicit-key-ind", "anchor", "tag"].includes(type));
  const node = isPair(item) ? (item as YamlPair).key : item;
  return sign?.offset ?? source?.key?.offset ?? (node as Node | null)?.range?.[0] ?? 0;
}

/** Where the last character of a node or pair stands that says something, and one further. */
export function endOf(item: unknown): number {
  if (isPair(item)) {
    const { key, value } = item as YamlPair;
    return Math.max(endOfNode(key), value ? endOfNode(value) : 0, colonOf(item as YamlPair));
  }
  return endOfNode(item);
}

/** Behind the colon of a pair; 0 where it has none. */
export function colonOf(pair: YamlPair): number {
  const { sep } = (pair as { srcToken?: SourceItem }).srcToken ?? {};
  const colon = sep?.find(({ type }) => type === "map-value-ind");
  return colon ? colon.offset + 1 : 0;
}

/** Where the line behind an offset starts; at an offset where one starts, that. */
export function lineBehind(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Characters before an offset in its line. */
export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

/** Items that go, by index, and texts of new ones, each behind the item of its index; -1 for before the first. */
export interface ItemChanges {
  readonly gone?: ReadonlySet<number>;
  readonly added?: readonly { readonly behind: number; readonly text: string }[];
}

/** Items taken out of a list or map and put into it. Texts of several lines are indented from column 0. */
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
    const start = lineStart(text, startOfItem(collection, index));
    splices.push({ start, end: lineBehind(text, endOf(items[index])), text: "" });
  }
  const first = startOfItem(collection, 0);
  const indent = " ".repeat(columnOf(text, first));
  for (const { behind, text: fresh } of added) {
    const at = behind === -1 ? lineStart(text, first) : lineBehind(text, endOf(items[behind]));
    const dash = isMap(collection) ? "" : "- ";
    splices.push(wholeLines(text, lineEnd, at, indented(dash + fresh, indent, dash === "" ? "" : "  ", lineEnd)));
  }
  return splices;
}

/** Lines put in at the start of a line, or behind a last line that has no end. */
export function wholeLines(text: string, lineEnd: string, at: number, lines: string): Splice {
  const isOpen = at === text.length && at > 0 && text[at - 1] !== "\n";
  return { start: at, end: at, text: isOpen ? lineEnd + lines : lines + lineEnd };
}

/** A text of several lines, each behind white space. */
export function indented(text: string, indent: string, further: string, lineEnd: string): string {
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
    const isTail = index > lastKept;
    const start = isTail && index > 0 ? endOf(items[index - 1]) : startOfItem(collection, index);
    const end = isTail ? endOf(items[index]) : startOfItem(collection, index + 1);
    splices.push({ start, end, text: "" });
  }
  const fresh = added.map(({ text }) => text);
  if (fresh.length === 0) return splices;
  const between = items.length > 1 ? text.slice(endOf(items.at(-2)), startOfItem(collection, items.length - 1)) : "";
  const comma = /^\s*,\s*$/.test(between) && between.includes("\n") ? between : ", ";
  const at = lastKept === -1 ? openOf(text, collection) : endOf(items[lastKept]);
  const joined = fresh.join(comma);
  return [...splices, { start: at, end: at, text: lastKept === -1 ? joined : comma + joined }];
}

/** Behind the bracket of an empty or emptied flow collection. */
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
  const { items = [] } = (collection.srcToken ?? {}) as { items?: readonly SourceItem[] };
  return items.filter(({ start, value }) => value || start?.some(({ type }) => type === "seq-item-ind"))[index];
}
