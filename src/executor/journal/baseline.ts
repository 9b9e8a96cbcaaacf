import { join } from "node:path";
import * as z from "zod";
import { type NameKey, nameKey, readExactName } from "../../dns/name/name.ts";
import { asId, type LiveRecord, type LiveZone } from "../../dns/zone/desired-live.ts";
import { recordKeyOf } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { readRegularFile } from "../../file-system.ts";
import { writesOf, type ZonePlan } from "../../planner/changes/change.ts";
import { contentId } from "../../targets/content-id.ts";
import { journalRecordSchema } from "./journal-line.ts";
import { newestRuns, type RunWrite, writesOfRun } from "./runs.ts";
import { journalRecord } from "./zone-log.ts";

/** The folder of a run with the zones as it left them, for services without a log of events. */
export const baselineFolder = "after";

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
  /** Without a zone, the run deleted it. */
  | { readonly state: "known"; readonly run: string; readonly zone: LiveZone | undefined }
  /** No run wrote to it, or its `run` was interrupted or failed before it saved the state. */
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

/** The text of a baseline file. */
export function baselineText({ id, name, settings, defaultTimes, records }: LiveZone): string {
  const zone = { id, name, settings, defaultTimes, records: records.map(journalRecord) };
  return `${JSON.stringify({ format: "zonewright.baseline/1", zone })}\n`;
}

/** The baselines of zones. `folder` is that of the project's runs; `fileOf` names the file of a zone. */
export function readBaselines(
  folder: string,
  zones: readonly NameKey[],
  fileOf: (zone: NameKey) => string,
): ReadonlyMap<NameKey, Baseline> {
  const found = new Map<NameKey, Baseline>();
  const wanted = new Set(zones);
  if (wanted.size === 0) return found;
  for (const { id, zones: ofRun, lines } of newestRuns(folder)) {
    const open = new Set(ofRun.map(nameKey).filter((zone) => wanted.has(zone)));
    const writes = open.size > 0 ? writesOfRun(lines()) : [];
    for (const zone of open) {
      const saved = readBaseline(join(folder, "runs", id, baselineFolder, fileOf(zone)), zone);
      const own = writes.filter((write) => nameKey(write.zone) === zone && write.state !== "not-done");
      const left: Baseline | undefined = saved ? { state: "known", run: id, zone: saved } : withoutFile(id, own);
      if (left && wanted.delete(zone)) found.set(zone, left);
    }
    if (wanted.size === 0) break;
  }
  return new Map(zones.map((zone) => [zone, found.get(zone) ?? { state: "unknown" }]));
}

/** The baseline that a run left with its writes to a zone, but without a file; undefined if it changed nothing. */
function withoutFile(run: string, writes: readonly RunWrite[]): Baseline | undefined {
  const isDeleted = writes.some(({ step, state }) => step === "delete-zone" && state !== "open");
  if (isDeleted) return { state: "known", run, zone: undefined };
  return writes.some(({ state }) => state !== "already") ? { state: "unknown", run } : undefined;
}

/** Undefined for a file that is missing, damaged, of another zone, or was cut when the run was interrupted. */
function readBaseline(path: string, name: NameKey): LiveZone | undefined {
  try {
    const { zone } = baselineSchema.parse(JSON.parse(readRegularFile(path).toString()));
    if (nameKey(readExactName(zone.name)) !== name) return undefined;
    const records = zone.records.map(
      ({ id, owner, type, ttl, data }): LiveRecord => ({ id: id ?? asId(0), owner, type, ttl, data }),
    );
    return { ...(zone as unknown as LiveZone), records };
  } catch {
    return undefined;
  }
}
