import { type ApiTime, apiTimes } from "../../../targets/api/settings.ts";
import { findRow } from "../../store/rows.ts";
import type { Database, DomainRow } from "../../store/tables.ts";
import { hasMoreRecordsAt, listRecordsAt, readRecordsInParts } from "./records-rows.ts";
import {
  findChangedSerial,
  findZoneVersion,
  listZoneChanges,
  type StoredRecordChange,
  undoChanges,
  type ZoneRecordRow,
  type ZoneVersionMark,
} from "./zone-changes-rows.ts";
import { serialOfZone, type ZoneRow } from "./zones-rows.ts";

/** A zone's settings: the times in seconds, the name servers absolute without a final dot, the primary first. */
export interface RenderedSettings {
  readonly domain: string;
  readonly soa_email: string;
  readonly ttl: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly nameservers: readonly string[];
}

/**
 * The name servers in the NS records of the apex that are the service's own: none if the zone has others, which only
 * open records can be.
 */
export function ownApexServers(
  { nameservers }: Pick<RenderedSettings, "nameservers">,
  records: readonly Pick<ZoneRecordRow, "type" | "name">[],
): readonly string[] {
  return records.some(({ type, name }) => type === "NS" && name === "") ? [] : nameservers;
}

/** The times of a domain; 0 is the service's default (decisions/service#zone-file). */
export function zoneSettings(
  domain: Pick<DomainRow, ApiTime | "domain" | "soa_email">,
  nameservers: readonly string[],
): RenderedSettings {
  const time = (field: ApiTime) => domain[field] || apiTimes[field];
  return {
    ...{ domain: domain.domain, soa_email: domain.soa_email },
    ...{ ttl: time("ttl_sec"), refresh: time("refresh_sec"), retry: time("retry_sec"), expire: time("expire_sec") },
    nameservers,
  };
}

export interface ZoneVersionRecords {
  readonly serial: number;
  readonly settings: RenderedSettings;
  /** The oldest first. */
  readonly records: readonly ZoneRecordRow[];
}

/** The rendered version in the journal; undefined if there is none, or if it has left the journal. */
export async function findRendered(db: Database, zone: ZoneRow | undefined): Promise<ZoneVersionMark | undefined> {
  return zone && zone.number !== null ? findZoneVersion(db, zone.domain_id, zone.number) : undefined;
}

/**
 * The version of a domain that was rendered last, also while changes wait; undefined if it was never rendered.
 * `readRendered` renders due changes first.
 */
export async function readVersion(db: Database, domain: DomainRow): Promise<ZoneVersionRecords | undefined> {
  const zone = await findRow(db, "zones", { domain_id: domain.id });
  if (zone === undefined) return undefined;
  const now: ZoneRecordRow[] = [];
  for await (const part of readRecordsInParts(db, domain.id)) for (const row of part) now.push(row);
  if (domain.changed === null) {
    const serial = await serialOfZone(db, domain.domain_key);
    const settings = zoneSettings(domain, zone.name_servers.split(" "));
    return serial === undefined ? undefined : { serial, settings, records: now };
  }
  const version = await findRendered(db, zone);
  if (version === undefined) throw new Error(`the journal of the zone ${domain.domain} does not hold its version`);
  const changes = await listZoneChanges(db, domain.id, version.number);
  return { serial: version.serial, settings: JSON.parse(version.settings), records: undoChanges(now, changes) };
}

/** From more changed names on, the whole zone is read, which costs less. */
export const mostChangedNames = 2000;

/** Limits on the comparison of two versions of a zone. */
export interface ComparisonLimits {
  readonly changes: number;
  /** Records at the changed names. */
  readonly records: number;
}

/** The names that changes touch, in lower case and relative to the domain. */
export function changedNamesOf(changes: readonly StoredRecordChange[]): string[] {
  return [...new Set(changes.map(({ name_key }) => name_key))];
}

/** The difference of two versions of a zone, whose settings differ in no more than the SOA record. */
export interface VersionDifference {
  /** The changed names, in lower case and relative to the domain; the apex always, because of the SOA record. */
  readonly names: readonly string[];
  /** The versions, with the records at these names only. */
  readonly before: ZoneVersionRecords;
  readonly after: ZoneVersionRecords;
}

/**
 * The changes from the version with a serial to that of `readVersion`; undefined if the journal lacks that version, if
 * settings changed all records, or if the changes exceed the limits.
 */
export async function readChange(
  db: Database,
  domain: DomainRow,
  serial: number,
  limits?: ComparisonLimits,
): Promise<VersionDifference | undefined> {
  const to = await findRendered(db, await findRow(db, "zones", { domain_id: domain.id }));
  const from = to && (await findChangedSerial(db, domain.id, serial));
  if (from === undefined || to === undefined) return undefined;
  if (from.number > to.number || (limits && to.number - from.number > limits.changes)) return undefined;
  const [settings, other]: RenderedSettings[] = [JSON.parse(from.settings), JSON.parse(to.settings)];
  if (settings === undefined || other === undefined || !hasSameRecords(settings, other)) return undefined;
  const changes = await listZoneChanges(db, domain.id, from.number);
  const later = changes.filter(({ number }) => number > to.number);
  const names = new Set(["", ...changedNamesOf(changes.slice(0, changes.length - later.length))]);
  if (names.size > mostChangedNames) return undefined;
  if (limits && (await hasMoreRecordsAt(db, domain.id, [...names], limits.records))) return undefined;
  const now = await listRecordsAt(db, domain.id, [...names]);
  const atNames = (rows: readonly ZoneRecordRow[]) => rows.filter(({ name_key }) => names.has(name_key));
  return {
    names: [...names],
    before: { serial, settings, records: atNames(undoChanges(now, changes)) },
    after: { serial: to.serial, settings: other, records: atNames(undoChanges(now, later)) },
  };
}

/** Whether records that are stored alike are served alike. */
function hasSameRecords(one: RenderedSettings, other: RenderedSettings): boolean {
  const all = ({ domain, ttl, nameservers }: RenderedSettings) => JSON.stringify([domain, ttl, nameservers]);
  return all(one) === all(other);
}
