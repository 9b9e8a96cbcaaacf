import { advise, type Fix } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { type About, listRuns } from "../../executor/journal/runs.ts";
import { otherDomains } from "../../planner/approval/admit.ts";
import {
  checkExpiry,
  checkTarget,
  findAppliedZones,
  type PastRun,
  planError,
} from "../../planner/approval/approval.ts";
import {
  type Approval,
  type ApprovedPlan,
  checkDomains,
  coversFindings,
  findApprovals,
  sortNewest,
  unapprovedProblems,
} from "../../planner/approval/approved-effects.ts";
import { checkRolledBack } from "../../planner/approval/rolled-back.ts";
import type { GuardBlock } from "../../planner/blocks/find-blocks.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { type Effect, effectsOf } from "../../planner/changes/effects.ts";
import { effectOf, newPlanFix, readPlanFile } from "../../planner/plan-file/plan-file.ts";
import { nameOfPart, type ReadPlans, readPlans } from "../../planner/plan-file/plan-set.ts";
import type { SignatureRules } from "../../planner/plan-file/plan-signature.ts";
import type { Target } from "../../targets/target.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import { identifyTarget } from "../connect/target-identity.ts";
import { eventsSince, eventText } from "../drift/event-log.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { wasAllowed } from "./allowed-guards.ts";
import { findOwnEffects } from "./own-effects.ts";
import { readPlanText } from "./plan-file.ts";

/**
 * Reads plan files that were approved, from paths relative to the working folder.
 * @throws {ProblemError} `file-read`, and those of `readApprovedPlan`
 */
export function readApprovedPlans(
  { cwd }: Pick<RunContext, "cwd">,
  files: readonly string[],
  rules?: SignatureRules,
): ApprovedPlan[] {
  return files.flatMap((name) => readApproved(name, readPlanText(cwd, name), rules).parts);
}

/** The approved plans in a file, and the digests of the file. */
export interface ApprovedFile extends Pick<ReadPlans, "effectDigest" | "planDigest"> {
  readonly parts: readonly ApprovedPlan[];
}

/**
 * Reads the text of an approved plan, or of the plans of several targets; `name` is its name in messages.
 * @throws {ProblemError} those of `readApprovedPlan`
 */
export function readApproved(name: string, text: string, rules?: SignatureRules): ApprovedFile {
  const { parts, isSet, ...digests } = readPlans(name, text, rules);
  return {
    ...digests,
    parts: parts.map((part) =>
      isSet ? { name: nameOfPart(name, part.plan.target.name), partOf: name, ...part } : { name, ...part },
    ),
  };
}

/**
 * The approved plans for a project, or for the target that it is the view of: of a file with the plans of several
 * targets, only the part of this one.
 * @throws {ProblemError} `plan-target` for a file with a part for a target that the project does not have, or without
 * one for this target, and for files without a plan for one of the selected targets
 */
export function selectParts(
  { targets, selected, view, file }: Pick<Project, "targets" | "selected" | "view" | "file">,
  approved: readonly ApprovedPlan[],
): ApprovedPlan[] {
  const known = new Set<string | undefined>(targets.map(({ name }) => name));
  for (const set of new Set(approved.flatMap(({ partOf }) => partOf ?? []))) {
    const names = approved.filter(({ partOf }) => partOf === set).map(({ plan }) => plan.target.name);
    const gone = names.find((name) => !known.has(name));
    if (gone !== undefined)
      throw planError("plan-target", `${set} has a part for the target ${gone}, which ${file} does not have`);
    if (view && !names.includes(view.name))
      throw planError("plan-target", `${set} has no part for the target ${view.name}`);
  }
  if (
    !view &&
    selected.length > 0 &&
    !selected.some(({ name }) => approved.some(({ plan }) => plan.target.name === name))
  )
    throw planError("plan-target", otherTargets(approved, selected));
  return approved.filter(({ partOf, plan }) => partOf === undefined || !view || plan.target.name === view.name);
}

function otherTargets(approved: readonly ApprovedPlan[], selected: Project["selected"]): string {
  const files = new Set(approved.map(({ name, partOf }) => partOf ?? name));
  const names = approved.flatMap(({ plan }) => plan.target.name ?? []);
  const planned = names.length === 0 ? "a project without targets" : `the target ${names.join(", ")}`;
  return `${[...files].join(", ")} is for ${planned}, but this is for the targets ${selected.map(({ name }) => name).join(", ")}`;
}

/**
 * Reads the text of an approved plan; `name` is its name in messages.
 * @throws {ProblemError} `plan-syntax`, `plan-format`, `plan-shape`, `plan-digest`, `plan-signature`
 */
