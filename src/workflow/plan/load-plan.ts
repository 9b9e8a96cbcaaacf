import { resolve } from "node:path";
import { Advice, advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError, usageError } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { type About, listRuns, type Run } from "../../executor/journal/runs.ts";
import { statIfPresent } from "../../file-system.ts";
import { type Edit, keepEdits, rdataOfSide, staleEffect } from "../../planner/approval/admit.ts";
import { checkSuperseded, isRunOf } from "../../planner/approval/approval.ts";
import { type ApprovedPlan, sortNewest } from "../../planner/approval/approved-effects.ts";
import type { GuardBlock } from "../../planner/blocks/find-blocks.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import { findDependents } from "../../planner/dependents.ts";
import { deletionsOf, newPlanClause, newPlanFix } from "../../planner/plan-file/plan-file.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import type { SignatureRules } from "../../planner/plan-file/plan-signature.ts";
import type { GuardId } from "../../planner/risk/guard.ts";
import type { Connection } from "../connect/connection.ts";
import { headOf, precedes } from "../git/git.ts";
import type { Departures } from "../name-servers/departures.ts";
import { readText } from "../project/files.ts";
import { runWork } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { refuseDependents, type SkippedZone, skippedNote } from "../zones/skip-invalid.ts";
import { existingZones, type ReadZones, readZones } from "../zones/zones.ts";
import {
  admitApproved,
  changesSince,
  checkTargets,
  type FindPlans,
  type FirstPass,
  readApprovedPlans,
  selectParts,
  selectTargets,
} from "./approved-plans.ts";
import { findContinued } from "./continuation.ts";
import { observe, type PlanningOptions } from "./observe.ts";
import { buildPlan, makePlanOf, type PlanToApprove, reportPlan } from "./plan-report.ts";

export interface LoadPlanOptions extends PlanningOptions {
  /**
   * Approved plan files: a new plan is admitted only if they include all its effects. The zone files may have changed
   * since, for example by other merges.
   */
  readonly approved?: readonly ApprovedPlan[];
  /** Finds approved plans instead, once a plan has effects; a plan without effects needs no approval. */
  readonly findPlans?: FindPlans;
  /** @internal The first pass of this apply, if it is the second one. */
  readonly firstPass?: FirstPass | undefined;
  /** The keys that plan files are signed with; without it, signatures are not checked. */
  readonly signatures?: SignatureRules;
}

const delegationGuard: GuardId = "G04";

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
  readonly origin: Pick<About, "commit" | "approvedPlans">;
  /** The plan files that were named. */
  readonly named: readonly PlanFile[];
  /** The zones as they were read. */
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  /** The departures of the zones to delete, to keep. */
  readonly departures?: Departures | undefined;
}

/**
 * Loads the plan to apply: a new plan of the named zones, whose effects plan files among the arguments have to include.
 * Plan files without zones stand for all of their zones, and for the domains that they delete.
 * @throws {ProblemError} why the plan may not be applied.
 */
export async function loadPlan(
  context: RunContext,
  args: readonly string[],
  { project, connection, isResumed, options }: LoadPlanInput,
): Promise<LoadedPlan> {
  const { target } = connection;
  const { findPlans, signatures } = options;
  const names = args.filter((arg) => !isPlanFile(context, arg));
  const files = args.filter((arg) => !names.includes(arg));
  const approved = selectParts(project, [
    ...(options.approved ?? []),
    ...readApprovedPlans(context, files, signatures),
  ]);
  const named = approved.map(({ plan }) => plan);
  const isNamed = named.length > 0;
  if (!isNamed && findPlans === undefined && signatures?.isRequired === true)
    throw usageError(
      advise`signatures are required (${{ set: "requireSignature" }}, or ZONEWRIGHT_VERIFY_KEYS is set), and only plan files have them: name a plan file.`,
    );
  if (isNamed) await checkTargets(context, connection, approved);
  const ofPlans = isNamed && names.length === 0;
  const deleteZone = [...(options.deleteZone ?? []), ...(ofPlans ? named.flatMap(deletionsOf) : [])];
  const read = await readZones(project, ofPlans ? await zoneFiles(project, named) : names, {
    keepsUnreadable: options.skipInvalid,
    mayBeEmpty: deleteZone.length > 0,
  });
  if (ofPlans) refuseRemoved(named, read);
  const leftOut = skippedZones(named, read);
  const wanted = {
    project,
    options: { ...options, deleteZone, withholdsServers: true },
    leftOut: leftOut.map(({ name }) => name),
  };
  const observed = await observe(wanted, connection, read, context);
  const commit = headOf(context);
  const origin = commit === undefined ? {} : { commit };
  const isContinued = (run: Run) =>
    isNamed ? isRunOf(run, named) : run.approvedPlans === undefined && run.undoes === undefined;
  const ofRun = findContinued(project, connection, { isContinued, isExplicit: isResumed || isNamed });
  const isOfCreation = ({ guard, zone }: GuardBlock) =>
    guard === delegationGuard && zone !== "*" && options.firstPass?.created.has(zone) === true;
  const scope = { project, options, isAll: args.length === 0 && !isNamed, leftOut: wanted.leftOut };
  if (!isNamed && findPlans === undefined)
    return { ...(await buildPlan(scope, observed, { ofRun, isAllowed: isOfCreation })), origin, named };
  const whole = await makePlanOf(scope, observed);
  const { plan, desired, edits, conflicts } = await runWork(project, keepEdits(whole, named, observed));
  if (conflicts.length > 0) {
    const events = await changesSince(context, target, approved, conflicts);
    throw new ProblemError([...conflicts.map(staleEffect), ...events]);
  }
  const [newest] = sortNewest(approved);
  const isAncestor = (commit: string, other: string) => precedes(project.root, commit, other);
  if (newest)
    checkSuperseded(newest, new Set(edits.map(({ zone }) => zone)), listRuns(stateFolder(project)), isAncestor);
  refuseDependents(findDependents(plan.zones, observed.live, wanted.leftOut));
  const needed = findPlans === undefined || isEmpty(plan) ? undefined : await findPlans();
  const found = needed && (await selectTargets(context, connection, needed));
  const source = found ?? { plans: approved, refusals: [], fix: approveFix };
  const admitted = await admitApproved(
    context,
    { project, target, plan, live: observed.live },
    source,
    options.firstPass,
  ).catch((error: unknown) => {
    throw needed === undefined ? error : withFix(error, needed.fix);
  });
  const isAllowed = (block: GuardBlock) => isOfCreation(block) || admitted.isAllowed(block);
  const { notes, ...report } = await reportPlan(scope, plan, { ...observed, desired }, { ofRun, isAllowed });
  return {
    ...report,
    skipped: [...leftOut, ...observed.skipped],
    notes: [...notes, ...admitted.notes, ...edits.map(editNote), ...leftOut.map(skippedNote)],
    origin: { ...origin, ...admitted.origin },
    named,
    live: observed.live,
    departures: observed.departures,
  };
}

