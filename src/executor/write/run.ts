import { escapeControl } from "../../diagnostics/escape.ts";
import type { ProblemError } from "../../diagnostics/problem.ts";
import { withoutDot } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { addToList } from "../../group-by.ts";
import type { Plan, ZonePlan } from "../../planner/changes/change.ts";
import { digestLive } from "../../planner/changes/digests.ts";
import type { ApplyContext } from "../journal/apply-context.ts";
import { dependencyFailedError, isForAll, liveChangedError } from "../journal/apply-problems.ts";
import { checkSchedules, once } from "../journal/once.ts";
import { countWrites } from "../journal/writes.ts";
import { ZoneLog } from "../journal/zone-log.ts";
import { buildGraph, type WorkNode, walk } from "./graph.ts";
import { partOfCatalog } from "./part-of-catalog.ts";
import { ZoneRun } from "./zone-run.ts";
import { readUnlessMissing } from "./zone-writer.ts";

/**
 * Carries out a plan. Catalog zones are written after all other zones, and before the deletions. Never rejects: errors
 * are reported as events.
 */
export async function run(plan: Plan, context: ApplyContext): Promise<void> {
  const catalogs = plan.zones.filter(({ zone }) => zone.isCatalog);
  if (catalogs.length === 0) return void (await carryOut(plan, context));
  const zones = plan.zones.filter((zone) => !catalogs.includes(zone));
  const { isStopped, done, inSync } = await carryOut({ ...plan, zones, deletions: [] }, context);
  if (isStopped) return;
  const isComplete = inSync.size === zones.length;
  const failed = zones.filter((zone) => !done.has(zone));
  const deletions = isComplete ? plan.deletions : [];
  const left = catalogs.flatMap((catalog) => {
    const part = partOfCatalog(catalog, { failed, staying: isComplete ? [] : plan.deletions });
    if (part === undefined) {
      const names = failed.map(({ zone }) => escapeControl(withoutDot(zone.name)));
      const summary = `the catalog was not written: it depends on ${names.join(", ")}, which failed`;
      noteSkipped(new ZoneLog(catalog.zone.name, countWrites(catalog), context), dependencyFailedError(summary), false);
    }
    return part ?? [];
  });
  await carryOut({ ...plan, zones: left, deletions }, context);
  for (const { name } of isComplete ? [] : plan.deletions)
    noteSkipped(new ZoneLog(name, 1, context), deletionSkippedError(), false);
}

interface CarriedOut {
  /** Whether an interruption or an error ended all work. */
  readonly isStopped: boolean;
  /** The zones that were read back, and those of them that are as planned. */
  readonly done: ReadonlySet<ZonePlan>;
  readonly inSync: ReadonlySet<ZonePlan>;
}

async function carryOut(plan: Plan, context: ApplyContext): Promise<CarriedOut> {
  const zones = new Map(plan.zones.map((zone) => [zone, new ZoneRun(zone, context)]));
  const zoneOf = (group: ZonePlan) => zones.get(group) as ZoneRun;
  const logs = new Map<WorkNode["group"], ZoneLog>([...zones].map(([group, { log }]) => [group, log]));
  for (const zone of plan.deletions) logs.set(zone, new ZoneLog(zone.name, 1, context));
  const logOf = (group: WorkNode["group"]) => logs.get(group) as ZoneLog;

  const work = async (node: WorkNode, checkpoint: () => void): Promise<void> => {
    switch (node.kind) {
      case "open":
        return zoneOf(node.group).open(checkpoint);
      case "step":
        return zoneOf(node.group).step(node.steps);
      case "activate":
        return zoneOf(node.group).activate(checkpoint);
      case "close":
        return zoneOf(node.group).close();
      case "delete":
        logOf(node.group).noteBegin();
        if (![...zones.values()].every(({ isInSync }) => isInSync)) throw deletionSkippedError();
        return deleteZone(context, logOf(node.group), node.group);
    }
  };
  const nodes = buildGraph(plan);
  const end = await walk(nodes, {
    atOnce: context.atOnce,
    isInterrupted: context.isInterrupted,
    work,
    isFatal: (error) => isForAll(context.target, error),
    failure: () => context.journal.failure,
    onFailed: async (group, error, isHalted) => {
      const zone = isHalted ? undefined : zones.get(group as ZonePlan);
      await zone?.removeDuplicates();
      logOf(group).noteFailed(zone ? await zone.explain(error) : error);
    },
  });

  const waiting = new Map<WorkNode["group"], WorkNode[]>();
  for (const node of nodes)
    if (!end.done.has(node) && !end.failedGroups.has(node.group)) addToList(waiting, node.group, node);
  if (!end.isHalted) for (const [zone, run] of zones) if (waiting.has(zone)) await run.removeDuplicates();
  const isStopped = end.isHalted || context.isInterrupted();
  for (const [group, nodes] of waiting) {
    const isBegun = end.begunGroups.has(group);
    if (!isStopped) noteSkipped(logOf(group), skippedNodesError(nodes, end.done), isBegun);
    else if (isBegun) logOf(group).noteStopped();
  }
  const done = new Set(nodes.flatMap((node) => (node.kind === "close" && end.done.has(node) ? [node.group] : [])));
  return { isStopped, done, inSync: new Set([...done].filter((zone) => zoneOf(zone).isInSync)) };
}

