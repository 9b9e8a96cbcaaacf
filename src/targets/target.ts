import type { DesiredRecord, DesiredZone, LiveRecord, LiveZone } from "../dns/desired-live.ts";
import type { Name } from "../dns/name.ts";
import type { ZoneSettings } from "../dns/zone.ts";

/** The service's id of a zone or a record. Opaque, but for the order: of two equal records the later one has the higher id. */
export type Id = LiveRecord["id"];

/** A stored zone, for writes to its records. */
export interface ZoneRef {
  readonly id: Id;
  readonly name: Name;
}

/**
 * Why a write failed. `lost`: it may have been carried out all the same. `invalid`: the service refuses it as it stands.
 * `gone`: its zone or record does not exist. `unavailable`: no write can be carried out now. `refused`: for another reason.
 * Nothing was stored unless it is `lost`.
 */
export type WriteFailure = "lost" | "invalid" | "gone" | "unavailable" | "refused";

export interface RecordWriteOptions {
  /** Sent before other requests that wait. */
  readonly isUrgent?: boolean;
}

/** What the executor needs of a service that holds zones: single writes, and the reads that show their outcome. */
export interface TargetWrites {
  readZone(id: Id): Promise<LiveZone>;
  readSettings(id: Id): Promise<LiveZone["settings"]>;
  /** `isBlank`: as `createZone` makes it, disabled and without records. */
  findZone(name: Name): Promise<{ readonly id: Id; readonly isBlank: boolean } | undefined>;
  /** Creates a zone disabled, so that it is not served before its records exist. */
  createZone(zone: Pick<DesiredZone, "name" | "settings">): Promise<Id>;
  changeSettings(id: Id, settings: ZoneSettings): Promise<void>;
  /** With all its records. */
  deleteZone(id: Id): Promise<void>;
  readRecord(zone: ZoneRef, id: Id): Promise<LiveRecord>;
  /** At least the records that have the owner name and type of `record`. */
  findRecords(zone: ZoneRef, record: DesiredRecord): Promise<readonly LiveRecord[]>;
  createRecord(zone: ZoneRef, record: DesiredRecord, options?: RecordWriteOptions): Promise<Id>;
  updateRecord(zone: ZoneRef, id: Id, record: DesiredRecord, options?: RecordWriteOptions): Promise<void>;
  deleteRecord(zone: ZoneRef, id: Id, options?: RecordWriteOptions): Promise<void>;
  /** What an error of these methods means for a write. */
  failureOf(error: unknown): WriteFailure;
}