const approveFix = advise`Plan these files with ${{ run: "plan", with: { out: "FILE" } }}, have that plan approved, and run ${{ run: "apply", args: ["FILE"] }}.`;

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

/** Whether an argument is a plan file. Plan files are JSON, zone files never are. */
export function isPlanFile({ cwd }: Pick<RunContext, "cwd">, arg: string): boolean {
  return (
    arg.endsWith(".json") ||
    (statIfPresent(resolve(cwd, arg))?.isFile() === true && readText(cwd, arg).trimStart().startsWith("{"))
  );
}

/** The zone files that plans were made from, by path, or by zone name where a file was renamed. */
async function zoneFiles(project: Project, plans: readonly PlanFile[]): Promise<string[]> {
  const isThere = (file: string) => statIfPresent(resolve(project.cwd, file))?.isFile() === true;
  const zones = new Map(
    plans.flatMap(({ source }) =>
      source.zones.flatMap(({ zone, files: [first] }) => (first ? [[zone, first.file]] : [])),
    ),
  );
  const gone = [...zones].filter(([, file]) => !isThere(file));
  const keepsUnreadable = plans.some(({ skipped = [] }) => skipped.length > 0);
  const others = gone.length === 0 ? [] : await existingZones(project, { keepsUnreadable });
  const elsewhere = new Map(others.map(({ zone, file }) => [nameKey(zone.name), file]));
  const lost = gone.filter(([zone]) => !elsewhere.has(zone)).map(([, file]) => file);
  if (lost.length === 0 || lost.length < zones.size)
    return [...zones].flatMap(([zone, file]) => (isThere(file) ? file : (elsewhere.get(zone) ?? [])));
  const fix = advise`A plan file approves changes of zone files, and does not contain them. Check out the files that the plan was made from, in the same folder, or ${newPlanClause}`;
  throw problemError(
    "plan-files",
    `the plan was made from ${lost.slice(0, 3).map(escapeControl).join(", ")}, which does not exist`,
    {
      fix,
    },
  );
}

/** @throws {ProblemError} `plan-files` if the files that plans were made from describe only other zones now. */
function refuseRemoved(plans: readonly PlanFile[], { zones }: ReadZones): void {
  const read = new Set(zones.map(({ zone }) => nameKey(zone.name)));
  const planned = plans.flatMap(({ source }) => source.zones);
  const [first] = planned;
  if (first === undefined || planned.some(({ zone }) => read.has(zone))) return;
  const summary = `the zone file ${escapeControl(first.files[0]?.file ?? "")} of ${first.zone.slice(0, -1)} was removed after the plan was made`;
  const fix = advise`Check out the files that the plan was made from, or ${newPlanClause}`;
  throw problemError("plan-files", summary, { fix });
}

/** The zones that plans left out, unless another one has them. */
function skippedZones(plans: readonly PlanFile[], { zones }: ReadZones): SkippedZone[] {
  const read = new Set(zones.map(({ zone }) => nameKey(zone.name)));
  const skipped = plans.flatMap((plan) => plan.skipped ?? []).filter(({ zone }) => !read.has(zone));
  const byName = new Map(skipped.map(({ zone, ...rest }) => [zone, { name: zone, ...rest, errors: [] }]));
  return [...byName.values()];
}

function editNote({ zone, effects }: Edit): Problem {
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
  const summary = `${zone.slice(0, -1)} was changed after the plan was made: ${texts.join(", ")}${more}; that change is kept`;
  return problem("plan-edited", summary);
}