function noteSkipped(log: ZoneLog, error: ProblemError, isBegun: boolean): void {
  if (!isBegun) log.noteBegin();
  log.noteFailed(error);
}

/** Deletes a zone that has not changed since the plan was made, after its backup. */
async function deleteZone({ target, clock, backup }: ApplyContext, log: ZoneLog, zone: LiveZone): Promise<void> {
  const { name, id } = zone;
  const where = { zone: name, step: "delete-zone", write: 0 } as const;
  const now = await readUnlessMissing(target, () => target.read.readZone(id));
  if (now && digestLive(now) !== digestLive(zone))
    throw liveChangedError([`${name.slice(0, -1)}, which the plan deletes,`]);
  if (now) {
    await backup(now, await target.read.readStored?.(now));
    log.noteDeletion(now);
    // The request is idempotent: ids are never reused, and 404 means that the zone is deleted.
    await once(
      { target, clock, log },
      {
        where,
        schedule: checkSchedules.deleteZone,
        send: async () => {
          await target.writes.deleteZone(id);
          return {};
        },
        look: async () => ((await readUnlessMissing(target, () => target.read.readSettings(id))) ? undefined : {}),
        readRefusal: async (failure) => (failure === "gone" ? {} : undefined),
      },
    );
  } else log.noteAcked(where, { already: true });
  log.noteWritten({ kind: "zone-deleted", zone: name, domainId: id });
  log.noteDone(undefined);
}

function deletionSkippedError(): ProblemError {
  return dependencyFailedError(
    "the domain was not deleted: it is deleted only after all other changes of the plan succeeded",
  );
}

/** The problem for nodes of a zone that could not begin because other zones failed. */
function skippedNodesError(waiting: readonly WorkNode[], done: ReadonlySet<WorkNode>): ProblemError {
  const names = new Set<string>();
  let count = 0;
  for (const node of waiting) {
    if (node.kind === "delete") return deletionSkippedError();
    const undone = [...node.needs].filter((need) => !done.has(need));
    for (const { kind, group } of undone)
      if (kind !== "delete" && group !== node.group) names.add(escapeControl(group.zone.name.slice(0, -1)));
    if (node.kind === "step") count += node.steps.reduce((sum, { writes }) => sum + writes.length, 0);
    else if (node.kind !== "close" && isActivationWaiting(node, undone)) count++;
  }
  const depend = count === 1 ? "write: it depends" : "writes: they depend";
  return dependencyFailedError(`skipped ${count} ${depend} on ${[...names].join(", ")}, which failed`);
}

/** Whether the activation or deactivation of a zone depends on more than the other writes to it. */
function isActivationWaiting({ group }: Extract<WorkNode, { group: ZonePlan }>, undone: readonly WorkNode[]): boolean {
  const own = new Set(group.activation?.needs);
  return undone.some(
    (need) => need.group !== group || (need.kind === "step" && need.steps.some(({ id }) => own.has(id))),
  );
}
