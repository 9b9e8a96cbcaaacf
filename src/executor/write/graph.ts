import { type NameKey, nameKey } from "../../dns/name/name.ts";
import {
  type Deletion,
  isServed,
  type Plan,
  type Step,
  stepsTogether,
  type ZonePlan,
} from "../../planner/changes/change.ts";
import { settingWrites } from "../journal/writes.ts";

/**
 * A unit of work in a run. `open` creates the zone, or reads and compares it, and writes its first settings. `activate`
 * writes its last settings, after which it is served. `close` reads it back. `delete` deletes it.
 */
export type WorkNode = ZoneNode | StepNode | DeletionNode;

interface ZoneNode extends WalkNode<WorkNode> {
  readonly kind: "open" | "activate" | "close";
  readonly group: ZonePlan;
  readonly needs: Set<WorkNode>;
}

interface StepNode extends WalkNode<WorkNode> {
  readonly kind: "step";
  readonly group: ZonePlan;
  readonly needs: Set<WorkNode>;
  /** One step, or those of a change set. */
  readonly steps: readonly [Step, ...Step[]];
}

interface DeletionNode extends WalkNode<WorkNode> {
  readonly kind: "delete";
  readonly group: Deletion;
}

/**
 * The order of a run as data. A zone is opened when one of its steps can begin, and closed when all are done. The needs
 * of its `activation` apply to the last settings; for a zone that is disabled, to its opening. Zones are deleted last,
 * one at a time, so that no record that the plan removes still points into them.
 */
export function buildGraph({ zones, deletions }: Plan): WorkNode[] {
  const steps = new Map<number, WorkNode>();
  /** The nodes after which a zone is served or disabled, as desired. */
  const activations = new Map<NameKey, WorkNode>();
  const graphs = zones.map((zone) => {
    const graph = zoneGraph(zone);
    for (const node of graph.steps) for (const { id } of node.steps) steps.set(id, node);
    activations.set(nameKey(zone.zone.name), isDeactivated(zone) ? graph.open : graph.close);
    return graph;
  });
  const connectNeeds = (node: ZoneNode | StepNode, { needs, needsZones = [] }: Pick<Step, "needs" | "needsZones">) => {
    const nodes = [...needs.map((id) => steps.get(id)), ...needsZones.map((name) => activations.get(nameKey(name)))];
    for (const need of nodes) if (need) node.needs.add(need);
  };
  for (const { zone, open, steps, activate, close } of graphs) {
    for (const node of steps) for (const step of node.steps) connectNeeds(node, step);
    if (zone.activation) connectNeeds(isDeactivated(zone) ? open : (activate ?? close), zone.activation);
  }
  const nodes = graphs.flatMap(({ open, steps, activate, close }): WorkNode[] => [
    open,
    ...steps,
    ...(activate ? [activate] : []),
    close,
  ]);
  const closes = nodes.filter(({ kind }) => kind === "close");
  let previous: DeletionNode | undefined;
  for (const group of deletions) {
    previous = { kind: "delete", group, needs: new Set(previous ? [] : closes), follows: previous };
    nodes.push(previous);
  }
  return nodes;
}

/** Whether the plan disables the zone, which it does before its steps. */
function isDeactivated(zone: ZonePlan): boolean {
  const served = isServed(zone);
  return served.before && !served.after;
}

function zoneGraph(zone: ZonePlan) {
  const isLazy = zone.steps.length > 0 && !isDeactivated(zone);
  const open: ZoneNode = { kind: "open", group: zone, needs: new Set(), isFirst: true, isLazy };
  const steps = stepsTogether(zone.steps).map(
    (steps): StepNode => ({ kind: "step", group: zone, steps, needs: new Set([open]) }),
  );
  const activate: ZoneNode = { kind: "activate", group: zone, needs: new Set([open, ...steps]) };
  const isActivated = settingWrites(zone).last.length > 0;
  const needs = new Set<WorkNode>([open, ...steps, ...(isActivated ? [activate] : [])]);
  const close: ZoneNode = { kind: "close", group: zone, needs, isReading: true };
  return { zone, open, steps, ...(isActivated && { activate }), close };
}

/** A node of a graph of work. */
export interface WalkNode<N> {
  /** Nodes of a group fail together: after one fails, no other begins. */
  readonly group: unknown;
  /** Nodes that must succeed before this one begins. */
  readonly needs: ReadonlySet<N>;
  /** A node that must end before this one begins, successfully or not. */
  readonly follows?: N | undefined;
  /** Begins after all ready nodes of groups that have begun, so that few groups are partly done at any time. */
  readonly isFirst?: boolean;
  /** Begins only when a node that needs it waits for nothing else. */
  readonly isLazy?: boolean;
  /** Writes nothing, so it begins even after an interruption. */
  readonly isReading?: boolean;
}

interface WalkOptions<N extends WalkNode<N>> {
  /** Maximum number of concurrent nodes. */
  readonly atOnce: number;
  /** Whether new writes are no longer allowed. */
  readonly isInterrupted: () => boolean;
  /** Carries out a node. It calls `checkpoint` before each further write, which throws if that may not begin. */
  readonly work: (node: N, checkpoint: () => void) => Promise<void>;
  /** Whether an error stops all groups, not only that of its node. */
  readonly isFatal: (error: unknown) => boolean;
  /** An error from outside the nodes that stops all groups; undefined if there is none. */
  readonly failure: () => unknown;
  /** Called when a group has failed and none of its nodes is running. */
  readonly onFailed: (group: N["group"], error: unknown, isHalted: boolean) => Promise<void>;
}

