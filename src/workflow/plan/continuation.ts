import { advise } from "../../diagnostics/advice.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { Approved } from "../../executor/journal/journal-line.ts";
import { type About, listRuns, newestRuns, type Run, readRun } from "../../executor/journal/runs.ts";
import { revertRun } from "../../executor/revert-run.ts";
import { isRemainderOf } from "../../planner/approval/remainder.ts";
import type { JudgedBlock } from "../../planner/blocks/acks.ts";
import type { GuardBlock } from "../../planner/blocks/find-blocks.ts";
import { isBlockOf } from "../../planner/blocks/guards.ts";
import type { Plan, PlanCapabilities, ZonePlan } from "../../planner/changes/change.ts";
import { canonicalJson } from "../../planner/changes/digests.ts";
import { digestPlan } from "../../planner/changes/effects.ts";
import { planZone } from "../../planner/plan.ts";
import type { Connection } from "../connect/connection.ts";
import type { Project } from "../project/project.ts";
import { stateFolder } from "../project/state-folder.ts";

/** The interrupted or partial run that an apply continues. */
export interface ContinuedRun {
  readonly run: Run;
  /** The zones as they were before it, and before the runs that it continued. */
  readonly before: (live: ReadonlyMap<NameKey, LiveZone>) => ReadonlyMap<NameKey, LiveZone>;
  /** Its approvals; empty if their signature is invalid. */
  readonly guards: Approved["guards"];
  /** Whether its approvals count without being given again. */
  readonly isExplicit: boolean;
}

/** The input of the guards: a zone that is continued is judged as a whole, from before the first of its runs. */
interface GuardInput {
  readonly plan: Plan;
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  /** The zones that are continued. */
  readonly continued: ReadonlySet<NameKey>;
}

/**
 * Replaces in a plan the zones whose remainder is a part of the run that is continued: they are judged as a whole, so
 * that approvals cover the same effects as before and a zone that was created in part is still a new one. A zone that
 * was edited since, live or in its file, is judged by what remains.
 */
export function prepareGuardInput(
  plan: Plan,
  {
    desired,
    live,
    capabilities,
  }: {
    readonly desired: readonly DesiredZone[];
    readonly live: ReadonlyMap<NameKey, LiveZone>;
    readonly capabilities: PlanCapabilities;
  },
  earlier: ContinuedRun | undefined,
): GuardInput {
  const continued = new Set<NameKey>();
  if (!earlier) return { plan, live, continued };
  const judged = new Map(live);
  const zones = new Map(plan.zones.map((zone) => [nameKey(zone.zone.name), zone]));
  const before = earlier.before(live);
  const digests = new Map(earlier.run.approved?.zones.map(({ zone, effects }) => [nameKey(zone), effects]));
  for (const zone of desired) {
    const name = nameKey(zone.name);
    const remainder = zones.get(name);
    const whole = digests.has(name) ? planZone(zone, before.get(name), capabilities) : undefined;
    if (!whole || digestOf(whole) !== digests.get(name) || (remainder && !isRemainderOf(remainder, whole))) continue;
    continued.add(name);
    zones.set(name, whole);
    const stored = before.get(name);
    if (stored) judged.set(name, stored);
    else judged.delete(name);
  }
  return { plan: { ...plan, zones: [...zones.values()] }, live: judged, continued };
}

function digestOf(zone: ZonePlan): string {
  return digestPlan({ zones: [zone] });
}

/** Whether the run that is continued had the approval of a block, for the same effects and facts. */
export function wasApproved({ guards }: ContinuedRun, block: GuardBlock): boolean {
  return guards.some(
    ({ guard, zone, effects }) => isBlockOf(guard, block) && zone === block.zone && effects === block.effectDigest,
  );
}

/** A note on approvals of an unfinished run that do not count. */
export function noteApprovals({ run, guards, isExplicit }: ContinuedRun, blocks: readonly JudgedBlock[]): Problem[] {
  const blocking = blocks.filter(({ state }) => state === "blocked");
  const { guards: known = [] } = run.approved ?? {};
  const isKnown = blocking.some((block) =>
    known.some(({ guard, zone }) => isBlockOf(guard, block) && zone === block.zone),
  );
  if (!isKnown) return [];
  if (guards.length === 0)
    return [
      problem(
        "run-approvals",
        `the approvals of run ${run.id} are not valid here: they were given with another token, or its journal was edited`,
      ),
    ];
  const what = `run ${run.id} was approved`;
  if (isExplicit) return [problem("run-approvals", `${what} for other changes than those that are blocked now`)];
  return [
    problem(
      "run-approvals",
      advise`${what} and did not finish: ${{ run: "apply", with: { resume: true } }} continues it with its approvals`,
    ),
  ];
}

/** The approvals of a run for its journal. */
export function collectApprovals(
  { plan, continued }: GuardInput,
  guards: readonly JudgedBlock[],
  earlier: ContinuedRun | undefined,
): Unsigned {
  return {
    zones: plan.zones.map((zone) => ({
      zone: zone.zone.name,
      effects: digestOf(zone),
      ...(continued.has(nameKey(zone.zone.name)) && { continues: true as const }),
    })),
    guards: guards.map(({ guard, zone, effectDigest }) => ({ guard, zone, effects: effectDigest })),
    ...(earlier && continued.size > 0 && { continues: earlier.run.id }),
  };
}

/** Approvals without their signature. */
export type Unsigned = Omit<Approved, "signature">;

/** Signs the approvals of a run, so that only holders of the token can add one. */
export function signApprovals({ api, sign }: Connection, approved: Unsigned): Pick<About, "approved"> {
  return sign ? { approved: { ...approved, signature: sign(describeApprovals(api, approved)) } } : {};
}

/** The text that the signature of approvals covers. */
function describeApprovals(api: string, approved: Unsigned): string {
  return canonicalJson({ api, ...approved });
}

/** The last run, if it was interrupted or did not finish and is of the kind that is continued. */
export function findContinued(
  project: Project,
  { api, sign }: Connection,
  { isContinued, isExplicit }: { isContinued: (run: Run) => boolean; isExplicit: boolean },
): ContinuedRun | undefined {
  const folder = stateFolder(project);
  const [newest] = newestRuns(folder);
  const run = newest?.summary();
  if (run?.approved === undefined || run.state === "done" || run.api !== api || !isContinued(run)) return undefined;
  const { signature, ...approved } = run.approved;
  const isSigned = signature === sign?.(describeApprovals(api, approved));
  return {
    run,
    before: (live) => revertRuns(folder, listRuns(folder), live, project.target.capabilities),
    guards: isSigned ? approved.guards : [],
    isExplicit,
  };
}

/** Reverts the last run, and the runs that it continued in the zones that it continued. */
function revertRuns(
  folder: string,
  runs: readonly Run[],
  live: ReadonlyMap<NameKey, LiveZone>,
  capabilities: Project["target"]["capabilities"],
) {
  let zones = live;
  let included: ReadonlySet<NameKey> = new Set(live.keys());
  for (let run = runs.at(-1); run; ) {
    const earlier = revertRun(readRun(folder, run.id), zones, capabilities);
    const known = included;
    zones = new Map(
      [...zones].flatMap(([name, zone]) => {
        const before = known.has(name) ? earlier.get(name) : zone;
        return before ? [[name, before] as const] : [];
      }),
    );
    const { continues, zones: judged = [] } = run.approved ?? {};
    included = new Set(judged.flatMap((zone) => (zone.continues ? [nameKey(zone.zone)] : [])));
    run = runs.find(({ id }) => id === continues && id < (run?.id ?? ""));
  }
  return zones;
}
