import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Id, LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import type { DriftDifference, RecordDifference } from "./classes.ts";
import type { OwnRun } from "./match-events.ts";

/**
 * The author of the last write that led to a difference, as far as the event log tells. `exact`: one event alone can be
 * that write. `user`: several can, all by one user. `one-of`: several users are possible. Nothing is guessed.
 */
export type Attribution =
  | ({ readonly kind: "exact"; readonly user: string; readonly time: string } & ByRun)
  | ({
      readonly kind: "user";
      readonly user: string;
      /** Times of the first and the last possible write. */
      readonly from: string;
      readonly to: string;
    } & ByRun)
  | { readonly kind: "one-of"; readonly users: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string };

/** The run of this project that made the write, if its journal proves it, else how far it tells. */
export interface ByRun {
  readonly run?: string;
  readonly probableRun?: string;
  readonly possibleRun?: string;
}

/** The events of one zone since the snapshot, and its records then and now. */
export interface EventEvidence {
  /** Oldest first. */
  readonly events: readonly ZoneEvent[];
  /** Events before this time, in milliseconds, may be missing for the reason `gap`. */
  readonly from: number;
  readonly gap?: string | undefined;
  /** The time of the newest event in the whole log, in milliseconds. */
  readonly newest: number;
  readonly snapshot: LiveZone | undefined;
  readonly live: LiveZone | undefined;
  /** The runs of this project that caused events. */
  readonly runOf: ReadonlyMap<Id, OwnRun>;
}

/** The time of the newest event, in milliseconds. `events` are the oldest first. */
export function newestOf(events: readonly ZoneEvent[]): number {
  const last = events.at(-1);
  return last ? timeOf(last.created) : Number.NEGATIVE_INFINITY;
}

/** The most that the times of an event and of its record may differ, in milliseconds. */
const tolerance = 2000;

/** Undefined for a difference that was not made outside git, or that may be older than the log. */
export function attribute(difference: DriftDifference, evidence: EventEvidence): Attribution | undefined {
  if (difference.class === "pending") return undefined;
  switch (difference.kind) {
    case "record":
      return attributeRecord(difference, evidence);
    case "setting":
      return difference.class === "differs"
        ? undefined
        : amongAll(evidence, ({ action }) => action === "dns_zone_update" || isWholeZone(action));
    case "zone": {
      if (difference.class === "differs") return undefined;
      const last = evidence.events.findLast(({ action }) =>
        difference.live ? isCreation(action) : action === "dns_zone_delete",
      );
      return judge(last ? [last] : [], evidence);
    }
  }
}

/** Whether an event is the creation of a zone. */
export function isCreation(action: string): boolean {
  return action === "dns_zone_create" || action === "dns_zone_import";
}

function isWholeZone(action: string): boolean {
  return action === "dns_zone_delete" || isCreation(action);
}

function attributeRecord(difference: RecordDifference, evidence: EventEvidence): Attribution | undefined {
  const { snapshot, live } = difference;
  const before = new Map(((snapshot?.records ?? []) as readonly LiveRecord[]).map((record) => [record.id, record]));
  const written = ((live?.records ?? []) as readonly LiveRecord[]).filter((record) => {
    const known = before.get(record.id);
    return !known || contentOf(known) !== contentOf(record);
  });
  if (written.length > 0) return attributeWritten(written, evidence);
  if (difference.class === "differs") return undefined;
  const ids = new Set((live?.records ?? []).map((record) => (record as LiveRecord).id));
  const lost = [...before.keys()].filter((id) => !ids.has(id));
  const elsewhere = (evidence.live?.records ?? []).filter(({ id }) => lost.includes(id));
  if (elsewhere.length === lost.length && lost.length > 0) return attributeWritten(elsewhere, evidence);
  if (elsewhere.length > 0) return amongAll(evidence, ({ action }) => action !== "dns_record_create");
  const names = namesSince(difference, evidence.events);
  const isPossible = ({ action, records: [first] }: ZoneEvent) =>
    isWholeZone(action) || (action === "dns_record_delete" && (first === undefined || names.has(keyOf(first))));
  return attributeDeletion(names, isPossible, evidence);
}

