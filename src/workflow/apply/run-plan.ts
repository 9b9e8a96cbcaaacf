import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../../clock.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { executePlan } from "../../executor/apply.ts";
import { baselineFolder, baselineText, startFolder, stateAfter } from "../../executor/journal/baseline.ts";
import type { ApplyEvent } from "../../executor/journal/event.ts";
import { checkLock, type LockOwner, takeLock } from "../../executor/journal/lock.ts";
import { type About, beginRun, findInterruptedRuns, lastRun, nextRunId, readRun } from "../../executor/journal/runs.ts";
import { countWrites } from "../../executor/journal/writes.ts";
import { finishWrittenZones, resolveLostWrites } from "../../executor/resume.ts";
import { fileName } from "../../formats/files.ts";
import { formats } from "../../formats/formats.ts";
import type { Plan, RecordChange } from "../../planner/changes/change.ts";
import type { Target } from "../../targets/target.ts";
import type { Connection } from "../connect/connection.ts";
import { baselineFile } from "../project/files.ts";
import type { ProgressEvent } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { zoneFromLive } from "../zones/zone-from-live.ts";

/** Writes of the last run without a reply, and how long their outcome is waited for, in milliseconds. */
export type OnUnanswered = (ms: number, writes: readonly string[]) => void;

/**
 * Checks that no other apply is running, and waits until no write of the last run is under way. Returns the interrupted
 * runs.
 */
export async function settleLastRun(
  context: RunContext,
  target: Target,
  project: Project,
  onUnanswered: OnUnanswered = () => {},
): Promise<readonly string[]> {
  const folder = stateFolder(project);
  checkLock(folder, lockOwnerOf(context));
  // Each run waits for the one before it, so only writes of the last run can still be under way, however it ended.
  const entries = target.capabilities.isLocal ? [] : readRun(folder, lastRun(folder) ?? "");
  await resolveLostWrites([entries], target.read, clockOf(context), { onWait: onUnanswered, signal: context.signal });
  return findInterruptedRuns(folder);
}

/** Finishes the zones that the last run wrote to at this service, and left before it had told the service so. */
export async function finishLastRun(
  { target, api }: Connection,
  project: Project,
  onEvent: (event: ApplyEvent) => void = () => {},
): Promise<void> {
  if (!target.writes.finishZone) return;
  const folder = stateFolder(project);
  const lines = readRun(folder, lastRun(folder) ?? "");
  if (!lines.some((line) => line.kind === "begin" && line.api === api)) return;
  await finishWrittenZones(lines, target, (zone, problem) => onEvent({ kind: "zone-warned", zone, problem }));
}

/** A plan to carry out, and its origin for the journal. */
export interface PlanToRun {
  readonly plan: Plan;
  readonly project: Project;
  readonly about?: About;
  /** The zones that the plan was made from. */
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  /** Whether changes that others made stay although the files do not have them, as an undo keeps them. */
  readonly keepsEdits?: boolean;
}

/** A write with an unknown outcome; without `change`, of the zone or its settings. */
export interface UnansweredWrite {
  readonly zone: Name;
  readonly change: RecordChange | undefined;
}

export interface RunResult {
  /** The id of the run, by which it can be undone. */
  readonly id: string;
  readonly zones: number;
  /** Number of zones that were read back after their last write. */
  readonly done: number;
  readonly written: number;
  /** Zones that differed from the plan when read back. */
  readonly differing: readonly Name[];
  /** The setting by which the service may have lowered TTLs, if the zones in `differing` lack nothing else. */
  readonly loweredBy?: string;
  /** Errors that stopped zones. */
  readonly errors: readonly unknown[];
  /** Writes whose reply was lost, and of which no check told whether they took effect. */
  readonly unanswered: readonly UnansweredWrite[];
  readonly isInterrupted: boolean;
  /** The error that stopped the journal, if any. */
  readonly journalFailure: unknown;
}

/** Carries out a plan as a run with a journal and the lock of the project. `onEvent` gets every event as it happens. */
export async function runPlan(
  context: RunContext,
  target: Target,
  { plan, project, about = {}, live, keepsEdits = false }: PlanToRun,
  onEvent: (event: ApplyEvent) => void = () => {},
): Promise<RunResult> {
  const { signal } = context;
  const folder = stateFolder(project);
  const unlock = takeLock(folder, lockOwnerOf(context));
  try {
    // The run does not depend on the name: if it cannot be read for a passing reason, the next request tells.
    const user = await target.read.readUsername({ signal }).catch(() => undefined);
    // Where a log of events tells who changed what, these states are not needed.
    const starts = target.capabilities.events ? [] : await findStarts(project, { plan, about, live, keepsEdits });
    const baselines = keepsEdits ? rollForward(starts, plan) : new Map<NameKey, LiveZone>();
    const run = await beginRun(folder, plan, {
      id: nextRunId(folder, context.now(), randomUUID().slice(0, 6)),
      about: { ...about, ...(user !== undefined && { user }) },
      now: context.now,
    });
    const { settings } = target.capabilities;
    const backup = async (zone: LiveZone, stored?: string) => {
      const text = formats.bind.write(zoneFromLive(zone, settings), { settings });
      await run.write("backup", `${fileName(zone.name)}.zone`, text);
      if (stored !== undefined) await run.write("backup", `${fileName(zone.name)}.json`, stored);
    };
    for (const { zone, isKnown } of starts)
      if (!isKnown) await run.write(startFolder, baselineFile(zone.name), baselineText(zone));
    const saveAfter = target.capabilities.events
      ? undefined
      : async (zone: LiveZone) => {
          const left = keepsEdits ? baselines.get(nameKey(zone.name)) : zone;
          if (left) await run.write(baselineFolder, baselineFile(zone.name), baselineText(left));
        };
    const { journal } = run;
    const options = { signal, journal, backup, saveAfter, clock: clockOf(context) };
    const tally = new Tally(plan);
    context.onProgress?.(tally.progress());
    for await (const event of executePlan(plan, target, options)) {
      tally.add(event);
      context.onProgress?.(tally.progress());
      onEvent(event);
    }
    const result = { id: run.id, ...tally.result(signal.aborted), journalFailure: journal.failure };
    await run.end(isDone(result) ? "done" : "partly");
    return result;
  } finally {
    unlock();
  }
}

