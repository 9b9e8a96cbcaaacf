import { resolve } from "node:path";
import { Advice, advise, type Fix } from "../../diagnostics/advice.ts";
import { count, plain } from "../../diagnostics/plain.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name/name.ts";
import { type About, listRuns, type Run } from "../../executor/journal/runs.ts";
import { type Edit, findRemaining, type Remaining, rdataOfSide } from "../../planner/approval/admit.ts";
import { checkExpiry, checkRuns, checkSource, checkTarget } from "../../planner/approval/approval.ts";
import type { ApprovedPlan } from "../../planner/approval/approved-effects.ts";
import { checkRolledBack } from "../../planner/approval/rolled-back.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import { effectsOf } from "../../planner/changes/effects.ts";
import { findDependents } from "../../planner/dependents.ts";
import { deletionsOf, newPlanClause, newPlanFix, readPlanFile } from "../../planner/plan-file/plan-file.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import type { SignatureRules } from "../../planner/plan-file/plan-signature.ts";
import { statIfPresent } from "../../read-file.ts";
import { eventsSince, eventText } from "../drift/event-log.ts";
import { headOf, precedes } from "../git/git.ts";
import type { Connection } from "../project/connect.ts";
import { readText } from "../project/files.ts";
import { runWork } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { identifyTarget } from "../project/target-identity.ts";
import { sourceOf } from "../zones/plan-source.ts";
import { refuseDependents, type SkippedZone, skippedNote } from "../zones/skip-invalid.ts";
import { existingZones, readZones } from "../zones/zones.ts";
import { admitApproved, checkTargets, type FindPlans, selectTargets } from "./approved-plans.ts";
import { findContinued } from "./find-continued.ts";
import { findOwnEffects } from "./own-effects.ts";
import { readPlanText } from "./plan-file.ts";
import { buildPlan, makePlanOf, observe, type PlanningOptions, type PlanToApprove, reportPlan } from "./plan-report.ts";

export interface LoadPlanOptions extends PlanningOptions {
  /** The edits that make a plan stale: of the records it touches, or any in its zones. */
  readonly stale?: "record" | "zone";
  /**
   * Approved plan files: a new plan is admitted only if they include all its effects. The zone files may have changed
   * since, for example by other merges.
   */
  readonly approved?: readonly ApprovedPlan[];
  /** Finds approved plans instead, once a plan has effects; a plan without effects needs no approval. */
  readonly findPlans?: FindPlans;
  /** The keys that plan files are signed with; without it, signatures are not checked. */
  readonly signatures?: SignatureRules;
}

/** The project and options of an apply. */
export interface LoadPlanInput {
  readonly project: Project;
  readonly connection: Connection;
  /** Whether the approvals of the last run count if it was interrupted and is continued (`--resume`). */
  readonly isResumed: boolean;
  readonly options: LoadPlanOptions;
}

/** A plan that may be applied. */
export interface LoadedPlan extends PlanToApprove {
  /** Its origin, as recorded in the journal. */
  readonly origin: Pick<About, "commit" | "nonce" | "planDigest" | "signedBy" | "approvedPlans">;
}

/**
 * Loads the plan to apply: a plan file that is valid now, or a new plan of the named zones.
 * @throws {ProblemError} why a plan file may not be applied.
 */
export async function loadPlan(
  context: RunContext,
  args: readonly string[],
  given: LoadPlanInput,
): Promise<LoadedPlan> {
  const [file] = args.filter((arg) => isPlanFile(context, arg));
  if (file === undefined) return planNow(context, args, given);
  if (given.options.approved !== undefined)
    throw new ProblemError(
      problem(
        "usage",
        advise`a plan file is applied as it is: leave out ${{ set: "approved" }}, or name the plan file with ${{ set: "approved" }} only.`,
      ),
    );
  if (args.length > 1)
    throw new ProblemError(problem("usage", "apply takes one plan file or zones, not both: name the plan file alone."));
  return loadPlanFile(context, file, given);
}

