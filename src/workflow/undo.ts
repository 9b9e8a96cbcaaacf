import { count } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { nameKey } from "../dns/name.ts";
import type { Run } from "../executor/runs.ts";
import { invertRun } from "../executor/undo.ts";
import { createNeighborTest, plan as makePlan } from "../planner/plan.ts";
import { readLive } from "../targets/read-live.ts";
import { type ApplyHooks, type ApplyReport, applyPlan } from "./apply.ts";
import type { Connection } from "./connect.ts";
import { signApprovals } from "./continuation.ts";
import { readFreed } from "./dangling.ts";
import { findContinued } from "./find-continued.ts";
import { type PlanningOptions, reportPlan } from "./plan-report.ts";
import { reportLive, runWork } from "./progress.ts";
import type { Project } from "./project.ts";
import type { RunContext } from "./run-context.ts";
import { settleLastRun } from "./run-plan.ts";
import { findRun, readJournal, readRuns } from "./runs.ts";

export interface UndoRequest extends PlanningOptions, ApplyHooks {
  /** The id of a run, or its beginning. */
  readonly run: string;
}

/** `notes` list writes that cannot or need not be undone. */
export type UndoReport = ApplyReport | { readonly state: "nothing-left"; readonly notes: readonly string[] };

/**
 * Applies the inverse of a run as an ordinary plan. Data that changed after the run is kept.
 * @throws {ProblemError} `run-unknown`, `run-elsewhere`, `guard-blocked`
 */
export async function undo(
  context: RunContext,
  project: Project,
  connection: Connection,
  request: UndoRequest,
): Promise<UndoReport> {
  const { target, api } = connection;
  const id = findRun(project, request.run);
  const entries = readJournal(project, id);
  const begin = entries.find((entry) => entry.kind === "begin");
  if (begin?.api !== undefined && begin.api !== api) {
    const fix = "Set the base URL to that API.";
    throw new ProblemError(problem("run-elsewhere", `run ${id} was made at ${begin.api}, not at ${api}`, { fix }));
  }
  await settleLastRun(context, target, project, request.onUnanswered);
  const names = new Set(begin?.zones.map(({ zone }) => nameKey(zone)));
  const { read, capabilities } = target;
  const requests = read.countRequests();
  const live = await readLive(
    read,
    (name) => names.has(name),
    { signal: context.signal, onRead: reportLive(context.onProgress) },
    (zones) => createNeighborTest(invertRun(entries, zones, capabilities).desired, zones),
  );
  const { desired, left } = invertRun(entries, live.zones, capabilities);
  const again = readRuns(project).findLast(({ undoes, written }) => undoes === id && written > 0);
  const before = again ? [`run ${again.id} undid it: ${again.written} of ${count(again.writes, "write")}`] : [];
  const notes = [...before, ...left];
  const { neighbors, others } = live;
  const plan = await runWork(context, makePlan(desired, live.zones, { neighbors, others, capabilities }));
  if (plan.zones.length === 0) return { state: "nothing-left", notes };
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
  };
  const scope = { project, options: request, isAll: false };
  const { approvals, ...report } = await reportPlan(scope, plan, observed, { ofRun });
  const about = { api, undoes: id, ...signApprovals(connection, approvals()) };
  return applyPlan(context, target, { project, report, about }, request);
}
