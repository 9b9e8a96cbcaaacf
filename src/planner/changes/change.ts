import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredRecord, DesiredZone, Id, LiveZone, RecordChange } from "../../dns/zone/desired-live.ts";
import { recordKeyOf, setKeyOf } from "../../dns/zone/zone.ts";
import type { SettingValue } from "../../dns/zone/zone-settings.ts";

export type { RecordChange };

/** The kinds of changes that a plan shows and counts: `+`, `~`, `⇄` and `-`. */
export type ChangeKind = "create" | "change" | "swap" | "delete";

/**
 * Writes that are sent directly after one another. A `write` is a single one. A `swap` exchanges records that must not
 * coexist at a name, such as a CNAME and other records, or a null MX and others: all of its writes are done, or none.
 */
export interface Step {
  /** Unique in the plan. A step's dependencies have smaller ids, so the order of the ids is safe. */
  readonly id: number;
  readonly kind: "write" | "swap";
  /**
   * The change set of the step, on a service that supports change sets. The steps of a set take effect at the same
   * time; they have consecutive ids, and do not depend on each other.
   */
  readonly set?: number;
  readonly writes: readonly RecordChange[];
  /** Steps of any zone of the plan that must be done before this one begins. Independent steps may run concurrently. */
  readonly needs: readonly number[];
  /** Zones of the plan that must start or stop being served before this step begins. */
  readonly needsZones?: readonly Name[];
  /** Names and types without an answer from this step on, until it or a later one is done; absent if there are none. */
  readonly gaps?: readonly Gap[];
}

/**
 * Types of a name that are answered before and after the plan, but not all the time in between. `owner` is `*.` before
 * a name for any name directly below it without its own records.
 */
export interface Gap {
  readonly owner: NameKey;
  /** Sorted. */
  readonly types: readonly string[];
  /** Maximum time for which a resolver may cache "no such record" (RFC 2308 §5). */
  readonly seconds: number;
}

export interface SettingChange {
  readonly name: string;
  readonly before: SettingValue | undefined;
  readonly after: SettingValue | undefined;
}

/** The plan of one zone: its steps in the order of their ids. */
export interface ZonePlan {
  readonly zone: DesiredZone;
  /** The stored domain; undefined when it must be created first. */
  readonly domainId: Id | undefined;
  readonly settings: readonly SettingChange[];
  /** The default TTL of the zone in seconds, now and after the settings are written. */
  readonly defaultTtl: { readonly before: number; readonly after: number };
  readonly steps: readonly Step[];
  /**
   * The dependencies of the settings that start serving the zone, after its own steps, or stop serving it, before them.
   */
  readonly activation?: Pick<Step, "needs" | "needsZones" | "gaps">;
  /** Number of records that already match. */
  readonly unchanged: number;
  /** Number of live records that are ignored. */
  readonly ignored: number;
}

/** A zone that exceeds the limit of records between the writes, because no order that keeps its names answered fits. */
export interface ZoneOverLimit {
  readonly zone: Name;
  /** The number of records that it has at most, if the steps run in their order. */
  readonly records: number;
  readonly limit: number;
}

/** Changes that the service cannot make, because it takes them only together, and they are too large for that. */
export interface TooLargeChange {
  readonly zone: Name;
  readonly writes: readonly RecordChange[];
}

/** The RRsets of records that are not sent, each once. */
export function unsupportedSets({ unsupported }: Pick<Plan, "unsupported">): { name: NameKey; type: string }[] {
  const sets = unsupported.map(({ owner, type }) => ({ name: nameKey(owner), type }));
  return [...new Map(sets.map((set) => [`${set.name} ${set.type}`, set])).values()];
}

/** A domain to delete, and the names without an answer from then on until further domains are deleted, too. */
export interface Deletion extends LiveZone {
  readonly gaps?: readonly Gap[];
}

export interface Plan {
  /** Zones with changes, by name. */
  readonly zones: readonly ZonePlan[];
  readonly inSync: number;
  /** Number of live records that are ignored, in all zones. */
  readonly ignored: number;
  /** Records of the files that the service cannot store, so that they are not sent. */
  readonly unsupported: readonly Pick<DesiredRecord, "owner" | "type">[];
  /**
   * Domains to delete, as stored; the user named each. They are deleted last, in this order: by name, unless another
   * order keeps more names answered.
   */
  readonly deletions: readonly Deletion[];
  /** Zones of the account without a zone file. They are left alone. */
  readonly unmanaged: readonly Name[];
  /** Zones that exceed the service's limit of records between the writes; absent if there are none. */
  readonly overLimit?: readonly ZoneOverLimit[];
  /** Changes that no change set has room for; absent if there are none. */
  readonly tooLarge?: readonly TooLargeChange[];
  /** Errors found by the check of the order; empty unless zonewright has a bug. */
  readonly unproved: readonly string[];
}