async function planNow(context: RunContext, args: readonly string[], given: LoadPlanInput): Promise<LoadedPlan> {
  const { project, connection, isResumed, options } = given;
  const { target } = connection;
  const { approved, findPlans } = options;
  const isOpen = approved === undefined && findPlans === undefined;
  if (isOpen && options.signatures?.isRequired === true)
    throw new ProblemError(
      problem(
        "usage",
        advise`signatures are required (${{ set: "requireSignature" }}, or ZONEWRIGHT_VERIFY_KEYS is set), and only plan files have them: name a plan file, or add ${{ set: "approved", to: "FILE" }}.`,
      ),
    );
  if (!isOpen && options.stale === "zone")
    throw new ProblemError(
      problem(
        "usage",
        advise`${{ set: "stale" }} is for a plan file: with ${{ set: "approved" }}, every change that is not approved is refused.`,
      ),
    );
  const read = await readZones(project, args, { keepsUnreadable: options.skipInvalid });
  if (approved !== undefined) await checkTargets(context, connection, approved);
  const observed = await observe(given, target, read, context.signal);
  const commit = headOf(context);
  const origin = commit === undefined ? {} : { commit };
  const isContinued = ({ nonce, undoes }: Run) => nonce === undefined && undoes === undefined;
  const ofRun = findContinued(project, connection, { isContinued, isExplicit: isResumed });
  const scope = { ...given, isAll: args.length === 0 };
  if (isOpen) return { ...(await buildPlan(scope, observed, { ofRun })), origin };
  const plan = await makePlanOf(scope, observed);
  const needed = findPlans === undefined || isEmpty(plan) ? undefined : await findPlans();
  const found = needed && (await selectTargets(context, connection, needed));
  const source = found ?? { plans: approved ?? [], refusals: [], fix: approveFix };
  const admitted = await admitApproved(context, { project, target, plan, live: observed.live }, source).catch(
    (error: unknown) => {
      throw needed === undefined ? error : withFix(error, needed.fix);
    },
  );
  const { isAllowed } = admitted;
  const { notes, ...report } = await reportPlan(scope, plan, observed, { ofRun, isAllowed });
  return { ...report, notes: [...notes, ...admitted.notes], origin: { ...origin, ...admitted.origin } };
}

const approveFix = advise`Plan these files with ${{ run: "plan", with: { out: "FILE" } }}, have that plan approved, and add ${{ set: "approved", to: "FILE" }}.`;

/** The problems of an admission, with another way to a new plan. */
function withFix(error: unknown, way: Fix): unknown {
  if (!(error instanceof ProblemError)) return error;
  const replace = (fix: Fix): Fix => {
    if (fix === newPlanFix || fix === newPlanClause) return way;
    return typeof fix === "string"
      ? fix
      : new Advice(
          fix.parts.map((part) => (typeof part === "string" || part instanceof Advice ? replace(part) : part)),
        );
  };
  return new ProblemError(
    error.problems.map(({ fix, ...rest }) => ({ ...rest, ...(fix !== undefined && { fix: replace(fix) }) })),
  );
}

/**
 * Checks a plan file and returns the part that is left to do. Each check has its own error, in this order: the file is
 * intact; it is for this API and account; it was not applied before, nor is older than an applied one; it has not
 * expired; the desired zones are those that it was made from; the live data that it touches is unchanged; the remaining
 * changes were approved.
 */
async function loadPlanFile(
  context: RunContext,
  path: string,
  { project, connection, options }: LoadPlanInput,
): Promise<LoadedPlan> {
  const { target, api } = connection;
  const { plan: file, signedBy } = readPlanFile(path, readPlanText(context.cwd, path), options.signatures);
  checkTarget(file, await identifyTarget(target, api, context.signal));
  const read = await readZones(project, await zoneFiles(project, file));
  const state = stateFolder(project);
  checkRuns(file, listRuns(state), (commit, other) => precedes(project.root, commit, other));
  checkExpiry(file, context.now());
  if (options.deleteZone !== undefined)
    throw new ProblemError(
      problem("usage", advise`a plan file lists the domains to delete itself: leave out ${{ set: "deleteZone" }}.`),
    );
  if (options.skipInvalid)
    throw new ProblemError(
      problem("usage", "a plan file is applied as it is, and lists the zones that it leaves out itself."),
    );
  const { skipped = [] } = file;
  const scope = {
    project,
    options: { ...options, deleteZone: deletionsOf(file) },
    isAll: false,
    leftOut: skipped.map(({ zone }) => zone),
  };
  const observed = await observe(scope, target, read, context.signal);
  checkSource(file, sourceOf(read.zones, observed.desired, project.config));
  const past = await eventsSince(file, target, context.signal);
  const left = await explainFailure(past.notes, async () => {
    const left = await runWork(project, findRemaining(file, observed.desired, observed.live, observed));
    refuseDependents(findDependents(left.plan.zones, observed.live, scope.leftOut));
    const mine = findOwnEffects(state, file.nonce);
    checkRolledBack(file, effectsOf(left.plan), observed.live, { events: past.events, textOf: eventText, mine });
    return left;
  });
  const edits = left.edits.map((edit) => editNote(edit, options.stale === "zone"));
  if (options.stale === "zone" && edits.length > 0) throw new ProblemError(edits);
  const isContinued = (run: Run) => run.nonce === file.nonce;
  const ofRun = findContinued(project, connection, { isContinued, isExplicit: true });
  const judged = { ...observed, desired: left.desired };
  const { notes, ...report } = await reportPlan(scope, left.plan, judged, { ofFile: file.guards, ofRun });
  const { planDigest, nonce, source } = file;
  const signed = signedBy === undefined ? {} : { signedBy };
  const origin = { planDigest, nonce, ...signed, ...(source.commit !== undefined && { commit: source.commit }) };
  const leftOut = skipped.map(({ zone, ...rest }): SkippedZone => ({ name: zone, ...rest, errors: [] }));
  return {
    ...report,
    skipped: leftOut,
    notes: [
      ...notes,
      ...past.notes,
      ...edits,
      ...doneNote(left),
      ...signatureNote(path, signedBy),
      ...leftOut.map(skippedNote),
    ],
    origin,
  };
}

