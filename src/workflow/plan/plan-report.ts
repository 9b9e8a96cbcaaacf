import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone } from "../../dns/zone/desired-live.ts";
import { forecast } from "../../executor/journal/writes.ts";
import type { JudgedBlock } from "../../planner/blocks/acks.ts";
import { judgeBlocks } from "../../planner/blocks/acks.ts";
import type { ZoneElsewhere } from "../../planner/blocks/contexts.ts";
import { findGuardBlocks, type GuardBlock } from "../../planner/blocks/find-blocks.ts";
import { isBlockOf } from "../../planner/blocks/guards.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { planZoneWrites as makePlan } from "../../planner/plan.ts";
import type { ZoneFinding } from "../drift/finding.ts";
import type { SilentServer } from "../name-servers/entering.ts";
import { runWork } from "../project/progress.ts";
import { type Project, toName } from "../project/project.ts";
import { acksOf, findAcksWithoutTarget } from "../project/project-acks.ts";
import { shownTarget } from "../project/targets.ts";
import { noteMembers, noteProperties } from "../zones/catalog.ts";
import { findDangling } from "../zones/dangling.ts";
import { limitNotes } from "../zones/kept-settings.ts";
import type { SkippedZone } from "../zones/skip-invalid.ts";
import { readAllowedGuards } from "./allowed-guards.ts";
import {
  type ContinuedRun,
  collectApprovals,
  noteApprovals,
  prepareGuardInput,
  type Unsigned,
  wasApproved,
} from "./continuation.ts";
import { type Observation, type PlanningOptions, type PlanScope, zonesBeside } from "./observe.ts";
import { lockNotes, refuseDeletions, refuseTooLarge, selectFindings } from "./plan-findings.ts";

/** A plan with its notes, guards and costs. */
export interface PlanReport {
  readonly plan: Plan;
  /** The first line of a plan that continues an undo or reverts one. */
  readonly purpose?: string;
  /** All zones of the plan's scope as their files describe them, also those in sync. */
  readonly desired?: readonly DesiredZone[];
  /** Zones of the scope that the plan leaves out. */
  readonly skipped?: readonly SkippedZone[];
  /** Name servers to come that do not answer with their zones yet, so that apply leaves their NS records out. */
  readonly silent?: readonly SilentServer[];
  readonly notes: readonly Problem[];
  /** Changes that guards block, each with its approval if it has one. */
  readonly guards: readonly JudgedBlock[];
  /** The proposed last day of an acknowledgement. */
  readonly ackUntil: string;
  /** The number of requests sent. */
  readonly reads: number;
  /** The writes of `apply`, the requests that carry them, and its reads. */
  readonly writes: number;
  readonly writeRequests: number;
  readonly applyReads: number;
  /** The rate limit that the service announces; undefined if it was not asked. */
  readonly limit: number | "unlimited" | undefined;
  /** Changes outside git that the plan undoes; absent if they were not looked for. */
  readonly handEdits?: readonly ZoneFinding[];
  /** The command that applies the plan. */
  readonly next?: string;
  /** The commit that is checked out; absent outside of git. */
  readonly commit?: string;
  /** When the live zones were read, and whether from the service or from a snapshot. */
  readonly observed?: { readonly from: "service" | "snapshot"; readonly time: Date };
}

/** A plan, and its approvals for the journal of its run. */
export interface PlanToApprove extends PlanReport {
  readonly approvals: () => Unsigned;
}

export interface ObservedPlan extends Omit<PlanToApprove, "desired" | "skipped" | "silent">, Observation {}

/** Approvals that were given earlier. */
export interface EarlierApprovals {
  /** Whether plan files approved a block. */
  readonly isAllowed?: (block: GuardBlock) => boolean;
  readonly ofRun?: ContinuedRun | undefined;
}

const loweredTtlNotes = async (project: Project, plan: Plan) =>
  project.target.ttlLimit === undefined
    ? []
    : (await import("../drift/lowered-ttls.ts")).loweredTtlNotes(project, plan);

/** @throws {ProblemError} `delete-zone-unknown` for domains that do not exist. */
function refuseUnknown({ deleteZone = [] }: PlanningOptions, { live }: Observation, { target, view }: Project): void {
  const gone = deleteZone.filter((name) => !live.has(nameKey(toName(name))));
  if (gone.length === 0) return;
  if (target.capabilities.zones === "neither")
    throw problemError("delete-zone-unknown", `zones of the ${target.name} cannot be deleted by zonewright`, {
      fix: advise`Leave out ${{ set: "deleteZone" }}, and have the operator of the service remove the zone.`,
    });
  const [reason, place] =
    (view?.kind ?? "api") === "api"
      ? ["the account has no such domain, or it is not visible to this token", "domain of the account"]
      : [`the ${target.name} has no such zone`, `zone of the ${target.name}`];
  throw new ProblemError(
    gone.map((name) =>
      problem("delete-zone-unknown", `${escapeControl(name)} cannot be deleted: ${reason}`, {
        fix: advise`Name a ${place}. ${{ run: "plan" }} lists those without a zone file.`,
      }),
    ),
  );
}

/** Compares desired and live zones. If zones are named, the others are not reported as unmanaged. */
export async function buildPlan(
  scope: PlanScope,
  observed: Observation,
  earlier: EarlierApprovals = {},
): Promise<ObservedPlan> {
  const plan = await makePlanOf(scope, observed);
  return { ...observed, ...(await reportPlan(scope, plan, observed, earlier)) };
}

