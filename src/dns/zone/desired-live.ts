import type { Name } from "../name/name.ts";
import type { Scope } from "./scope.ts";
import type { Excuse, Zone, ZoneRecord } from "./zone.ts";
import type { ZoneSettings, ZoneTimes } from "./zone-settings.ts";

/**
 * A zone as the service will store it: times are rounded, unsupported records omitted. `otherTimes` are further values
 * that count as equal, because services round in one of two ways.
 */
export interface DesiredZone {
  readonly name: Name;
  readonly settings: ZoneSettings;
  /** Settings that its file leaves open: a live zone keeps them, and a new one is a master that is served. */
  readonly unstated?: readonly ("type" | "status")[];
  /** The serial of the deleted zone that this one restores, which secondaries may still have. */
  readonly formerSerial?: number;
  /** Whether a run of the project left the live zone disabled, so that its activation was reviewed before. */
  readonly isUnactivated?: boolean;
  readonly otherTimes: Partial<ZoneTimes>;
  /** The times of its file that the service rounds. Stored ones that are the same stay, where a service has any. */
  readonly fileTimes?: Partial<ZoneTimes>;
  /** The service's defaults for times that are 0 or absent. */
  readonly defaultTimes: ZoneTimes;
  readonly records: readonly DesiredRecord[];
  /** Records of the file that the service cannot store, so that they are not sent. */
  readonly unsupported?: readonly ZoneRecord[];
  /** The name servers of the zone in its file. They are not sent: the service answers with its own. */
  readonly apexServers?: readonly Name[];
  /** Everything is managed by default. Expired patterns are omitted. */
  readonly scope?: Scope;
  readonly excused?: readonly Excuse[];
  /** The relative targets of its file that may lack their final dot. */
  readonly dotlessTargets?: Zone["dotlessTargets"];
  readonly file?: string;
  readonly fileFormat?: Zone["fileFormat"];
  /** The places of the zone (`zone`) and its settings in its file. */
  readonly places?: Zone["places"];
  /** Whether it is the catalog of the other zones (RFC 9432), which has no file and is written after them. */
  readonly isCatalog?: true;
}

/** The parts of a zone beside settings and records, for plans and their texts. */
export function partsOfFile(zone: Zone): Partial<DesiredZone> {
  return {
    ...(zone.scope && { scope: zone.scope }),
    ...(zone.excused && { excused: zone.excused }),
    ...(zone.dotlessTargets.length > 0 && { dotlessTargets: zone.dotlessTargets }),
    ...(zone.file !== undefined && { file: zone.file }),
    ...(zone.fileFormat && { fileFormat: zone.fileFormat }),
    ...(Object.keys(zone.places).length > 0 && { places: zone.places }),
  };
}

export interface DesiredRecord extends ZoneRecord {
  readonly otherTtl?: number;
  /** The TTL of its file, if the service rounds it. A stored one that is the same stays, where a service has any. */
  readonly fileTtl?: number;
}

/** Whether a stored TTL needs no change. `defaultTtl`, in seconds, applies to records without a TTL. */
export function isTtlOf({ ttl, otherTtl, fileTtl }: DesiredRecord, stored: number, defaultTtl: number): boolean {
  return [ttl ?? defaultTtl, otherTtl, fileTtl].includes(stored);
}

/** Whether a stored time of a zone needs no change although it is not the desired one. */
export function isOtherTime(
  { otherTimes, fileTimes = {} }: Pick<DesiredZone, "otherTimes" | "fileTimes">,
  name: string,
  stored: unknown,
): boolean {
  const others: Readonly<Record<string, unknown>>[] = [otherTimes, fileTimes];
  return stored !== undefined && others.some((times) => times[name] === stored);
}

declare const opaque: unique symbol;

/** The service's id of a zone, record or event. It is opaque to all but the target, but can be compared with `===`. */
export type Id = (string | number) & { readonly [opaque]: true };

export function asId(id: string | number): Id {
  return id as Id;
}

/** A zone as stored by the service. Of equal records the oldest comes first. */
export interface LiveZone {
  readonly name: Name;
  readonly id: Id;
  readonly settings: ZoneSettings;
  /** The status as the service reports it, if it is not one of the setting, which then says `active`. */
  readonly state?: string;
  /** The addresses that the service transfers the zone from, so that nothing can be written to it. */
  readonly secondaryOf?: readonly string[];
  readonly defaultTimes: ZoneTimes;
  readonly records: readonly LiveRecord[];
  /** Records that nothing is done with, such as those of unknown types; absent if there are none. */
  readonly unknownRecords?: readonly UnknownRecord[];
  /** The serial, where the SOA record has 0 in its place. */
  readonly serial?: number;
  /** Whether the service signs it, with keys that are nowhere else. */
  readonly isSigned?: true;
}

/** A stored record that nothing is done with, such as one of an unknown type, as the service names both. */
export interface UnknownRecord {
  readonly name: string;
  readonly type: string;
  /** In seconds; 0 for that of the zone. Absent if it is not known. */
  readonly ttl?: number;
  /** Whether the service makes records of this type itself. */
  readonly isOfService?: boolean;
  /** Whether it is stored, and not served. */
  readonly isDisabled?: boolean;
  /** Whether its name is stored with upper-case letters, so that neither lookups nor changes find it. */
  readonly hasUpperCase?: boolean;
}

export interface LiveRecord extends ZoneRecord {
  readonly id: Id;
  /** Times of the first and the last write, in the service's format. */
  readonly created?: string;
  readonly updated?: string;
}

/** One write to a record. A create has no `before`, a delete no `after`; an update keeps the stored record's id. */
export type RecordChange =
  | { readonly kind: "create"; readonly after: DesiredRecord }
  | { readonly kind: "update"; readonly before: LiveRecord; readonly after: DesiredRecord }
  | { readonly kind: "delete"; readonly before: LiveRecord };
