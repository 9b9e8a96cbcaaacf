import { indexedZone, type LookupZone, lookUp, nearestZone } from "../dns/lookup.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { type OwnerSets, type Owners, type RRset, targets, type ZoneRecord } from "../dns/zone.ts";

/** The RRset of a name and type; `isKnown` is false where it depends on zones that the run does not see. */
export interface Found<T extends string = string> {
  readonly records: readonly ZoneRecord<T>[];
  readonly isKnown: boolean;
  /** If it is unknown: the alias or delegated name that decides. */
  readonly decidedBy?: NameKey;
}

const nothing = { records: [], isKnown: true };
const mostAliases = 8;

/** Zones that are served, by name; undefined where their records are not known. */
export type ServedZones = ReadonlyMap<NameKey, Owners | undefined>;

/** Answers of the served zones, before a run or after it: with wildcards, delegations and aliases. */
export class ZoneAnswers {
  readonly #zones: ServedZones;
  readonly #indexed = new Map<NameKey, LookupZone<RRset, OwnerSets>>();

  constructor(zones: ServedZones) {
    this.#zones = zones;
  }

  /** The nearest zone around a name. */
  zoneOf(name: NameKey): NameKey | undefined {
    return nearestZone(name, (apex) => (this.#zones.has(apex) ? apex : undefined));
  }

  /** All names that have records of a type, zone by zone. */
  *ownersWith(type: string): Generator<NameKey> {
    for (const owners of this.#zones.values())
      for (const [owner, sets] of owners ?? []) if (sets.has(type)) yield owner;
  }

  /** The RRsets of a zone by owner. */
  ownersOf(zone: NameKey): Owners {
    return this.#zones.get(zone) ?? new Map();
  }

  /** The RRset that one zone has for a name inside it, whatever zones are below. */
  findIn(zone: NameKey, name: NameKey, type: string): readonly ZoneRecord[] {
    const found = lookUp(this.#index(zone), name, type);
    return found.kind === "answer" ? found.set.records : found.kind === "alias" ? found.cname.records : [];
  }

  /** Does the name have records of its own, of any type? */
  hasRecords(name: NameKey): boolean {
    const zone = this.zoneOf(name);
    return zone !== undefined && this.#zones.get(zone)?.has(name) === true;
  }

  find<T extends string>(name: NameKey, type: T, aliases?: number): Found<T>;
  find(name: NameKey, type: string, aliases = 0): Found {
    return this.findFrom(this.zoneOf(name), name, type, aliases);
  }

  /** As `find`, where the lookup begins in this zone, whatever zones are below. */
  findFrom(zone: NameKey | undefined, name: NameKey, type: string, aliases = 0): Found {
    const unknown = { records: [], isKnown: false, decidedBy: name };
    if (zone === undefined || this.#zones.get(zone) === undefined || aliases > mostAliases) return unknown;
    const found = lookUp(this.#index(zone), name, type);
    switch (found.kind) {
      case "answer":
        return { records: found.set.records, isKnown: true };
      case "alias": {
        const [target] = found.cname.records.flatMap(targets);
        return target === undefined ? unknown : this.find(nameKey(target), type, aliases + 1);
      }
      case "referral":
      case "renamed":
        return unknown;
      case "nodata":
      case "nxdomain":
        return nothing;
    }
  }

  #index(apex: NameKey): LookupZone<RRset, OwnerSets> {
    const known = this.#indexed.get(apex);
    if (known) return known;
    const zone = indexedZone(apex, this.ownersOf(apex));
    this.#indexed.set(apex, zone);
    return zone;
  }
}
