import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { listFirst } from "../../diagnostics/quantities.ts";
import { isSameName, type Name, type NameKey, nameKey, relativeTo, withoutDot } from "../../dns/name/name.ts";
import type { ApplyEvent } from "../../executor/journal/event.ts";
import { type About, endRun, findUnfinishedRun } from "../../executor/journal/runs.ts";
import { groupBy } from "../../group-by.ts";
import { isRunOf } from "../../planner/approval/approval.ts";
import { blockedText, remedy } from "../../planner/blocks/acks.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import type { Target } from "../../targets/target.ts";
import type { Connection } from "../connect/connection.ts";
import type { DriftFinding, ZoneFinding } from "../drift/finding.ts";
import { signApprovals } from "../plan/continuation.ts";
import { type LoadedPlan, type LoadPlanOptions, loadPlan } from "../plan/load-plan.ts";
import type { Observation } from "../plan/observe.ts";
import type { PlanReport } from "../plan/plan-report.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import type { CheckedAccount } from "../snapshot/known-account.ts";
import { catalogSettings } from "../zones/catalog.ts";
import { listZoneFiles } from "../zones/zones.ts";
import {
  finishLastRun,
  type OnUnanswered,
  type PlanToRun,
  type RunResult,
  runPlan,
  settleLastRun,
} from "./run-plan.ts";
import { continueCommand, readRuns } from "./runs.ts";

// Loaded on use: a project without targets keeps no account, and needs no baselines.
const loadAccounts = () => import("../snapshot/known-account.ts");
const loadHandEdits = () => import("../plan/hand-edits.ts");
const loadDepartures = () => import("../name-servers/departures.ts");
const loadBaselines = () => import("../drift/baselines.ts");

/** Callbacks of an apply. */
export interface ApplyHooks {
  /** Called with the plan, even if it is empty or blocked. */
  readonly onPlan?: (report: PlanReport) => void;
  /** Called before the first write. */
  readonly confirm: (report: PlanReport) => Promise<boolean>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the writes of the last run whose outcome is still unknown. */
  readonly onUnanswered?: OnUnanswered;
}

export interface ApplyRequest extends LoadPlanOptions, ApplyHooks {
  /** Zones or files, and plan files; all zones if empty. */
  readonly names: readonly string[];
  /** Continues the last run, with its approvals; `names` are those of `findUnfinished`. */
  readonly resume?: boolean;
}

/** The result of an apply. */
export type ApplyReport = {
  readonly plan: PlanReport;
  /** The origin of the plan, as in the journal. */
  readonly about: About;
} & ({ readonly state: "empty" } | { readonly state: "declined" } | { readonly state: "run"; readonly run: RunResult });

/**
 * Plans, asks for confirmation, writes and reads back. With plan files, it writes only changes that they approve.
 * @throws {ProblemError} why the plan may not be applied; `guard-blocked` if a guard blocks it.
 */
export async function apply(
  context: RunContext,
  project: Project,
  connection: Connection,
  request: ApplyRequest,
): Promise<ApplyReport> {
  const { target, api, name } = connection;
  const resumes = await settleLastRun(context, target, project, request.onUnanswered);
  const isResumed = request.resume ?? false;
  const account = project.view && (await (await loadAccounts()).checkAccount(context, project, connection));
  await finishLastRun(connection, project, request.onEvent);
  const admission = { project, connection, options: request, isResumed };
  const { origin, named, approvals, live, departures, ...report } = await loadPlan(context, request.names, admission);
  await keepSeen(context, project, departures);
  const about = {
    api,
    ...(name !== undefined && { target: name }),
    ...origin,
    ...earlierRuns(resumes, request.firstPass?.run),
    ...signApprovals(connection, approvals()),
  };
  // The reviewer of a plan file has seen what it reverts. With a log of events, to find that takes more requests.
  const isNew = named.length === 0 && !target.capabilities.events;
  const edited = isNew ? await withHandEdits({ context, project, connection, isResumed }, { ...report, live }) : report;
  const noted = account ? { ...edited, notes: [...edited.notes, ...account.notes] } : edited;
  const hooks = account ? keepingAccount(request, account) : request;
  const applied = await applyPlan(context, target, { project, report: noted, about, live }, hooks);
  if (applied.state === "empty") {
    await account?.keep();
    await keepServed(context, project, { desired: report.desired ?? [], live });
  }
  if (applied.state !== "declined" && !target.capabilities.events)
    await (await loadBaselines()).saveSettled(context, project, { ...report, live });
  if (applied.state === "empty" && (report.skipped ?? []).length === 0) {
    const folder = stateFolder(project);
    const last = findUnfinishedRun(folder);
    const known = new Set(report.desired?.map(({ name }) => nameKey(name)));
    const isCovered = last?.undoes === undefined && last?.zones.every((name) => known.has(nameKey(name)));
    if (last && (isResumed || isRunOf(last, named) || isCovered)) endRun(folder, last.id, context.now());
  }
  return applied;
}

