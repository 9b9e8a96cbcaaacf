import { join } from "node:path";
import * as z from "zod";
import { type NameKey, nameKey, readExactName } from "../../dns/name/name.ts";
import { asId, type LiveRecord, type LiveZone } from "../../dns/zone/desired-live.ts";
import { recordKeyOf } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { readRegularFile } from "../../file-system.ts";
import { groupBy } from "../../group-by.ts";
import { writesOf, type ZonePlan } from "../../planner/changes/change.ts";
import { contentId } from "../../targets/content-id.ts";
import { type JournalRecord, journalRecordSchema } from "./journal-line.ts";
import { newestRuns, type RunWrite, writesOfRun } from "./runs.ts";
import { journalRecord } from "./zone-log.ts";

/** The folder of a run with the zones as it left them, for services without a log of events. */
export const baselineFolder = "after";
/** The folder of a run with the zones before it, where no earlier run left them. */
export const startFolder = "before";

const baselineSchema = z.object({
  format: z.literal("zonewright.baseline/1"),
  zone: z.object({
    id: z.union([z.int(), z.string()]),
    name: z.string(),
    settings: z.record(z.string(), z.unknown()),
    defaultTimes: z.record(z.string(), z.number()),
    records: z.array(journalRecordSchema),
  }),
});

/** A zone as the last run that wrote to it left it. */
export type Baseline =
  /**
   * Without a zone, the run deleted it. `isSaved` is false if the run was interrupted or failed before it saved the
   * state, which is then that of the run before, with the writes that are known to have taken effect.
   */
  | { readonly state: "known"; readonly run: string; readonly zone: LiveZone | undefined; readonly isSaved: boolean }
  /** No run wrote to it, or nothing tells how its `run` left it. */
  | { readonly state: "unknown"; readonly run?: string };

/**
 * A zone with the changes of a plan. As a run left it, a zone is the one that was read back, with the changes that it
 * still lacks: so what another client wrote before it was read back is no part of it.
 */
export function stateAfter(live: LiveZone, plan: ZonePlan | undefined): LiveZone {
  if (plan === undefined) return live;
  const records = new Map(live.records.map((stored) => [recordKeyOf(stored), stored]));
  for (const change of writesOf(plan)) {
    if (change.kind !== "create") records.delete(recordKeyOf(change.before));
    if (change.kind === "delete") continue;
    const { owner, type, ttl, data } = change.after;
    records.set(recordKeyOf(change.after), { id: contentId(change.after), owner, type, ttl, data });
  }
  const settings = Object.fromEntries(plan.settings.map(({ name, after }) => [name, after])) as ZoneSettings;
  return { ...live, settings: { ...live.settings, ...settings }, records: [...records.values()] };
}

/**
 * A zone with the writes of a run that took effect. Of those with an unknown outcome, these are the ones whose result
 * the zone has now.
 */
function afterWrites(zone: LiveZone, writes: readonly RunWrite[], now: LiveZone | undefined): LiveZone {
  const stored = new Map(now?.records.map((record) => [recordKeyOf(record), record]));
  const records = new Map(zone.records.map((stored) => [recordKeyOf(stored), stored]));
  const settings: Record<string, unknown> = { ...zone.settings };
  for (const { write, intent, state } of writes) {
    const { before, after } = intent?.records?.[write] ?? {};
    const isSeen = state === "open" && now !== undefined && isResult(stored, { before, after });
    if (state !== "done" && state !== "already" && !isSeen) continue;
    if (before) records.delete(recordKeyOf(toRecord(before)));
    if (after) records.set(recordKeyOf(toRecord(after)), toRecord(after));
    for (const { name, after } of intent?.settings ?? []) settings[name] = after;
  }
  return { ...zone, settings: settings as ZoneSettings, records: [...records.values()] };
}

function isResult(
  stored: ReadonlyMap<string, LiveRecord>,
  { before, after }: { before: JournalRecord | undefined; after: JournalRecord | undefined },
): boolean {
  if (after === undefined) return before !== undefined && !stored.has(recordKeyOf(toRecord(before)));
  const ttl = stored.get(recordKeyOf(toRecord(after)))?.ttl;
  return ttl !== undefined && (ttl === after.ttl || ttl === after.otherTtl);
}

