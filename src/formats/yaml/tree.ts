import type { Alias, Document, Node, Pair, ParsedNode, YAMLMap, YAMLSeq } from "yaml";
import {
  type PlainEntry,
  type PlainList,
  type PlainMap,
  type PlainText,
  readPlainYaml,
} from "../../diagnostics/plain-yaml.ts";
import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { findYamlExcess } from "../../diagnostics/yaml-excess.ts";
import { yamlLibrary } from "../../lazy-packages.ts";
import { explainSyntax } from "./syntax-fault.ts";

/** A node of a YAML file with its place: aliases are followed, merge keys expanded, duplicate keys rejected. */
export type YamlNode = YamlMap | YamlList | YamlText;

/** A pair as the library reads it. */
export type YamlPair = Pair<Node, Node | null>;

/**
 * The outermost alias, or pair with `<<`, on the way to a node. It is expanded before a change below it that affects
 * only one of its users.
 */
export type AliasPath = Alias | YamlPair | undefined;

/** `node` and `pair` are what the library read; a tree that is read for edits has them. */
export interface YamlMap extends Omit<PlainMap, "entries"> {
  readonly entries: readonly YamlEntry[];
  readonly via?: AliasPath;
  readonly node?: YAMLMap;
}

export interface YamlEntry extends Omit<PlainEntry, "value"> {
  readonly value: YamlNode;
  readonly via?: AliasPath;
  readonly pair?: YamlPair;
}

export interface YamlList extends Omit<PlainList, "items"> {
  readonly items: readonly YamlNode[];
  readonly via?: AliasPath;
  readonly node?: YAMLSeq;
}

export interface YamlText extends PlainText {
  readonly via?: AliasPath;
  readonly node?: Node | null;
}

/** The library's node of a tree that was read for edits. */
export function nodeOf<T extends YamlNode>({ node }: T): Exclude<T["node"], undefined> {
  if (node === undefined) throw new Error("the tree was not read for edits");
  return node as Exclude<T["node"], undefined>;
}

/** The library's pair of a tree that was read for edits. */
export function pairOf({ pair }: YamlEntry): YamlPair {
  if (pair === undefined) throw new Error("the tree was not read for edits");
  return pair;
}

const mostNodes = 100_000;
const deepest = 100;

/** The tree of a file. */
export interface YamlTree {
  readonly root: YamlNode;
  /** The document as the library read it, unless the tree was read without the library. */
  readonly library?: YamlDocument;
}

/** A document, and the target of each alias. */
export interface YamlDocument {
  readonly document: Document;
  readonly targets: ReadonlyMap<Alias, Node>;
}

export interface TreeOptions {
  /** Whether the text will be edited, for which the library has to read it and keep its tokens. */
  readonly forEdits?: boolean;
}

/** Reads the single document of a file. Every problem is reported; undefined if nothing can be read. */
export function readTree(
  source: SourceText,
  report: (found: Problem) => void,
  { forEdits = false }: TreeOptions = {},
): YamlTree | undefined {
  const plain = forEdits ? undefined : readPlainYaml(source);
  return plain ? { root: plain.root } : readTreeWithLibrary(source, report, forEdits);
}

/** Reads a file with the YAML library, which reads plain files like `readPlainYaml`, but many times slower. */
export function readTreeWithLibrary(
  source: SourceText,
  report: (found: Problem) => void,
  keepSourceTokens = false,
): YamlTree | undefined {
  const error: Report = (id, summary, place, fix) => report(problem(id, summary, { place, fix }));
  const excess = findYamlExcess(source.text);
  if (excess) {
    error("yaml-too-large", excess.summary, source.place(excess.at), excess.fix);
    return undefined;
  }
  const documents = parseDocuments(source.text, keepSourceTokens);
  const [document, second] = documents;
  if (second)
    error(
      "yaml-documents",
      "the file contains more than one YAML document",
      source.place(second.range[0]),
      "Write each zone in its own file.",
    );
  const [first] = documents.flatMap(({ errors }) => errors);
  if (first) {
    if (first.code === "RESOURCE_EXHAUSTION")
      error("yaml-too-large", "the YAML is nested too deeply", source.place(...first.pos), "Reduce the nesting.");
    else {
      const { start, end, summary, fix } = explainSyntax(source.text, first);
      error("yaml-syntax", summary, source.place(start, end), fix);
    }
    return undefined;
  }
  if (!document?.contents) return undefined;
  const targets = aliasTargets(document);
  const reader = new TreeReader(source, targets, error);
  const root = reader.node(document.contents, 0);
  return reader.isUnreadable || !root ? undefined : { root, library: { document, targets } };
}

