import { advise } from "../../diagnostics/advice.ts";
import { hasErrors, type Problem, problemError, usageError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey, sortKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { groupBy } from "../../group-by.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import { findPublishedSnapshot } from "../git/git-ref.ts";
import { walkItems } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type ApiSnapshot, isOfApi, type OtherDomain, type Snapshot } from "../project/snapshot-target.ts";
import { liveZonesOf, loadSnapshot, requireSameRecords } from "../snapshot/snapshot.ts";
import { type CatalogSettings, catalogSettings, desiredCatalog } from "../zones/catalog.ts";
import { findDangling, readFreed } from "../zones/dangling.ts";
import { unusualNotes } from "../zones/kept-settings.ts";
import { type ResolvedZones, resolveZones } from "../zones/resolve-nodes.ts";
import { readZones } from "../zones/zones.ts";
import { attribute, type EventEvidence, isCreation, newestOf } from "./attribution.ts";
import { byUnknown, findLastKnown, notesOfUnknown, readUnlogged, zonesOfSnapshot } from "./baselines.ts";
import { compareSides, type DriftDifference, type ThreeSides, type ZoneDifference } from "./classes.ts";
import { noteEventsInSnapshot } from "./events-in-snapshot.ts";
import { type DriftFinding, isDrift } from "./finding.ts";
import { acceptPrimaries, findPrimaryChanges, isKnownByPrimary, refuseChanges } from "./known-primaries.ts";
import { findOwnEvents, notesOfMissing, warnOfUnknownWrites } from "./own-writes.ts";
import { type DriftState, readState } from "./state.ts";
import { type LiveView, readView, stateOf } from "./view.ts";

export interface DriftRequest {
  /** Zones or files; all zones if empty. */
  readonly names: readonly string[];
  /** The place of the snapshot of the last applied state; without one, git and live zones are compared alone. */
  readonly snapshot?: string | undefined;
  /** The file that keeps the view of a poll for the next one. */
  readonly state?: string | undefined;
  /** Whether to read every zone, also those without an event since the snapshot. */
  readonly isFull?: boolean | undefined;
  /** Whether the changes are to be written into files: zones of another view are refused. */
  readonly isToWrite?: boolean | undefined;
  /** Whether to accept other primaries and name servers than the ones that are known. */
  readonly acceptsPrimary?: boolean | undefined;
}

/** Differences between git, the live zones and the last apply. */
export interface DriftReport {
  readonly snapshot?: { readonly place: string; readonly time: string };
  /** Instead of a snapshot, where the service keeps no log of events: the number of zones whose last run saved them. */
  readonly baselines?: number;
  readonly reading: LiveView["reading"];
  /** Zones with differences, by name. */
  readonly zones: readonly ZoneDrift[];
  /** The number of zones that were compared, and of those without a difference. */
  readonly compared: number;
  readonly inSync: number;
  /** The number of requests that were sent. */
  readonly requests: number;
  readonly notes: readonly Problem[];
}

/** Whether something was changed outside git that git does not have, or may be that of another view. */
export function hasDrift({ zones, notes }: Pick<DriftReport, "zones" | "notes">): boolean {
  return zones.some(({ findings }) => findings.some(isDrift)) || notes.some(({ id }) => id === "primary-changed");
}

/** Whether zones were left out because their live versions cannot be read. */
export function hasUnread({ notes }: Pick<DriftReport, "notes">): boolean {
  return hasErrors(notes);
}

/** A report, and the zones that it compares, for writing drift into their files. */
export interface FoundDrift {
  /** `requests` only where the service counts them itself. */
  readonly report: Omit<DriftReport, "requests"> & Partial<Pick<DriftReport, "requests">>;
  /** The zones with differences and a file. */
  readonly compared: readonly ComparedZone[];
  /** The view, for the next poll; absent where the service keeps no log of events. */
  readonly state?: DriftState;
}

/** A zone of the project with its three sides. */
export interface ComparedZone extends ThreeSides {
  readonly read: ZoneOfFile;
  readonly findings: readonly DriftFinding[];
}

export interface ZoneDrift {
  readonly zone: NameKey;
  /** Absent for a zone without a file. */
  readonly file?: string;
  readonly findings: readonly DriftFinding[];
}

