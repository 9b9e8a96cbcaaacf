import { ancestors, isInside, isRoot, type Name, type NameKey, parent, wildcardBelow } from "../name/name.ts";
import { OwnerSets, type Owners } from "../zone/owners.ts";
import type { RRset } from "../zone/zone.ts";

/** The RRsets of one name by type. The caller defines the type of a set. */
export interface RrsetsByType<Set> {
  get(type: string): Set | undefined;
}

/** A zone as lookups see it. */
export interface LookupZone<Set, Sets extends RrsetsByType<Set> = RrsetsByType<Set>> {
  readonly apex: NameKey;
  /**
   * The RRsets of a name at or below the apex, even if a delegation hides them. Undefined if the name does not exist,
   * empty for an empty non-terminal (RFC 8499).
   */
  rrsets(name: NameKey): Sets | undefined;
}

const noSets = new OwnerSets();

/** A zone by owner. Empty non-terminals are indexed at the first lookup that needs them. */
export function toLookupZone(apex: NameKey, owners: Owners): LookupZone<RRset, OwnerSets> {
  let existing: ReadonlySet<NameKey> | undefined;
  return {
    apex,
    rrsets(name) {
      const sets = owners.get(name);
      if (sets !== undefined) return sets;
      existing ??= emptyNames(owners, apex);
      return existing.has(name) ? noSets : undefined;
    },
  };
}

/** The names of each zone, which rules, guards and the order of a plan share. */
const namesByOwners = new WeakMap<Owners, ReadonlySet<NameKey>>();

/** The apex and the empty non-terminals: the names between it and the owners. */
function emptyNames(owners: Owners, apex: NameKey): ReadonlySet<NameKey> {
  const known = namesByOwners.get(owners);
  if (known?.has(apex)) return known;
  const names = new Set([apex]);
  const isKnown = (name: NameKey) => names.has(name) || owners.has(name);
  for (const owner of owners.keys())
    for (let name = parent(owner); !isKnown(name) && isInside(name, apex); name = parent(name)) names.add(name);
  namesByOwners.set(owners, names);
  return names;
}

/** The result of `find` for the nearest zone around a name, starting with the zone of that name. */
export function nearestZone<Z>(name: NameKey, find: (apex: NameKey) => Z | undefined): Z | undefined {
  for (let apex = name; !isRoot(apex); apex = parent(apex)) {
    const zone = find(apex);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** The topmost zone cut at or above a name, below the apex (RFC 1034 §4.2.1); `isCut` tests a name for NS records. */
export function cutOf(apex: NameKey, name: NameKey, isCut: (name: NameKey) => boolean): NameKey | undefined {
  return isInside(name, apex) ? namesDown(name, apex).find(isCut) : undefined;
}

/** The node of a zone that answers for a name, whatever the type. */
export type Node<Set, Sets extends RrsetsByType<Set> = RrsetsByType<Set>> =
  /** `owner` is the name itself or the wildcard that matches it (RFC 4592 §3.3.1). */
  | { readonly kind: "node"; readonly owner: NameKey; readonly sets: Sets }
  /** The name is at or below a zone cut. */
  | { readonly kind: "referral"; readonly cut: NameKey; readonly servers: Set }
  /** The name is below the owner of a DNAME record. */
  | { readonly kind: "renamed"; readonly owner: NameKey; readonly dname: Set }
  | { readonly kind: "nxdomain" };

/** Answer of an authoritative server for a name and type, without following aliases (RFC 1034 §4.3.2). */
export type Lookup<Set> =
  | { readonly kind: "answer"; readonly set: Set }
  | { readonly kind: "alias"; readonly cname: Set }
  | { readonly kind: "nodata" }
  | Exclude<Node<Set>, { kind: "node" }>;

/**
 * Looks up a name in its zone: RFC 1034 §4.3.2 with the wildcards of RFC 4592 §3.3 and the DNAME records of RFC 6672
 * §3.2. The type matters at a zone cut only, where DS records belong to the parent (RFC 4035 §3.1.4.1). `name` must be
 * at or below the apex.
 */
export function findNode<Set, Sets extends RrsetsByType<Set>>(
  zone: LookupZone<Set, Sets>,
  name: NameKey,
  type: string,
): Node<Set, Sets> {
  let encloser = zone.apex;
  let sets = zone.rrsets(encloser);
  for (const below of namesDown(name, zone.apex)) {
    const dname = sets?.get("DNAME");
    if (dname !== undefined) return { kind: "renamed", owner: encloser, dname };
    const next = zone.rrsets(below);
    if (next === undefined) {
      const owner = wildcardBelow(encloser);
      const wildcard = zone.rrsets(owner);
      return wildcard === undefined ? { kind: "nxdomain" } : { kind: "node", owner, sets: wildcard };
    }
    const servers = next.get("NS");
    if (servers !== undefined && !(type === "DS" && below === name)) return { kind: "referral", cut: below, servers };
    encloser = below;
    sets = next;
  }
  return sets === undefined ? { kind: "nxdomain" } : { kind: "node", owner: name, sets };
}

/** Looks up a name and type in the zone of the name, as `findNode` does. */
export function lookUp<Set>(zone: LookupZone<Set>, name: NameKey, type: string): Lookup<Set> {
  const node = findNode(zone, name, type);
  return node.kind === "node" ? atNode(node.sets, type) : node;
}

/** The types that may be beside a CNAME record, and answer for themselves (RFC 4035 §2.5). */
export const besideCname: ReadonlySet<string> = new Set(["RRSIG", "NSEC"]);

/** Answer of a node for a type: a CNAME record answers for all others (RFC 1034 §3.6.2). */
export function atNode<Set>(
  sets: RrsetsByType<Set>,
  type: string,
): Extract<Lookup<Set>, { kind: "answer" | "alias" | "nodata" }> {
  const set = sets.get(type);
  const isOwn = type === "CNAME" || (set !== undefined && besideCname.has(type));
  const cname = isOwn ? undefined : sets.get("CNAME");
  if (cname !== undefined) return { kind: "alias", cname };
  return set === undefined ? { kind: "nodata" } : { kind: "answer", set };
}

/** The name that a DNAME record substitutes for one below its owner (RFC 6672 §2.2). It may exceed the length limit. */
export function substituteName<N extends Name>(dname: { readonly owner: N; readonly target: N }, name: N): N {
  const prefix = isRoot(dname.owner) ? name : name.slice(0, name.length - dname.owner.length);
  return (isRoot(dname.target) ? prefix : prefix + dname.target) as N;
}

/** The names from below the apex down to a name. */
function namesDown(name: NameKey, apex: NameKey): NameKey[] {
  return ancestors(name, apex).reverse();
}
