import { atNode, findNode, type LookupZone, nearestZone, substituteName } from "../../dns/lookup/lookup.ts";
import { ancestors, isInside, type NameKey, parent } from "../../dns/name/name.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import type { RRset } from "../../dns/zone/zone.ts";
import { isAddressType } from "./draft.ts";
import {
  type Milestones,
  type OverlayNode,
  type OverlaySet,
  type OverlayZone,
  type Phase,
  targetsNow,
} from "./overlay.ts";

/** The names and cuts on the way to an answer, to detect loops. */
type Trail = readonly string[];

/** The result of a lookup: records, or unmanaged servers and names; undefined without an answer. */
type End = "data" | "elsewhere" | undefined;

/** The answers of the name servers of several zones to a resolver while a plan is applied. */
export class Answers {
  readonly zones: ReadonlyMap<NameKey, OverlayZone>;
  readonly milestones: Milestones;
  /** The zone that denied the name when `end` last returned undefined, if any. */
  denier: OverlayZone | undefined;

  constructor(zones: ReadonlyMap<NameKey, OverlayZone>, milestones: Milestones) {
    this.zones = zones;
    this.milestones = milestones;
  }

  /**
   * The result for a resolver that asks for the name and type: records, an alias that leads to some, or a referral to
   * reachable servers. MX, SRV and NS records count if one of their targets has an address or is elsewhere.
   */
  end(name: NameKey, type: string, phase: Phase, trail: Trail = []): End {
    const zone = this.#zoneAround(name, phase);
    if (zone === "outside") return "elsewhere";
    this.denier = zone;
    if (zone === undefined) return undefined;
    if (!zone.isKnown) return "elsewhere";
    const node = findNode<OverlaySet, OverlayNode>(zone.view(phase), name, type);
    // A cut gives the same referral for every type and for all names below.
    const here = node.kind === "referral" ? `cut ${node.cut}` : `${name} ${type}`;
    if (trail.includes(here)) return undefined;
    const way = [...trail, here];
    switch (node.kind) {
      case "nxdomain":
        return undefined;
      case "referral":
        return this.#isFound(zone, node, phase, way) ? "elsewhere" : undefined;
      case "renamed":
        for (const target of targetsNow(node.dname, phase, this.milestones))
          return this.end(substituteName({ owner: node.owner, target }, name), type, phase, way);
        return undefined;
      default:
        return this.#endAt(node.sets, type, phase, way);
    }
  }

  /** The types that may be answered for a name in this phase; the usual ones for a referral or another service. */
  typesOf(name: NameKey, phase: Phase, trail: Trail = []): Set<string> {
    if (trail.includes(name)) return new Set();
    const way = [...trail, name];
    const zone = this.#zoneAround(name, phase);
    if (zone === undefined) return new Set();
    if (zone === "outside" || !zone.isKnown) return new Set(defaultTypes);
    const node = findNode<OverlaySet, OverlayNode>(zone.view(phase), name, "A");
    if (node.kind === "nxdomain") return new Set();
    if (node.kind === "referral") return new Set([...defaultTypes, ...zone.typesAt(name)]);
    if (node.kind === "renamed") {
      for (const target of targetsNow(node.dname, phase, this.milestones))
        return this.typesOf(substituteName({ owner: node.owner, target }, name), phase, way);
      return new Set();
    }
    const types = zone.typesAt(node.owner);
    const alias = node.sets.get("CNAME");
    if (alias)
      for (const target of targetsNow(alias, phase, this.milestones))
        for (const type of this.typesOf(target, phase, way)) types.add(type);
    // Servers answer an ALIAS with addresses.
    if (types.delete("ALIAS")) for (const type of ["A", "AAAA"]) types.add(type);
    return types;
  }

