import { type LookupZone, lookUp, nearestZone, toLookupZone } from "../../dns/lookup/lookup.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { OwnerSets, Owners } from "../../dns/zone/owners.ts";
import { type RRset, targets, type ZoneRecord } from "../../dns/zone/zone.ts";
import { isAddressType } from "../order/draft.ts";

/** The RRset of a name and type; `isKnown` is false if it depends on zones outside the run. */
export interface FoundSet<T extends string = string> {
  readonly records: readonly ZoneRecord<T>[];
  readonly isKnown: boolean;
  /** If unknown, the alias or delegated name that leads outside the run. */
  readonly decidedBy?: NameKey;
}

const nothing = { records: [], isKnown: true };
const mostAliases = 8;

/** The served zones by name; undefined if their records are unknown. */
export type ServedZones = ReadonlyMap<NameKey, Owners | undefined>;

/** The answers of the served zones before or after a run, with wildcards, delegations and aliases. */
export class ZoneAnswers {
  readonly #zones: ServedZones;
  readonly #indexed = new Map<NameKey, LookupZone<RRset, OwnerSets>>();

  constructor(zones: ServedZones) {
    this.#zones = zones;
  }

  /** The nearest zone of a name. */
  zoneOf(name: NameKey): NameKey | undefined {
    return nearestZone(name, (apex) => (this.#zones.has(apex) ? apex : undefined));
  }

  /** Whether a managed zone answers for a name: it is in one, and not below a delegation there. */
  isManaged(name: NameKey): boolean {
    const zone = this.zoneOf(name);
    if (zone === undefined) return false;
    return this.#zones.get(zone) === undefined || lookUp(this.#index(zone), name, "A").kind !== "referral";
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

  /** The RRset of a name in one zone, ignoring zones below it. */
  findIn(zone: NameKey, name: NameKey, type: string): readonly ZoneRecord[] {
    const found = lookUp(this.#index(zone), name, type);
    return found.kind === "answer" ? found.set.records : found.kind === "alias" ? found.cname.records : [];
  }

  /** Whether the name itself has records of any type. */
  hasRecords(name: NameKey): boolean {
    const zone = this.zoneOf(name);
    return zone !== undefined && this.#zones.get(zone)?.has(name) === true;
  }

  find<T extends string>(name: NameKey, type: T, aliases?: number): FoundSet<T>;
  find(name: NameKey, type: string, aliases = 0): FoundSet {
    return this.findFrom(this.zoneOf(name), name, type, aliases);
  }

  /** Like `find`, but starts in this zone and ignores zones below it. */
  findFrom(zone: NameKey | undefined, name: NameKey, type: string, aliases = 0): FoundSet {
    const unknown = { records: [], isKnown: false, decidedBy: name };
    if (zone === undefined || this.#zones.get(zone) === undefined || aliases > mostAliases) return unknown;
    const found = lookUp(this.#index(zone), name, type);
    switch (found.kind) {
      case "answer":
        return { records: found.set.records, isKnown: true };
      case "alias":
        return this.#findBehind(found.cname.records, type, aliases) ?? unknown;
      case "referral":
      case "renamed":
        return unknown;
      case "nodata":
        return this.#findBehind(this.#addressAlias(zone, name, type), type, aliases) ?? nothing;
      case "nxdomain":
        return nothing;
    }
  }

  /** The ALIAS records by which a service answers for addresses at a name that has none itself. */
  #addressAlias(zone: NameKey, name: NameKey, type: string): readonly ZoneRecord[] {
    const found = isAddressType(type) ? lookUp(this.#index(zone), name, "ALIAS") : undefined;
    return found?.kind === "answer" ? found.set.records : [];
  }

  /** The answer of the target of an alias; undefined without a target. */
  #findBehind(records: readonly ZoneRecord[], type: string, aliases: number): FoundSet | undefined {
    const [target] = records.flatMap(targets);
    return target === undefined ? undefined : this.find(nameKey(target), type, aliases + 1);
  }

  #index(apex: NameKey): LookupZone<RRset, OwnerSets> {
    const known = this.#indexed.get(apex);
    if (known) return known;
    const zone = toLookupZone(apex, this.ownersOf(apex));
    this.#indexed.set(apex, zone);
    return zone;
  }
}
