import { join, relative } from "node:path";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { type Baseline, baselineFolder, baselineText, readBaselines } from "../../executor/journal/baseline.ts";
import { runId } from "../../executor/journal/runs.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { noEventLog } from "../../targets/no-event-log.ts";
import { readLive } from "../../targets/read-live.ts";
import type { ReadingTarget } from "../../targets/target.ts";
import { findPublishedSnapshot } from "../git/git-ref.ts";
import { baselineFile, writeFiles } from "../project/files.ts";
import { reportLive } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { Snapshot } from "../project/snapshot-target.ts";
import { stateFolder } from "../project/state-folder.ts";
import { isUnreadableZone } from "../zones/unreadable-zones.ts";
import type { DriftDifference } from "./classes.ts";
import type { DriftFinding } from "./finding.ts";
import type { LiveView } from "./view.ts";

/** A zone as it is known from a run of this machine, or from a snapshot. */
export type LastKnown = Baseline | ZoneOfSnapshot;

interface ZoneOfSnapshot {
  readonly state: "known";
  /** The time of the snapshot, in ISO 8601. */
  readonly time: string;
  /** Absent if the service did not have it. */
  readonly zone: LiveZone | undefined;
}

/**
 * The zones as runs left them, where no log of events tells who changed what. `live` are those of now, which tell
 * whether writes without a reply took effect.
 */
export function baselinesOf(
  project: Project,
  zones: readonly NameKey[],
  live: ReadonlyMap<NameKey, LiveZone>,
): ReadonlyMap<NameKey, Baseline> {
  return readBaselines(stateFolder(project), zones, { fileOf: baselineFile, live });
}

/**
 * The zones as they were last known, where no log of events tells who changed what: as the last run on this machine
 * left them, or as a published snapshot of the service at `api` has them that is newer.
 */
export async function findLastKnown(
  project: Project,
  { api, live }: { readonly api: string; readonly live: ReadonlyMap<NameKey, LiveZone> },
  zones: readonly NameKey[],
): Promise<ReadonlyMap<NameKey, LastKnown>> {
  const baselines = baselinesOf(project, zones, live);
  const place = findPublishedSnapshot({ cwd: project.cwd, env: {} }, project);
  const snapshot = place === undefined ? undefined : await loadContent(project, place);
  if (place === undefined || snapshot?.target.api !== api) return baselines;
  const stored = await zonesOfSnapshot(snapshot, zones);
  const isNewer = ({ run = "" }: Baseline) => run < runId(new Date(snapshot.time), "");
  return new Map([...baselines].map(([zone, found]) => [zone, (isNewer(found) && stored.get(zone)) || found]));
}

/** A snapshot by content; undefined if it cannot be read, which commands that need it report. */
async function loadContent(project: Project, place: string): Promise<Snapshot | undefined> {
  const { loadSnapshot } = await import("../snapshot/snapshot.ts");
  try {
    const snapshot = loadSnapshot(project, place);
    return "contents" in snapshot ? snapshot : undefined;
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}

/** The zones that a snapshot covers. */
export async function zonesOfSnapshot(
  snapshot: Snapshot,
  zones: readonly NameKey[],
): Promise<ReadonlyMap<NameKey, ZoneOfSnapshot>> {
  const { liveZonesOf } = await import("../snapshot/snapshot.ts");
  const live = await liveZonesOf(snapshot);
  const covered = snapshot.zones && new Set<string>(snapshot.zones);
  const known = zones.filter((zone) => covered?.has(zone) ?? true);
  return new Map(known.map((zone) => [zone, { state: "known", time: snapshot.time, zone: live.get(zone) }]));
}

/** A plan, and the zones that it was made from. */
interface SettledZones {
  readonly plan: Plan;
  readonly desired?: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

/**
 * Saves the state of zones that an apply finds in sync, beside the run that last wrote to them, if that was interrupted
 * before it saved it.
 */
export async function saveSettled(
  context: RunContext,
  project: Project,
  { plan, desired = [], live }: SettledZones,
): Promise<void> {
  const planned = new Set(plan.zones.map(({ zone }) => nameKey(zone.name)));
  const settled = desired.map(({ name }) => nameKey(name)).filter((zone) => !planned.has(zone));
  const files = [...baselinesOf(project, settled, live)].flatMap(([zone, found]) => {
    const stored = live.get(zone);
    if ((found.state === "known" && found.isSaved) || found.run === undefined || stored === undefined) return [];
    const path = join(stateFolder(project), "runs", found.run, baselineFolder, baselineFile(stored.name));
    return [{ file: relative(context.cwd, path), text: baselineText(stored) }];
  });
  if (files.length > 0) await writeFiles(context, files, "Make the folder writable for this user.");
}

interface UnloggedView extends Pick<LiveView, "reading"> {
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  readonly unreadable: ReadonlyMap<NameKey, Problem>;
}

/**
 * Reads all zones of the project: without a log of events, nothing tells which of them changed. `unreadable` are those
 * that cannot be read, while others can.
 */
export async function readUnlogged(
  { signal, onProgress }: RunContext,
  { read }: ReadingTarget,
  zones: readonly NameKey[],
): Promise<UnloggedView> {
  const wanted = new Set(zones);
  const errors = new Map<NameKey, ProblemError>();
  const onUnreadable = ({ name }: Pick<LiveZone, "name">, error: unknown) => {
    if (!isUnreadableZone(error)) return false;
    errors.set(nameKey(name), error);
    return true;
  };
  const options = { signal, onRead: reportLive(onProgress), onUnreadable };
  const { zones: live } = await readLive(read, (name) => wanted.has(name), options);
  const [first] = errors.values();
  if (first && live.size === 0) throw first;
  const unreadable = new Map([...errors].map(([name, { problem }]) => [name, problem]));
  return { live, unreadable, reading: { events: 0, zones: live.size, fullBecause: noEventLog } };
}

/** Differences that were made outside git, by someone that no log of events names. */
export function byUnknown(differences: readonly DriftDifference[]): DriftFinding[] {
  const isOutside = ({ class: found }: DriftDifference) => found !== "pending" && found !== "differs";
  return differences.map((one) => (isOutside(one) ? { ...one, by: { kind: "unknown", why: noEventLog } } : one));
}

/** A note for each zone whose changes in git cannot be told from changes elsewhere. */
export function notesOfUnknown(known: ReadonlyMap<NameKey, LastKnown>): Problem[] {
  return [...known].flatMap(([zone, found]) => {
    if (found.state === "known") return [];
    const why =
      found.run === undefined
        ? "no run of this checkout has written to it"
        : `how run ${found.run} left the zone is not saved: the run was interrupted or failed before, or the file was removed`;
    const summary = `${withoutDot(zone)} has no baseline, so changes in git cannot be told from changes elsewhere: ${why}`;
    const fix = found.run === undefined ? "The next apply that writes to it saves one." : "The next apply saves one.";
    return [problem("drift-baseline", summary, { fix })];
  });
}
