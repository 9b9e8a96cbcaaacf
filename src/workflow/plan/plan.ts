import type { KeyObject } from "node:crypto";
import type { Problem } from "../../diagnostics/problem.ts";
import { isEmpty } from "../../planner/changes/change.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import type { ReadingConnection } from "../connect/connection.ts";
import { identifyTarget } from "../connect/target-identity.ts";
import { headOf } from "../git/git.ts";
import { findPublishedSnapshot } from "../git/git-ref.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { SnapshotToPlan } from "../snapshot/snapshot.ts";
import { sourceOf } from "../zones/plan-source.ts";
import { type ReadSince, readSince } from "../zones/since.ts";
import { readZones } from "../zones/zones.ts";
import { addressOf, observe, type PlanningOptions, type PlanScope } from "./observe.ts";
import { buildPlan, type PlanReport } from "./plan-report.ts";

// Loaded on use: most plans have no snapshot and write no file.
const loadHandEdits = () => import("./hand-edits.ts");
const loadPlanFile = () => import("./plan-file.ts");
const loadSnapshots = () => import("../snapshot/snapshot.ts");
const loadAccounts = () => import("../snapshot/known-account.ts");

export interface PlanRequest extends PlanningOptions {
  /** Zones or files; all zones if empty. */
  readonly names: readonly string[];
  /** A git revision; only zones whose files changed since then are planned. */
  readonly since?: string | undefined;
  /** The place of the snapshot of the last applied state; by default the published one, if this clone has it. */
  readonly snapshot?: string | undefined;
  /** The lifetime of the plan file; without it, no file is written. */
  readonly lifeSeconds?: number | undefined;
  /** The private ed25519 key that signs the plan file. */
  readonly signingKey?: KeyObject | undefined;
}

export interface PlanResult {
  readonly report: PlanReport;
  /** Whether there is nothing to write. */
  readonly isEmpty: boolean;
  /** Whether a guard blocks a change. */
  readonly isBlocked: boolean;
  /** Whether zones are left out. */
  readonly isPartial: boolean;
  readonly file?: PlanFile;
  /** The zones that changed since the revision, if one is given. */
  readonly since?: ReadSince;
}

/**
 * Plans what apply would write. `from` is the service, or a snapshot of it. Nothing is written.
 * @throws {ProblemError} for zone files with errors.
 */
export async function planZones(
  context: RunContext,
  project: Project,
  from: ReadingConnection | SnapshotToPlan,
  { names, since, snapshot, lifeSeconds, signingKey, ...options }: PlanRequest,
): Promise<PlanResult> {
  const time = context.now();
  const isLive = "api" in from;
  const { notes: ofAccount } =
    isLive && project.view ? await (await loadAccounts()).checkAccount(context, project, from) : { notes: [] };
  const isForFile = lifeSeconds !== undefined;
  const scope = { project, options, isAll: names.length === 0 && since === undefined };
  // Not read here: all files would stay in memory until the plan is printed.
  const { observed, source, inputs, changed } = await observeFiles(context, { scope, names, since, from, isForFile });
  const planned = await buildPlan(scope, observed);
  const place = snapshot ?? findPublishedSnapshot(context, project);
  const edits =
    place === undefined && project.target.capabilities.events
      ? { handEdits: [], notes: [], reads: 0 }
      : await (await loadHandEdits()).findHandEdits(context, project, from, {
          ...planned,
          snapshot: place === undefined ? undefined : { place, isAsked: snapshot !== undefined },
        });
  // For a file the account and its newest event, and with targets the account. Without events, there are neither.
  const ofAccounts = project.target.capabilities.events ? (source ? 2 : 0) + (project.view ? 1 : 0) : 0;
  const commit = headOf(context);
  const report = {
    ...planned,
    notes: [...planned.notes, ...edits.notes, ...ofAccount],
    handEdits: edits.handEdits,
    reads: isLive ? planned.reads + edits.reads + ofAccounts : 0,
    ...(commit !== undefined && { commit }),
    observed: isLive ? { from: "service" as const, time } : { from: "snapshot" as const, time: from.source.time },
  };
  const target = source && { time, ...source };
  const file =
    target &&
    inputs &&
    lifeSeconds !== undefined &&
    (await loadPlanFile()).fileOfPlan(context, {
      inputs,
      // A program that reads the file sees no messages.
      planned: { ...report, notes: [...report.notes, ...notesOn(from)] },
      target,
      lifeSeconds,
      signingKey,
    });
  return {
    report,
    isEmpty: isEmpty(planned.plan),
    isBlocked: planned.guards.some(({ state }) => state === "blocked"),
    isPartial: planned.skipped.length > 0,
    ...(file && { file }),
    ...(changed && { since: changed }),
  };
}

/** The notes about a service that is read. */
function notesOn(from: ReadingConnection | SnapshotToPlan): readonly Problem[] {
  return "api" in from ? (from.notes?.() ?? []) : [];
}

interface FilesToPlan extends Pick<PlanRequest, "names" | "since"> {
  readonly scope: PlanScope;
  readonly from: ReadingConnection | SnapshotToPlan;
  /** Whether a plan file is written. */
  readonly isForFile: boolean;
}

/** Reads zones from files and from the service, and for a plan file the digests of its inputs. */
async function observeFiles(context: RunContext, { scope, names, since, from, isForFile }: FilesToPlan) {
  const { signal } = context;
  const { project } = scope;
  if (!("api" in from)) (await loadSnapshots()).requireSameRecords(project, from.source);
  const { skipInvalid, deleteZone = [] } = scope.options;
  const reading = { keepsUnreadable: skipInvalid, mayBeEmpty: deleteZone.length > 0 };
  const changed = since === undefined ? undefined : await readSince(project, names, since, reading);
  const read = changed ?? (await readZones(project, names, reading));
  const source = !isForFile ? undefined : "api" in from ? await readSource(from, signal) : from.source;
  const observed = await observe(scope, { target: from.target, api: addressOf(from) }, read, context);
  const out = new Set(observed.skipped.map(({ file }) => file));
  const planned = read.zones.filter(({ file }) => !out.has(file));
  const inputs = isForFile ? sourceOf(planned, observed.desired, project.config) : undefined;
  return { observed, source, inputs, changed };
}

async function readSource(connection: ReadingConnection, signal: AbortSignal) {
  const source = await identifyTarget(connection, signal);
  return { ...source, lastEvent: await connection.target.read.readLastEvent({ signal }) };
}
