import type { Problem } from "../diagnostics/problem.ts";
import type { DesiredRecord, DesiredZone, Id, LiveRecord, LiveZone, RecordChange } from "../dns/desired-live.ts";
import type { Name, NameKey } from "../dns/name.ts";
import type { Zone } from "../dns/zone.ts";
import type { ZoneEvent } from "../dns/zone-event.ts";
import type { Setting, ZoneSettings } from "../dns/zone-settings.ts";

/** A kind of service that holds zones: everything that is known about it without a connection. */
export interface TargetKind {
  /** The name of the service in results of checks. */
  readonly name: string;
  readonly capabilities: Capabilities;
  /** A zone as the service will store it. */
  readonly accept: (zone: Zone, options?: AcceptOptions) => Accepted;
  /** Limits on single records. A record that breaks one is left out of what is sent, and so does not fail the zone. */
  readonly recordLimits: ReadonlySet<string>;
  /**
   * Rules that nobody can make milder: the service refuses what breaks them, and leaving out a record would not help.
   */
  readonly strictRules: ReadonlySet<string>;
}

/** A service that holds zones, as planner, executor and workflows see it. */
export interface Target extends TargetKind {
  readonly read: TargetReads;
  readonly writes: TargetWrites;
}

/** The part of a target that planning needs; a stored copy of the zones can be one. */
export interface PlanningTarget extends TargetKind {
  readonly read: PlanningReads;
}

export interface Capabilities {
  /**
   * The settings of its zones, in the order in which files have them; `type`, `status` and `ttl_sec` are among them.
   */
  readonly settings: readonly Setting[];
  /** Changes to records of a zone can take effect at the same moment, all or none of them: `changeRecords` exists. */
  readonly atomicChanges: boolean;
  /** The most records that one read request returns. */
  readonly recordsPerRead: number;
}

export interface AcceptOptions {
  /** A time that would be rounded is an error. */
  readonly strict?: boolean;
}

export interface Accepted {
  readonly desired: DesiredZone;
  /** Errors where the service cannot store the zone; notes where it will store something else than is written. */
  readonly problems: readonly Problem[];
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A stored zone without its records. */
export type ZoneHead = Omit<LiveZone, "records">;

/** A stored zone, for requests about its records. */
export type ZoneRef = Pick<LiveZone, "id" | "name">;

export interface PlanningReads {
  /** All zones of the account. */
  listZones(options?: ReadOptions): Promise<readonly ZoneHead[]>;
  /** Records of types that the toolkit does not know are left out. Of equal records the oldest comes first. */
  readRecords(zone: ZoneRef, options?: ReadOptions): Promise<readonly LiveRecord[]>;
  /** Requests that these methods have sent so far. */
  countRequests(): number;
  /** Requests a minute that the service allows; undefined before it said so. */
  announcedLimit(): number | "unlimited" | undefined;
}

/** All that is read of a service. The methods reject with errors that `failureOf` knows. */
export interface TargetReads extends PlanningReads {
  readZone(id: Id, options?: ReadOptions): Promise<LiveZone>;
  readSettings(id: Id): Promise<LiveZone["settings"]>;
  /** `isBlank`: as `createZone` makes it, disabled and without records. */
  findZone(name: Name): Promise<{ readonly id: Id; readonly isBlank: boolean } | undefined>;
  readRecord(zone: ZoneRef, id: Id): Promise<LiveRecord>;
  /** At least the records that have the owner name and type of `record`; of equal records the oldest first. */
  findRecords(zone: ZoneRef, record: DesiredRecord): Promise<readonly LiveRecord[]>;
  /** The zone file that the service gives to its name servers; empty while there is none, as for a disabled zone. */
  readZoneFile(zone: ZoneRef, options?: ReadOptions): Promise<string>;
  /** External unique identifier of the account; null if the token may not read it. */
  readAccount(options?: ReadOptions): Promise<string | null>;
  /** The mark after which later events come; undefined where events may not be read. */
  readLastEvent(options?: ReadOptions): Promise<Id | undefined>;
  /** Events of zones after a mark of `readLastEvent`, or why they cannot be read. */
  readEvents(after: Id, options?: ReadOptions): Promise<EventLog | { readonly unknown: string }>;
}

export interface EventLog {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  /** False when there were too many, and older ones are left out. */
  readonly isWhole: boolean;
}

/**
 * Why a write failed. `lost`: it may have been carried out all the same. `invalid`: the service refuses it as it
 * stands. `gone`: its zone or record does not exist. `unavailable`: no write can be carried out now. `refused`: for
 * another reason. Nothing was stored unless it is `lost`.
 */
export type WriteFailure = "lost" | "invalid" | "gone" | "unavailable" | "refused";

export interface RecordWriteOptions {
  /** Sent before other requests that wait. */
  readonly isUrgent?: boolean;
}

/** Single writes. */
export interface TargetWrites {
  /** Creates a zone disabled, so that it is not served before its records exist. */
  createZone(zone: Pick<DesiredZone, "name" | "settings">): Promise<Id>;
  changeSettings(id: Id, settings: ZoneSettings): Promise<void>;
  /** With all its records. */
  deleteZone(id: Id): Promise<void>;
  createRecord(zone: ZoneRef, record: DesiredRecord, options?: RecordWriteOptions): Promise<Id>;
  updateRecord(zone: ZoneRef, id: Id, record: DesiredRecord, options?: RecordWriteOptions): Promise<void>;
  deleteRecord(zone: ZoneRef, id: Id, options?: RecordWriteOptions): Promise<void>;
  /**
   * Carries out all of the changes at the same moment, or none. Gives the id of each record, in the order of the
   * changes; a created one has it from then on.
   */
  changeRecords?(zone: ZoneRef, changes: readonly RecordChange[]): Promise<readonly Id[]>;
  /** The meaning of an error for the write, or the read, that rejected with it. */
  failureOf(error: unknown): WriteFailure;
}

export interface Live {
  /** The wanted zones that exist. */
  readonly zones: ReadonlyMap<NameKey, LiveZone>;
  /** Names of the other zones of the account. */
  readonly others: readonly Name[];
  /** Those of the others that `besideOf` asked for. */
  readonly beside: readonly LiveZone[];
}
