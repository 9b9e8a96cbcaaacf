import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import { advise } from "../../diagnostics/advice.ts";
import { problemError, usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { asId, type Id, type LiveZone } from "../../dns/zone/desired-live.ts";
import { contentSnapshot } from "../../targets/content-snapshot.ts";
import { type LiveOptions, readLive } from "../../targets/read-live.ts";
import type { PlanningTarget } from "../../targets/target.ts";
import type { ApiReadingConnection, ReadingConnection } from "../connect/connection.ts";
import { identifyTarget } from "../connect/target-identity.ts";
import { pushRef, readRef, writeRef } from "../git/git-ref.ts";
import { readText } from "../project/files.ts";
import { reportLive } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import {
  type ApiSnapshot,
  freedToSave,
  isOfApi,
  parseSnapshot,
  type Snapshot,
  snapshotTarget,
} from "../project/snapshot-target.ts";
import { recordsSettingOf } from "../project/target-kind.ts";
import { catalogSettings } from "../zones/catalog.ts";
import { listZoneFiles, readZones } from "../zones/zones.ts";

/** A snapshot as a target to plan for. */
export interface SnapshotToPlan {
  readonly target: PlanningTarget;
  /** The API that it was taken from, and when. */
  readonly source: Snapshot["target"] & { readonly time: Date; readonly lastEvent?: Id | undefined };
}

/**
 * Reads a snapshot from a file, or with `ref:` before its name from a git ref.
 * @throws {ProblemError} `file-read`, `git-missing`, `git-ref`, `snapshot-read`
 */
export function readSnapshot(context: Pick<RunContext, "cwd" | "now">, place: string): SnapshotToPlan {
  const snapshot = loadSnapshot(context, place);
  const time = new Date(snapshot.time);
  const target = snapshotTarget(snapshot);
  const read = { ...target.read, snapshot: snapshotAge(time, context.now()) };
  return {
    target: { ...target, read },
    source: {
      ...snapshot.target,
      time,
      lastEvent: lastEventOf(snapshot),
    },
  };
}

/** `the snapshot of 2026-03-04T12:00:00Z, 5 hours old` */
function snapshotAge(taken: Date, now: Date): string {
  const hours = Math.floor((now.getTime() - taken.getTime()) / 3_600_000);
  const age = hours < 1 ? "less than 1 hour" : count(hours, "hour");
  return `the snapshot of ${taken.toISOString().slice(0, 19)}Z, ${age} old`;
}

/** As `readSnapshot`, with the contents of the snapshot. */
export function loadSnapshot({ cwd }: Pick<RunContext, "cwd">, place: string): Snapshot {
  const ref = /^ref:(.*)$/s.exec(place)?.[1];
  if (ref === undefined) return parseSnapshot(place, readText(cwd, place));
  return parseSnapshot(place, readRef(cwd, { ref, file: snapshotFile }), ref);
}

/** Whether the records of a snapshot were read with the records setting that the target has now. */
export function hasSameRecords(project: Pick<Project, "view" | "config">, target: Snapshot["target"]): boolean {
  return recordsOf(target) === recordsSettingOf(project);
}

/** @throws {ProblemError} `snapshot-target` for a snapshot with another records setting than that of the target */
export function requireSameRecords(project: Pick<Project, "view" | "config">, target: Snapshot["target"]): void {
  if (hasSameRecords(project, target)) return;
  const summary = `the snapshot has ${recordsOf(target)} records, and the records of the target are ${recordsSettingOf(project)}`;
  throw problemError("snapshot-target", summary, { fix: advise`Create a new one with ${{ run: "snapshot" }}.` });
}

function recordsOf(target: Snapshot["target"]): RecordsSetting {
  return ("records" in target && target.records) || "documented";
}

export async function liveZonesOf(snapshot: Snapshot): Promise<ReadonlyMap<NameKey, LiveZone>> {
  return (await readLive(snapshotTarget(snapshot).read, () => true)).zones;
}

/** The file in the commit of a published snapshot. */
const snapshotFile = "snapshot.json";

/**
 * Saves the live zones of the account, or of `zones`, to plan against without a token; `withNodes` adds the nodes of
 * the account, for zone files that refer to some.
 * @throws {ProblemError} `usage` for a service that no config names, and is not the API
 */
export async function takeSnapshot(
  { now, signal, onProgress }: RunContext,
  connection: ReadingConnection,
  zones?: readonly NameKey[],
  { withNodes = false }: { readonly withNodes?: boolean } = {},
): Promise<Snapshot> {
  const time = `${now().toISOString().slice(0, 19)}Z`;
  if (!isApi(connection)) return takeContent(connection, { time, zones }, { signal, onRead: reportLive(onProgress) });
  const { target } = connection;
  const head = {
    time,
    target: await identifyTarget(connection, signal),
    ...(await readLastEvent(target, signal)),
    ...(zones && { zones: [...zones] }),
  };
  const { snapshot } = await target.takeSnapshot(head, { signal, onRead: reportLive(onProgress), withNodes });
  const found = (await target.read.readFreedAddresses?.("all", { signal })) ?? { freed: [] };
  return found.unknown === undefined ? { ...snapshot, freed: freedToSave(found) } : snapshot;
}

/** The zones of a service without ids of its own. @throws {ProblemError} `usage` for a service that no config names */
async function takeContent(
  { target, kind, api, name }: ReadingConnection,
  { time, zones }: { readonly time: string; readonly zones: readonly NameKey[] | undefined },
  options: LiveOptions,
): Promise<Snapshot> {
  if (kind === undefined || name === undefined) throw usageError(`snapshots of a ${target.name} cannot be taken`);
  const wanted = zones && new Set(zones);
  const live = await readLive(target.read, (zone) => wanted?.has(zone) ?? true, options);
  const head = { time, target: { name, kind, api, account: null }, zones: [...(zones ?? live.zones.keys())] };
  return contentSnapshot(head, live.zones);
}

/** The newest event, if the token may read events. It is read before the zones, so that no later event is missed. */
async function readLastEvent(
  { read }: ReadingConnection["target"],
  signal: AbortSignal,
): Promise<Pick<ApiSnapshot, "lastEvent">> {
  const id = await read.readLastEvent({ signal });
  return id === undefined ? {} : { lastEvent: Number(id) };
}

/** The newest event of a snapshot; undefined where the service keeps none, or the token could not read them. */
export function lastEventOf(snapshot: Snapshot): Id | undefined {
  return isOfApi(snapshot) && snapshot.lastEvent !== undefined ? asId(snapshot.lastEvent) : undefined;
}

/** A note for a snapshot without the newest event. */
export const withoutEvents =
  "note  this token cannot read events (scope events:read_only): each `drift` with this snapshot reads every zone";

/** Whether a zone file of the project refers to nodes, so that plans need them. Unreadable files are skipped. */
export async function needsNodes(project: Project): Promise<boolean> {
  return (await listZoneFiles(project, () => {})).some(({ refersToNodes }) => refersToNodes);
}

/** A note for a snapshot without the nodes that zone files refer to. */
export const withoutNodes =
  "note  this token cannot list nodes (scope nodes:read_only): plans against the snapshot do not know the addresses of the nodes that zone files refer to";

/** The names of zones of the project, and of its catalog, to limit a snapshot to; all if none is named. */
export async function namesOfZones(project: Project, names: readonly string[]): Promise<NameKey[]> {
  const { zones } = await readZones(project, names);
  const catalog = catalogSettings(project);
  const all = [...zones.map(({ zone }) => zone.name), ...(catalog ? [catalog.zone] : [])];
  return [...new Set(all.map(nameKey))].sort();
}

/**
 * Publishes a snapshot as a git ref, which replaces the one before; `isPushed` to `origin`, too. Returns the commit.
 * @throws {ProblemError} `git-missing`, `git-ref`, `git-write`
 */
export function publishSnapshot(
  { cwd }: Pick<RunContext, "cwd">,
  snapshot: string,
  { ref, time, isPushed }: { readonly ref: string; readonly time: Date; readonly isPushed: boolean },
): string {
  const message = `Save the live zones of ${time.toISOString().slice(0, 19)}Z`;
  const commit = writeRef(cwd, { ref, file: snapshotFile }, { text: snapshot, message, time });
  if (isPushed) pushRef(cwd, ref);
  return commit;
}

/** Whether a service is the API. */
function isApi(connection: ReadingConnection): connection is ApiReadingConnection {
  return "takeSnapshot" in connection.target;
}

/** The API, whose log of events tells what changed. */
export function requireApi(connection: ReadingConnection): ApiReadingConnection {
  if (isApi(connection)) return connection;
  throw new Error("a service with a log of events is the API");
}