/** The runs before one, as its journal names them. */
function earlierRuns(resumes: readonly string[], firstPass: string | undefined): Pick<About, "resumes" | "firstPass"> {
  return { ...(resumes.length > 0 && { resumes: [...resumes] }), ...(firstPass !== undefined && { firstPass }) };
}

interface Applying {
  readonly context: RunContext;
  readonly project: Project;
  readonly connection: Connection;
  readonly isResumed: boolean;
}

/** A plan with the changes outside git that it would undo. @throws {ProblemError} `live-changed` for a run to resume */
async function withHandEdits(
  { context, project, connection, isResumed }: Applying,
  report: PlanReport & Pick<LoadedPlan, "live">,
): Promise<PlanReport> {
  const { desired = [] } = report;
  const { findHandEdits } = await loadHandEdits();
  const observed = { ...report, desired, snapshot: undefined };
  const { handEdits } = await findHandEdits(context, project, connection, observed);
  if (isResumed) refuseEdited(handEdits, connection.name);
  return { ...report, handEdits };
}

/**
 * Refuses to continue a run over changes that others made, which its plan did not show.
 * @throws {ProblemError} `live-changed`
 */
function refuseEdited(handEdits: readonly ZoneFinding[], target: string | undefined): void {
  if (handEdits.length === 0) return;
  const ofTarget = target === undefined ? {} : { target };
  const fix = advise`Nothing was written. Review them with ${{ run: "plan", with: ofTarget }}, then run ${{ run: "apply", with: ofTarget }} without ${{ set: "resume" }}.`;
  throw new ProblemError(
    [...groupBy(handEdits, ({ zone }) => zone)].map(([zone, edits]) => {
      const names = [...new Set(edits.map(({ finding }) => findingName(zone, finding)))];
      const summary = `${escapeControl(withoutDot(zone))} has changes made outside git, which the run would revert: ${listFirst(names, mostNamed)}`;
      return problem("live-changed", summary, { fix });
    }),
  );
}

/** Changes that one sentence names. */
const mostNamed = 5;

function findingName(zone: NameKey, finding: DriftFinding): string {
  if (finding.kind === "record") return escapeControl(`${relativeTo(finding.owner, zone)} ${finding.type}`);
  return finding.kind === "setting" ? finding.name : "the zone";
}

/** The hooks of an apply that keeps the account before its first write. */
function keepingAccount(hooks: ApplyHooks, { keep }: CheckedAccount): ApplyHooks {
  return {
    ...hooks,
    confirm: async (report) => {
      const isConfirmed = await hooks.confirm(report);
      if (isConfirmed) await keep();
      return isConfirmed;
    },
  };
}

interface PlanToApply extends Pick<PlanToRun, "live"> {
  readonly project: Project;
  readonly report: PlanReport;
  readonly about: About;
}

/** @throws {ProblemError} `guard-blocked` */
export async function applyPlan(
  context: RunContext,
  target: Target,
  { project, report, about, live }: PlanToApply,
  { onPlan, confirm, onEvent }: ApplyHooks,
): Promise<ApplyReport> {
  onPlan?.(report);
  refuseBlocked(report);
  const { plan } = report;
  const ended = { plan: report, about };
  if (isEmpty(plan)) return { ...ended, state: "empty" };
  if (!(await confirm(report))) return { ...ended, state: "declined" };
  const served = { desired: plan.zones.map(({ zone }) => zone), live };
  await keepServed(context, project, served);
  const keepsEdits = about.undoes !== undefined || report.notes.some(({ id }) => id === "plan-edited");
  const run = await runPlan(context, target, { plan, project, about, live, keepsEdits }, onEvent);
  // The time of the TTLs that it replaced counts from the last write.
  await keepServed(context, project, served);
  if (project.view && plan.deletions.length > 0 && run.done === run.zones)
    await keepSeen(context, project, new Map(plan.deletions.map(({ name }) => [nameKey(name), undefined])));
  return { ...ended, state: "run", run };
}

