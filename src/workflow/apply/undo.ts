import { advise, type Fix } from "../../diagnostics/advice.ts";
import { problem, problemError } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { endRun, type Run } from "../../executor/journal/runs.ts";
import { revertRun } from "../../executor/revert-run.ts";
import { invertRun } from "../../executor/undo.ts";
import { createNeighborTest, planZoneWrites as makePlan } from "../../planner/plan.ts";
import { readLive } from "../../targets/read-live.ts";
import type { Connection } from "../connect/connection.ts";
import { findContinued, signApprovals } from "../plan/continuation.ts";
import type { PlanningOptions } from "../plan/observe.ts";
import { refuseTooLarge } from "../plan/plan-findings.ts";
import { reportPlan } from "../plan/plan-report.ts";
import { reportLive, runWork } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { catalogSettings, withCatalog } from "../zones/catalog.ts";
import { readFreed } from "../zones/dangling.ts";
import { type ApplyHooks, type ApplyReport, applyPlan } from "./apply.ts";
import { finishLastRun, settleLastRun } from "./run-plan.ts";
import { findRun, readRunJournal, readRuns, writesText } from "./runs.ts";

export interface UndoRequest extends PlanningOptions, ApplyHooks {
  /** The id of a run, its beginning, or `last`. */
  readonly run: string;
}

/** `notes` list writes that cannot or need not be undone. */
export type UndoReport = ApplyReport | { readonly state: "nothing-left"; readonly notes: readonly Fix[] };

/**
 * Applies the inverse of a run as an ordinary plan. Data that changed after the run is kept. An unfinished undo of the
 * run is continued.
 * @throws {ProblemError} `run-unknown`, `run-elsewhere`, `undo-last`, `guard-blocked`
 */
export async function undo(
  context: RunContext,
  project: Project,
  connection: Connection,
  request: UndoRequest,
): Promise<UndoReport> {
  const { target, api, name } = connection;
  const id = findRunToUndo(project, request.run);
  const entries = readRunJournal(project, id);
  const begin = entries.find((entry) => entry.kind === "begin");
  if (begin?.api !== undefined && begin.api !== api) {
    const fix = "Set the base URL to that API.";
    throw problemError("run-elsewhere", `run ${id} was made at ${begin.api}, not at ${api}`, { fix });
  }
  if (project.view) await (await import("../snapshot/known-account.ts")).checkAccount(context, project, connection);
  await settleLastRun(context, target, project, request.onUnanswered);
  await finishLastRun(connection, project, request.onEvent);
  const catalog = catalogSettings(project);
  const names = new Set(begin?.zones.map(({ zone }) => nameKey(zone)));
  if (catalog) names.add(nameKey(catalog.zone));
  const runs = readRuns(project);
  const isAttempt = ({ undoes, state }: Run) => undoes === id && state !== "done";
  const first = runs.findLastIndex((run) => !isAttempt(run)) + 1;
  const attempts = runs.slice(first);
  const { read, capabilities } = target;
  // The attempts are continued: their writes are not edits by others.
  const invert = (zones: ReadonlyMap<NameKey, LiveZone>) => {
    const before = attempts.reduceRight(
      (zones, run) => revertRun(readRunJournal(project, run.id), zones, capabilities),
      zones,
    );
    const inverse = invertRun(entries, before, { ...capabilities, noted: new Set(read.listNotes?.().keys()) });
    return catalog ? { ...inverse, desired: withCatalog(catalog, inverse.desired, zones) } : inverse;
  };
  const requests = read.countRequests();
  const live = await readLive(
    read,
    (name) => names.has(name),
    { signal: context.signal, onRead: reportLive(context.onProgress) },
    (zones) => createNeighborTest(invert(zones).desired, zones),
  );
  if (project.view)
    await (await import("../drift/known-primaries.ts")).checkPrimaries(project, { api, live: live.zones });
  const { desired, left } = invert(live.zones);
  const last = attempts.at(-1);
  const purpose = describePurpose(id, runs, last);
  const before = runs.slice(0, first).findLast(({ undoes, written }) => undoes === id && written > 0);
  const notes = [
    ...(before ? [`run ${before.id} undid it: ${writesText(before)}`] : []),
    ...findContinuedRuns(id, runs).map(
      (run) =>
        advise`run ${id} continued run ${run.id}, whose changes stay (${writesText(run)}): ${{ run: "undo", args: [run.id] }} reverts them`,
    ),
    ...left,
    ...[...(read.listNotes?.() ?? [])].flatMap(([zone, { summary, fix }]) =>
      names.has(zone) ? [typeof fix === "string" ? `${summary}. ${fix}` : summary] : [],
    ),
  ];
  const { neighbors, others } = live;
  const around = { neighbors, others, capabilities, unactivated: names };
  const plan = await runWork(context, makePlan(desired, live.zones, around));
  refuseTooLarge(plan);
  if (plan.zones.length === 0) {
    const run = runs.find((one) => one.id === id);
    const ended = [...(last ? [last] : []), ...(left.length === 0 && run && run.state !== "done" ? [run] : [])];
    for (const one of ended) endRun(stateFolder(project), one.id, context.now());
    return { state: "nothing-left", notes: [...(purpose === undefined ? [] : [purpose]), ...notes] };
  }
  const isContinued = ({ undoes }: Run) => undoes === id;
  const ofRun = findContinued(project, connection, { isContinued, isExplicit: true });
  const observed = {
    desired,
    live: live.zones,
    others,
    neighbors,
    deletions: [],
    notes: notes.map((note) => problem("undo-skipped", note)),
    freed: await readFreed(read, { desired, live: live.zones }, { signal: context.signal }),
    reads: read.countRequests() - requests,
    limit: read.announcedLimit(),
    capabilities,
    unactivated: names,
    skipped: [],
    silent: [],
  };
  const scope = { project, options: request, isAll: false };
  const { approvals, ...planned } = await reportPlan(scope, plan, observed, { ofRun });
  const report = purpose === undefined ? planned : { ...planned, purpose };
  const about = {
    api,
    ...(name !== undefined && { target: name }),
    undoes: id,
    ...signApprovals(connection, approvals()),
  };
  return applyPlan(context, target, { project, report, about, live: live.zones }, request);
}