/** The snapshot to compare with: a given one, or the published one where the service keeps a log of events. */
export function snapshotOfDrift(context: RunContext, project: Project, given: string | undefined): string | undefined {
  return given ?? (project.target.capabilities.events ? findPublishedSnapshot(context, project) : undefined);
}

/**
 * Finds changes that were made outside git. Nothing is written.
 * @throws {ProblemError} for zone files with errors, and for a snapshot that cannot be read
 */
export async function findDrift(
  context: RunContext,
  project: Project,
  connection: ReadingConnection,
  request: DriftRequest,
): Promise<FoundDrift> {
  if (request.acceptsPrimary && !(project.view && isKnownByPrimary(project.target)))
    throw usageError(advise`${{ set: "acceptPrimary" }} is only for targets of the kind rfc2136.`);
  const files = await resolveZones(project, await readZones(project, request.names), connection.target);
  const { events } = connection.target.capabilities;
  return (events ? sinceSnapshot : sinceBaselines)(context, project, connection, { ...request, files });
}

/** A request, with the zones of the files. */
interface DriftOfFiles extends DriftRequest {
  readonly files: ResolvedZones;
}

/**
 * Compares with a given snapshot, or with the state that is last known. @throws {ProblemError} `usage` for a state of
 * polls, which consists of events
 */
async function sinceBaselines(
  context: RunContext,
  project: Project,
  { target, api }: ReadingConnection,
  { snapshot: place, state, files, ...request }: DriftOfFiles,
): Promise<FoundDrift> {
  if (state !== undefined)
    throw usageError(
      advise`${{ set: "state" }} needs a log of events, which the service does not keep: each drift reads every zone.`,
    );
  const catalog = catalogSettings(project);
  const all = [...files.desired, ...(catalog ? [{ name: catalog.zone }] : [])].map(({ name }) => nameKey(name));
  const snapshot = place === undefined ? undefined : readSnapshot(context, project, { place, api });
  const { live: now, unreadable, reading } = await readUnlogged(context, target, all);
  const isRead = (name: Name) => !unreadable.has(nameKey(name));
  const wanted = all.filter(isRead);
  const desired = files.desired.filter(({ name }) => isRead(name));
  const read = files.zones.filter(({ zone }) => isRead(zone.name));
  const known = snapshot
    ? await zonesOfSnapshot(snapshot, wanted)
    : await findLastKnown(project, { api, live: now }, wanted);
  const ofPrimaries = await notePrimaries(context, project, { api, live: now }, request);
  const before = (zone: NameKey) => {
    const found = known.get(zone);
    return found?.state === "known" ? found.zone : "unknown";
  };
  const sides = { desired, zones: read, before, now };
  const { compared, inSync } = await compareFiles(project, sides, (_, differences) => byUnknown(differences));
  const ofCatalog = catalog && isRead(catalog.zone) ? driftOfCatalog(project, catalog, sides) : [];
  const report = {
    ...(snapshot && place !== undefined
      ? { snapshot: { place, time: snapshot.time } }
      : { baselines: [...known.values()].filter(({ state }) => state === "known").length }),
    reading,
    zones: [...compared.map(zoneDriftOf), ...ofCatalog].sort(byZone),
    compared: wanted.length,
    inSync: inSync + (wanted.length - desired.length - ofCatalog.length),
    requests: target.read.countRequests(),
    notes: [
      ...unreadable.values(),
      ...files.notes.filter(({ id }) => id === "ignore-expired"),
      ...unusualNotes(desired, now),
      ...ofPrimaries,
      ...notesOfUnknown(known),
    ],
  };
  return { report, compared };
}

/** The differences of a catalog zone, which has no file. */
function driftOfCatalog(
  { target }: Project,
  catalog: CatalogSettings,
  { desired, before, now }: LiveStates & Pick<ResolvedZones, "desired">,
): ZoneDrift[] {
  const zone = nameKey(catalog.zone);
  const live = now.get(zone);
  const zones = desired.flatMap(({ name }) => (now.has(nameKey(name)) ? [name] : []));
  const git = desiredCatalog(target, catalog, { zones, leaving: new Set(), live });
  const findings = byUnknown(compareSides({ snapshot: before(zone), git, live, apex: target.capabilities.apex }));
  return findings.length > 0 ? [{ zone, findings }] : [];
}