/** Keeps the departures of zones to delete, or that they are over. */
async function keepSeen(context: RunContext, project: Project, departures: LoadedPlan["departures"]): Promise<void> {
  if (departures) await (await loadDepartures()).keepDepartures(context, project, departures);
}

/** Keeps what the zones of several targets tell about name servers that leave. */
async function keepServed(
  context: RunContext,
  project: Project,
  zones: Pick<Observation, "desired" | "live">,
): Promise<void> {
  if (project.view && project.targets.length > 1)
    await (await loadDepartures()).keepServedSets(context, project, zones);
}

/** @throws {ProblemError} `guard-blocked`, with the ways to approve the changes. */
function refuseBlocked(report: PlanReport): void {
  const problems = blockedProblems(report);
  if (problems.length > 0) throw new ProblemError(problems);
}

/** A problem for each missing approval, with the ways to give it. */
export function blockedProblems({ guards, ackUntil }: Pick<PlanReport, "guards" | "ackUntil">): Problem[] {
  return guards
    .filter(({ state }) => state === "blocked")
    .map((one) => problem("guard-blocked", blockedText(one), { fix: advise`To approve it: ${remedy(one, ackUntil)}` }));
}

/**
 * Returns the zones of the last run, and the domains that it had to delete. A zone that left the account is not among
 * them once it has no file. A run of plan files is continued with the same files instead.
 * @throws {ProblemError} `run-unknown` if there is nothing to resume.
 */
export async function findUnfinished(project: Project): Promise<Pick<ApplyRequest, "names" | "deleteZone">> {
  const last = readRuns(project).at(-1);
  if (last === undefined || last.state === "done") {
    const why = last === undefined ? "there is no run yet" : `the last run, ${last.id}, is done`;
    throw problemError("run-unknown", `nothing to resume: ${why}`, {
      fix: advise`Run apply without ${{ set: "resume" }}.`,
    });
  }
  if (last.undoes !== undefined)
    throw problemError(
      "run-unknown",
      `the last run, ${last.id}, reverts run ${last.undoes}: resuming with apply would repeat the changes that it reverts`,
      { fix: advise`To continue it: ${continueCommand(last)}.` },
    );
  if (last.approvedPlans !== undefined)
    throw problemError(
      "run-unknown",
      advise`the last run, ${last.id}, applied plan files: ${{ set: "resume" }} alone would apply changes that were not reviewed`,
      { fix: advise`To continue it, apply the same files: ${continueCommand(last)}.` },
    );
  const catalog = catalogSettings(project)?.zone;
  const all = new Set([...last.zones, ...(last.approved?.zones ?? []).map(({ zone }) => zone)]);
  const zones = [...all].filter((zone) => catalog === undefined || !isSameName(zone, catalog));
  const files = last.gone.size > 0 ? await listZoneFiles(project) : [];
  const hasFile = (zone: Name) => files.some(({ name }) => isSameName(name, zone));
  const names = zones
    .filter((zone) => !last.deletions.has(nameKey(zone)) && (!last.gone.has(nameKey(zone)) || hasFile(zone)))
    .map((zone) => zone.slice(0, -1));
  const deleteZone = [...last.deletions].flatMap(([zone, isDone]) => (isDone ? [] : [zone]));
  // The catalog follows from all zones.
  if (names.length === 0 && deleteZone.length === 0 && zones.length === all.size) {
    const why = `the domains of the last run, ${last.id}, left the account, and have no zone files any more`;
    throw problemError("run-unknown", `nothing to resume: ${why}`, {
      fix: advise`Run apply without ${{ set: "resume" }}.`,
    });
  }
  return deleteZone.length > 0 ? { names, deleteZone } : { names };
}