/** The result of a walk. A group that neither failed nor completed was interrupted, or needs a failed one. */
interface WalkEnd<N extends WalkNode<N>> {
  readonly done: ReadonlySet<N>;
  readonly begunGroups: ReadonlySet<N["group"]>;
  /** The groups for which `onFailed` was called. */
  readonly failedGroups: ReadonlySet<N["group"]>;
  /** A fatal error stopped all groups. */
  readonly isHalted: boolean;
}

/**
 * Carries out the nodes of a graph; nodes that do not depend on each other run concurrently. Rejects only if `onFailed`
 * does.
 */
export function walk<N extends WalkNode<N>>(nodes: readonly N[], options: WalkOptions<N>): Promise<WalkEnd<N>> {
  return new Walk(nodes, options).run();
}

class InterruptedError extends Error {}

interface Group {
  underWay: number;
  /** Nodes of the group that are not done. */
  left: number;
  error?: unknown;
}

class Walk<N extends WalkNode<N>> implements WalkEnd<N> {
  readonly done = new Set<N>();
  readonly begunGroups = new Set<N["group"]>();
  readonly failedGroups = new Set<N["group"]>();
  isHalted = false;
  readonly #options: WalkOptions<N>;
  readonly #begun = new Set<N>();
  readonly #groups = new Map<N["group"], Group>();
  /** The number of unfinished needs of each node. */
  readonly #left = new Map<N, number>();
  readonly #dependents = new Map<N, N[]>();
  readonly #followers = new Map<N, N>();
  readonly #ready: N[] = [];
  readonly #readyFirst = new Set<N>();
  #underWay = 0;
  #resolve: (end: WalkEnd<N>) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(nodes: readonly N[], options: WalkOptions<N>) {
    this.#options = options;
    for (const node of nodes) {
      const { group, needs, follows } = node;
      this.#groups.set(group, { underWay: 0, left: (this.#groups.get(group)?.left ?? 0) + 1 });
      this.#left.set(node, needs.size + (follows ? 1 : 0));
      if (follows) this.#followers.set(follows, node);
      for (const need of needs) {
        const list = this.#dependents.get(need);
        if (list) list.push(node);
        else this.#dependents.set(need, [node]);
      }
    }
    for (const node of nodes) this.#offer(node);
  }

  run(): Promise<WalkEnd<N>> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#pump();
    });
  }

  get #isStopped(): boolean {
    return this.isHalted || this.#options.isInterrupted();
  }

  readonly #checkpoint = (): void => {
    if (this.#isStopped) throw new InterruptedError();
  };

  /** Queues a node if all its needs are done. */
  #offer(node: N): void {
    if (this.#left.get(node) !== 0 || this.#begun.has(node)) return;
    const waiting = this.#dependents.get(node) ?? [];
    if (node.isLazy && !waiting.some((dependent) => this.#left.get(dependent) === 1)) return;
    if (node.isFirst) this.#readyFirst.add(node);
    else this.#ready.push(node);
  }

  #release(node: N): void {
    const left = (this.#left.get(node) ?? 0) - 1;
    this.#left.set(node, left);
    if (left === 0) this.#offer(node);
    else if (left === 1) for (const need of node.needs) if (need.isLazy) this.#offer(need);
  }

  #pump(): void {
    while (this.#underWay < this.#options.atOnce) {
      const node = this.#isStopped ? this.#nextReading() : this.#next();
      if (!node) break;
      this.#launch(node).catch(this.#reject);
    }
    if (this.#underWay === 0) this.#resolve(this);
  }

  #next(): N | undefined {
    for (let node = this.#ready.shift(); node; node = this.#ready.shift()) if (!this.#hasFailed(node)) return node;
    const [first] = this.#readyFirst;
    if (first) this.#readyFirst.delete(first);
    return first;
  }

  #nextReading(): N | undefined {
    if (this.isHalted) return undefined;
    const index = this.#ready.findIndex((node) => node.isReading && !this.#hasFailed(node));
    return index < 0 ? undefined : this.#ready.splice(index, 1)[0];
  }

  #hasFailed({ group }: N): boolean {
    return this.#groups.get(group)?.error !== undefined;
  }

  async #launch(node: N): Promise<void> {
    const { work, isFatal, failure, onFailed } = this.#options;
    const group = this.#groups.get(node.group) as Group;
    this.#underWay++;
    group.underWay++;
    this.#begun.add(node);
    this.begunGroups.add(node.group);
    try {
      await work(node, this.#checkpoint);
      this.done.add(node);
      group.left--;
      for (const dependent of this.#dependents.get(node) ?? []) this.#release(dependent);
    } catch (error) {
      if (!(error instanceof InterruptedError)) group.error ??= error;
      if (isFatal(error)) this.isHalted = true;
    }
    const follower = this.#followers.get(node);
    if (follower) this.#release(follower);
    if (failure() !== undefined) {
      group.error ??= failure();
      this.isHalted = true;
    }
    if (group.error !== undefined && group.underWay === 1 && group.left > 0) {
      this.failedGroups.add(node.group);
      await onFailed(node.group, group.error, this.isHalted);
    }
    this.#underWay--;
    group.underWay--;
    this.#pump();
  }
}
