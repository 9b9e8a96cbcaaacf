import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { newPlanFix } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";

/** A run, from its journal. */
export interface PastRun {
  readonly id: string;
  /** Times in ISO 8601, UTC. */
  readonly begun: string;
  readonly state: "done" | "partly" | "unfinished";
  /** The commit that it applied. */
  readonly commit?: string | undefined;
  readonly zones: readonly Name[];
  /** The plan files that approved its effects. */
  readonly approvedPlans?: readonly { readonly nonce: string }[] | undefined;
}

/** Whether the first commit is the second one or an ancestor of it; undefined if git cannot tell. */
export type Precedes = (commit: string, other: string) => boolean | undefined;

/**
 * Checks that the plan was made for this API and account. If one of the accounts could not be read, the ids of the
 * domains are checked later.
 * @throws {ProblemError} `plan-target`
 */
export function checkTarget({ target }: PlanFile, now: PlanFile["target"], name: string): void {
  if (target.name !== now.name) {
    const planned = target.name === undefined ? "a project without targets" : `the target ${target.name}`;
    const here = now.name === undefined ? "this project has no targets" : `this is the target ${now.name}`;
    throw planError("plan-target", `${name} is for ${planned}, but ${here}`);
  }
  if (target.api !== now.api)
    throw planError("plan-target", `${name} is for the API ${target.api}, but this is ${now.api}`);
  if (target.account !== null && now.account !== null && target.account !== now.account)
    throw planError(
      "plan-target",
      `${name} is for the account ${target.account}, but this token belongs to ${now.account}`,
    );
}

/**
 * Checks that changes in these zones since planning are not those of a later run, which this plan would mix with.
 * @throws {ProblemError} `plan-superseded`
 */
export function checkSuperseded(
  { plan, name }: { readonly plan: PlanFile; readonly name: string },
  zones: ReadonlySet<NameKey>,
  runs: readonly PastRun[],
  precedes: Precedes,
): void {
  const newest = runs
    .filter((run) => run.state !== "unfinished" && !isRunOf(run, [plan]))
    .findLast((run) => run.zones.some((zone) => zones.has(nameKey(zone))));
  if (newest === undefined || !isOlder(plan, newest, precedes)) return;
  const what = newest.commit === undefined ? "another run" : `a run of the commit ${newest.commit.slice(0, 12)}`;
  throw planError(
    "plan-superseded",
    `${name} is older than ${what} in the same zones: ${newest.id} of ${newest.begun}`,
  );
}

/** Whether a run applied what plans approved, and only these plans. */
export function isRunOf({ approvedPlans = [] }: PastRun, plans: readonly PlanFile[]): boolean {
  return approvedPlans.length > 0 && approvedPlans.every((one) => plans.some(({ nonce }) => nonce === one.nonce));
}

/** The zones in which an approved plan was applied, and these runs. It approves nothing there any more. */
export function findAppliedZones({ nonce }: PlanFile, runs: readonly PastRun[]): Map<NameKey, PastRun> {
  const own = runs.filter((run) => run.state === "done" && run.approvedPlans?.some((one) => one.nonce === nonce));
  return new Map(own.flatMap((run) => run.zones.map((zone) => [nameKey(zone), run] as const)));
}

/** Compares by the history of the commits, or by time if that cannot tell. */
function isOlder({ source, observed }: PlanFile, run: PastRun, precedes: Precedes): boolean {
  if (source.commit !== undefined && run.commit !== undefined) {
    if (source.commit === run.commit || precedes(run.commit, source.commit) === true) return false;
    const before = precedes(source.commit, run.commit);
    if (before !== undefined) return before;
  }
  return observed.time < run.begun;
}

/** @throws {ProblemError} `plan-expired` */
export function checkExpiry({ expires }: PlanFile, now: Date, name: string): void {
  if (new Date(expires) <= now) throw planError("plan-expired", `${name} expired at ${expires}`);
}

export function planError(id: ProblemId, summary: string): ProblemError {
  return problemError(id, summary, { fix: newPlanFix });
}
