import { targets } from "../../../src/dns/zone/zone.ts";
import { zoneOf } from "../../planner/world.ts";
import type { Lookup } from "./lookup.ts";
import { otherLabel } from "./probes.ts";
import type { DarkWorld, DarkZone, ZoneSide } from "./world.ts";

/**
 * A record that points from a name to another and is desired but not stored. `name` is asked for: below a wildcard, a
 * random one.
 */
export interface Pointer {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly target: string;
}

/** The pointers that a plan for the world writes. */
export function newPointers({ zones }: DarkWorld): Pointer[] {
  const known = zones.filter(({ isSecondary }) => !isSecondary);
  const stored = new Set(known.flatMap((zone) => pointersOn(zone, zone.before)).map(({ key }) => key));
  return known.flatMap((zone) => pointersOn(zone, zone.after)).filter(({ key }) => !stored.has(key));
}

function pointersOn({ name: zone }: DarkZone, side: ZoneSide | undefined): Pointer[] {
  return zoneOf(side?.lines.join("\n") ?? "", zone).records.flatMap((record) => {
    const owner = record.owner.toLowerCase();
    const name = owner.startsWith("*.") ? `${otherLabel}.${owner.slice(2)}` : owner;
    const { type } = record;
    return ["CNAME", "MX", "NS", "SRV"].includes(type)
      ? targets(record).map((one) => ({
          key: `${owner} ${type} ${one.toLowerCase()}`,
          name,
          type,
          target: one.toLowerCase(),
        }))
      : [];
  });
}

/**
 * Those of the pointers whose targets are there now, also where others hide them. Of the rest, no order has the target
 * first.
 */
export async function wholeOf(pointers: readonly Pointer[], lookup: Lookup): Promise<Pointer[]> {
  const areThere = await Promise.all(pointers.map(({ type, target }) => lookup.isThere(target, type)));
  return pointers.filter((_, index) => areThere[index]);
}

/** The keys of the pointers that are answered now and lead to a name that is not there. */
export async function danglingOf(pointers: readonly Pointer[], lookup: Lookup): Promise<Set<string>> {
  const areThere = await Promise.all(
    pointers.map(({ name, type, target }) => lookup.isTargetThere(name, type, target)),
  );
  return new Set(pointers.filter((_, index) => areThere[index] === false).map(({ key }) => key));
}