/** Notes of zones that may be those of another view. @throws {ProblemError} `primary-changed` */
async function notePrimaries(
  context: RunContext,
  project: Project,
  zones: Parameters<typeof findPrimaryChanges>[1],
  { isToWrite, acceptsPrimary }: Pick<DriftRequest, "isToWrite" | "acceptsPrimary">,
): Promise<Problem[]> {
  const { changes } = await findPrimaryChanges(project, zones);
  if (acceptsPrimary) return acceptPrimaries(context, project, changes);
  if (isToWrite) refuseChanges(changes);
  return changes.map(({ problem, next: fix }) => ({ ...problem, severity: "warning", fix }));
}

/** Compares with a snapshot, and finds the authors in the log of events. */
async function sinceSnapshot(
  context: RunContext,
  project: Project,
  connection: ReadingConnection,
  { names, snapshot: place, state: stateFile, isFull = false, files }: DriftOfFiles,
): Promise<FoundDrift> {
  const { target, api } = connection;
  const { desired, notes, zones: read } = files;
  const snapshot = place === undefined ? undefined : readApiSnapshot(context, project, { place, api });
  const wanted = desired.map(({ name }) => nameKey(name));
  const state = stateFile === undefined ? undefined : readState(context, stateFile, snapshot);
  const view = await readView(context, connection, { zones: wanted, snapshot, state, isFull });
  const { events } = view.log;
  const { signal } = context;
  const own = await findOwnEvents(project, {
    log: view.log,
    snapshot,
    readAt: context.now(),
    readFrom: (from) => target.read.readEvents({ from }, { signal }),
  });
  const user = own.hasJournals && events.length > 0 ? await target.read.readUsername({ signal }) : undefined;
  const [stored, now] = [snapshot && (await liveZonesOf(snapshot)), await liveZonesOf(view.live)];
  const before = (zone: NameKey) => (stored ? stored.get(zone) : ("unknown" as const));
  const freed = await readFreed(target.read, { desired, live: now }, { signal });
  const findingsOf = createAttribution(view, { before, now, runOf: own.runOf });
  const { compared, inSync } = await compareFiles(project, { desired, zones: read, before, now }, findingsOf);
  const unmanaged =
    names.length === 0 && snapshot && stored ? findUnmanaged({ wanted, snapshot, before: stored }, view) : [];
  const zones: ZoneDrift[] = [
    ...compared.map(zoneDriftOf),
    ...unmanaged.map(({ zone, ...difference }) => ({ zone, findings: findingsOf(zone, [difference]) })),
  ];
  const known = new Set([...wanted, ...zones.map(({ zone }) => zone)]);
  const report = {
    ...(snapshot && place !== undefined && { snapshot: { place, time: snapshot.time } }),
    reading: view.reading,
    zones: zones.sort(byZone),
    compared: desired.length,
    inSync,
    notes: [
      ...notes.filter(({ id }) => id === "ignore-expired"),
      ...unusualNotes(desired, now),
      ...findDangling(project, { desired, live: now }, freed),
      ...(stored ? noteEventsInSnapshot(events, stored, now) : []),
      ...notesOfMissing(own),
      ...warnOfUnknownWrites(
        events.filter(({ zone }) => known.has(zone)),
        user,
        own,
      ),
    ],
  };
  return { report, compared, state: stateOf(snapshot, view) };
}

function zoneDriftOf({ git, read, findings }: ComparedZone): ZoneDrift {
  return { zone: nameKey(git.name), file: read.file, findings };
}

function byZone(a: ZoneDrift, b: ZoneDrift): number {
  return sortKey(a.zone) < sortKey(b.zone) ? -1 : 1;
}

/** Live zones by their names: as last applied, if that is known, and now. */
interface LiveStates {
  readonly before: (zone: NameKey) => ThreeSides["snapshot"];
  readonly now: ReadonlyMap<NameKey, LiveZone>;
}

type FindingsOf = (zone: NameKey, differences: readonly DriftDifference[]) => DriftFinding[];

