import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { type Name, readName } from "../../dns/name.ts";
import { toOctets } from "../../dns/text.ts";
import { findType } from "../../dns/types/index.ts";
import { parseYaml } from "./tree.ts";

/** A pair as it stands in the file. */
export type YamlPair = Pair<Node, Node | null>;

/**
 * The alias, or the pair with `<<`, through which something is seen that is written elsewhere: the outermost on the way.
 * It must be written out before something below it can change here alone.
 */
export type Via = Alias | YamlPair | undefined;

/** One type of an owner as one place of the file writes it. */
export interface Site {
  readonly owner: OwnerSite;
  readonly type: string;
  readonly pair: YamlPair;
  /** Through what its pair is seen, and through what its values. */
  readonly via: Via;
  readonly valuesVia: Via;
  /** The map with `values`, where there is one. */
  readonly set: YAMLMap | undefined;
  /** The pair of the set's own TTL, and that of its values. */
  readonly ttl: Seen | undefined;
  readonly valuesPair: YamlPair;
  /** What holds the values: a list, or the one value. */
  readonly values: Node | null;
  /** Do the values stand in parts, each with a TTL of its own? */
  readonly isSplit: boolean;
  /** One node for each record, in the order in which they are read. */
  readonly items: readonly { readonly node: Node | null; readonly via: Via }[];
}

export interface OwnerSite {
  readonly name: Name;
  readonly pair: YamlPair;
  readonly via: Via;
  /** Its types, and through what they are seen. */
  readonly map: YAMLMap | undefined;
  readonly mapVia: Via;
  readonly sites: Site[];
}

/** A zone file in YAML as nodes with their places, for writing into it. Reading it has found no fault. */
export interface Outline {
  readonly text: string;
  readonly document: Document;
  readonly top: YAMLMap;
  readonly topEntries: readonly Seen[];
  readonly records: Seen | undefined;
  readonly recordsMap: YAMLMap | undefined;
  readonly recordsVia: Via;
  readonly owners: readonly OwnerSite[];
  readonly lineEnd: string;
  /** Does the file put lists of values into brackets? */
  readonly listsInline: boolean;
}

/** A pair of a map, its own or merged into it. */
export interface Seen {
  readonly key: string;
  readonly pair: YamlPair;
  readonly via: Via;
}

/** The outline of a text without a byte order mark that was read without a fault. `documents` have their tokens. */
export function readOutline(
  text: string,
  origin: Name,
  documents: readonly Document[] = parseYaml(text, { keepSourceTokens: true }),
): Outline {
  const [document] = documents;
  if (!document) throw new Error("no document");
  const reader = new OutlineReader(document);
  const { map: top, via } = reader.map(document.contents, undefined);
  if (!top) throw new Error("no map");
  const topEntries = reader.entries(top, via);
  const records = topEntries.find(({ key }) => key === "records");
  const all = reader.map(records?.pair.value, records?.via);
  const owners = all.map ? reader.owners(all.map, all.via, origin) : [];
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const lists = owners.flatMap(({ sites }) =>
    sites.flatMap(({ values }) => (isSeq(values) ? [values.flow === true] : [])),
  );
  const listsInline = lists.includes(true) || !lists.includes(false);
  return {
    text,
    document,
    top,
    topEntries,
    records,
    recordsMap: all.map,
    recordsVia: all.via,
    owners,
    lineEnd,
    listsInline,
  };
}

/** The text of a scalar as the reader takes it. */
export function textOf(node: unknown): string {
  if (!isScalar(node)) return "";
  if (node.type === "PLAIN" && node.source !== undefined) return node.source;
  return node.value === null || node.value === undefined ? "" : String(node.value);
}

class OutlineReader {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  /** The map that a node is or stands for. */
  map(node: unknown, via: Via): { map: YAMLMap | undefined; via: Via } {
    const seen = this.resolved(node, via);
    return { map: isMap(seen.node) ? (seen.node as YAMLMap) : undefined, via: seen.via };
  }

