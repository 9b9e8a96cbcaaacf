import type { Fix } from "../../diagnostics/advice.ts";
import type { Place, Problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { nameKey, relativeTo } from "../../dns/name/name.ts";
import type { AxfrZone } from "../../dns/transfer/axfr-receiver.ts";
import { nameToEmail } from "../../dns/types/soa.ts";
import type { DesiredRecord, DesiredZone } from "../../dns/zone/desired-live.ts";
import { canonical, isType, placeOf, rdataText, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { UnreadEntry } from "../../formats/kit/source.ts";
import type { TargetKind } from "../../targets/target.ts";
import { withoutSerial } from "../../targets/without-serial.ts";
import { type AcquiredZone, isReplaced, isSigning } from "./build-zone.ts";

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

type LedgerKind = Pick<TargetKind, "accept" | "recordLimits" | "capabilities" | "isOwnType" | "isLeftBehind">;

type SourceZone = Pick<AcquiredZone, "name" | "records" | "unread" | "live" | "origins">;

/**
 * Compares an acquired zone with its new zone file, and with the records that the service would store after `apply`.
 * The file is read back for this, so that a mistake of a writer would be found as well.
 */
export function buildLedger(source: SourceZone, file: ReadBackZone, kind: LedgerKind): Ledger {
  const { name, records, unread, origins = [] } = source;
  const classifier = new Classifier(source, file, kind);
  return {
    zone: name,
    entries: [
      ...records.map(
        (record, index): LedgerEntry => ({
          owner: relativeTo(record.owner, name),
          type: record.type,
          ttl: ttlOf(record),
          rdata: rdataText(record),
          ...classifier.classify(record),
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
}

/** The ledger of a zone on a target. */
export interface TargetLedger {
  readonly target: string;
  readonly ledger: Ledger;
}

/**
 * One ledger of those of the targets of a zone: each record has the worst of its classes, with the targets on which it
 * has it unless these are all.
 */
export function joinLedgers(ledgers: readonly [TargetLedger, ...TargetLedger[]]): Ledger {
  const [{ ledger }] = ledgers;
  return {
    ...ledger,
    entries: ledger.entries.map((first, index) => {
      const all = ledgers.map(({ target, ledger }) => ({ target, entry: ledger.entries[index] ?? first }));
      const worst = all.reduce((a, b) => (rankOf(b.entry) > rankOf(a.entry) ? b : a)).entry;
      const names = all.filter(({ entry }) => entry.class === worst.class).map(({ target }) => target);
      const { reason } = worst;
      if (reason === undefined || names.length === all.length) return worst;
      return { ...worst, reason: `${reason} (on ${names.join(", ")})` };
    }),
  };
}

function rankOf(entry: LedgerEntry): number {
  return ledgerClasses.indexOf(entry.class);
}

/** Classifies the records of a source by their forms in the file and in the service. */
class Classifier {
  readonly #source: SourceZone;
  readonly #zone: Zone;
  readonly #kind: LedgerKind;
  readonly #desired: DesiredZone;
  /** Errors of the file by their places. */
  readonly #errorAt: ReadonlyMap<string, Problem>;
  readonly #forms = new Map<string, Forms>();

  constructor(source: SourceZone, { zone, errors }: ReadBackZone, kind: LedgerKind) {
    this.#source = source;
    this.#zone = zone;
    this.#kind = kind;
    this.#desired = kind.accept(zone).desired;
    this.#errorAt = new Map(errors.flatMap((error) => (error.place ? [[placeKey(error.place), error] as const] : [])));
    for (const record of this.#desired.records) this.#formsOf(record).sent = record;
    for (const record of zone.records) this.#formsOf(record).written = record;
    for (const record of source.records) {
      const forms = this.#formsOf(record);
      if (!forms.kept || (record.ttl ?? 0) < (forms.kept.ttl ?? 0)) forms.kept = record;
    }
  }

  /** The class of a record of the source, and its place in the file unless it is the same there. */
  classify(record: ZoneRecord): Classified & Pick<LedgerEntry, "written"> {
    const { written } = this.#formsOf(record);
    const classified = isReplaced(this.#source.name, record, this.#kind)
      ? this.#classifyReplaced(record)
      : this.#classifyOwn(record);
    const place = written && classified.class !== "exact" && (placeOf(written) ?? written.ownerAt);
    return { ...classified, ...(place && { written: place }) };
  }

  #formsOf(record: ZoneRecord): Forms {
    const key = keyOf(record);
    const forms = this.#forms.get(key) ?? {};
    this.#forms.set(key, forms);
    return forms;
  }

  /** The class of a record that the service does not make itself. */
  #classifyOwn(record: ZoneRecord): Classified {
    const forms = this.#formsOf(record);
    const first = forms.kept ?? record;
    const classified = this.#errorOf(forms) ?? this.#classifyValid(first, forms);
    if (first === record || classified.class === "unsupported" || classified.class === "lost") return classified;
    return { class: "normalised", reason: "the source contains it twice", rule: "duplicate-record" };
  }

  #errorOf({ written }: Forms): Classified | undefined {
    if (!written) return undefined;
    const error = [placeOf(written), written.ownerAt].map((at) => at && this.#errorAt.get(placeKey(at))).find(Boolean);
    return error && { class: "lost", ...reasonOf(error) };
  }

  /** Compares a record with its stored form; the service may store it in another one. */
  #classifyValid(record: ZoneRecord, forms: Forms): Classified {
    if (forms.sent) return this.#compareStored(record, forms.sent, forms);
    const { desired, problems } = this.#kind.accept({ ...this.#zone, records: [record] });
    const [form] = desired.records;
    const stored = form && this.#formsOf(form).sent;
    if (stored) return this.#compareStored(record, stored, forms);
    const refusal = problems.find(({ severity }) => severity === "error");
    if (!forms.written && this.#source.live)
      return { class: "lost", reason: "the service did not import it", ...(refusal && reasonOf(refusal)) };
    if (!forms.written) return { class: "lost", reason: "the zone file does not contain it" };
    if (!refusal) return { class: "lost", reason: "the service would not store it" };
    return { class: this.#kind.recordLimits.has(refusal.id) ? "unsupported" : "lost", ...reasonOf(refusal) };
  }

  #compareStored(record: ZoneRecord, stored: DesiredRecord, { written }: Forms): Classified {
    const { settings, defaultTimes } = this.#desired;
    // The file of a live zone has the rounded TTLs of the service.
    const fileTtl = this.#source.live ? record.ttl : (written?.ttl ?? this.#zone.settings.ttl_sec);
    const storedTtl = stored.ttl ?? (settings.ttl_sec || defaultTimes.ttl_sec);
    const compared = compare(withoutSerial(record), stored, storedTtl, fileTtl);
    if (record.type !== "SOA" || compared.class !== "exact") return compared;
    return { class: "normalised", reason: "its serial rises with each write" };
  }

  /** A record that the service makes itself. */
  #classifyReplaced(record: ZoneRecord): Classified {
    if (this.#kind.isOwnType && !isType(record, "SOA"))
      return { class: "left-to-the-service", reason: "the server makes its own, if it signs the zone" };
    if (isSigning(record.type))
      return { class: "lost", reason: "the service does not sign zones", rule: "dnssec-unsigned" };
    if (!isType(record, "SOA"))
      return { class: "left-to-the-service", reason: "the service answers with its own name servers", rule: "apex-ns" };
    const { capabilities } = this.#kind;
    if (capabilities.apex === "ours" && capabilities.serial === "service")
      return { class: "left-to-the-service", reason: "the server keeps its own" };
    const { mname, rname, serial, minimum } = record.data;
    const reason = `the service makes its own: primary ${mname}, serial ${serial} and negative TTL ${minimum} are not kept`;
    const { soa_email } = this.#desired.settings;
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

function keyOf(record: ZoneRecord): string {
  const { owner, type, data } = withoutSerial(record);
  return `${nameKey(owner)} ${type} ${canonical({ type, data })}`;
}

function placeKey({ file, line, column }: { file: string; line: number; column: number }): string {
  return `${file}:${line}:${column}`;
}

function placeEntry(place: Place | undefined): Pick<LedgerEntry, "place"> {
  return place ? { place } : {};
}
