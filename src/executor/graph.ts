import { type NameKey, nameKey } from "../dns/name.ts";
import { type Deletion, isServed, type Plan, type Step, type ZonePlan } from "../planner/change.ts";
import type { WalkNode } from "./walk.ts";
import { settingWrites } from "./writes.ts";

/**
 * A part of a run. `open`: the zone is created, or read and compared, and gets its first settings. `activate`: its last
 * settings, with which it begins to be served. `close`: it is read back. `delete`: it is deleted.
 */
export type Node = ZoneNode | StepNode | DeletionNode;

interface ZoneNode extends WalkNode<Node> {
  readonly kind: "open" | "activate" | "close";
  readonly group: ZonePlan;
  readonly needs: Set<Node>;
}

interface StepNode extends WalkNode<Node> {
  readonly kind: "step";
  readonly group: ZonePlan;
  readonly needs: Set<Node>;
  readonly step: Step;
}

interface DeletionNode extends WalkNode<Node> {
  readonly kind: "delete";
  readonly group: Deletion;
}

/**
 * The order of a run as data. A zone opens when one of its steps could begin, and closes when all are done. Where a zone
 * begins to be served, its activation has the needs of its turn; where it ceases to be, its opening has. Domains are
 * deleted last, one after the other, so that nothing that the plan takes away still points into them.
 */
export function buildGraph({ zones, deletions }: Plan): Node[] {
  const steps = new Map<number, Node>();
  /** The nodes after which zones are served as they are to be. */
  const turned = new Map<NameKey, Node>();
  const graphs = zones.map((zone) => {
    const graph = zoneGraph(zone);
    for (const node of graph.steps) steps.set(node.step.id, node);
    turned.set(nameKey(zone.zone.name), isTurnedFirst(zone) ? graph.open : graph.close);
    return graph;
  });
  const plug = (node: ZoneNode | StepNode, { needs, needsZones = [] }: Pick<Step, "needs" | "needsZones">) => {
    const nodes = [...needs.map((id) => steps.get(id)), ...needsZones.map((name) => turned.get(nameKey(name)))];
    for (const need of nodes) if (need) node.needs.add(need);
  };
  for (const { zone, open, steps, activate, close } of graphs) {
    for (const node of steps) plug(node, node.step);
    if (zone.turn) plug(isTurnedFirst(zone) ? open : (activate ?? close), zone.turn);
  }
  const nodes = graphs.flatMap(({ open, steps, activate, close }): Node[] => [
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

/** Ceases the zone to be served? Then that comes before its steps. */
function isTurnedFirst(zone: ZonePlan): boolean {
  const served = isServed(zone);
  return served.before && !served.after;
}

function zoneGraph(zone: ZonePlan) {
  const isLazy = zone.steps.length > 0 && !isTurnedFirst(zone);
  const open: ZoneNode = { kind: "open", group: zone, needs: new Set(), isFirst: true, isLazy };
  const steps = zone.steps.map((step): StepNode => ({ kind: "step", group: zone, step, needs: new Set([open]) }));
  const activate: ZoneNode = { kind: "activate", group: zone, needs: new Set([open, ...steps]) };
  const isActivated = settingWrites(zone).last.length > 0;
  const needs = new Set<Node>([open, ...steps, ...(isActivated ? [activate] : [])]);
  const close: ZoneNode = { kind: "close", group: zone, needs, isReading: true };
  return { zone, open, steps, ...(isActivated && { activate }), close };
}
