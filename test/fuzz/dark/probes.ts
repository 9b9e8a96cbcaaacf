import type { Plan } from "../../../src/planner/changes/change.ts";
import { subject, writesOf } from "../../../src/planner/changes/change.ts";
import { zoneOf } from "../../planner/world.ts";
import { isBelow } from "./lookup.ts";
import type { DarkWorld } from "./world.ts";

/**
 * A question whose answer is watched. `owner` is the name as gaps are declared: `*.N` is any other name directly below
 * N.
 */
export interface Probe {
  readonly owner: string;
  readonly name: string;
  readonly type: string;
  /** Whether the data of either side has this type at the name, or the plan declares a gap of it there. */
  readonly isOwn: boolean;
}

/** A label that no world has. */
export const otherLabel = "q7x";

/**
 * Every name that the records of either side have, all above it up to its zone, and one random name below each of these
 * that is a wildcard's parent, has no records of its own, or changes; each for every type that the records have.
 */
export function probesOf(world: DarkWorld, plan: Plan, declared: ReadonlyMap<string, ReadonlySet<string>>): Probe[] {
  const owners = new Set<string>();
  const parents = new Set<string>();
  const types = new Set<string>();
  const own = new Map([...declared].map(([owner, types]) => [owner, new Set(types)]));
  for (const zone of world.zones) {
    for (const side of [zone.before, zone.after]) {
      if (side === undefined) continue;
      const records = zoneOf(side.lines.join("\n"), zone.name).records.filter(({ type }) => type !== "SOA");
      const withRecords = new Set(records.map(({ owner }) => owner.toLowerCase()));
      for (const { owner, type } of records) {
        if (type === "DNAME") parents.add(owner.toLowerCase());
        else types.add(type);
        own.set(owner.toLowerCase(), (own.get(owner.toLowerCase()) ?? new Set()).add(type));
        for (let name = owner.toLowerCase(); isBelow(name, zone.name); name = parentOf(name)) {
          if (name.startsWith("*.")) parents.add(parentOf(name));
          else owners.add(name);
          if (!withRecords.has(name)) parents.add(name);
        }
      }
    }
    owners.add(zone.name);
  }
  for (const zone of plan.zones) {
    parents.add(zone.zone.name);
    for (const change of writesOf(zone)) parents.add(subject(change).owner.toLowerCase());
  }
  for (const name of declared.keys()) {
    if (name.startsWith("*.")) parents.add(parentOf(name.toLowerCase()));
    else owners.add(name.toLowerCase());
  }
  const names = [
    ...[...owners].map((owner) => ({ owner, name: owner })),
    ...[...parents]
      .filter((name) => !name.startsWith("*."))
      .map((name) => ({ owner: `*.${name}`, name: `${otherLabel}.${name}` })),
  ];
  return names.flatMap((name) => {
    const of = own.get(name.owner) ?? new Set();
    return [...new Set([...types, ...of])]
      .filter((type) => type !== "DNAME")
      .sort()
      .map((type) => ({ ...name, type, isOwn: of.has(type) }));
  });
}

function parentOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}