  resolved(node: unknown, via: Via): { node: Node | null; via: Via } {
    let at = node;
    let through = via;
    while (isAlias(at)) {
      through ??= at;
      at = at.resolve(this.#document);
    }
    return { node: (at ?? null) as Node | null, via: through };
  }

  /** The pairs of a map in the order in which they are read: its own, then those that are merged. */
  entries(map: YAMLMap, via: Via): Seen[] {
    const own: Seen[] = [];
    const merged: Seen[] = [];
    for (const pair of map.items as YamlPair[]) {
      if (isScalar(pair.key) && typeof pair.key.value === "symbol")
        merged.push(...this.#merged(pair.value, via ?? pair));
      else own.push({ key: textOf(this.resolved(pair.key, undefined).node), pair, via });
    }
    const keys = new Set(own.map(({ key }) => key));
    for (const seen of merged) {
      if (!keys.has(seen.key)) own.push(seen);
      keys.add(seen.key);
    }
    return own;
  }

  owners(map: YAMLMap, via: Via, origin: Name): OwnerSite[] {
    return this.entries(map, via).map((seen) => {
      const types = this.map(seen.pair.value, seen.via);
      const name = readName(toOctets(seen.key), origin);
      const owner: OwnerSite = { name, pair: seen.pair, via: seen.via, map: types.map, mapVia: types.via, sites: [] };
      if (types.map) for (const entry of this.entries(types.map, types.via)) this.#site(owner, entry);
      return owner;
    });
  }

  #merged(node: unknown, via: Via): Seen[] {
    const seen = this.resolved(node, via);
    if (isMap(seen.node)) return this.entries(seen.node as YAMLMap, seen.via);
    if (isSeq(seen.node)) return seen.node.items.flatMap((item) => this.#merged(item, seen.via));
    return [];
  }

  /** The values of one of several parts of a type, each with its own TTL; undefined for a value. */
  #partValues({ node, via }: { node: Node | null; via: Via }): { node: Node | null; via: Via }[] | undefined {
    const map = this.map(node, via).map;
    const values = map && this.entries(map, via).find(({ key }) => key === "values");
    if (!values) return undefined;
    const held = this.resolved(values.pair.value, values.via);
    return isSeq(held.node) ? held.node.items.map((item) => this.resolved(item, held.via)) : [held];
  }

  #site(owner: OwnerSite, { key, pair, via }: Seen): void {
    const type = key === "lenient" ? undefined : findType(key.toUpperCase());
    if (!type) return;
    const value = this.resolved(pair.value, via);
    const map = this.map(value.node, value.via).map;
    const entries = map ? this.entries(map, value.via) : [];
    const values = entries.find(({ key }) => key === "values");
    const set = values ? map : undefined;
    const held = values ? this.resolved(values.pair.value, values.via) : value;
    const listed = isSeq(held.node) ? held.node.items.map((item) => this.resolved(item, held.via)) : [held];
    const parts = listed.map((item) => (values ? undefined : this.#partValues(item)));
    const isSplit = parts.some((part) => part !== undefined);
    const items = listed.flatMap((item, index) => parts[index] ?? [item]);
    const nodes = isSeq(held.node) && !isSplit ? held.node.items : [];
    owner.sites.push({
      owner,
      type: type.type,
      pair,
      via,
      valuesVia: held.via,
      set,
      ttl: set && entries.find(({ key }) => key === "ttl_sec"),
      valuesPair: values?.pair ?? pair,
      values: held.node,
      isSplit,
      // An alias as one item of a list is written over where it stands.
      items: items.map(({ node, via }, index) =>
        held.via ? { node, via } : { node: (nodes[index] ?? node) as Node | null, via: undefined },
      ),
    });
  }
}

/** The type of a scalar, for those who write another in its place. */
export function styleOf(node: unknown): Scalar.Type | undefined {
  return isScalar(node) ? node.type : undefined;
}
