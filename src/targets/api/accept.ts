import { roundTtl } from "../../contract/ttl.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import {
  type IndexedZone,
  indexZone,
  placeWithIncludes,
  type Rule,
  type RuleFinding,
  toProblem,
} from "../../dns/lookup/rule.ts";
import { type Name, nameKey, relativeTo } from "../../dns/name/name.ts";
import { splitText } from "../../dns/name/text.ts";
import { txtText } from "../../dns/policies/kind.ts";
import { refusedDigest } from "../../dns/rules/digest-length.ts";
import { singleDname } from "../../dns/rules/single-dname.ts";
import { type DesiredRecord, partsOfFile } from "../../dns/zone/desired-live.ts";
import type { OwnerSets } from "../../dns/zone/owners.ts";
import { canonical, copyRecord, isType, targets, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { settingsIn } from "../../dns/zone/zone-settings.ts";
import type { Accepted, AcceptOptions } from "../target.ts";
import { limits, openLimits, openRecordLimitIds, recordLimitIds } from "./limits.ts";
import { apiSettings, apiTimes } from "./settings.ts";

/** How a server stores records. */
interface RecordForm {
  readonly limits: readonly Rule[];
  /** The limits whose records it refuses. */
  readonly limitIds: ReadonlySet<string>;
  /** Rules of DNS, reported elsewhere, whose records it refuses as well. */
  readonly refusing?: readonly Rule[];
  /** Whether it stores the NS records of the apex. */
  readonly hasServers: boolean;
  /** The data as it is stored. */
  readonly store: (record: ZoneRecord, notes: Notes) => ZoneRecord;
  /** The time that it stores for one in seconds, and another one that is as good. */
  readonly roundTime: (seconds: number) => RoundedTime;
}

interface RoundedTime {
  readonly ttl: number;
  readonly otherTtl?: number;
}

/**
 * A zone as the API will store it: without SOA, apex NS and unsupported records, with rounded times, texts split every
 * 255 octets, and distinct values. Each change is reported once, as a note; `strict` makes a rounded time an error.
 */
export function accept(zone: Zone, options?: AcceptOptions): Accepted {
  return acceptAs(documentedForm, zone, options);
}

/**
 * A zone as a server will store it that holds records of every type: without SOA, with distinct values, and 1 for a TTL
 * of 0, which is the zone's default there. The options and notes are those of `accept`.
 */
export function acceptOpen(zone: Zone, options?: AcceptOptions): Accepted {
  return acceptAs(openForm, zone, options);
}

const documentedForm: RecordForm = {
  limits,
  limitIds: recordLimitIds,
  hasServers: false,
  store: resplit,
  roundTime: nearestStoredTime,
};

const openForm: RecordForm = {
  limits: openLimits,
  limitIds: openRecordLimitIds,
  refusing: [singleDname, refusedDigest],
  hasServers: true,
  store: (record) => record,
  roundTime: (seconds) => ({ ttl: seconds }),
};

function acceptAs(form: RecordForm, zone: Zone, { strict = false }: AcceptOptions = {}): Accepted {
  const indexed = indexZone(zone);
  const notes = new Notes(zone, strict);
  const { problems, refused } = checkLimits(indexed, form);
  const isSlave = zone.settings.type === "slave";
  const isRefused = (record: ZoneRecord) => isSlave || refused.has(record);
  const { records, apexServers } = acceptRecords(indexed, form, { isRefused, notes });
  const { times, otherTimes, fileTimes } = acceptTimes(zone, form, notes);
  const own = settingsIn(zone.settings, apiSettings);
  const settings = { ...own, ...times, type: zone.settings.type ?? ("master" as const) };
  const unstated = (["type", "status"] as const).filter((name) => zone.settings[name] === undefined);
  const desired = { name: zone.name, settings, unstated, otherTimes, defaultTimes: apiTimes, records };
  const isRounding = Object.keys(fileTimes).length > 0;
  return {
    desired: {
      ...desired,
      ...(isRounding && { fileTimes }),
      ...(refused.size > 0 && !isSlave && { unsupported: zone.records.filter((record) => refused.has(record)) }),
      ...(apexServers.length > 0 && { apexServers }),
      ...partsOfFile(zone),
    },
    problems: [...problems, ...notes.toProblems()],
  };
}

/** The records of a zone that the API refuses, each for itself or beside the others. */
export function findRefused(zone: Zone): ReadonlySet<ZoneRecord> {
  const { limits, limitIds } = documentedForm;
  const refusing = limits.filter(({ id }) => limitIds.has(id));
  return checkLimits(indexZone(zone), { limits: refusing, limitIds }).refused;
}

/** Problems of a zone with the limits of the API, and the records that it refuses. */
function checkLimits(
  indexed: IndexedZone,
  { limits, limitIds, refusing = [] }: Pick<RecordForm, "limits" | "limitIds" | "refusing">,
): { readonly problems: Problem[]; readonly refused: Set<ZoneRecord> } {
  const problems: Problem[] = [];
  const refused = new Set(refusing.flatMap((rule) => recordsOf(rule.check(indexed))));
  const reported = new Set<string>();
  for (const limit of limits) {
    const { id } = limit;
    for (const finding of limit.check(indexed)) {
      const { at, about } = finding;
      const record = at && "owner" in at ? at : undefined;
      // A problem of a name is reported once, however many records it has.
      const key = about && record && `${id} ${nameKey(record.owner)}`;
      if (key === undefined || !reported.has(key)) problems.push(toProblem(id, finding));
      if (key !== undefined) reported.add(key);
      if (record && limitIds.has(id)) refused.add(record);
    }
  }
  return { problems, refused };
}

/** The records that findings are about. */
function recordsOf(findings: Iterable<RuleFinding>): ZoneRecord[] {
  return [...findings].flatMap(({ at }) => (at && "owner" in at ? [at] : []));
}

/** The stored records of a zone, each value once, and the name servers that the API ignores at the apex. */
function acceptRecords(
  indexed: IndexedZone,
  form: RecordForm,
  { isRefused, notes }: { readonly isRefused: (record: ZoneRecord) => boolean; readonly notes: Notes },
): { readonly records: readonly DesiredRecord[]; readonly apexServers: readonly Name[] } {
  const { zone } = indexed;
  const records: DesiredRecord[] = [];
  const apexServers: Name[] = [];
  let isSame = true;
  const isRepeated = createRepeatTest(indexed);
  for (const record of zone.records) {
    if (record.type === "SOA") continue;
    if (record.type === "NS" && !form.hasServers && indexed.isApex(record.owner)) {
      notes.apexNs(record);
      apexServers.push(...targets(record));
    } else if (!isRefused(record)) {
      const accepted = acceptRecord(record, form, notes);
      if (accepted !== record) isSame = false;
      if (!isRepeated(record, accepted)) records.push(accepted);
    }
  }
  // Rules and plan then share the index of the records.
  const isWhole = isSame && records.length === zone.records.length && Array.isArray(zone.records);
  return { records: isWhole ? (zone.records as readonly ZoneRecord[]) : records, apexServers };
}

/** A test whether an earlier record of the zone has the same stored value. */
function createRepeatTest({ owners }: IndexedZone): (record: ZoneRecord, accepted: ZoneRecord) => boolean {
  const seen = new Set<string>();
  let last: { readonly owner: Name; readonly sets: OwnerSets | undefined } | undefined;
  return (record, accepted) => {
    if (last?.owner !== record.owner) last = { owner: record.owner, sets: owners.get(nameKey(record.owner)) };
    if (last.sets?.of(record)?.records.length === 1) return false;
    const key = `${nameKey(record.owner)} ${record.type} ${canonical(accepted)}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  };
}

/** The stored times of a zone, those of services that round up, and those of the file, where they differ. */
function acceptTimes(
  zone: Zone,
  { roundTime }: Pick<RecordForm, "roundTime">,
  notes: Notes,
): Readonly<Record<"times" | "otherTimes" | "fileTimes", Record<string, number>>> {
  const times: Record<string, number> = {};
  const otherTimes: Record<string, number> = {};
  const fileTimes: Record<string, number> = {};
  for (const name of Object.keys(apiTimes)) {
    const seconds = zone.settings[name];
    if (typeof seconds !== "number") continue;
    const { ttl, otherTtl } = roundTime(seconds);
    times[name] = ttl;
    if (otherTtl !== undefined) otherTimes[name] = otherTtl;
    if (ttl === seconds) continue;
    fileTimes[name] = seconds;
    notes.noteRounded(name, seconds, ttl, placeOfSetting(zone, name));
  }
  return { times, otherTimes, fileTimes };
}

function acceptRecord(
  record: ZoneRecord,
  { store, roundTime }: Pick<RecordForm, "store" | "roundTime">,
  notes: Notes,
): DesiredRecord {
  const accepted = store(record, notes);
  if (record.ttl === undefined) return accepted;
  // In the API, 0 means the zone's default, not "do not cache".
  const rounded = roundTime(Math.max(1, record.ttl));
  if (rounded.ttl !== record.ttl) notes.noteRounded(record, record.ttl, rounded.ttl, placeWithIncludes(record));
  const isRounded = rounded.ttl !== record.ttl && record.ttl > 0;
  if (rounded.ttl === record.ttl && rounded.otherTtl === undefined) return accepted;
  return copyRecord(accepted, { ...rounded, ...(isRounded && { fileTtl: record.ttl }) });
}

/** A record with its strings split as the API splits them. */
function resplit(written: ZoneRecord, notes: Notes): ZoneRecord {
  const record = withCaaForm(written);
  if (!isType(record, "TXT")) return record;
  const strings = splitText(txtText(record));
  const isSame =
    strings.length === record.data.strings.length && strings.every((s, at) => s === record.data.strings[at]);
  if (isSame) return record;
  notes.noteResplit(record);
  return copyRecord(record, { data: { strings } });
}

/**
 * A CAA record as the API stores it: with its tag in lower case, whose case is irrelevant (RFC 8659 §4.1), and `;` for
 * an empty issuer, which is the same (§4.2).
 */
function withCaaForm(record: ZoneRecord): ZoneRecord {
  if (!isType(record, "CAA")) return record;
  const tag = record.data.tag.toLowerCase();
  const value = record.data.value === "" && tag !== "iodef" ? ";" : record.data.value;
  const isSame = tag === record.data.tag && value === record.data.value;
  return isSame ? record : copyRecord(record, { data: { ...record.data, tag, value } });
}

/** Undefined for a zone that is not from a file. */
function placeOfSetting({ file, places }: Zone, name: string): Where {
  const head = file === undefined ? undefined : { file, line: 1, column: 1, length: 1 };
  const at = places[name] ?? places.zone ?? head;
  return at ? { place: at } : {};
}

/** Rounds to the nearest stored time, with the one of services that round up as an equal. */
function nearestStoredTime(seconds: number): RoundedTime {
  const ttl = roundTtl(seconds, "documented");
  const up = roundTtl(seconds, "live");
  return up === ttl ? { ttl } : { ttl, otherTtl: up };
}

type Where = Pick<Problem, "place" | "via">;

/** Collects notes and reports each one once. */
class Notes {
  readonly #zone: Zone;
  readonly #unquoted: ReadonlySet<string>;
  readonly #strict: boolean;
  readonly #rounded = new Map<string, { from: number; to: number; names: Set<string>; where: Where }>();
  readonly #apexNs: ZoneRecord[] = [];
  readonly #resplit: ZoneRecord[] = [];

  constructor(zone: Zone, strict: boolean) {
    this.#zone = zone;
    this.#unquoted = new Set(
      (zone.slips ?? []).flatMap(({ rule, owner }) => (rule === "text-unquoted" ? [owner] : [])),
    );
    this.#strict = strict;
  }

  apexNs(record: ZoneRecord): void {
    this.#apexNs.push(record);
  }

  noteResplit(record: ZoneRecord): void {
    // An unquoted text is already reported; its words are separate strings for that reason.
    if (!this.#unquoted.has(record.owner)) this.#resplit.push(record);
  }

  noteRounded(what: ZoneRecord | string, from: number, to: number, where: Where): void {
    const setting = typeof what === "string" ? what : "ttl_sec";
    const key = typeof what === "string" ? what : `${from}`;
    const group = this.#rounded.get(key) ?? { from, to, names: new Set<string>(), where };
    group.names.add(typeof what === "string" ? setting : `${this.#show(what)} ${what.type}`);
    this.#rounded.set(key, group);
  }

  toProblems(): Problem[] {
    const zone = this.#zone.name.slice(0, -1);
    const rounded = [...this.#rounded].map(([key, { from, to, names, where }]): Problem => {
      const isSetting = key === [...names][0];
      const summary = isSetting
        ? `${zone}: ${key} ${from} is stored as ${to}`
        : `${zone} ${list([...names])}: ttl_sec ${from} is stored as ${to}`;
      const severity = this.#strict ? "error" : "note";
      return problem("ttl-rounded", summary, { severity, ...where, fix: `Write ${to}.` });
    });
    const [ns] = this.#apexNs;
    const [text] = this.#resplit;
    return [
      ...rounded,
      ...(ns
        ? [
            problem(
              "apex-ns",
              `${zone}: the service manages the NS records of the apex; ${count(this.#apexNs.length, "NS record")} in the file ${this.#apexNs.length === 1 ? "is" : "are"} not sent`,
              placeWithIncludes(ns),
            ),
          ]
        : []),
      ...(text
        ? [
            problem(
              "text-resplit",
              `${zone} ${list(this.#resplit.map((record) => `${this.#show(record)} TXT`))}: the strings are joined and split every 255 octets`,
              placeWithIncludes(text),
            ),
          ]
        : []),
    ];
  }

  #show({ owner }: ZoneRecord): string {
    return relativeTo(owner, this.#zone.name);
  }
}

function list(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