/** A zone before a run. */
interface ZoneStart {
  readonly zone: LiveZone;
  /** Whether an earlier run of this machine left it so. */
  readonly isKnown: boolean;
}

/**
 * The zones of a plan as they were last known, or else as the plan was made from, unless changes of others stay: those
 * are no part of a state that a run leaves.
 */
async function findStarts(
  project: Project,
  { plan, about, live, keepsEdits }: Pick<PlanToRun, "plan" | "live" | "keepsEdits"> & { readonly about: About },
): Promise<ZoneStart[]> {
  const names = plan.zones.map(({ zone }) => nameKey(zone.name));
  const { findLastKnown } = await import("../drift/baselines.ts");
  const known = await findLastKnown(project, { api: about.api ?? "", live }, names);
  return names.flatMap((name): ZoneStart[] => {
    const found = known.get(name);
    if (found?.state === "known" && found.zone) return [{ zone: found.zone, isKnown: "run" in found }];
    const zone = keepsEdits ? undefined : live.get(name);
    return zone === undefined ? [] : [{ zone, isKnown: false }];
  });
}

/** The zones before a run, with the changes of its plan. */
function rollForward(starts: readonly ZoneStart[], { zones }: Plan): ReadonlyMap<NameKey, LiveZone> {
  const plans = new Map(zones.map((plan) => [nameKey(plan.zone.name), plan]));
  return new Map(starts.map(({ zone }) => [nameKey(zone.name), stateAfter(zone, plans.get(nameKey(zone.name)))]));
}

function isDone({ isInterrupted, errors, differing }: RunResult): boolean {
  return !isInterrupted && errors.length === 0 && differing.length === 0;
}

/** Collects the result from the events. */
class Tally {
  readonly #zones: number;
  readonly #writes: number;
  readonly #differing: Name[] = [];
  readonly #loweredBy = new Set<string | undefined>();
  readonly #errors: unknown[] = [];
  /** By their changes, or by the zone. */
  readonly #unanswered = new Map<UnansweredWrite["change"] | Name, UnansweredWrite>();
  #done = 0;
  /** Writes of zones that stopped. */
  #written = 0;
  /** All writes that took effect. */
  #taken = 0;

  constructor({ zones, deletions }: Plan) {
    this.#zones = zones.length + deletions.length;
    this.#writes = deletions.length + zones.reduce((sum, zone) => sum + countWrites(zone), 0);
  }

  add(event: ApplyEvent): void {
    if (isWrite(event)) this.#taken++;
    if (event.kind === "record-undone") this.#taken--;
    if (event.kind === "ambiguous") this.#unanswered.set(event.change ?? event.zone, event);
    if (event.kind === "resolved") this.#unanswered.delete(event.change ?? event.zone);
    if (event.kind === "zone-failed") this.#errors.push(event.error);
    if (event.kind === "zone-failed" || event.kind === "zone-stopped") this.#written += event.written;
    if (event.kind !== "zone-done") return;
    this.#done++;
    if (!event.left) return;
    this.#differing.push(event.zone);
    this.#loweredBy.add(event.loweredBy);
  }

  progress(): ProgressEvent {
    const failed = this.#errors.length;
    return {
      task: "applying",
      unit: "write",
      done: this.#taken,
      total: this.#writes,
      details: [`${this.#done} of ${count(this.#zones, "zone")} verified`, ...(failed > 0 ? [`${failed} failed`] : [])],
    };
  }

  result(isAborted: boolean): Omit<RunResult, "id" | "journalFailure"> {
    const [loweredBy, ...others] = this.#loweredBy;
    return {
      zones: this.#zones,
      done: this.#done,
      written: this.#written,
      differing: this.#differing,
      ...(loweredBy !== undefined && others.length === 0 && { loweredBy }),
      errors: this.#errors,
      unanswered: [...this.#unanswered.values()].map(({ zone, change }) => ({ zone, change })),
      isInterrupted: isAborted && this.#done < this.#zones,
    };
  }
}

/** Whether it is a write that took effect. */
export function isWrite({ kind }: ApplyEvent): boolean {
  return ["record-written", "settings-written", "zone-created", "zone-deleted"].includes(kind);
}

/** This process, for the lock of a project. */
export function lockOwnerOf({ pid, isAlive }: RunContext): LockOwner {
  return { pid, host: hostname(), isAlive };
}

function clockOf({ now, sleep }: RunContext): Clock {
  return { now: () => now().getTime(), sleep };
}