/** The plan of a scope, without guards and notes. */
export async function makePlanOf({ project, options, isAll }: PlanScope, observed: Observation): Promise<Plan> {
  refuseUnknown(options, observed, project);
  refuseDeletions(project.target, observed.deletions);
  const context = { ...observed, unmanaged: isAll ? observed.others : [] };
  const plan = await runWork(project, makePlan(observed.desired, observed.live, context));
  refuseTooLarge(plan);
  return plan;
}

/** Adds guards and notes to a plan. */
export async function reportPlan(
  scope: PlanScope,
  plan: Plan,
  { desired, live, others, neighbors, notes, reads, limit, capabilities, freed, skipped, silent, ...more }: Observation,
  { isAllowed: isAllowedByFiles, ofRun }: EarlierApprovals = {},
): Promise<PlanToApprove> {
  const { project, options, isAll } = scope;
  const { config, today } = project;
  const names = new Set([...desired, ...plan.deletions].map(({ name }) => nameKey(name)));
  const judged = prepareGuardInput(plan, { desired, live, capabilities }, ofRun);
  const around = new Map([...judged.live, ...neighbors.map((zone) => [nameKey(zone.name), zone] as const)]);
  const ofSkipped = skipped.flatMap(({ name }) => {
    const zone = live.get(name);
    return zone ? [{ ...zone, isWhole: zone.settings.type !== "slave" }] : [];
  });
  let elsewhere: readonly ZoneElsewhere[] | undefined = isAll ? ofSkipped : undefined;
  let isMissing = false;
  const find = () => {
    const work = findGuardBlocks(judged.plan, around, config.guards, {
      settings: capabilities.settings,
      elsewhere: () => {
        isMissing = elsewhere === undefined;
        return elsewhere ?? [];
      },
      unseen: others,
      freed: freed.freed,
      nameservers: config.nameservers.map(toName),
      ...(more.inUse && { inUse: more.inUse }),
      ...(more.unanswered && { unanswered: more.unanswered }),
    });
    return runWork(project, work);
  };
  let blocks = await find();
  if (isMissing) {
    const known = new Set([...names, ...skipped.map(({ name }) => name)]);
    elsewhere = [...ofSkipped, ...(await zonesOutside(scope, known))];
    blocks = await find();
  }
  const isDescribed = new Set([...names, ...skipped.map(({ name }) => name)]);
  const outside = new Set([...skipped.map(({ name }) => name), ...plan.unmanaged.map(nameKey)]);
  const isKnown = (zone: NameKey | "*") => zone === "*" || !isAll || names.has(zone) || outside.has(zone);
  const isPlanned = (zone: NameKey | "*") => (zone === "*" ? isAll : names.has(zone));
  const allowed = readAllowedGuards(options.allow ?? []);
  const isAllowed = (one: GuardBlock) =>
    allowed.some((id) => isBlockOf(id, one)) ||
    isAllowedByFiles?.(one) ||
    (ofRun?.isExplicit === true && wasApproved(ofRun, one));
  const { guards, problems } = judgeBlocks(blocks, {
    target: shownTarget(project),
    isAllowed,
    acks: acksOf(project),
    today,
    isPlanned,
    isKnown,
  });
  const changing = new Set([...plan.zones.map(({ zone }) => zone), ...plan.deletions].map(({ name }) => nameKey(name)));
  const isOpen = ({ zone, state }: JudgedBlock) => state === "blocked" || zone === "*" || changing.has(zone);
  const cost = forecast(plan, live, capabilities);
  const catalog = desired.find(({ isCatalog }) => isCatalog);
  const ackUntil = new Date(Date.parse(today) + ackDays * 86_400_000).toISOString().slice(0, 10);
  return {
    plan,
    notes: [
      ...selectFindings(plan, live, notes),
      ...limitNotes(plan),
      ...lockNotes(plan, capabilities),
      ...(await loweredTtlNotes(project, plan)),
      ...findDangling(project, { desired, live }, freed),
      ...problems,
      ...findAcksWithoutTarget(project),
      ...noteProperties(catalog, catalog && live.get(nameKey(catalog.name))),
      ...(isAll ? noteMembers(catalog, isDescribed) : []),
      ...(ofRun ? noteApprovals(ofRun, guards) : []),
    ],
    // Blocks of zones that the earlier run has completed no longer matter.
    guards: guards.filter(isOpen),
    approvals: () => collectApprovals(judged, guards, ofRun),
    ackUntil,
    reads,
    writes: cost.writes,
    writeRequests: cost.writeRequests,
    applyReads: cost.reads,
    limit,
    skipped,
    silent,
  };
}

/** The project's other zones, from their files. */
async function zonesOutside(
  scope: Omit<PlanScope, "isAll">,
  names: ReadonlySet<NameKey>,
): Promise<readonly ZoneElsewhere[]> {
  const { manage, ignore } = scope.project.config;
  return (await zonesBeside(scope)).flatMap(({ zone }) => {
    const isWhole =
      zone.settings.type !== "slave" &&
      (zone.scope?.manage ?? manage) === "all" &&
      ignore.length + (zone.scope?.ignore.length ?? 0) === 0;
    return names.has(nameKey(zone.name)) ? [] : [{ ...zone, isWhole }];
  });
}

/** The default lifetime of an acknowledgement, in days. */
const ackDays = 30;
