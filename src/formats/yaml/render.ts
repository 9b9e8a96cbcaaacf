import { Document, isAlias, isCollection, isMap, isScalar, isSeq, Pair, Scalar, visit, YAMLMap, YAMLSeq } from "yaml";
import { isOdd, quoteOdd, spelled } from "./spelling.ts";

/** How a text is to be written. */
export interface Style {
  /** Inside of brackets or braces, where more characters have a meaning. */
  readonly isFlow: boolean;
  /** With quotes around every text, as JSON has it. */
  readonly isJson: boolean;
  /** The kind of scalar that stood there before. */
  readonly like?: Scalar.Type | undefined;
  /** Are lists written in brackets where both would do? */
  readonly listsInline: boolean;
}

/** A value on one line: a scalar, or a list or map with brackets. */
export function inline(value: unknown, { isFlow, isJson, like }: Omit<Style, "listsInline">): string {
  const document = new Document(null);
  const node = document.createNode(value);
  const quotes =
    isJson || like === "QUOTE_DOUBLE" ? Scalar.QUOTE_DOUBLE : like === "QUOTE_SINGLE" ? Scalar.QUOTE_SINGLE : undefined;
  const paint = (scalar: Scalar) => {
    if (typeof scalar.value !== "string") return;
    if (quotes) scalar.type = quotes;
    quoteOdd(scalar);
  };
  visit(node, { Scalar: (_, scalar) => paint(scalar) });
  if (isScalar(node)) paint(node);
  if (isCollection(node)) node.flow = true;
  if (!isFlow) {
    document.contents = node;
    const text = spelled(document).trimEnd();
    if (!text.includes("\n")) return text;
  }
  const list = new YAMLSeq();
  list.flow = true;
  list.items.push(node);
  document.contents = list;
  return spelled(document).trimEnd().slice(1, -1).trim();
}

/** A pair as lines from column 0, or on one line where it is to stand inside of braces. */
export function entry(key: string, value: unknown, style: Style): string {
  if (style.isFlow) return `${inline(key, style)}: ${inline(value, style)}`;
  const map = new YAMLMap();
  const document = new Document(null);
  map.items.push(new Pair(isOdd(key) ? new Scalar(key) : key, document.createNode(value)));
  return block(map, style);
}

/** A map or list as lines from column 0; `listsInline` puts lists into brackets. */
export function block(value: unknown, { listsInline }: Style): string {
  const document = new Document(null);
  const node = document.createNode(value);
  visit(node, {
    Scalar: (_, scalar) => quoteOdd(scalar),
    Seq: (_, seq) => {
      if (listsInline) seq.flow = true;
    },
  });
  document.contents = node;
  return spelled(document).trimEnd();
}

/** What a node says, without anchors, aliases and merges, so that it can be written where an alias stands. */
export function meaning(node: unknown, document: Document): unknown {
  if (isAlias(node)) return meaning(node.resolve(document), document);
  if (isSeq(node)) return node.items.map((item) => meaning(item, document));
  if (isMap(node)) return new Map(pairsOf(node, document));
  if (!isScalar(node) || node.value === null || node.value === undefined) return null;
  if (node.type !== "PLAIN" || node.source === undefined) return String(node.value);
  return typeof node.value === "number" && String(node.value) === node.source ? node.value : node.source;
}

/** Keys and values of a map, those that are merged into it laid out. */
export function pairsOf(map: YAMLMap, document: Document): [string, unknown][] {
  const own = new Map<string, unknown>();
  const merged: [string, unknown][] = [];
  for (const { key, value } of map.items) {
    if (isScalar(key) && typeof key.value === "symbol") merged.push(...mergedPairs(value, document));
    else own.set(String(meaning(key, document)), meaning(value, document));
  }
  for (const [key, value] of merged) if (!own.has(key)) own.set(key, value);
  return [...own];
}

/** What `<<` brings. */
export function mergedPairs(node: unknown, document: Document): [string, unknown][] {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (isMap(target)) return pairsOf(target, document);
  return isSeq(target) ? target.items.flatMap((item) => mergedPairs(item, document)) : [];
}
