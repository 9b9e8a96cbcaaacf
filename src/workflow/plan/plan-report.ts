import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { hasErrors, type Problem, ProblemError, problem, problemError, usageError } from "../../diagnostics/problem.ts";
import { isSameName, type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import { membersOf } from "../../dns/zone/catalog-zone.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { hasProblem } from "../../executor/journal/apply-problems.ts";
import { forecast } from "../../executor/journal/writes.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { findStatedName } from "../../formats/stated-name.ts";
import type { JudgedBlock } from "../../planner/blocks/acks.ts";
import { judgeBlocks } from "../../planner/blocks/acks.ts";
import type { ZoneElsewhere } from "../../planner/blocks/contexts.ts";
import { findGuardBlocks, type GuardBlock } from "../../planner/blocks/find-blocks.ts";
import { findGuard, guardIds, isBlockOf } from "../../planner/blocks/guards.ts";
import type { Plan } from "../../planner/changes/change.ts";
import { type Dependent, findDependents } from "../../planner/dependents.ts";
import { eachOf } from "../../planner/order/work.ts";
import { createNeighborTest, planZoneWrites as makePlan, planZone } from "../../planner/plan.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import { headOfZone } from "../../targets/by-content.ts";
import { readLive } from "../../targets/read-live.ts";
import type { FreedAddresses, Live, PlanningTarget } from "../../targets/target.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import type { ZoneFinding } from "../drift/finding.ts";
import type { SilentServer, SilentServers } from "../name-servers/entering.ts";
import { reportLive, runWork } from "../project/progress.ts";
import { type Project, toName } from "../project/project.ts";
import { acksOf, findAcksWithoutTarget } from "../project/project-acks.ts";
import type { RunContext } from "../project/run-context.ts";
import { shownTarget } from "../project/targets.ts";
import type { SnapshotToPlan } from "../snapshot/snapshot.ts";
import {
  type CatalogSettings,
  catalogSettings,
  desiredCatalog,
  noteMembers,
  noteProperties,
} from "../zones/catalog.ts";
import { findDangling, readFreed } from "../zones/dangling.ts";
import {
  disabledNotes,
  findUnactivated,
  limitNotes,
  unusualNotes,
  withoutSecondaries,
  withoutTypes,
} from "../zones/kept-settings.ts";
import { assumeAddresses } from "../zones/resolve-nodes.ts";
import { type SkippedZone, skippedDependent, skippedNote, validZones } from "../zones/skip-invalid.ts";
import { existingZones, type ReadZones } from "../zones/zones.ts";
import {
  type ContinuedRun,
  collectApprovals,
  noteApprovals,
  prepareGuardInput,
  type Unsigned,
  wasApproved,
} from "./continuation.ts";
import { checkWithLive, lockNotes, refuseDeletions, refuseTooLarge, selectFindings } from "./plan-findings.ts";

export interface PlanningOptions {
  readonly allow?: readonly string[];
  /** Domains to delete, as named on the command line. */
  readonly deleteZone?: readonly string[];
  /** Whether zones with errors, and those that need them, are left out instead of stopping the plan. */
  readonly skipInvalid?: boolean;
  /** Whether NS records are left out until their servers answer, as for writes; a plan to review has them. */
  readonly holdsServers?: boolean;
}

/** The zones that a plan is made from, desired and live. */
export interface Observation {
  readonly desired: readonly DesiredZone[];
  readonly notes: readonly Problem[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  /** Zones of the account that no file describes. */
  readonly others: readonly Name[];
  /** The zones among `others` above or below which the plan starts or stops serving a zone. */
  readonly neighbors: readonly LiveZone[];
  /** Domains to delete, with their live data. */
  readonly deletions: readonly LiveZone[];
  /** The number of requests sent. */
  readonly reads: number;
  /** The rate limit that the service announces; undefined for a snapshot. */
  readonly limit: number | "unlimited" | undefined;
  readonly capabilities: PlanningTarget["capabilities"];
  /** Live zones that runs of the project left disabled, or whose activation an undo restores. */
  readonly unactivated: ReadonlySet<NameKey>;
  /** The addresses in these zones that a node of the account had and none has now. */
  readonly freed: FreedAddresses;
  /** Zones that were left out. Those that exist are in `live`. */
  readonly skipped: readonly SkippedZone[];
  /** Name servers to come that do not answer with their zones yet. */
  readonly silent: readonly SilentServer[];
  /** Why resolvers may still ask the target for zones to delete that others go on to serve. */
  readonly inUse?: ReadonlyMap<NameKey, readonly string[]>;
}

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
  /** The number of requests sent, and of writes and reads needed to apply the plan. */
  readonly reads: number;
  readonly writes: number;
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

/** The scope of a plan: the named zones, or all. */
export interface PlanScope {
  readonly project: Project;
  readonly options: PlanningOptions;
  readonly isAll: boolean;
  /** Zones that a plan file left out. */
  readonly leftOut?: readonly NameKey[];
}

const checkPrimaries = async (...known: Parameters<typeof import("../drift/known-primaries.ts").checkPrimaries>) =>
  (await import("../drift/known-primaries.ts")).checkPrimaries(...known);

const checkAbsent = async (...known: Parameters<typeof import("./absent-zones.ts").checkAbsent>) =>
  known[0].capabilities.zones === "neither" ? (await import("./absent-zones.ts")).checkAbsent(...known) : [];

// Loaded on use: a project with one target needs none of it.
const loadEntering = () => import("../name-servers/entering.ts");

const loadLeaving = () => import("../name-servers/leaving.ts");
const loadSigning = () => import("../name-servers/signing.ts");

const findSilent = async (...asked: Parameters<typeof import("../name-servers/entering.ts").findSilentServers>) =>
  (await loadEntering()).findSilentServers(...asked);

const silentNotes = async (silent: readonly SilentServer[]) =>
  silent.length === 0 ? [] : silent.map((await loadEntering()).silentNote);

const noSilent: SilentServers = { silent: [], own: [] };

async function holdSilent(
  desired: readonly DesiredZone[],
  live: Observation["live"],
  servers: SilentServers,
): Promise<readonly DesiredZone[]> {
  if (servers.silent.length === 0) return desired;
  const { withoutSilent } = await loadEntering();
  return desired.map((zone) => withoutSilent(zone, live.get(nameKey(zone.name)), servers));
}

const loweredTtlNotes = async (project: Project, plan: Plan) =>
  project.target.ttlLimit === undefined
    ? []
    : (await import("../drift/lowered-ttls.ts")).loweredTtlNotes(project, plan);

/** A service to plan for, or a snapshot of it, and the address of the service. */
interface PlannedService {
  readonly target: PlanningTarget;
  readonly api: string;
}

/** The address of a service, or of that of a snapshot. */
export function addressOf(from: ReadingConnection | SnapshotToPlan): string {
  return "api" in from ? from.api : from.source.api;
}

/** Reads the zones of the scope, desired and live. */
export async function observe(
  { project, options, leftOut = [] }: Omit<PlanScope, "isAll">,
  { target, api }: PlannedService,
  read: ReadZones,
  context: RunContext,
): Promise<Observation> {
  const { signal } = context;
  const { read: service, capabilities } = target;
  readAllowedGuards(options.allow ?? []); // a wrong name is reported before any request
  const before = service.countRequests();
  const {
    desired: ofValid,
    notes,
    invalid: ofFiles,
  } = await validZones(project, read, { target, skipInvalid: options.skipInvalid });
  const going = await findDeletions({ project, options, leftOut }, read);
  const fixed = [...leftOut, ...ofFiles.map(({ name }) => name)];
  const catalog = catalogSettings(project);
  const ofCatalog = catalog ? [nameKey(catalog.zone)] : [];
  const names = new Set([...ofValid.map(({ name }) => nameKey(name)), ...fixed, ...going, ...ofCatalog]);
  const createIsNeighbor = (zones: Observation["live"]) => createNeighborTest(ofValid, zones, going);
  const unreadable = new Map<Name, Problem>();
  const live = await readLive(
    service,
    (name) => names.has(name),
    {
      signal,
      onRead: reportLive(project.onProgress),
      onUnreadable: ({ name }, error) => {
        if (!(error instanceof ProblemError) || !hasProblem(error, "files/read")) return false;
        if (!options.skipInvalid) throw skippableError(error);
        unreadable.set(name, error.problem);
        return true;
      },
    },
    createIsNeighbor,
  );
  const ofPrimaries =
    project.view && capabilities.apex === "ours" ? await checkPrimaries(project, { api, live: live.zones }) : [];
  const valid = assumeAddresses(ofValid, live.zones);
  const deletions = going.flatMap((name) => live.zones.get(name) ?? []);
  const checked = await checkWithLive(project, { desired: valid, live: live.zones }, notes, options);
  const absent = await checkAbsent(
    project.target,
    { desired: valid, live: live.zones },
    {
      skipInvalid: options.skipInvalid,
      snapshot: service.snapshot,
    },
  );
  const asksServers = service.snapshot === undefined && project.view !== undefined && project.targets.length > 1;
  const ofKeys = asksServers
    ? await (await loadSigning()).checkKeys(
        context,
        project,
        { desired: valid, files: read.zones },
        options.skipInvalid,
      )
    : [];
  const invalid = [
    ...ofFiles,
    ...withoutTypes(valid, live.zones, options),
    ...withoutSecondaries(valid, live.zones, options),
    ...checked.skipped,
    ...absent,
    ...ofKeys,
    ...skippedUnreadable(valid, unreadable),
  ];
  const remaining = valid.filter(({ name }) => !invalid.some((one) => one.name === nameKey(name)));
  const dependents = invalid.length === 0 ? [] : await findSkippedToo(project, remaining, live.zones, invalid);
  const skipped = [...invalid, ...dependents.map((dependent) => skippedDependent(dependent, valid))];
  const out = new Set(skipped.map(({ name }) => name));
  const wanted = valid.filter(({ name }) => !out.has(nameKey(name)));
  const servers = asksServers
    ? await findSilent(context, project, { desired: wanted, live: live.zones, files: read.zones })
    : noSilent;
  const { silent } = servers;
  const desired = options.holdsServers ? await holdSilent(wanted, live.zones, servers) : wanted;
  const unactivated = await findUnactivated(project, service, { desired, live: live.zones }, signal);
  const freed = await readFreed(service, { desired, live: live.zones }, { signal });
  const all = { ...live, others: [...live.others, ...unreadable.keys()] };
  const listed = { project, options, leftOut, desired, live: all, going: new Set(going) };
  return {
    desired: catalog ? [...desired, await catalogAfter(catalog, target, listed)] : desired,
    notes: [
      ...notes,
      ...ofPrimaries,
      ...[...(service.listNotes?.() ?? [])].flatMap(([zone, note]) => (names.has(zone) ? [note] : [])),
      ...checked.notes,
      ...skipped.map(skippedNote),
      ...(await silentNotes(silent)),
      ...disabledNotes(desired, live.zones, unactivated),
      ...unusualNotes(desired, live.zones, deletions),
    ],
    live: live.zones,
    others: live.others,
    // Their records point to others, and others may point to them.
    neighbors: [...live.neighbors, ...[...leftOut, ...out].flatMap((name) => live.zones.get(name) ?? [])],
    deletions,
    reads: service.countRequests() - before,
    limit: service.announcedLimit(),
    capabilities,
    unactivated: new Set(unactivated.keys()),
    freed,
    skipped,
    silent,
    ...(asksServers &&
      deletions.length > 0 && {
        inUse: await (await loadLeaving()).findServersInUse(context, project, deletions, options.holdsServers === true),
      }),
  };
}

function skippableError({ problem: { fix = "", ...found } }: ProblemError): ProblemError {
  return new ProblemError({ ...found, fix: advise`${fix} ${{ set: "skipInvalid" }} leaves the zone out.` });
}

/** The zones whose live version cannot be read. */
function skippedUnreadable(valid: readonly DesiredZone[], unreadable: ReadonlyMap<Name, Problem>): SkippedZone[] {
  return [...unreadable].map(([name, error]) => {
    const { file = "" } = valid.find((zone) => isSameName(zone.name, name)) ?? {};
    return { name: nameKey(name), file, reason: "its live version cannot be read", errors: [error] };
  });
}

interface ZonesOfCatalog extends Omit<PlanScope, "isAll"> {
  readonly desired: readonly DesiredZone[];
  readonly live: Live;
  readonly going: ReadonlySet<NameKey>;
}

/**
 * The catalog after a plan, with all loaded zones of the project: it may be new, or restored from a backup that
 * does not list them.
 */
async function catalogAfter(
  catalog: CatalogSettings,
  target: PlanningTarget,
  { desired, live, going, ...scope }: ZonesOfCatalog,
): Promise<DesiredZone> {
  const planned = new Set(desired.map(({ name }) => nameKey(name)));
  const stored = live.zones.get(nameKey(catalog.zone));
  const listed = new Set(membersOf(catalog.zone, stored?.records ?? []).map(({ zone }) => nameKey(zone)));
  const others = new Map(live.others.map((name) => [nameKey(name), name]));
  const isLoaded = async (name: NameKey) => {
    const [read, other] = [live.zones.get(name), others.get(name)];
    if (read) return read.records.length > 0;
    return other !== undefined && (listed.has(name) || (await hasRecords(target, other)));
  };
  const isOpen = (name: NameKey) => !planned.has(name) && name !== nameKey(catalog.zone);
  const beside = [...live.zones.keys(), ...others.keys()].some(isOpen) ? await zonesBeside(scope) : [];
  const zones = desired.map(({ name }) => name);
  for (const { zone } of beside) {
    const name = nameKey(zone.name);
    if (isOpen(name) && (await isLoaded(name))) zones.push(zone.name);
  }
  return desiredCatalog(target, catalog, { zones, leaving: going, live: stored });
}

/** Whether a zone was loaded; a zone that cannot be read may have been. */
async function hasRecords({ read }: PlanningTarget, zone: Name): Promise<boolean> {
  try {
    return (await read.readRecords(headOfZone(zone))).length > 0;
  } catch (error) {
    if (error instanceof ProblemError) return true;
    throw error;
  }
}

/** The zones that depend on invalid ones. */
async function findSkippedToo(
  project: Project,
  desired: readonly DesiredZone[],
  live: Observation["live"],
  invalid: readonly SkippedZone[],
): Promise<Dependent[]> {
  const { capabilities } = project.target;
  const work = eachOf(["comparing zones", "zone"], desired, (zone) =>
    planZone(zone, live.get(nameKey(zone.name)), capabilities),
  );
  return findDependents(
    await runWork(project, work),
    live,
    invalid.map(({ name }) => name),
  );
}

/**
 * The domains named for deletion. A domain with a zone file is refused, even if that zone is not in the scope.
 * @throws {ProblemError} `delete-zone-file`; `zone-name`
 */
async function findDeletions(scope: Omit<PlanScope, "isAll">, read: ReadZones): Promise<NameKey[]> {
  const names = [...new Set((scope.options.deleteZone ?? []).map((name) => nameKey(toName(name))))];
  if (names.length === 0) return [];
  const catalog = catalogSettings(scope.project);
  if (catalog && names.includes(nameKey(catalog.zone))) {
    const summary = `${escapeControl(withoutDot(catalog.zone))} is the catalog of the target, so it is not deleted`;
    throw problemError("delete-zone-file", summary, { fix: "Remove `catalog` from the settings of the target first." });
  }
  for (const one of [...read.zones, ...(await zonesBeside(scope))]) {
    const { zone, file } = one;
    const stated = hasErrors(one.problems) ? findStatedName(one) : undefined;
    const name = stated ?? nameKey(zone.name);
    if (!names.includes(name)) continue;
    const fix = advise`Remove the file, or leave out ${{ set: "deleteZone" }} for this zone.`;
    throw problemError(
      "delete-zone-file",
      `${escapeControl(withoutDot(name))} is described by ${escapeControl(file)}, so it is not deleted`,
      {
        fix,
      },
    );
  }
  return names;
}

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
  { desired, live, others, neighbors, notes, reads, limit, capabilities, freed, skipped, silent, inUse }: Observation,
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
      ...(inUse && { inUse }),
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

/** The zones of the project. If a plan leaves zones out, their files may be unreadable. */
function zonesBeside({ project, options, leftOut = [] }: Omit<PlanScope, "isAll">): Promise<readonly ZoneOfFile[]> {
  return existingZones(project, { keepsUnreadable: options.skipInvalid === true || leftOut.length > 0 });
}

/** The default lifetime of an acknowledgement, in days. */
const ackDays = 30;

/**
 * Whether the approval in a plan file covers a block of the remaining plan: its findings must be the same. Numbers in
 * them may differ, because the remainder of a plan never exceeds the approved plan.
 */
export function wasAllowed(
  { guard, zone, state, texts, facts = [] }: PlanFile["guards"][number],
  block: GuardBlock,
): boolean {
  const isSame = state === "allowed" && isBlockOf(guard, block) && zone === block.zone;
  const withoutNumbers = (text: string) => text.replace(/\d+/g, "#");
  return (
    isSame &&
    block.findings.every((finding) => {
      const form = finding.isWide ? withoutNumbers : (text: string) => text;
      const isKnown = (text: string, known: readonly string[]) => known.map(form).includes(form(text));
      return isKnown(finding.text, texts) && (finding.facts ?? []).every((fact) => isKnown(fact, facts));
    })
  );
}

/** @throws {ProblemError} `usage` for an unknown guard. */
function readAllowedGuards(list: readonly string[]): string[] {
  return readGuards(list, (word, why) =>
    usageError(advise`${{ set: "allow", to: word }}: ${why.replace(/[^?]$/, "$&.")}`),
  );
}

/**
 * The ids of guards in words, which may be lists with commas, and former ids.
 * @throws the error that `refuse` makes of the reason
 */
export function readGuards(list: readonly string[], refuse: (word: string, why: string) => Error): string[] {
  return list
    .flatMap((text) => {
      const words = text.split(",").filter((word) => word.trim() !== "");
      if (words.length === 0) throw refuse(text, "it names no guard");
      return words;
    })
    .map((word) => {
      const id = word.trim().toUpperCase();
      if (findGuard(id)) return id;
      const near = nearest(id, guardIds);
      throw refuse(
        word,
        `this guard does not exist. ${near ? `Did you mean "${near}"?` : `Guards: ${guardIds.join(", ")}`}`,
      );
    });
}
