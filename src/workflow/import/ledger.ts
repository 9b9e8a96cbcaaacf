import type { Fix } from "../../diagnostics/advice.ts";
import type { Place, Problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { nameKey, relativeTo } from "../../dns/name/name.ts";
import type { AxfrZone } from "../../dns/transfer/axfr-receiver.ts";
import { nameToEmail } from "../../dns/types/soa.ts";
import type { DesiredRecord } from "../../dns/zone/desired-live.ts";
import { canonical, isType, placeOf, rdataText, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { UnreadEntry } from "../../formats/kit/source.ts";
import type { TargetKind } from "../../targets/target.ts";
import { type AcquiredZone, isReplaced, isSigning } from "./zone-from-acquired.ts";

/**
 * The result of importing a record. `exact`: the service will store the same record. `normalised`: it will store it in
 * another form, such as with a rounded TTL. `left-to-the-service`: it makes a record of its own instead.
 * `unsupported`: the record stays in the zone file, and is not sent, because the service cannot store it. `lost`: the
 * service will not answer with it, and the file does not contain it, or is invalid because of it.
 */
export type LedgerClass = (typeof ledgerClasses)[number];
export const ledgerClasses = ["exact", "normalised", "left-to-the-service", "unsupported", "lost"] as const;

export interface LedgerEntry {
  readonly owner: string;
  readonly type: string;
  /** In seconds. */
  readonly ttl: number;
  /** RDATA in the syntax of zone files. */
  readonly rdata: string;
  readonly class: LedgerClass;
  /** Absent for `exact`. */
  readonly reason?: string;
  /** The rule or limit that explains the class. */
  readonly rule?: ProblemId;
  readonly fix?: Fix;
  /** The place of the record, if it is from a file. */
  readonly place?: Place;
  /** The place of the record in the zone file; absent for `exact`, and where the file does not contain it. */
  readonly written?: Place;
  /** Its identity in the source, such as the address of a resource of Terraform and the id of the live record. */
  readonly origin?: string;
}

/** Every record of an acquired zone, in the order of its source. */
export interface Ledger {
  readonly zone: string;
  readonly entries: readonly LedgerEntry[];
}

/** The zone file of an import, as it is read back, and the errors that a plan would report. */
export interface ReadBackZone {
  readonly zone: Zone;
  readonly errors: readonly Problem[];
}

/** The forms of records with the same owner, type and data. */
interface Forms {
  /** Of those of the source the one with the shortest TTL, which the file has. */
  kept?: ZoneRecord;
  written?: ZoneRecord;
  sent?: DesiredRecord;
}

/**
 * Compares an acquired zone with its new zone file, and with the records that the service would store after `apply`.
 * The file is read back for this, so that a mistake of a writer would be found as well.
 */
export function buildLedger(
  { name, records, unread, live, origins = [] }: Pick<AcquiredZone, "name" | "records" | "unread" | "live" | "origins">,
  { zone, errors }: ReadBackZone,
  { accept, recordLimits }: Pick<TargetKind, "accept" | "recordLimits">,
): Ledger {
  const { desired } = accept(zone);
  const defaultTtl = desired.settings.ttl_sec || desired.defaultTimes.ttl_sec;
  const errorAt = new Map(errors.flatMap((error) => (error.place ? [[placeKey(error.place), error] as const] : [])));
  const all = new Map<string, Forms>();
  const formsOf = (record: ZoneRecord): Forms => {
    const key = keyOf(record);
    const known = all.get(key);
    if (known) return known;
    const forms = {};
    all.set(key, forms);
    return forms;
  };
  for (const record of desired.records) formsOf(record).sent = record;
  for (const record of zone.records) formsOf(record).written = record;
  const inOrder = records.map(formsOf);
  for (const [index, record] of records.entries()) {
    const one = inOrder[index];
    if (one && (!one.kept || (record.ttl ?? 0) < (one.kept.ttl ?? 0))) one.kept = record;
  }

  const classify = (record: ZoneRecord, forms: Forms): Classified => {
    if (isReplaced(name, record)) return replaced(record);
    const first = forms.kept ?? record;
    const classified = classifyFirst(first, forms);
    if (first === record || classified.class === "unsupported" || classified.class === "lost") return classified;
    return { class: "normalised", reason: "the source contains it twice", rule: "duplicate-record" };
  };

  const classifyFirst = (record: ZoneRecord, { sent, written }: Forms): Classified => {
    const broken =
      written && [placeOf(written), written.ownerAt].map((at) => at && errorAt.get(placeKey(at))).find(Boolean);
    if (broken) return { class: "lost", ...reasonOf(broken) };
    const alone = { ...zone, records: [record] };
    const { desired: own, problems } = sent ? { desired: undefined, problems: [] } : accept(alone);
    const [form = record] = own?.records ?? [];
    const stored = form === record ? sent : all.get(keyOf(form))?.sent;
    // The file of a live zone has the rounded TTLs of the service.
    const fileTtl = live ? record.ttl : (written?.ttl ?? zone.settings.ttl_sec);
    if (stored) return compare(record, stored, stored.ttl ?? defaultTtl, fileTtl);
    const refusal = problems.find(({ severity }) => severity === "error");
    if (!written && live)
      return { class: "lost", reason: "the service did not import it", ...(refusal && reasonOf(refusal)) };
    if (!written) return { class: "lost", reason: "the zone file does not contain it" };
    if (refusal) return { class: recordLimits.has(refusal.id) ? "unsupported" : "lost", ...reasonOf(refusal) };
    return { class: "lost", reason: "the service would not store it" };
  };

  return {
    zone: name,
    entries: [
      ...records.map(
        (record, index): LedgerEntry => ({
          owner: relativeTo(record.owner, name),
          type: record.type,
          ttl: ttlOf(record),
          rdata: rdataText(record),
          ...withWritten(record, inOrder[index] ?? {}),
          ...placeEntry(placeOf(record)),
          ...(origins[index] !== undefined && { origin: origins[index] }),
        }),
      ),
      ...unread.map(
        ({ owner, type, ttl = 0, rdata = "", reason, rule, fix, place }): LedgerEntry => ({
          owner: relativeTo(owner, name),
          type,
          ttl,
          rdata,
          class: "lost",
          reason,
          ...(rule && { rule }),
          ...(fix !== undefined && { fix }),
          ...placeEntry(place),
        }),
      ),
    ],
  };

  function withWritten(record: ZoneRecord, forms: Forms): Classified & Pick<LedgerEntry, "written"> {
    const classified = classify(record, forms);
    const written = classified.class === "exact" ? undefined : forms.written;
    const place = written && (placeOf(written) ?? written.ownerAt);
    return { ...classified, ...(place && { written: place }) };
  }

  function replaced(record: ZoneRecord): Classified {
    if (isSigning(record.type))
      return { class: "lost", reason: "the service does not sign zones", rule: "dnssec-unsigned" };
    if (!isType(record, "SOA"))
      return { class: "left-to-the-service", reason: "the service answers with its own name servers", rule: "apex-ns" };
    const { mname, rname, serial, minimum } = record.data;
    const reason = `the service makes its own: primary ${mname}, serial ${serial} and negative TTL ${minimum} are not kept`;
    const { soa_email } = desired.settings;
    const isKept = soa_email === undefined || soa_email === nameToEmail(rname);
    return {
      class: "left-to-the-service",
      reason: isKept ? reason : `${reason}; the contact ${rname} becomes ${soa_email}`,
    };
  }
}

type Classified = Pick<LedgerEntry, "class" | "reason" | "rule" | "fix">;

/** Compares a record with its stored form; `fileTtl` is its TTL in the zone file, in seconds. */
function compare(
  record: ZoneRecord,
  stored: DesiredRecord,
  storedTtl: number,
  fileTtl: number | undefined,
): Classified {
  const changes: { reason: string; rule?: ProblemId }[] = [];
  const ttl = ttlOf(record);
  if (ttl !== storedTtl)
    changes.push({
      reason: `TTL ${ttl} becomes ${storedTtl}`,
      rule: ttl === fileTtl ? "ttl-rounded" : "rrset-ttl",
    });
  if (canonical(record) !== canonical(stored))
    changes.push({ reason: "the strings are split every 255 octets", rule: "text-resplit" });
  else if (record.owner !== stored.owner || rdataText(record) !== rdataText(stored))
    changes.push({ reason: "the spelling changes" });
  if (changes.length === 0) return { class: "exact" };
  const rule = changes.find((change) => change.rule)?.rule;
  return { class: "normalised", reason: changes.map(({ reason }) => reason).join("; "), ...(rule && { rule }) };
}

/** A record of a transfer with an invalid value, which no zone file can contain. */
export function unreadForLedger({ owner, type, ttl, rdata, fault }: AxfrZone["unread"][number]): UnreadEntry {
  return { owner, type, ttl, rdata, reason: `its data is invalid: ${fault.message}` };
}

/** The reason without the owner and type that it begins with: the entry has them. */
function reasonOf({ id, summary, fix }: Problem): Pick<LedgerEntry, "reason" | "rule" | "fix"> {
  return { reason: summary.replace(/^\S+ [A-Z0-9]+:? /, ""), rule: id, ...(fix !== undefined && { fix }) };
}

/** The TTL that the source gives a record, in seconds. */
function ttlOf({ ttl, ownTtl = ttl }: ZoneRecord): number {
  return ownTtl ?? 0;
}

function keyOf({ owner, type, data }: ZoneRecord): string {
  return `${nameKey(owner)} ${type} ${canonical({ type, data })}`;
}

function placeKey({ file, line, column }: { file: string; line: number; column: number }): string {
  return `${file}:${line}:${column}`;
}

function placeEntry(place: Place | undefined): Pick<LedgerEntry, "place"> {
  return place ? { place } : {};
}