/** A record of these names that is gone. If the log has fewer deletions than records are gone, it is incomplete. */
function attributeDeletion(
  names: ReadonlySet<string>,
  isPossible: (event: ZoneEvent) => boolean,
  evidence: EventEvidence,
): Attribution {
  const live = new Set(evidence.live?.records.map(({ id }) => id));
  const gone = (evidence.snapshot?.records ?? []).filter(
    ({ id, owner, type }) => !live.has(id) && names.has(keyOf({ owner: nameKey(owner), type })),
  );
  const deletions = evidence.events.filter(isPossible);
  const isIncomplete = deletions.length < gone.length && !deletions.some(({ action }) => isWholeZone(action));
  if (evidence.gap === undefined && isIncomplete) return { kind: "unknown", why: lag };
  return amongAll(evidence, isPossible);
}

const lag = "the event log lacks its event: it lags behind, or was cut";

/** Records whose last write shows in their own times. */
function attributeWritten(records: readonly LiveRecord[], evidence: EventEvidence): Attribution {
  const found = new Set(records.flatMap((record) => [...writesOf(record, evidence)]));
  const isOld = records.some(({ updated = "" }) => timeOf(updated) - tolerance <= evidence.from);
  if (isOld && evidence.gap !== undefined) return { kind: "unknown", why: evidence.gap };
  if (records.some(({ updated = "" }) => timeOf(updated) > evidence.newest)) return { kind: "unknown", why: lag };
  return judge([...found], evidence);
}

/** The events that can be the last write to a record: the action, the record and the time agree. */
function writesOf({ owner, type, created, updated = "" }: LiveRecord, { events }: EventEvidence): readonly ZoneEvent[] {
  const name = keyOf({ owner: nameKey(owner), type });
  const isNear = (event: ZoneEvent) => Math.abs(timeOf(event.created) - timeOf(updated)) <= tolerance;
  const isUnchanged = created === undefined || created === updated;
  const near = events.filter(isNear);
  const ofRecord = near.filter(
    ({ action, records: [first] }) =>
      first !== undefined &&
      keyOf(first) === name &&
      (action === "dns_record_update" || (isUnchanged && action === "dns_record_create")),
  );
  // A zone that was cloned or imported got its records without events of their own.
  return ofRecord.length > 0 || !isUnchanged ? ofRecord : near.filter(({ action }) => isCreation(action));
}

/** The names that a record of this name may have had since the snapshot, because others renamed it. */
function namesSince({ owner, type }: RecordDifference, events: readonly ZoneEvent[]): ReadonlySet<string> {
  const names = new Set([keyOf({ owner, type })]);
  for (const { records } of events) {
    const [now, was] = records;
    if (now && was && names.has(keyOf(was))) names.add(keyOf(now));
  }
  return names;
}

/** The author among all events of a kind; they are all known only if the log has no gap. */
function amongAll(evidence: EventEvidence, isPossible: (event: ZoneEvent) => boolean): Attribution {
  if (evidence.gap !== undefined) return { kind: "unknown", why: evidence.gap };
  return judge(evidence.events.filter(isPossible), evidence);
}

function judge(candidates: readonly ZoneEvent[], { gap, runOf }: EventEvidence): Attribution {
  const [first] = candidates;
  const last = candidates.at(-1);
  if (!first || !last) return { kind: "unknown", why: gap ?? "no event in the log matches" };
  const users = [...new Set(candidates.map(({ username }) => username))].sort();
  if (users.length > 1) return { kind: "one-of", users };
  const own = byRun(candidates.map(({ id }) => runOf.get(id)));
  const user = first.username;
  if (candidates.length === 1) return { kind: "exact", user, time: first.created, ...own };
  return { kind: "user", user, from: first.created, to: last.created, ...own };
}

/** The run that made a write, which is one of these. */
function byRun(runs: readonly (OwnRun | undefined)[]): ByRun {
  const [first] = runs;
  if (!first || runs.some((own) => own?.run !== first.run)) return {};
  const is = (certainty: OwnRun["certainty"]) => runs.some((own) => own?.certainty === certainty);
  if (is("possible")) return { possibleRun: first.run };
  return is("probable") ? { probableRun: first.run } : { run: first.run };
}

function contentOf({ owner, type, ttl, data, updated }: LiveRecord): string {
  return `${owner} ${type} ${ttl} ${updated} ${rdataText({ type, data })}`;
}

function keyOf({ owner, type }: { readonly owner: NameKey; readonly type: string }): string {
  return `${type} ${owner}`;
}

/** The API's times are in UTC, without a letter that says so. */
function timeOf(text: string): number {
  return Date.parse(text.endsWith("Z") ? text : `${text}Z`);
}
