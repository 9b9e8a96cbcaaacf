import { join, relative } from "node:path";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { type Baseline, baselineFolder, baselineText, readBaselines } from "../../executor/journal/baseline.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { readLive } from "../../targets/read-live.ts";
import type { ReadingTarget } from "../../targets/target.ts";
import { baselineFile, writeFiles } from "../project/files.ts";
import { reportLive } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import type { DriftDifference } from "./classes.ts";
import type { DriftFinding } from "./finding.ts";
import type { LiveView } from "./view.ts";

/** The zones as runs left them, where no log of events tells who changed what. */
export type Baselines = ReadonlyMap<NameKey, Baseline>;

export function baselinesOf(project: Project, zones: readonly NameKey[]): Baselines {
  return readBaselines(stateFolder(project), zones, baselineFile);
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
  const files = [...baselinesOf(project, settled)].flatMap(([zone, found]) => {
    const stored = live.get(zone);
    if (found.state === "known" || found.run === undefined || stored === undefined) return [];
    const path = join(stateFolder(project), "runs", found.run, baselineFolder, baselineFile(stored.name));
    return [{ file: relative(context.cwd, path), text: baselineText(stored) }];
  });
  if (files.length > 0) await writeFiles(context, files, "Make the folder writable for this user.");
}

/** Reads all zones of the project: without a log of events, nothing tells which of them changed. */
export async function readUnlogged(
  { signal, onProgress }: RunContext,
  { read }: ReadingTarget,
  zones: readonly NameKey[],
): Promise<Pick<LiveView, "reading"> & { readonly live: ReadonlyMap<NameKey, LiveZone> }> {
  const wanted = new Set(zones);
  const { zones: live } = await readLive(read, (name) => wanted.has(name), { signal, onRead: reportLive(onProgress) });
  return { live, reading: { events: 0, zones: live.size, fullBecause: noLog } };
}

const noLog = "the service keeps no log of events";

/** Differences that were made outside git, by someone that no log of events names. */
export function byUnknown(differences: readonly DriftDifference[]): DriftFinding[] {
  const isOutside = ({ class: found }: DriftDifference) => found !== "pending" && found !== "differs";
  return differences.map((one) => (isOutside(one) ? { ...one, by: { kind: "unknown", why: noLog } } : one));
}

/** A note for each zone whose changes in git cannot be told from changes elsewhere. */
export function notesOfUnknown(baselines: Baselines): Problem[] {
  return [...baselines].flatMap(([zone, found]) => {
    if (found.state === "known") return [];
    const why =
      found.run === undefined
        ? "no run of this checkout has written to it"
        : `run ${found.run} was interrupted, or failed, before it saved how it left the zone`;
    const summary = `${withoutDot(zone)} has no baseline, so changes in git cannot be told from changes elsewhere: ${why}`;
    const fix = found.run === undefined ? "The next apply that writes to it saves one." : "The next apply saves one.";
    return [problem("drift-baseline", summary, { fix })];
  });
}
