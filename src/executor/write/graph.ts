import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { type Deletion, isServed, type Plan, type Step, type ZonePlan } from "../../planner/changes/change.ts";
import { settingWrites } from "../journal/writes.ts";
import type { WalkNode } from "./walk.ts";

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
  readonly step: Step;
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
    for (const node of graph.steps) steps.set(node.step.id, node);
    activations.set(nameKey(zone.zone.name), isDeactivated(zone) ? graph.open : graph.close);
    return graph;
  });
  const connectNeeds = (node: ZoneNode | StepNode, { needs, needsZones = [] }: Pick<Step, "needs" | "needsZones">) => {
    const nodes = [...needs.map((id) => steps.get(id)), ...needsZones.map((name) => activations.get(nameKey(name)))];
    for (const need of nodes) if (need) node.needs.add(need);
  };
  for (const { zone, open, steps, activate, close } of graphs) {
    for (const node of steps) connectNeeds(node, node.step);
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
  const steps = zone.steps.map((step): StepNode => ({ kind: "step", group: zone, step, needs: new Set([open]) }));
  const activate: ZoneNode = { kind: "activate", group: zone, needs: new Set([open, ...steps]) };
  const isActivated = settingWrites(zone).last.length > 0;
  const needs = new Set<WorkNode>([open, ...steps, ...(isActivated ? [activate] : [])]);
  const close: ZoneNode = { kind: "close", group: zone, needs, isReading: true };
  return { zone, open, steps, ...(isActivated && { activate }), close };
}
