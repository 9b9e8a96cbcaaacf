import { Document, isCollection, isScalar, Pair, Scalar, visit, YAMLMap, YAMLSeq } from "yaml";
import { escapeControl, escapeQuoted } from "../../diagnostics/escape.ts";
import { nodeOf, type YamlNode } from "./tree.ts";

export interface ValueStyle {
  /** Whether it is inside brackets or braces, where more characters are special. */
  readonly isFlow: boolean;
  /** Whether all strings are quoted, as in JSON. */
  readonly isJson: boolean;
  /** The kind of the scalar that it replaces. */
  readonly like?: Scalar.Type | undefined;
  /** Whether lists are in brackets if both forms are possible. */
  readonly listsInline: boolean;
}

/** Prints a value on one line: a scalar, or a list or map in brackets. */
export function printInline(value: unknown, { isFlow, isJson, like }: Omit<ValueStyle, "listsInline">): string {
  const document = new Document(null);
  const node = document.createNode(value);
  const quotes =
    isJson || like === "QUOTE_DOUBLE" ? Scalar.QUOTE_DOUBLE : like === "QUOTE_SINGLE" ? Scalar.QUOTE_SINGLE : undefined;
  const setQuotes = (scalar: Scalar) => {
    if (typeof scalar.value !== "string") return;
    if (quotes) scalar.type = quotes;
    quoteUnusual(scalar);
  };
  visit(node, { Scalar: (_, scalar) => setQuotes(scalar) });
  if (isScalar(node)) setQuotes(node);
  if (isCollection(node)) node.flow = true;
  if (!isFlow) {
    document.contents = node;
    const text = printDocument(document).trimEnd();
    if (!text.includes("\n")) return text;
  }
  const list = new YAMLSeq();
  list.flow = true;
  list.items.push(node);
  document.contents = list;
  return printDocument(document).trimEnd().slice(1, -1).trim();
}

/** Prints a pair as lines from column 0, or on one line inside braces. */
export function printEntry(key: string, value: unknown, style: ValueStyle): string {
  if (style.isFlow) return `${printInline(key, style)}: ${printInline(value, style)}`;
  const map = new YAMLMap();
  const document = new Document(null);
  map.items.push(new Pair(isUnusual(key) ? new Scalar(key) : key, document.createNode(value)));
  return printBlock(map, style);
}

/** Prints a map or list as lines from column 0. */
export function printBlock(value: unknown, { listsInline }: ValueStyle): string {
  const document = new Document(null);
  const node = document.createNode(value);
  visit(node, {
    Scalar: (_, scalar) => quoteUnusual(scalar),
    Seq: (_, seq) => {
      if (listsInline) seq.flow = true;
    },
  });
  document.contents = node;
  return printDocument(document).trimEnd();
}

/** The value of a node without anchors, aliases and merges, to replace an alias. */
export function plainValue(node: YamlNode): unknown {
  if (node.kind === "list") return node.items.map(plainValue);
  if (node.kind === "map") return new Map(node.entries.map(({ key, value }) => [key, plainValue(value)]));
  if (node.isEmpty) return null;
  const scalar = nodeOf(node);
  const value = isScalar(scalar) ? scalar.value : undefined;
  return typeof value !== "string" && String(value) === node.text ? value : node.text;
}

/** The quoting style of a scalar, which its replacement keeps. */
export function quotingOf(node: unknown): Scalar.Type | undefined {
  return isScalar(node) ? node.type : undefined;
}

/** Quotes and escapes line breaks, invisible characters and CI commands, so that the file is displayed as it is. */
export function quoteUnusual(scalar: Scalar): void {
  if (typeof scalar.value === "string" && isUnusual(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

export function isUnusual(text: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}]|^::/u.test(text) || escapeControl(text) !== text;
}

/** The text of a document, each scalar on one line. */
export function printDocument(document: Document): string {
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
    flowCollectionPadding: false,
  });
  return escapeQuoted(text);
}