function toRecord({ id, owner, type, ttl, data }: JournalRecord): LiveRecord {
  return { id: id ?? asId(0), owner, type, ttl, data };
}

/** The text of a baseline file. */
export function baselineText({ id, name, settings, defaultTimes, records }: LiveZone): string {
  const zone = { id, name, settings, defaultTimes, records: records.map(journalRecord) };
  return `${JSON.stringify({ format: "zonewright.baseline/1", zone })}\n`;
}

/**
 * The baselines of zones. `folder` is that of the project's runs; `fileOf` names the file of a zone. `live` are the
 * zones as they are now, which tell whether a write without a reply took effect.
 */
export function readBaselines(
  folder: string,
  zones: readonly NameKey[],
  { fileOf, live }: { fileOf: (zone: NameKey) => string; live: ReadonlyMap<NameKey, LiveZone> },
): ReadonlyMap<NameKey, Baseline> {
  const found = new Map<NameKey, Baseline>();
  const wanted = new Set(zones);
  /** Zones whose newest runs did not save them: the newest of these, and their writes. */
  const unsaved = new Map<NameKey, UnsavedWrites>();
  if (wanted.size === 0) return found;
  for (const { id, zones: ofRun, lines } of newestRuns(folder)) {
    const open = new Set(ofRun.map(nameKey).filter((zone) => wanted.has(zone)));
    const writes = open.size > 0 ? writesOfRun(lines()).filter(({ state }) => state !== "not-done") : [];
    const byZone = groupBy(writes, (write) => nameKey(write.zone));
    for (const zone of open) {
      const read = (kind: string) => readBaseline(join(folder, "runs", id, kind, fileOf(zone)), zone);
      const own = byZone.get(zone) ?? [];
      const left = leftByRun(
        { run: id, own, saved: read(baselineFolder), later: unsaved.get(zone), now: live.get(zone) },
        () => read(startFolder),
      );
      if (left === undefined) continue;
      if ("writes" in left) unsaved.set(zone, left);
      else if (wanted.delete(zone)) found.set(zone, left);
    }
    if (wanted.size === 0) break;
  }
  return new Map(
    zones.map((zone) => {
      const run = unsaved.get(zone)?.run;
      return [zone, found.get(zone) ?? { state: "unknown", ...(run !== undefined && { run }) }];
    }),
  );
}

/** The writes to a zone since a state of it, and the newest run of them. */
interface UnsavedWrites {
  readonly run: string;
  readonly writes: readonly RunWrite[];
}

interface ZoneOfRun {
  readonly run: string;
  /** Its writes to the zone. */
  readonly own: readonly RunWrite[];
  /** The state that it saved. */
  readonly saved: LiveZone | undefined;
  /** The zone as it is now. */
  readonly now: LiveZone | undefined;
  /** Writes of later runs that saved none. */
  readonly later: UnsavedWrites | undefined;
}

/** The baseline that runs left, or their writes if only earlier runs tell it; undefined if this one changed nothing. */
function leftByRun(
  { run, own, saved, later, now }: ZoneOfRun,
  readStart: () => LiveZone | undefined,
): Baseline | UnsavedWrites | undefined {
  const since = { run: later?.run ?? run, writes: [...(saved ? [] : own), ...(later?.writes ?? [])] };
  const isSaved = later === undefined;
  if (saved) return { state: "known", run: since.run, zone: afterWrites(saved, since.writes, now), isSaved };
  if (own.some(({ step, state }) => step === "delete-zone" && state !== "open"))
    // A zone that was created again since is not known whole.
    return isSaved ? { state: "known", run, zone: undefined, isSaved } : { state: "unknown", run: since.run };
  const start = readStart();
  if (start) return { state: "known", run: since.run, zone: afterWrites(start, since.writes, now), isSaved: false };
  return own.some(({ state }) => state !== "already") ? since : undefined;
}

/** Undefined for a file that is missing, damaged, of another zone, or was cut when the run was interrupted. */
function readBaseline(path: string, name: NameKey): LiveZone | undefined {
  try {
    const { zone } = baselineSchema.parse(JSON.parse(readRegularFile(path).toString()));
    if (nameKey(readExactName(zone.name)) !== name) return undefined;
    return { ...(zone as unknown as LiveZone), records: zone.records.map(toRecord) };
  } catch {
    return undefined;
  }
}
