import type { LiveZone } from "../zone/desired-live.ts";
import { labels, type Name, parent } from "../zone/name.ts";
import { byOwner, targets, type ZoneRecord } from "../zone/zone.ts";
import type { Owners } from "./answerer.ts";
import { isServed, type ZonePlan } from "./change.ts";

/** A moment of a play: as it was, as it is after the writes so far, as it is to be. */
export type Moment = "before" | "now" | "after";

/** How many there are at each moment. */
export type Count = Record<Moment, number>;

/** A name of a zone: how many records of each type it has. */
export interface PlayedName {
  readonly zone: PlayedZone;
  readonly owner: Name;
  readonly types: Map<string, Count>;
  /** Null MX records among the MX records. */
  readonly nulls: Count;
  /** Where its CNAME leads. */
  readonly alias: Partial<Record<Moment, Name>>;
}

/** The sets of a zone as they were and as they are to be, by owner. */
export interface Sides {
  readonly before: Owners;
  readonly after: Owners;
}

/** The names of a zone that have records before or after; each is made when it is asked for, as most never are. */
class ZoneNames {
  readonly #known = new Map<Name, PlayedName>();
  readonly #zone: PlayedZone;

  constructor(zone: PlayedZone) {
    this.#zone = zone;
  }

  get(owner: Name): PlayedName | undefined {
    const known = this.#known.get(owner);
    if (known) return known;
    const [before, after] = [this.#zone.before.get(owner), this.#zone.after.get(owner)];
    if (!before && !after) return undefined;
    const name: PlayedName = { zone: this.#zone, owner, types: new Map(), nulls: count(), alias: {} };
    for (const { records } of before?.values() ?? []) {
      for (const record of records) {
        add(name, record, "before", 1);
        add(name, record, "now", 1);
      }
    }
    for (const { records } of after?.values() ?? []) for (const record of records) add(name, record, "after", 1);
    this.#known.set(owner, name);
    return name;
  }

  /** Those that somebody asked for. */
  known(): ReadonlyMap<Name, PlayedName> {
    return this.#known;
  }
}

export class PlayedZone implements Sides {
  readonly name: Name;
  /** Only of a master the records are known. */
  readonly isKnown: boolean;
  readonly served: Record<Moment, boolean>;
  readonly before: Owners;
  readonly after: Owners;
  readonly names = new ZoneNames(this);
  /** How many names with records there are at or below a name; for a zone that has wildcards. */
  readonly below: Map<Name, Count> | undefined;

  constructor(plan: ZonePlan, live: LiveZone | undefined, sides?: Sides) {
    const { zone } = plan;
    const { before, after } = isServed(plan);
    this.name = zone.name.toLowerCase();
    this.isKnown = zone.settings.type !== "slave";
    this.served = { before, now: before, after };
    this.before = sides?.before ?? byOwner(this.isKnown ? (live?.records ?? []) : []);
    this.after = sides?.after ?? byOwner(this.isKnown ? zone.records : []);
    this.below = below(this.name, this.before, this.after);
  }
}

export function count(): Count {
  return { before: 0, now: 0, after: 0 };
}

function below(zone: Name, before: Owners, after: Owners): Map<Name, Count> | undefined {
  if (!hasWildcard(before) && !hasWildcard(after)) return undefined;
  const counts = new Map<Name, Count>();
  for (const owner of before.keys()) {
    countAbove(counts, zone, owner, "before", 1);
    countAbove(counts, zone, owner, "now", 1);
  }
  for (const owner of after.keys()) countAbove(counts, zone, owner, "after", 1);
  return counts;
}

function hasWildcard(owners: Owners): boolean {
  for (const owner of owners.keys()) if (owner.startsWith("*")) return true;
  return false;
}

function countAbove(counts: Map<Name, Count>, zone: Name, owner: Name, moment: Moment, by: 1 | -1): void {
  for (const above of upTo(owner, zone)) {
    const all = counts.get(above) ?? count();
    all[moment] += by;
    counts.set(above, all);
  }
}

/** Counts a record of a name in or out, as it is now. */
export function play(name: PlayedName, record: ZoneRecord, by: 1 | -1): void {
  const { below, name: zone } = name.zone;
  const had = exists(name, "now");
  add(name, record, "now", by);
  if (below && exists(name, "now") !== had) countAbove(below, zone, name.owner, "now", by);
}

function add(name: PlayedName, record: ZoneRecord, moment: Moment, by: 1 | -1): void {
  let counts = name.types.get(record.type);
  if (!counts) {
    counts = count();
    name.types.set(record.type, counts);
  }
  counts[moment] += by;
  if (record.type !== "MX" && record.type !== "CNAME") return;
  const [target] = targets(record);
  if (record.type === "MX" && target === ".") name.nulls[moment] += by;
  if (record.type === "CNAME" && target !== undefined && by > 0) name.alias[moment] = target.toLowerCase();
}

export function has(name: PlayedName | undefined, types: readonly string[], moment: Moment): boolean {
  if (name === undefined) return false;
  for (const type of types) if ((name.types.get(type)?.[moment] ?? 0) > 0) return true;
  return false;
}

export function exists(name: PlayedName | undefined, moment: Moment): boolean {
  if (name === undefined) return false;
  for (const counts of name.types.values()) if (counts[moment] > 0) return true;
  return false;
}

const delegating = ["NS"];

/** What a name server says of a name: it has it itself or by a wildcard, it sends on, or it has nothing. */
export interface Answer {
  readonly by: PlayedName;
  readonly isReferral: boolean;
  /** By a wildcard: the part of the name that must not exist for that. */
  readonly part?: Name;
}

/** The names of several zones that the same servers answer for. */
export class PlayedNames {
  readonly #zones: ReadonlyMap<Name, PlayedZone | undefined>;

  /** By name in lower case; undefined for a zone in which nothing happens. */
  constructor(zones: ReadonlyMap<Name, PlayedZone | undefined>) {
    this.#zones = zones;
  }

  /** The nearest zone that a name is in; undefined too for one in which nothing happens. */
  zone(target: Name, moment: Moment): PlayedZone | undefined {
    for (let at = target; at !== "."; at = parent(at)) {
      const zone = this.#zones.get(at);
      if (zone ? zone.served[moment] : this.#zones.has(at)) return zone;
    }
    return undefined;
  }

  /** RFC 1034 §4.3.2. "elsewhere" where it is not for these zones to say, or nothing happens; undefined for no such name. */
  answer(target: Name, moment: Moment): Answer | "elsewhere" | undefined {
    const zone = this.zone(target, moment);
    if (!zone?.isKnown) return "elsewhere";
    let cut: Name | undefined;
    for (let at = target; at !== zone.name; at = parent(at)) if (has(zone.names.get(at), delegating, moment)) cut = at;
    const by = zone.names.get(cut ?? target);
    if (cut !== undefined && by) return { by, isReferral: true };
    if (by && exists(by, moment)) return { by, isReferral: false };
    return zone.below && this.#wildcard(zone, zone.below, target, moment);
  }

  #wildcard(zone: PlayedZone, below: ReadonlyMap<Name, Count>, target: Name, moment: Moment): Answer | undefined {
    const isThere = (name: Name) => (below.get(name)?.[moment] ?? 0) > 0;
    if (isThere(target)) return undefined;
    const inside = upTo(target, zone.name).slice(0, -1);
    const depth = inside.findIndex(isThere);
    const part = inside.at(depth < 0 ? -1 : depth - 1) ?? target;
    const by = zone.names.get(`*.${depth < 0 ? zone.name : inside[depth]}`);
    return by && exists(by, moment) ? { by, isReferral: false, part } : undefined;
  }
}

/** The name and those above it, up to the last one or the root. */
export function upTo(name: Name, last: Name): Name[] {
  const names: Name[] = [];
  let start = 0;
  for (const label of labels(name)) {
    const above = name.slice(start);
    names.push(above);
    if (above === last) break;
    start += label.length + 1;
  }
  return names;
}