/** The capabilities of a service that plans depend on; by default those of the hosted one. */
export interface PlanCapabilities {
  /** `zone`: changes in a zone can take effect at the same time, in one message. */
  readonly changeSets?: "none" | "zone";
  /** The maximum size of a change set, in octets of the records that it names, and of those that the lock compares. */
  readonly maxChangeOctets?: number;
  /** The number of RRsets that must not exist where a name with records gets a CNAME. */
  readonly conditionsPerAlias?: number;
  /** The data that the service compares before it writes; by default none. */
  readonly lock?: "none" | "record" | "rrset" | "compared";
  /**
   * `ours`: the NS records of the apex are those of the zone file; `servers`: also, and a zone without any has those of
   * the service. The SOA record is the service's, unless it is among the desired ones.
   */
  readonly apex?: "service" | "servers" | "ours";
  /** The maximum number of records of a zone; absent if there is none. */
  readonly recordsPerZone?: number;
  /** The settings of its zones, and the values of those that a new zone does not state. */
  readonly settings?: readonly { readonly name: string; readonly default?: SettingValue }[];
}

/** The steps of a zone that take effect at the same time, in the order of their ids; usually each on its own. */
export function stepsTogether(steps: readonly Step[]): (readonly [Step, ...Step[]])[] {
  const groups: [Step, ...Step[]][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && step.set !== undefined && last[0].set === step.set) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

export function writesOf(zone: ZonePlan): RecordChange[] {
  return zone.steps.flatMap(({ writes }) => writes);
}

/** The changes that only raise the TTL of a record. */
export function ttlRaises(zone: ZonePlan): Extract<RecordChange, { kind: "update" }>[] {
  return writesOf(zone).flatMap((change) => {
    if (change.kind !== "update" || recordKeyOf(change.before) !== recordKeyOf(change.after)) return [];
    const { before, after } = zone.defaultTtl;
    return (change.before.ttl ?? before) < (change.after.ttl ?? after) ? [change] : [];
  });
}

/** Whether the plan has no changes. */
export function isEmpty({ zones, deletions }: Plan): boolean {
  return zones.length === 0 && deletions.length === 0;
}

/** Whether the zone is served before and after the plan. By default it is served after it. */
export function isServed({ zone, domainId, settings }: Pick<ZonePlan, "zone" | "domainId" | "settings">) {
  const after = zone.settings.status !== "disabled";
  const change = settings.find(({ name }) => name === "status");
  return { before: change ? change.before !== "disabled" : domainId !== undefined && after, after };
}

/** Whether the plan creates a zone that has no status: it is served before its records are written. */
export function isServedAtOnce({ zone, domainId }: Pick<ZonePlan, "zone" | "domainId">): boolean {
  return domainId === undefined && zone.settings.status === undefined;
}

/** The record after a change, or the deleted one. */
export function subject(change: RecordChange): DesiredRecord {
  return change.kind === "delete" ? change.before : change.after;
}

/** The number of live records with an owner, type and data, and of those that keep it. */
interface EqualRecords {
  readonly live: number;
  readonly staying: number;
}

/**
 * Counts the records that are equal to the one that a write deletes or replaces, except for their TTLs. If only its TTL
 * changes, none stays as it is.
 */
export type CountEqual = (change: Exclude<RecordChange, { kind: "create" }>) => EqualRecords;

/** Prepares the counts for a zone. Of its records, only those in sets from which the plan takes one are compared. */
export function equalRecords(zone: ZonePlan): CountEqual {
  const writes = writesOf(zone);
  const taken = new Map<string, number>();
  const added = new Map<string, number>();
  for (const write of writes) {
    const [from, to] = [before(write), after(write)];
    if (from === to) continue;
    if (from !== undefined) addOne(taken, from);
    if (to !== undefined) addOne(added, to);
  }
  const sets = new Set(writes.flatMap((write) => (write.kind === "create" ? [] : [setKeyOf(write.before)])));
  const desired = new Map<string, number>();
  if (taken.size > 0)
    for (const record of zone.zone.records) if (sets.has(setKeyOf(record))) addOne(desired, recordKeyOf(record));
  return (write) => {
    const key = recordKeyOf(write.before);
    const staying = key === after(write) ? 0 : Math.max(0, (desired.get(key) ?? 0) - (added.get(key) ?? 0));
    return { live: staying + (taken.get(key) ?? 0), staying };
  };
}

function before(write: RecordChange): string | undefined {
  return write.kind === "create" ? undefined : recordKeyOf(write.before);
}

function after(write: RecordChange): string | undefined {
  return write.kind === "delete" ? undefined : recordKeyOf(write.after);
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
