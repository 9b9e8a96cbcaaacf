import { plain } from "../diagnostics/plain.ts";
import type { ProblemError } from "../diagnostics/problem.ts";
import type { Plan, ZonePlan } from "../planner/change.ts";
import type { RunContext } from "./context.ts";
import { buildGraph, type Node } from "./graph.ts";
import { isForAll, waitsInVain } from "./outcome.ts";
import { walk } from "./walk.ts";
import { ZoneDeletion } from "./zone-deletion.ts";
import { ZoneRun } from "./zone-run.ts";

/** Carries out a plan. Never rejects: what goes wrong is an event. */
export async function run(plan: Plan, context: RunContext): Promise<void> {
  const zones = new Map(plan.zones.map((zone) => [zone, new ZoneRun(zone, context)]));
  const deletions = new Map(plan.deletions.map((zone) => [zone, new ZoneDeletion(zone, context)]));
  const zoneOf = (node: Extract<Node, { group: ZonePlan }>) => zones.get(node.group) as ZoneRun;
  const logs = new Map<unknown, ZoneRun["log"]>([...zones, ...deletions].map(([group, { log }]) => [group, log]));

  const work = async (node: Node, checkpoint: () => void): Promise<void> => {
    switch (node.kind) {
      case "open":
        return zoneOf(node).open(checkpoint);
      case "step":
        return zoneOf(node).step(node.step);
      case "activate":
        return zoneOf(node).activate(checkpoint);
      case "close":
        return zoneOf(node).close();
      case "delete":
        logs.get(node.group)?.begin();
        if (![...zones.values()].every(({ isInSync }) => isInSync)) throw notAllDone();
        return deletions.get(node.group)?.run();
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
      if (!isHalted) await zones.get(group as ZonePlan)?.removeDuplicates();
      logs.get(group)?.failed(error);
    },
  });

  const begun = new Set<unknown>([...end.begun].map(({ group }) => group));
  const waiting = new Map<unknown, Node[]>();
  for (const node of nodes) {
    if (end.done.has(node) || end.failed.has(node.group)) continue;
    const beside = waiting.get(node.group);
    if (beside) beside.push(node);
    else waiting.set(node.group, [node]);
  }
  if (!end.isHalted)
    for (const [zone, run] of zones) if (waiting.has(zone) && begun.has(zone)) await run.removeDuplicates();
  const isStopped = end.isHalted || context.isInterrupted();
  for (const [group, log] of logs) {
    const nodes = waiting.get(group);
    if (!nodes || (isStopped && !begun.has(group))) continue;
    if (!begun.has(group)) log.begin();
    if (isStopped) log.stopped();
    else log.failed(waitingFor(nodes, end.done));
  }
}

function notAllDone(): ProblemError {
  return waitsInVain("the domain stays: it goes when all else of the plan is done, and that is not");
}

/** Why nodes of one zone have not begun: what they need stopped in other zones. */
function waitingFor(waiting: readonly Node[], done: ReadonlySet<Node>): ProblemError {
  const names = new Set<string>();
  let count = 0;
  for (const node of waiting) {
    if (node.kind === "delete") return notAllDone();
    const undone = [...node.needs].filter((need) => !done.has(need));
    for (const { kind, group } of undone)
      if (kind !== "delete" && group !== node.group) names.add(plain(group.zone.name.slice(0, -1)));
    if (node.kind === "step") count += node.step.writes.length;
    else if (node.kind !== "close" && isTurnWaiting(node, undone)) count++;
  }
  const depend = count === 1 ? "write: it depends" : "writes: they depend";
  return waitsInVain(`skipped ${count} ${depend} on ${[...names].join(", ")}, which failed`);
}

/** Does the write that begins or ends the serving of a zone wait for more than the other writes to the zone? */
function isTurnWaiting({ group }: Extract<Node, { group: ZonePlan }>, undone: readonly Node[]): boolean {
  const own = new Set(group.turn?.needs);
  return undone.some((need) => need.group !== group || (need.kind === "step" && own.has(need.step.id)));
}
