import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { hasErrors, type Problem, ProblemError, problemError } from "../../diagnostics/problem.ts";
import { isSameName, type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import { membersOf } from "../../dns/zone/catalog-zone.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { findStatedName } from "../../formats/stated-name.ts";
import { type Dependent, findDependents } from "../../planner/dependents.ts";
import { eachOf } from "../../planner/order/work.ts";
import { createNeighborTest, planZone } from "../../planner/plan.ts";
import { headOfZone } from "../../targets/by-content.ts";
import { readLive } from "../../targets/read-live.ts";
import type { FreedAddresses, Live, PlanningTarget } from "../../targets/target.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import type { Departures } from "../name-servers/departures.ts";
import type { SilentServer } from "../name-servers/entering.ts";
import type { CheckedKeys } from "../name-servers/signing.ts";
import { reportLive, runWork } from "../project/progress.ts";
import { type Project, toName } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { SnapshotToPlan } from "../snapshot/snapshot.ts";
import { catalogSettings, desiredCatalog } from "../zones/catalog.ts";
import { readFreed } from "../zones/dangling.ts";
import { withoutConflicts } from "../zones/kept-conflicts.ts";
import {
  disabledNotes,
  findUnactivated,
  unusualNotes,
  withoutSecondaries,
  withoutTypes,
} from "../zones/kept-settings.ts";
import { assumeAddresses } from "../zones/resolve-nodes.ts";
import { type SkippedZone, skippedDependent, skippedNote, validZones } from "../zones/skip-invalid.ts";
import { isUnreadableZone } from "../zones/unreadable-zones.ts";
import { existingZones, type ReadZones } from "../zones/zones.ts";
import { reviewAliasesOf } from "./aliases.ts";
import { readAllowedGuards } from "./allowed-guards.ts";
import { checkWithLive } from "./plan-findings.ts";
import { ServerChecks } from "./server-checks.ts";

export interface PlanningOptions {
  readonly allow?: readonly string[];
  /** Domains to delete, as named on the command line. */
  readonly deleteZone?: readonly string[];
  /** Whether zones with errors, and those that need them, are left out instead of stopping the plan. */
  readonly skipInvalid?: boolean;
  /** Whether NS records are left out until their servers answer, as for writes; a plan to review has them. */
  readonly withholdsServers?: boolean;
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
  /** New name servers of the zones that do not answer yet. */
  readonly silent: readonly SilentServer[];
  /** Reasons why resolvers may still ask the target for zones to delete, which other targets keep. */
  readonly inUse?: ReadonlyMap<NameKey, readonly string[]>;
  /** Why resolvers get no addresses for the ALIAS records of zones. */
  readonly unanswered?: ReadonlyMap<NameKey, string>;
  /** The departures of these zones, for an apply to keep. */
  readonly departures?: Departures;
}

/** The scope of a plan: the named zones, or all. */
export interface PlanScope {
  readonly project: Project;
  readonly options: PlanningOptions;
  readonly isAll: boolean;
  /** Zones that a plan file left out. */
  readonly leftOut?: readonly NameKey[];
}

const checkAbsent = async (...known: Parameters<typeof import("./absent-zones.ts").checkAbsent>) =>
  known[0].capabilities.zones === "neither" ? (await import("./absent-zones.ts")).checkAbsent(...known) : [];

/** A service to plan for, or a snapshot of it, and the address of the service. */
interface PlannedService {
  readonly target: PlanningTarget;
  readonly api: string;
}

const checkPrimaries = async (project: Project, { target, api }: PlannedService, live: Observation["live"]) =>
  project.view && target.capabilities.apex === "ours"
    ? (await import("../drift/known-primaries.ts")).checkPrimaries(project, { api, live })
    : [];

/** The address of a service, or of that of a snapshot. */
export function addressOf(from: ReadingConnection | SnapshotToPlan): string {
  return "api" in from ? from.api : from.source.api;
}

/** Reads the zones of the scope, desired and live. */
export async function observe(
  scope: Omit<PlanScope, "isAll">,
  planned: PlannedService,
  read: ReadZones,
  context: RunContext,
): Promise<Observation> {
  const { project, options, leftOut = [] } = scope;
  const { target } = planned;
  const { read: service, capabilities } = target;
  readAllowedGuards(options.allow ?? []); // a wrong name is reported before any request
  const before = service.countRequests();
  const found = await readScope(scope, target, read, context);
  const { going, names, notes, live } = found;
  const ofPrimaries = await checkPrimaries(project, planned, live.zones);
  const deletions = going.flatMap((name) => live.zones.get(name) ?? []);
  const isLive = service.snapshot === undefined;
  const { skipInvalid, withholdsServers = false } = options;
  const servers = new ServerChecks(context, project, { isLive, skipInvalid, withholdsServers });
  const kept = await leaveOut(scope, target, found, { files: read.zones, servers });
  const { skipped, wanted, keys } = kept;
  const out = new Set(skipped.map(({ name }) => name));
  const entering = await servers.withholdServers({ desired: wanted, live: live.zones, files: read.zones }, keys);
  const { desired, silent } = entering;
  const unactivated = await findUnactivated(project, service, { desired, live: live.zones }, context.signal);
  const aliases = await reviewAliasesOf(service, { desired, live: live.zones }, { signal: context.signal });
  const freed = await readFreed(service, { desired, live: live.zones }, { signal: context.signal });
  const ofCatalog = await catalogAfter(target, { ...scope, ...found, desired });
  return {
    desired: [...desired, ...ofCatalog],
    notes: [
      ...notes,
      ...ofPrimaries,
      ...[...(service.listNotes?.() ?? [])].flatMap(([zone, note]) => (names.has(zone) ? [note] : [])),
      ...kept.notes,
      ...skipped.map(skippedNote),
      ...entering.notes,
      ...(await servers.noteUnknownKeys(keys, silent)),
      ...disabledNotes(desired, live.zones, unactivated),
      ...unusualNotes(desired, live.zones, deletions),
      ...aliases.problems,
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
    unanswered: aliases.unanswered,
    ...(await servers.findInUse(deletions)),
  };
}

/** The zones of a scope as they were read. */
interface ReadScope {
  /** Those of files without errors, with the addresses of nodes. */
  readonly valid: readonly DesiredZone[];
  /** Those of files with errors. */
  readonly invalid: readonly SkippedZone[];
  readonly notes: readonly Problem[];
  readonly live: Live;
  /** Live zones that cannot be read. */
  readonly unreadable: ReadonlyMap<Name, Problem>;
  /** Domains to delete. */
  readonly going: readonly NameKey[];
  /** All of these, the left out ones, and the catalog. */
  readonly names: ReadonlySet<NameKey>;
}

async function readScope(
  { project, options, leftOut = [] }: Omit<PlanScope, "isAll">,
  target: PlanningTarget,
  read: ReadZones,
  { signal }: RunContext,
): Promise<ReadScope> {
  const { skipInvalid } = options;
  const { desired, notes, invalid } = await validZones(project, read, { target, skipInvalid });
  const going = await findDeletions({ project, options, leftOut }, read);
  const fixed = [...leftOut, ...invalid.map(({ name }) => name)];
  const catalog = catalogSettings(project);
  const ofCatalog = catalog ? [nameKey(catalog.zone)] : [];
  const names = new Set([...desired.map(({ name }) => nameKey(name)), ...fixed, ...going, ...ofCatalog]);
  const unreadable = new Map<Name, Problem>();
  const onUnreadable = ({ name }: Pick<LiveZone, "name">, error: unknown) => {
    if (!isUnreadableZone(error)) return false;
    if (!skipInvalid) throw skippableError(error);
    unreadable.set(name, error.problem);
    return true;
  };
  const live = await readLive(
    target.read,
    (name) => names.has(name),
    { signal, onRead: reportLive(project.onProgress), onUnreadable },
    (zones) => createNeighborTest(desired, zones, going),
  );
  return { valid: assumeAddresses(desired, live.zones), invalid, notes, live, unreadable, going, names };
}

/**
 * The zones without those that cannot be planned, and those that need them.
 * @throws {ProblemError} unless `skipInvalid` leaves them out
 */
async function leaveOut(
  { project, options }: Omit<PlanScope, "isAll">,
  { read: { snapshot } }: PlanningTarget,
  { valid, invalid: ofFiles, notes, live, unreadable }: ReadScope,
  { files, servers }: { readonly files: ReadZones["zones"]; readonly servers: ServerChecks },
): Promise<{
  readonly wanted: readonly DesiredZone[];
  readonly skipped: readonly SkippedZone[];
  readonly notes: readonly Problem[];
  readonly keys: CheckedKeys;
}> {
  const zones = { desired: valid, live: live.zones };
  const checked = await checkWithLive(project, zones, notes, options);
  const absent = await checkAbsent(project.target, zones, { skipInvalid: options.skipInvalid, snapshot });
  const keys = await servers.findDifferentKeys({ ...zones, files });
  const invalid = [
    ...ofFiles,
    ...withoutTypes(valid, live.zones, options),
    ...withoutSecondaries(valid, live.zones, options),
    ...withoutConflicts(valid, live.zones, options),
    ...checked.skipped,
    ...absent,
    ...keys.skipped,
    ...skippedUnreadable(valid, unreadable),
  ];
  const remaining = valid.filter(({ name }) => !invalid.some((one) => one.name === nameKey(name)));
  const dependents = invalid.length === 0 ? [] : await findSkippedToo(project, remaining, live.zones, invalid);
  const skipped = [...invalid, ...dependents.map((dependent) => skippedDependent(dependent, valid))];
  const out = new Set(skipped.map(({ name }) => name));
  const wanted = valid.filter(({ name }) => !out.has(nameKey(name)));
  return { wanted, skipped, notes: checked.notes, keys };
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

type ZonesOfCatalog = Omit<PlanScope, "isAll"> &
  Pick<ReadScope, "live" | "going" | "unreadable"> & { readonly desired: readonly DesiredZone[] };

/**
 * The catalog of the target after a plan, if it has one, with all loaded zones of the project: it may be new, or
 * restored from a backup that does not list them.
 */
async function catalogAfter(
  target: PlanningTarget,
  { desired, live, going, unreadable, ...scope }: ZonesOfCatalog,
): Promise<DesiredZone[]> {
  const catalog = catalogSettings(scope.project);
  if (catalog === undefined) return [];
  const planned = new Set(desired.map(({ name }) => nameKey(name)));
  const stored = live.zones.get(nameKey(catalog.zone));
  const listed = new Set(membersOf(catalog.zone, stored?.records ?? []).map(({ zone }) => nameKey(zone)));
  const others = new Map([...live.others, ...unreadable.keys()].map((name) => [nameKey(name), name]));
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
  return [desiredCatalog(target, catalog, { zones, leaving: new Set(going), live: stored })];
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

/** The zones of the project. If a plan leaves zones out, their files may be unreadable. */
export function zonesBeside({
  project,
  options,
  leftOut = [],
}: Omit<PlanScope, "isAll">): Promise<readonly ZoneOfFile[]> {
  return existingZones(project, { keepsUnreadable: options.skipInvalid === true || leftOut.length > 0 });
}