/** A function that adds to the differences of a zone who made them. */
function createAttribution(
  { log }: LiveView,
  { before, now, runOf }: LiveStates & Pick<EventEvidence, "runOf">,
): FindingsOf {
  const newest = newestOf(log.events);
  const byZone = groupBy(log.events, ({ zone }) => zone);
  return (zone, differences) => {
    const [stored, live] = [before(zone), now.get(zone)];
    const snapshot = stored === "unknown" ? undefined : stored;
    const evidence: EventEvidence = { ...log, events: byZone.get(zone) ?? [], snapshot, live, newest, runOf };
    return differences.map((difference) => ({ ...difference, by: attribute(difference, evidence) }));
  };
}

/** Compares the zones of files with the live ones: those that differ, and the number of the others. */
async function compareFiles(
  project: Project,
  { desired, zones, before, now }: LiveStates & Omit<ResolvedZones, "notes">,
  findingsOf: FindingsOf,
): Promise<{ readonly compared: readonly ComparedZone[]; readonly inSync: number }> {
  const compared: ComparedZone[] = [];
  let inSync = 0;
  for await (const one of walkItems(project, ["comparing zones", "zone"], zones)) {
    const git = desired[compared.length + inSync];
    if (!git) break;
    const zone = nameKey(git.name);
    const sides = { snapshot: before(zone), git, live: now.get(zone), apex: project.target.capabilities.apex };
    const differences = compareSides(sides);
    if (differences.length === 0) inSync++;
    else compared.push({ ...sides, read: one, findings: findingsOf(zone, differences) });
  }
  return { compared, inSync };
}

/** The place of a snapshot, and the address of the service that it has to be of. */
interface SnapshotOfService {
  readonly place: string;
  readonly api: string;
}

/** @throws {ProblemError} `snapshot-target`, and the errors of `loadSnapshot` */
function readSnapshot(context: RunContext, project: Project, { place, api }: SnapshotOfService): Snapshot {
  const { view } = project;
  const snapshot = loadSnapshot(context, place);
  if (snapshot.target.api === api) {
    requireSameRecords(project, snapshot.target);
    return snapshot;
  }
  const summary = `${place} is a snapshot of ${snapshot.target.api}, not of ${api}`;
  const fix = view
    ? `Name a snapshot of the target ${view.name}.`
    : advise`Name the API with ${{ set: "apiUrl" }}, or another snapshot.`;
  throw problemError("snapshot-target", summary, { fix });
}

function readApiSnapshot(context: RunContext, project: Project, service: SnapshotOfService): ApiSnapshot {
  const snapshot = readSnapshot(context, project, service);
  if (isOfApi(snapshot)) return snapshot;
  throw problemError("snapshot-target", `${service.place} is no snapshot of the API`, { fix: "Name one of the API." });
}

/** The zones of the project, and those of the snapshot. */
interface KnownZones {
  readonly wanted: readonly NameKey[];
  readonly snapshot: ApiSnapshot;
  readonly before: ReadonlyMap<NameKey, LiveZone>;
}

/** Zones without a file that were created or deleted since the snapshot. */
function findUnmanaged(
  { wanted, snapshot, before }: KnownZones,
  { others, log }: LiveView,
): (ZoneDifference & { readonly zone: NameKey })[] {
  if (!others) return []; // nothing was created or deleted
  const created = new Set(log.events.filter(({ action }) => isCreation(action)).map(({ zone }) => zone));
  const isNew = (zone: OtherDomain) =>
    !before.has(zone.name) &&
    (snapshot.zones === undefined || created.has(zone.name) || (zone.created ?? "") > snapshot.time.slice(0, 19));
  const inGit = new Set(wanted);
  const existing = new Set(others.map(({ name }) => name));
  const outside = { kind: "zone", git: false } as const;
  return [
    ...others
      .filter(isNew)
      .map(({ name: zone }) => ({ ...outside, zone, class: "foreign", snapshot: false, live: true }) as const),
    ...[...before.keys()]
      .filter((zone) => !inGit.has(zone) && !existing.has(zone))
      .map((zone) => ({ ...outside, zone, class: "removed", snapshot: true, live: false }) as const),
  ];
}
