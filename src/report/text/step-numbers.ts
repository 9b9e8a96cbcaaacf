import { settingWrites } from "../../executor/journal/writes.ts";
import { buildGraph, type WorkNode } from "../../executor/write/graph.ts";
import type { Plan, Step, ZonePlan } from "../../planner/changes/change.ts";

/** The numbers of a plan's steps, from 1. No step needs one with a greater number. */
export interface StepNumbers {
  readonly stepOf: ReadonlyMap<Step, number>;
  /** The first write of a zone: its creation, its first settings or its deletion. */
  readonly open: ReadonlyMap<WorkNode["group"], number>;
  /** The write of a zone's last settings. */
  readonly last: ReadonlyMap<WorkNode["group"], number>;
  /** The round of each number, from 1: all steps of a round can be sent at once when those before it are done. */
  readonly rounds: ReadonlyMap<number, number>;
}

/** Numbers the steps in the order of a sequential run. */
export function numberSteps(plan: Plan): StepNumbers {
  const stepOf = new Map<Step, number>();
  const open = new Map<WorkNode["group"], number>();
  const last = new Map<WorkNode["group"], number>();
  const rounds = new Map<number, number>();
  /** The last round that a node, or what it needs, is part of. */
  const reached = new Map<WorkNode, number>();
  let number = 0;
  for (const node of inOrder(buildGraph(plan))) {
    const before = number;
    if (node.kind === "step") for (const step of node.steps) stepOf.set(step, ++number);
    else if (node.kind === "delete") open.set(node.group, ++number);
    else if (node.kind === "open" && hasFirstWrite(node.group)) open.set(node.group, ++number);
    // The creation and activation of a new zone share one line.
    else if (node.kind === "activate" && node.group.domainId !== undefined) last.set(node.group, ++number);
    const round = roundBefore(node, reached) + (number > before ? 1 : 0);
    for (let one = before + 1; one <= number; one++) rounds.set(one, round);
    reached.set(node, round);
  }
  return { stepOf, open, last, rounds };
}

/** The last round that a node waits for. */
function roundBefore({ needs, follows }: WorkNode, reached: ReadonlyMap<WorkNode, number>): number {
  const waits = follows ? [...needs, follows] : [...needs];
  return waits.reduce((round, need) => Math.max(round, reached.get(need) ?? 0), 0);
}

function hasFirstWrite(zone: ZonePlan): boolean {
  return zone.domainId === undefined || settingWrites(zone).first.length > 0;
}

/** Sorts nodes so that each follows those that it needs. */
function* inOrder(nodes: readonly WorkNode[]): Generator<WorkNode> {
  const done = new Set<WorkNode>();
  for (const start of nodes) {
    const path = [start];
    for (let node = path.at(-1); node; node = path.at(-1)) {
      const missing = done.has(node) ? undefined : firstMissing(node, done);
      if (missing) path.push(missing);
      else {
        path.pop();
        if (!done.has(node)) yield node;
        done.add(node);
      }
    }
  }
}

function firstMissing({ needs }: WorkNode, done: ReadonlySet<WorkNode>): WorkNode | undefined {
  for (const need of needs) if (!done.has(need)) return need;
  return undefined;
}