/**
 * The run to undo. `last` continues an unfinished undo, and never reverts a complete one: that would bring the bad
 * change back.
 * @throws {ProblemError} `undo-last`, `run-unknown`
 */
function findRunToUndo(project: Project, asked: string): string {
  const runs = readRuns(project);
  const last = runs.at(-1);
  if (asked !== "last" || last?.undoes === undefined) return findRun(project, asked);
  if (last.state !== "done") return last.undoes;
  const undone = new Set(runs.map(({ undoes }) => undoes));
  const earlier = runs.findLast(({ id, undoes }) => undoes === undefined && !undone.has(id));
  const again = advise`${{ run: "undo", args: [last.id] }} ${consequenceOf(last, runs)}.`;
  throw problemError("undo-last", `the last run, ${last.id}, is the undo of run ${last.undoes}, and is done`, {
    fix:
      earlier === undefined
        ? again
        : advise`${again} ${{ run: "undo", args: [earlier.id] }} reverts an earlier run: ${writesText(earlier)}.`,
  });
}

/** The first line of a plan that continues an undo or reverts one. */
function describePurpose(id: string, runs: readonly Run[], unfinished: Run | undefined): string | undefined {
  const run = runs.find((one) => one.id === id);
  const texts = [
    ...(unfinished ? [`continues run ${unfinished.id}, an undo of run ${id}: ${writesText(unfinished)}`] : []),
    ...(run?.undoes === undefined
      ? []
      : [`reverts an undo: run ${id} reverted run ${run.undoes}; this plan ${consequenceOf(run, runs)}`]),
  ];
  return texts.length > 0 ? texts.join("; ") : undefined;
}

/** The effect of reverting an undo: an undo of an undo reverts the first run again. */
function consequenceOf(undo: Run, runs: readonly Run[]): string {
  let first = undo;
  let isEven = true;
  for (let run: Run | undefined = undo; run?.undoes !== undefined; isEven = !isEven) {
    first = run;
    run = runs.find(({ id }) => id === first.undoes);
  }
  return isEven ? `reverts the changes of run ${first.undoes} again` : `makes the changes of run ${first.undoes} again`;
}

/**
 * The runs with changes that a run continued, or whose second pass it is, the latest first, unless an undo has reverted
 * them.
 */
function findContinuedRuns(id: string, runs: readonly Run[]): Run[] {
  const run = runs.find((one) => one.id === id);
  const earlier = runs.find((one) => one.id === (run?.approved?.continues ?? run?.firstPass));
  if (!earlier || earlier.id >= id) return [];
  const isReverted = runs.some(({ undoes, state }) => undoes === earlier.id && state === "done");
  const hasChanges = earlier.written + earlier.open > 0;
  return [...(hasChanges && !isReverted ? [earlier] : []), ...findContinuedRuns(earlier.id, runs)];
}
