import type { DesiredRecord, DesiredZone, Id, LiveZone, RecordChange } from "../dns/desired-live.ts";
import type { Name, NameKey } from "../dns/name.ts";
import type { SettingName, ZoneSettings } from "../dns/zone-settings.ts";

export type { RecordChange };

/**
 * Writes that follow one another with nothing between. A `write` is one; a `swap` exchanges what must not stand
 * together at a name, a CNAME and other records or a null MX and others: all of its writes are done, or none. A
 * `change-set` is a swap whose writes take effect at the same moment, on a service that can do that.
 */
export interface Step {
  /** Unique in the plan. What a step needs has smaller ids, so the order of the ids is safe one after the other. */
  readonly id: number;
  readonly kind: "write" | "swap" | "change-set";
  readonly writes: readonly RecordChange[];
  /**
   * Steps, of any zone of the plan, that are done before this one begins. Steps that need nothing of each other may run
   * side by side.
   */
  readonly needs: readonly number[];
  /** Zones of the plan that begin to be served, or cease, before this step begins. */
  readonly needsZones?: readonly Name[];
  /**
   * Names and types without an answer from this step on, until it or a later one is done; absent where all keep theirs.
   */
  readonly gaps?: readonly Gap[];
}

/**
 * Types of a name that are answered before and after the plan, but not all the time in between. `owner` is `*.` and a
 * name where it is any name directly below that one that has no records of its own.
 */
export interface Gap {
  readonly owner: NameKey;
  /** Sorted. */
  readonly types: readonly string[];
  /** For how long at most a resolver may cache that there is no such record (RFC 2308 §5). */
  readonly seconds: number;
}

export interface SettingChange {
  readonly name: SettingName;
  readonly before: ZoneSettings[SettingName];
  readonly after: ZoneSettings[SettingName];
}

/** Plan of one zone: its steps by their ids. */
export interface ZonePlan {
  readonly zone: DesiredZone;
  /** The stored domain; undefined when it must be created first. */
  readonly domainId: Id | undefined;
  readonly settings: readonly SettingChange[];
  /** Default TTL of the zone, in seconds, as stored now and after the settings are written. */
  readonly defaultTtl: { readonly before: number; readonly after: number };
  readonly steps: readonly Step[];
  /**
   * What the settings need with which the zone begins to be served, after its own steps, or ceases to be, before them:
   * as of a step.
   */
  readonly activation?: Pick<Step, "needs" | "needsZones" | "gaps">;
  /** Records that are as they should be. */
  readonly unchanged: number;
  /** Live records that a rule leaves alone. */
  readonly ignored: number;
}

/** A domain to delete, and what has no answer from then on until the next ones are deleted, too. */
export interface Deletion extends LiveZone {
  readonly gaps?: readonly Gap[];
}

export interface Plan {
  /** Zones with something to do, by name. */
  readonly zones: readonly ZonePlan[];
  readonly inSync: number;
  /** Live records that a rule leaves alone, in all zones. */
  readonly ignored: number;
  /**
   * Domains to delete, each asked for by its name, as they are stored. They are deleted last, in this order: by name,
   * unless another keeps more names answered.
   */
  readonly deletions: readonly Deletion[];
  /** Zones of the account that no file describes. They are left alone. */
  readonly unmanaged: readonly Name[];
  /** Faults that the check of the order found; empty unless zonewright has a bug. */
  readonly unproved: readonly string[];
}

export function writesOf(zone: ZonePlan): RecordChange[] {
  return zone.steps.flatMap(({ writes }) => writes);
}

/** Is there nothing to do? */
export function isEmpty({ zones, deletions }: Plan): boolean {
  return zones.length === 0 && deletions.length === 0;
}

/** Is the zone served as it is stored, and will it be? One whose file says nothing of it will. */
export function isServed({ zone, domainId, settings }: Pick<ZonePlan, "zone" | "domainId" | "settings">) {
  const after = zone.settings.status !== "disabled";
  const change = settings.find(({ name }) => name === "status");
  return { before: change ? change.before !== "disabled" : domainId !== undefined && after, after };
}

/** The record that a change is about, as it will be or as it was. */
export function subject(change: RecordChange): DesiredRecord {
  return change.kind === "delete" ? change.before : change.after;
}
