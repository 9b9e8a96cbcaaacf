import { isSameName, type Name } from "../../dns/name/name.ts";
import { contactOf, nameToEmail } from "../../dns/types/soa.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import type { Scope } from "../../dns/zone/scope.ts";
import { soaSettings } from "../../dns/zone/soa-settings.ts";
import { copyRecord, type Excuse, isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { UnreadEntry } from "../../formats/kit/source.ts";
import type { TargetKind } from "../../targets/target.ts";
import { mostFrequentTtl } from "../../targets/usual-ttl.ts";
import type { Project } from "../project/project.ts";
import { settingsOf } from "../project/target-kind.ts";
import { withExcuses } from "../zones/excuses.ts";
import type { ParentDs } from "../zones/parent-ds.ts";
import { normalizeForFile } from "../zones/zone-from-live.ts";

/** A zone from outside of the project: its records, and what else is known about it. */
export interface AcquiredZone {
  readonly name: Name;
  /** Its source in messages, such as `192.0.2.53:53` or the path of a file. */
  readonly from: string;
  /** The first line of a new file, such as `Transferred from 192.0.2.53:53, serial 7`. */
  readonly head: string;
  /** Settings that are known beside those of the SOA record; they take precedence. */
  readonly settings: ZoneSettings;
  /** All records, with SOA and apex NS records if there are any. An undefined TTL is that of the settings. */
  readonly records: readonly ZoneRecord[];
  /** Records with an invalid value, which are lost. */
  readonly unread: readonly UnreadEntry[];
  /** The DS records at the parent. */
  readonly ds: ParentDs;
  /** The identity of each record in its source, such as the id of a live record. */
  readonly origins?: readonly string[] | undefined;
  readonly evidence?: CompletenessEvidence;
  /** The zone as the service made it of the records, if it exists already. Its file then describes this one. */
  readonly live?: LiveZone;
  /** Further parts of a zone file of zonewright. */
  readonly excused?: readonly Excuse[] | undefined;
  readonly scope?: Scope | undefined;
}

/** Why an acquired zone is surely complete. */
export interface CompletenessEvidence {
  /** The digest in its ZONEMD record is that of its records. */
  readonly zonemd?: "verified";
  /** Another server that has the same records. */
  readonly confirmedBy?: string;
}

/**
 * Converts an acquired zone for a zone file. Settings that are not known come from its SOA record, and `ttl_sec` is the
 * most frequent TTL. The records that the new service makes itself are omitted. Records with errors,
 * such as those that the service does not support, stay with a `lenient` entry.
 */
export function zoneFromAcquired(
  { name, records, settings: known, excused, scope }: AcquiredZone,
  project: Project,
  report: (summary: string) => void,
): Zone {
  const settings = settingsOf([project.target]);
  const soa = records.find((record) => isType(record, "SOA"));
  const kept = records.filter((record) => !isReplaced(name, record, project.target));
  const fromSoa = soa && !kept.includes(soa) ? soaSettings(soa, settings) : {};
  const ttl = known.ttl_sec || mostFrequentTtl(kept); // 0 is the default of the service
  const zone = {
    name,
    settings: {
      ...withContact({ ...fromSoa, ...known }, soa),
      ...(ttl !== undefined && { ttl_sec: ttl }),
    },
    records: kept,
    places: {},
    dotlessTargets: [],
  };
  const once = normalizeForFile(zone, { ttl_sec: 0 }, report);
  const withDefaults = once.records.map((record) =>
    record.ttl === ttl ? copyRecord(record, { ttl: undefined }) : record,
  );
  const parts = { ...(excused && excused.length > 0 && { excused }), ...(scope && { scope }) };
  return withExcuses(project, { ...zone, records: withDefaults, ...parts });
}

/** The settings with the contact that the SOA record means, if it is from there; without a contact if it means none. */
function withContact(settings: ZoneSettings, soa: ZoneRecord<"SOA"> | undefined): ZoneSettings {
  const { soa_email, ...others } = settings;
  if (!soa || soa_email !== nameToEmail(soa.data.rname)) return settings;
  const contact = contactOf(soa.data.rname);
  return contact === undefined ? others : { ...settings, soa_email: contact };
}

type ReplacingKind = Pick<TargetKind, "capabilities" | "isOwnType" | "isLeftBehind">;

/** Whether the new service makes this record itself: the SOA and apex NS records unless they are ours, and DNSSEC. */
export function isReplaced(
  zone: Name,
  { owner, type }: Pick<ZoneRecord, "owner" | "type">,
  { capabilities: { apex, serial }, isLeftBehind = isSigning, isOwnType = isLeftBehind }: ReplacingKind,
): boolean {
  if (type === "SOA") return serial === "service";
  return isOwnType(type) || (apex === "service" && type === "NS" && isSameName(owner, zone));
}

/** Whether a signer makes records of this type from the zone (RFC 4034, RFC 5155, RFC 7344, RFC 8976). */
export function isSigning(type: string): boolean {
  return signingTypes.has(type);
}

const signingTypes: ReadonlySet<string> = new Set([
  "CDNSKEY",
  "CDS",
  "DNSKEY",
  "NSEC",
  "NSEC3",
  "NSEC3PARAM",
  "RRSIG",
  "ZONEMD",
]);