export function readApprovedPlan(name: string, text: string, rules?: SignatureRules): ApprovedPlan {
  return { name, ...readPlanFile(name, text, rules) };
}

/**
 * Checks that approved plans are for this API and account.
 * @throws {ProblemError} `plan-target`
 */
export async function checkTargets(
  { signal }: RunContext,
  connection: ReadingConnection,
  approved: readonly ApprovedPlan[],
): Promise<void> {
  const now = await identifyTarget(connection, signal);
  for (const { name, plan } of approved) checkTarget(plan, now, name);
}

/** Approved plans that were looked for, and why others approve nothing. */
export interface FoundPlans {
  readonly plans: readonly ApprovedPlan[];
  /** Shown only if an effect is not approved. */
  readonly refusals: readonly Problem[];
  /** How to have effects approved. */
  readonly fix: Fix;
}

/** Looks for approved plans once a plan has effects. */
export type FindPlans = () => Promise<FoundPlans>;

/**
 * Leaves out found plans for another API or account.
 * @throws {ProblemError} if the account cannot be read
 */
export async function selectTargets(
  { signal }: RunContext,
  connection: ReadingConnection,
  { plans, refusals, fix }: FoundPlans,
): Promise<FoundPlans> {
  const now = plans.length === 0 ? undefined : await identifyTarget(connection, signal);
  const judged = plans.map((one) => ({ one, wrong: now && findProblem(() => checkTarget(one.plan, now, one.name)) }));
  return {
    plans: judged.filter(({ wrong }) => wrong === undefined).map(({ one }) => one),
    refusals: [...refusals, ...judged.flatMap(({ wrong }) => wrong ?? [])],
    fix,
  };
}

/** A new plan of the checked-out files, and the live zones that it was made from. */
export interface PlanToAdmit {
  readonly project: Project;
  readonly target: Target;
  readonly plan: Plan;
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

/** The first pass of an apply on several targets, which the second one completes. */
export interface FirstPass {
  /** The run that it made, if it wrote something: it does not use up the plan files of the second. */
  readonly run: string | undefined;
  /** The zones that it created: the NS records that they still wait for are part of the creation. */
  readonly created: ReadonlySet<NameKey>;
}

/** The approvals of a plan. */
export interface Admission {
  readonly notes: readonly Problem[];
  /** The approved plans, for the journal. */
  readonly origin: Pick<About, "approvedPlans">;
  /** Whether an approved plan allowed what a guard blocks, for the same findings. */
  readonly isAllowed: (block: GuardBlock) => boolean;
}

/**
 * Admits a plan if approved plans include all of its effects. A plan that has expired approves nothing, and one that
 * was applied approves nothing in the zones of that run.
 * @throws {ProblemError} `plan-effects`, `plan-expired`, `plan-consumed`, `plan-stale`, `plan-events`,
 * `plan-rolled-back`
 */
export async function admitApproved(
  context: RunContext,
  { project, target, plan, live }: PlanToAdmit,
  { plans: approved, refusals, fix }: FoundPlans,
  firstPass?: FirstPass,
): Promise<Admission> {
  const effects = effectsOf(plan);
  const folder = stateFolder(project);
  const runs = listRuns(folder).filter(({ id }) => id !== firstPass?.run);
  const { usable, unusable } = splitUsable(approved, runs, context.now());
  const { approvals, unapproved, halves } = findApprovals(effects, usable, live);
  if (unapproved.length > 0) {
    const past = findApprovals(
      unapproved,
      unusable.map(({ approved }) => approved),
      live,
    );
    const names = new Set(past.approvals.map(({ plan }) => plan));
    const reasons = unusable.filter(({ approved }) => names.has(approved.plan)).map(({ reason }) => reason);
    const others = past.unapproved;
    const zones = new Set(others.map(({ zone }) => zone));
    const stale = usable.flatMap(({ plan }) => otherDomains(plan, live, (zone) => zones.has(zone)));
    const events = others.length === 0 ? [] : await changesSince(context, target, approved, others);
    if (stale.length > 0) throw new ProblemError([...stale, ...events]);
    const unapprovedOnes = unapprovedProblems(others, plan, { approved: usable, halves, fix });
    throw new ProblemError([...reasons, ...refusals.slice(0, mostRefusals), ...unapprovedOnes, ...events]);
  }
  const notes: Problem[] = [];
  for (const approval of approvals) {
    const { plan: file } = approval;
    const events = await eventsSince(inZonesOf(approval), target, context.signal);
    const stale = checkDomains(approval, live);
    if (stale.length > 0) throw new ProblemError([...stale, ...events.notes]);
    if (events.unknown !== undefined && target.capabilities.events)
      throw new ProblemError(eventsProblem(approval, events.unknown));
    const mine = findOwnEffects(folder, file.nonce);
    checkRolledBack(file, approval.effects, live, { events: events.events, textOf: eventText, mine });
    notes.push(approvalNote(approval, effects), ...events.notes);
  }
  return {
    notes: notes.filter(({ summary }, index) => notes.findIndex((one) => one.summary === summary) === index),
    origin: approvals.length === 0 ? {} : { approvedPlans: approvals.map(digestsOf) },
    isAllowed: (block) =>
      approvals.some(
        ({ plan }) => coversFindings(plan, block.findings) && plan.guards.some((entry) => wasAllowed(entry, block)),
      ),
  };
}

/** The most refusals of pull requests that are shown, those of the last ones. */
const mostRefusals = 5;

/** An approved plan that approves nothing any more, and why. */
interface UnusablePlan {
  readonly approved: ApprovedPlan;
  readonly reason: Problem;
}

/** Divides approved plans, zone by zone, into those that still approve their effects and the others. */
function splitUsable(approved: readonly ApprovedPlan[], runs: readonly PastRun[], now: Date) {
  const usable: ApprovedPlan[] = [];
  const unusable: UnusablePlan[] = [];
  for (const one of approved) {
    const expired = findProblem(() => checkExpiry(one.plan, now, one.name));
    if (expired) {
      unusable.push({ approved: one, reason: expired });
      continue;
    }
    const applied = findAppliedZones(one.plan, runs);
    usable.push(ofZones(one, (zone) => !applied.has(zone)));
    for (const run of new Set(applied.values())) {
      const reason = planError("plan-consumed", `${one.name} was already applied: run ${run.id} of ${run.begun}`);
      unusable.push({ approved: ofZones(one, (zone) => applied.get(zone) === run), reason: reason.problem });
    }
  }
  return { usable, unusable };
}

function ofZones({ plan, ...rest }: ApprovedPlan, isIncluded: (zone: NameKey) => boolean): ApprovedPlan {
  return { ...rest, plan: { ...plan, changes: plan.changes.filter(({ zone }) => isIncluded(zone)) } };
}

function findProblem(check: () => void): Problem | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
}