  /** The nearest served zone of a name; undefined if none of its zones is served. */
  #zoneAround(name: NameKey, phase: Phase): OverlayZone | "outside" | undefined {
    let isManaged = false;
    const served = nearestZone(name, (apex) => {
      const zone = this.zones.get(apex);
      isManaged ||= zone !== undefined;
      return zone?.isServed(phase) ? zone : undefined;
    });
    return served ?? (isManaged ? undefined : "outside");
  }

  #endAt(sets: OverlayNode, type: string, phase: Phase, way: Trail): End {
    const found = atNode(sets, type);
    const alias = found.kind === "alias" ? found.cname : found.kind === "nodata" && addressAlias(sets, type);
    if (alias) {
      for (const target of targetsNow(alias, phase, this.milestones)) return this.end(target, type, phase, way);
      return undefined;
    }
    if (found.kind !== "answer") return undefined;
    if (!needsTargets.has(type)) return "data";
    const { denier } = this;
    for (const target of targetsNow(found.set, phase, this.milestones))
      if (target === "." || this.#hasAddress(target, phase, way)) return "data";
    this.denier ??= denier;
    return undefined;
  }

  #hasAddress(target: NameKey, phase: Phase, way: Trail): boolean {
    return ["A", "AAAA"].some((type) => this.end(target, type, phase, way) !== undefined);
  }

  /** Whether one of a delegation's servers can be found. Those inside it need glue (RFC 1034 §4.2.1). */
  #isFound(zone: OverlayZone, { cut, servers }: Referral, phase: Phase, way: Trail): boolean {
    const view = zone.view(phase);
    for (const target of targetsNow(servers, phase, this.milestones)) {
      if (isInside(target, cut)) {
        const glue = view.rrsets(target);
        if (glue?.get("A") !== undefined || glue?.get("AAAA") !== undefined) return true;
      } else if (this.#hasAddress(target, phase, way)) return true;
    }
    this.denier = zone;
    return false;
  }
}

/** The ALIAS record whose target a service looks up for addresses of a name that has none itself. */
function addressAlias(sets: OverlayNode, type: string): OverlaySet | undefined {
  return isAddressType(type) ? sets.get("ALIAS") : undefined;
}

interface Referral {
  readonly cut: NameKey;
  readonly servers: OverlaySet;
}

export const defaultTypes: readonly string[] = ["A", "AAAA", "MX", "TXT"];
const needsTargets: ReadonlySet<string> = new Set(["MX", "SRV", "NS"]);

/** Types whose answer depends on the answers of their targets. */
export const leadingOn: ReadonlySet<string> = new Set([...needsTargets, "ALIAS", "CNAME", "DNAME"]);

type ZoneByOwners = LookupZone<RRset, OwnerSets>;

/**
 * The owners whose records answer for a name of a zone: the name itself, or the wildcard that matches it; below a zone
 * cut or a DNAME record its owner, after the name itself if it has records, such as glue. Empty if the name does not
 * exist.
 */
export function answeringOwners(zone: ZoneByOwners, name: NameKey): NameKey[] {
  const node = findNode(zone, name, "A");
  if (node.kind === "nxdomain") return [];
  if (node.kind === "node") return hasRecords(node.sets) ? [node.owner] : [];
  const above = node.kind === "referral" ? node.cut : node.owner;
  return above !== name && hasRecords(zone.rrsets(name)) ? [name, above] : [above];
}

/**
 * For a name that a wildcard matches, its ancestor directly below the wildcard's parent: for `a.b.example.` and
 * `*.example.` it is `b.example.`. With the first record at or below that ancestor, the wildcard no longer matches any
 * name there.
 */
export function partBelowWildcard(zone: ZoneByOwners, name: NameKey): NameKey | undefined {
  const node = findNode(zone, name, "A");
  if (node.kind !== "node" || node.owner === name || !hasRecords(node.sets)) return undefined;
  return ancestors(name, parent(node.owner)).at(-1);
}

function hasRecords(sets: OwnerSets | undefined): boolean {
  return sets !== undefined && sets.values().length > 0;
}