function parseDocuments(text: string, keepSourceTokens: boolean): readonly Document.Parsed[] {
  const documents = yamlLibrary().parseAllDocuments(text, {
    uniqueKeys: false,
    merge: true,
    version: "1.2",
    logLevel: "silent",
    keepSourceTokens,
  });
  return Array.isArray(documents) ? documents : [];
}

/** The text of a scalar; empty for a list or map. */
export function textOf(node: YamlNode): string {
  return node.kind === "text" ? node.text : "";
}

export function entryOf({ entries }: YamlMap, key: string): YamlEntry | undefined {
  return entries.find((entry) => entry.key === key);
}

/** Whether it is the pair of a merge key `<<`. */
export function isMerge(pair: unknown): boolean {
  const { isPair, isScalar } = yamlLibrary();
  return isPair(pair) && isScalar(pair.key) && typeof pair.key.value === "symbol";
}

/** The target of each alias: the last node before it with its anchor. */
function aliasTargets(document: Document): ReadonlyMap<Alias, Node> {
  const { isAlias, visit } = yamlLibrary();
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

type Report = (id: ProblemId, summary: string, place: Place, fix?: string) => void;

class TreeReader {
  readonly #source: SourceText;
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #error: Report;
  /** The targets of the aliases that are being followed. */
  readonly #open = new Set<Node>();
  /** The number of nodes added by aliases; infinite once nothing more is to be read. */
  #count = 0;
  /** The outermost alias being followed. */
  #alias: Place | undefined;
  #via: AliasPath;

  constructor(source: SourceText, targets: ReadonlyMap<Alias, Node>, error: Report) {
    this.#source = source;
    this.#targets = targets;
    this.#error = error;
  }

  get isUnreadable(): boolean {
    return this.#count === Number.POSITIVE_INFINITY;
  }

  /** Undefined if nothing can be read, which is reported. */
  node(node: unknown, depth: number): YamlNode | undefined {
    if (this.isUnreadable) return undefined;
    const { isAlias, isMap, isSeq } = yamlLibrary();
    const [start, end] = rangeOf(node);
    const at = this.#source.place(start, end);
    const via = this.#via;
    if ((this.#alias && ++this.#count > mostNodes) || depth > deepest) {
      const [summary, fix] = this.#alias
        ? [`aliases expand to more than ${mostNodes} nodes or ${deepest} levels`, "Use fewer aliases."]
        : [`the YAML is nested more than ${deepest} levels deep`, "Reduce the nesting."];
      this.#error("yaml-too-large", summary, this.#alias ?? at, fix);
      this.#count = Number.POSITIVE_INFINITY;
      return undefined;
    }
    if (isAlias(node)) {
      const target = this.#targets.get(node);
      if (target) return this.#target(node, target, at, depth);
      this.#error(
        "yaml-alias",
        `the alias "*${node.source}" has no anchor before it`,
        at,
        `Write \`&${node.source}\` before the value that it stands for.`,
      );
      return undefined;
    }
    this.#tag(node, at);
    if (isMap(node))
      return {
        kind: "map",
        node,
        entries: this.#entries(node as YAMLMap<Node, Node | null>, depth),
        at,
        start,
        end,
        via,
      };
    if (isSeq(node)) return { kind: "list", node, items: this.#items(node.items, depth), at, start, end, via };
    return this.#text(node as Node | null, { at, start, end, via });
  }

  /** Rejects tags other than those of YAML's own types. */
  #tag(node: unknown, at: Place): void {
    const { tag = "" } = (node ?? {}) as { tag?: string };
    if (tag === "" || /^!$|^tag:yaml.org,2002:(?:str|int|float|bool|null|map|seq|merge)$/.test(tag)) return;
    const summary = `the tag "${tag.replace("tag:yaml.org,2002:", "!!")}" is not supported`;
    this.#error("yaml-tag", summary, at, "Write the value itself, without the tag.");
  }

  #target(alias: Alias, target: Node, at: Place, depth: number): YamlNode | undefined {
    if (this.#open.has(target)) {
      const summary = `the alias "*${alias.source}" is inside the value of its own anchor`;
      this.#error("yaml-alias", summary, at, "Remove the alias: with it, the value would never end.");
      this.#count = Number.POSITIVE_INFINITY;
      return undefined;
    }
    const [outer, via] = [this.#alias, this.#via];
    this.#alias ??= at;
    this.#via ??= alias;
    this.#open.add(target);
    const node = this.node(target, depth + 1);
    this.#open.delete(target);
    this.#alias = outer;
    this.#via = via;
    return node;
  }

  #items(nodes: readonly unknown[], depth: number): YamlNode[] {
    return nodes.map((item) => this.node(item, depth + 1)).filter((item) => item !== undefined);
  }

  #entries({ items }: YAMLMap<Node, Node | null>, depth: number): YamlEntry[] {
    const own = new Map<string, YamlEntry>();
    const merged: YamlEntry[] = [];
    let merge: Place | undefined;
    const via = this.#via;
    for (const pair of items) {
      if (isMerge(pair)) {
        const at = this.#source.place(...rangeOf(pair.key));
        if (merge) {
          const summary = `the key "<<" is already on line ${merge.line}`;
          this.#error("duplicate-key", summary, at, "Merge several maps with one key: `<<: [*first, *second]`.");
        }
        merge ??= at;
        this.#via ??= pair;
        merged.push(...this.#merged(this.node(pair.value, depth + 1)));
        this.#via = via;
        continue;
      }
      const key = this.node(pair.key, depth + 1);
      if (!key) continue;
      if (key.kind !== "text") {
        this.#error("yaml-key", "a key must be a string", key.at, "Write a name before the colon.");
        continue;
      }
      const before = own.get(key.text);
      if (before) {
        const summary = `the key "${key.text}" is already on line ${before.keyAt.line}`;
        this.#error("duplicate-key", summary, key.at, "Merge the two, or remove one.");
        continue;
      }
      const value = this.node(pair.value, depth + 1);
      const [keyStart, keyEnd] = rangeOf(pair.key);
      if (value) own.set(key.text, { key: key.text, keyAt: key.at, keyStart, keyEnd, value, pair, via });
    }
    for (const entry of merged) if (!own.has(entry.key)) own.set(entry.key, entry);
    return [...own.values()];
  }

  #merged(node: YamlNode | undefined): readonly YamlEntry[] {
    if (!node) return [];
    if (node.kind === "map") return node.entries;
    if (node.kind === "list" && node.items.every(({ kind }) => kind === "map"))
      return node.items.flatMap((item) => this.#merged(item));
    this.#error(
      "yaml-merge",
      "`<<` can merge only maps",
      node.at,
      "Write an alias of a map, or a list of such aliases.",
    );
    return [];
  }

  #text(node: Node | null, { at, start, end, via }: Pick<YamlText, "at" | "start" | "end" | "via">): YamlText {
    const { isScalar } = yamlLibrary();
    const written = this.#source.text.slice(start, end);
    const source = isScalar(node) && node.type === "PLAIN" ? node.source : undefined;
    const value = isScalar(node) ? node.value : null;
    const text = source ?? (value === null || value === undefined ? "" : String(value));
    if (/\p{Cs}/u.test(text))
      this.#error(
        "encoding",
        "a string contains half of a surrogate pair",
        at,
        "Write both halves, or `\\U` and the code point.",
      );
    const quote = written.startsWith('"') || written.startsWith("'") ? 1 : 0;
    const isVerbatim = written.slice(quote, quote + text.length) === text;
    const isEmpty = value === null || value === undefined;
    return {
      kind: "text",
      node,
      text,
      isEmpty,
      at,
      start,
      end,
      via,
      verbatimAt: isVerbatim ? start + quote : undefined,
    };
  }
}

function rangeOf(node: unknown): [number, number] {
  const range = (node as ParsedNode | null)?.range;
  return range ? [range[0], Math.max(range[1], range[0])] : [0, 0];
}