/** Adds the notes about edits of others to the errors of a check. */
async function explainFailure<T>(notes: readonly Problem[], check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ProblemError && error.problems.some(({ id }) => id !== "plan-rolled-back"))
      throw new ProblemError([...error.problems, ...notes]);
    throw error;
  }
}

/** Whether an argument is a plan file. Plan files are JSON, zone files never are. */
export function isPlanFile({ cwd }: Pick<RunContext, "cwd">, arg: string): boolean {
  return (
    arg.endsWith(".json") ||
    (statIfPresent(resolve(cwd, arg))?.isFile() === true && readText(cwd, arg).trimStart().startsWith("{"))
  );
}

/** The zone files that a plan was made from, by path, or by zone name where a file was renamed. */
async function zoneFiles(project: Project, { source, skipped = [] }: PlanFile): Promise<string[]> {
  const isThere = (file: string) => statIfPresent(resolve(project.cwd, file))?.isFile() === true;
  const zones = source.zones.flatMap(({ zone, files: [first] }) => (first ? [{ zone, file: first.file }] : []));
  const gone = zones.filter(({ file }) => !isThere(file));
  const others = gone.length === 0 ? [] : await existingZones(project, { keepsUnreadable: skipped.length > 0 });
  const elsewhere = new Map(others.map(({ zone, file }) => [nameKey(zone.name), file]));
  const lost = gone.filter(({ zone }) => !elsewhere.has(zone)).map(({ file }) => file);
  if (lost.length === 0) return zones.map(({ zone, file }) => (isThere(file) ? file : (elsewhere.get(zone) ?? file)));
  const fix = advise`Check out the files that the plan was made from, in the same folder, or ${newPlanClause}`;
  throw new ProblemError(
    problem("plan-files", `the plan was made from ${lost.slice(0, 3).map(plain).join(", ")}, which does not exist`, {
      fix,
    }),
  );
}

function editNote({ zone, effects }: Edit, isFatal: boolean): Problem {
  const what = {
    create: "was deleted",
    delete: "was added",
    change: "was changed",
    setting: "was changed",
    domain: "was deleted",
  };
  const texts = effects.slice(0, 3).map(({ kind, name, type, before, after }) => {
    return `${name.slice(0, -1)} ${type} ${rdataOfSide((kind === "create" ? after : before) ?? "")} ${what[kind]}`;
  });
  const more = effects.length > 3 ? ` and ${effects.length - 3} more` : "";
  const list = texts.length > 0 ? `: ${texts.join(", ")}${more}` : ", outside the managed records";
  const summary = `${zone.slice(0, -1)} was changed after the plan was made${list}`;
  return isFatal
    ? problem("plan-edited", summary, { severity: "error", fix: newPlanFix })
    : problem("plan-edited", `${summary}; that change is kept`);
}

function signatureNote(file: string, signedBy: string | undefined): Problem[] {
  if (signedBy === undefined) return [];
  return [problem("plan-signature", `${file} is signed with the key ${signedBy}`, { severity: "note" })];
}

function doneNote({ done }: Remaining): Problem[] {
  if (done.length === 0) return [];
  const are = done.length === 1 ? "is" : "are";
  return [problem("plan-done", `${count(done.length, "effect")} of the plan ${are} already in place`)];
}