/** The plan of an approval with the zones of its effects only. */
function inZonesOf({ plan, effects }: Pick<Approval, "plan" | "effects">): ApprovedPlan["plan"] {
  const names = new Set(effects.map(({ zone }) => zone));
  const zones = plan.observed.zones.filter(({ zone }) => names.has(zone));
  return { ...plan, observed: { ...plan.observed, zones } };
}

/** Notes on who changed the zones of unapproved effects since the newest of the plans was made. */
export async function changesSince(
  { signal }: RunContext,
  target: Target,
  approved: readonly ApprovedPlan[],
  effects: readonly Effect[],
): Promise<readonly Problem[]> {
  const [newest] = sortNewest(approved);
  if (newest === undefined) return [];
  const { notes } = await eventsSince(inZonesOf({ ...newest, effects }), target, signal);
  return notes;
}

/** Without the events, an approval could be used again after its change was reverted. */
function eventsProblem({ name }: Approval, why: string): Problem {
  return problem("plan-events", `cannot tell whether ${name} was already used, or its changes reverted: ${why}`, {
    severity: "error",
    fix: advise`Nothing was written. ${newPlanFix} Only events since then are read. The tokens of plan and apply need the scope \`events:read_only\` for them.`,
  });
}

function approvalNote({ name, plan, signedBy, effects }: Approval, needed: readonly Effect[]): Problem {
  const [all, own] = [countChanges(needed), countChanges(effects)];
  const what = own < all ? `${own} of ${all} changes` : all === 1 ? "the change" : `all ${all} changes`;
  const rest = own < all ? 0 : countChanges(plan.changes.map(effectOf)) - own;
  const more =
    rest > 0 ? `; ${count(rest, "other change")} of it ${rest === 1 ? "is" : "are"} done already, or left out` : "";
  const signed = signedBy === undefined ? "" : ` (signed with the key ${signedBy})`;
  return problem("plan-approved", `${name} approves ${what}${more}${signed}`);
}

/** The number of changes as a plan counts them: a zone is created with its settings. */
function countChanges(effects: readonly Pick<Effect, "zone" | "kind" | "after">[]): number {
  const created = new Set(
    effects.flatMap(({ zone, kind, after }) => (kind === "domain" && after !== null ? [zone] : [])),
  );
  return effects.filter(({ zone, kind }) => kind !== "setting" || !created.has(zone)).length;
}

function digestsOf({ plan: { nonce, effectDigest, planDigest }, signedBy }: Approval) {
  return { nonce, effectDigest, planDigest, ...(signedBy !== undefined && { signedBy }) };
}
