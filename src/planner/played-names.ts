import type { LiveZone } from "../zone/desired-live.ts";
import { labels, type Name } from "../zone/name.ts";
import { targets, type ZoneRecord } from "../zone/zone.ts";
import type { ZonePlan } from "./change.ts";

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

export interface PlayedZone {
  readonly name: Name;
  /** Only of a master the records are known. */
  readonly isKnown: boolean;
  readonly served: Record<Moment, boolean>;
  readonly names: Map<Name, PlayedName>;
  /** How many names with records there are at or below a name; for a zone that has wildcards. */
  readonly below: Map<Name, Count> | undefined;
}

export function count(): Count {
  return { before: 0, now: 0, after: 0 };
}

export function playedZone(plan: ZonePlan, live: LiveZone | undefined): PlayedZone {
  const { zone: desired, settings, domainId } = plan;
  const wakes = domainId === undefined || settings.some(({ name, after }) => name === "status" && after === "active");
  const isKnown = desired.settings.type !== "slave";
  const stored = isKnown ? (live?.records ?? []) : [];
  const wanted = isKnown ? desired.records : [];
  const isWildcard = ({ owner }: ZoneRecord) => owner.startsWith("*");
  const hasWildcard = stored.some(isWildcard) || wanted.some(isWildcard);
  const zone: PlayedZone = {
    name: desired.name.toLowerCase(),
    isKnown,
    served: { before: !wakes, now: !wakes, after: true },
    names: new Map(),
    below: hasWildcard ? new Map() : undefined,
  };
  for (const record of stored) {
    add(zone, record, "before", 1);
    add(zone, record, "now", 1);
  }
  for (const record of wanted) add(zone, record, "after", 1);
  return zone;
}

/** Counts a record in or out at a moment; gives its name. */
export function add(zone: PlayedZone, record: ZoneRecord, moment: Moment, by: 1 | -1): PlayedName {
  const owner = record.owner.toLowerCase();
  const name: PlayedName = zone.names.get(owner) ?? { zone, owner, types: new Map(), nulls: count(), alias: {} };
  if (name.types.size === 0) zone.names.set(owner, name);
  const had = exists(name, moment);
  const counts = name.types.get(record.type) ?? count();
  counts[moment] += by;
  name.types.set(record.type, counts);
  const [target] = record.type === "MX" || record.type === "CNAME" ? targets(record) : [];
  if (record.type === "MX" && target === ".") name.nulls[moment] += by;
  if (record.type === "CNAME" && target !== undefined && by > 0) name.alias[moment] = target.toLowerCase();
  if (zone.below && exists(name, moment) !== had) {
    for (const above of upTo(owner, zone.name)) {
      const all = zone.below.get(above) ?? count();
      all[moment] += by;
      zone.below.set(above, all);
    }
  }
  return name;
}

export function has(name: PlayedName | undefined, types: readonly string[], moment: Moment): boolean {
  return name !== undefined && types.some((type) => (name.types.get(type)?.[moment] ?? 0) > 0);
}

export function exists(name: PlayedName | undefined, moment: Moment): boolean {
  return name !== undefined && has(name, [...name.types.keys()], moment);
}

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
    const isThere = (name: Name) => this.#zones.has(name) && this.#zones.get(name)?.served[moment] !== false;
    const name = upTo(target, ".").find(isThere);
    return name === undefined ? undefined : this.#zones.get(name);
  }

  /** RFC 1034 §4.3.2. "elsewhere" where it is not for these zones to say, or nothing happens; undefined for no such name. */
  answer(target: Name, moment: Moment): Answer | "elsewhere" | undefined {
    const zone = this.zone(target, moment);
    if (!zone?.isKnown) return "elsewhere";
    const inside = upTo(target, zone.name).slice(0, -1);
    const cut = inside.findLast((name) => has(zone.names.get(name), ["NS"], moment));
    const by = zone.names.get(cut ?? target);
    if (cut !== undefined && by) return { by, isReferral: true };
    if (by && exists(by, moment)) return { by, isReferral: false };
    return this.#wildcard(zone, target, inside, moment);
  }

  #wildcard(zone: PlayedZone, target: Name, inside: readonly Name[], moment: Moment): Answer | undefined {
    const isThere = (name: Name) => (zone.below?.get(name)?.[moment] ?? 0) > 0;
    if (zone.below === undefined || isThere(target)) return undefined;
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
