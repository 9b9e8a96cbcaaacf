import { type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, parseAllDocuments } from "yaml";
import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";

/** A YAML file as plain nodes with their places: aliases followed, merge keys laid out, duplicate keys refused. */
export type YamlNode = YamlMap | YamlList | YamlText;

interface Spot {
  readonly at: Place;
  readonly start: number;
  readonly end: number;
}

export interface YamlMap extends Spot {
  readonly kind: "map";
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: string;
  readonly keyAt: Place;
  readonly value: YamlNode;
}

export interface YamlList extends Spot {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
}

/** A scalar as it is written: a number keeps its digits. `isEmpty` where nothing, `~` or `null` is written. */
export interface YamlText extends Spot {
  readonly kind: "text";
  readonly text: string;
  readonly isEmpty: boolean;
  /** Offset of the text's first character where each of its characters stands for itself in the file. */
  readonly verbatimAt: number | undefined;
}

const mostNodes = 100_000;
const deepest = 100;

/** Reads the one document of a file. Every fault is reported; undefined when there is nothing to go on with. */
export function readTree(source: SourceText, report: (diagnostic: Diagnostic) => void): YamlNode | undefined {
  const documents = parseAllDocuments(source.text, {
    uniqueKeys: false,
    merge: true,
    version: "1.2",
    logLevel: "silent",
  });
  const error: Report = (rule, summary, at, fix) =>
    report({ severity: "error", rule, summary, at, ...(fix !== undefined && { fix }) });
  if (!Array.isArray(documents)) return undefined;
  const [document, second] = documents;
  if (second)
    error(
      "yaml-documents",
      "the file holds several YAML documents",
      source.place(second.range[0]),
      "Keep one zone in a file.",
    );
  const [first] = documents.flatMap(({ errors }) => errors);
  if (first) {
    const summary = first.message.split(/ at line \d+|\n/)[0] ?? first.code;
    const start = Math.min(first.pos[0], Math.max(0, source.text.length - 1));
    error(
      "yaml-syntax",
      `not YAML: ${summary}`,
      source.place(start, first.pos[1]),
      "Mend the YAML; the place is where it stopped making sense.",
    );
    return undefined;
  }
  if (!document?.contents) return undefined;
  return new TreeReader(source, document, error).node(document.contents, 0);
}

type Report = (rule: string, summary: string, at: Place, fix?: string) => void;

class TreeReader {
  readonly #source: SourceText;
  readonly #document: Document.Parsed;
  readonly #error: Report;
  #count = 0;

  constructor(source: SourceText, document: Document.Parsed, error: Report) {
    this.#source = source;
    this.#document = document;
    this.#error = error;
  }

  node(node: unknown, depth: number): YamlNode {
    const [start, end] = rangeOf(node);
    const spot = { at: this.#source.place(start, end), start, end };
    const { at } = spot;
    if (++this.#count > mostNodes || depth > deepest) {
      if (this.#count !== Number.POSITIVE_INFINITY) {
        this.#error(
          "yaml-too-large",
          `aliases expand to more than ${mostNodes} nodes, or deeper than ${deepest}`,
          at,
          "Use fewer aliases.",
        );
      }
      this.#count = Number.POSITIVE_INFINITY;
      return { kind: "list", items: [], ...spot };
    }
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (target) return this.node(target, depth + 1);
      this.#error(
        "yaml-alias",
        `there is no anchor &${node.source} before this`,
        at,
        `Write &${node.source} at the value that is meant.`,
      );
      return { kind: "list", items: [], ...spot };
    }
    if (isMap(node)) return { kind: "map", entries: this.#entries(node.items, depth), ...spot };
    if (isSeq(node)) return { kind: "list", items: node.items.map((item) => this.node(item, depth + 1)), ...spot };
    return this.#text(node, spot);
  }

  #entries(pairs: readonly { key: unknown; value: unknown }[], depth: number): YamlEntry[] {
    const own = new Map<string, YamlEntry>();
    const merged: YamlEntry[] = [];
    for (const pair of pairs) {
      const keyNode = pair.key;
      if (isScalar(keyNode) && typeof keyNode.value === "symbol") {
        merged.push(...this.#merged(this.node(pair.value, depth + 1)));
        continue;
      }
      const key = this.node(keyNode, depth + 1);
      if (key.kind !== "text") {
        this.#error("yaml-key", "a key is not a text", key.at, "Write a name before the colon.");
        continue;
      }
      const before = own.get(key.text);
      if (before) {
        const summary = `the key ${key.text} stands here again, first in line ${before.keyAt.line}`;
        this.#error("duplicate-key", summary, key.at, "Join the two, or remove one: only one could count.");
        continue;
      }
      own.set(key.text, { key: key.text, keyAt: key.at, value: this.node(pair.value, depth + 1) });
    }
    for (const entry of merged) if (!own.has(entry.key)) own.set(entry.key, entry);
    return [...own.values()];
  }

  #merged(node: YamlNode): readonly YamlEntry[] {
    if (node.kind === "map") return node.entries;
    if (node.kind === "list" && node.items.every(({ kind }) => kind === "map"))
      return node.items.flatMap((item) => this.#merged(item));
    this.#error(
      "yaml-merge",
      "<< merges maps, and this is none",
      node.at,
      "Write an alias to a map, or a list of them.",
    );
    return [];
  }

  #text(node: unknown, spot: Spot): YamlText {
    const { start, end } = spot;
    const written = this.#source.text.slice(start, end);
    const source = isScalar(node) && node.type === "PLAIN" ? node.source : undefined;
    const value = isScalar(node) ? node.value : null;
    const text = source ?? (value === null || value === undefined ? "" : String(value));
    const quote = written.startsWith('"') || written.startsWith("'") ? 1 : 0;
    const isVerbatim = written.slice(quote, quote + text.length) === text;
    const isEmpty = value === null || value === undefined;
    return {
      kind: "text",
      text: isEmpty ? "" : text,
      isEmpty,
      ...spot,
      verbatimAt: isVerbatim ? start + quote : undefined,
    };
  }
}

function rangeOf(node: unknown): [number, number] {
  const range = (node as ParsedNode | null)?.range;
  return range ? [range[0], Math.max(range[1], range[0])] : [0, 0];
}
