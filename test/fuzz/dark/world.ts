import { nameKey } from "../../../src/dns/name/name.ts";
import { asId, type DesiredZone, type LiveZone } from "../../../src/dns/zone/desired-live.ts";
import type { Plan } from "../../../src/planner/changes/change.ts";
import { plan } from "../../planner/plan-now.ts";
import { desiredOf, liveOf } from "../../planner/world.ts";

/** One side of a zone: records as a zone file writes them, and whether the zone is served. */
export interface ZoneSide {
  readonly lines: readonly string[];
  readonly isDisabled?: boolean;
}

/**
 * A zone before and after. Without `before` it is new, without `after` its domain is deleted. The records of a
 * secondary zone come from its primary, so the plan neither knows nor changes them.
 */
export interface DarkZone {
  readonly name: string;
  readonly before?: ZoneSide;
  readonly after?: ZoneSide;
  readonly isSecondary?: boolean;
}

export interface DarkWorld {
  readonly title: string;
  readonly zones: readonly DarkZone[];
}

/** The stored zones by name, with the ids that the service gave them. */
export type Stored = ReadonlyMap<string, LiveZone>;

/** Reads one side of a zone as the planner gets it. */
export function desiredZone({ name, isSecondary }: DarkZone, side: ZoneSide): DesiredZone {
  const settings = [
    ...(side.isDisabled ? [";@ status: disabled"] : []),
    ...(isSecondary ? [";@ type: slave", ";@ master_ips: 192.0.2.53"] : []),
  ];
  return desiredOf([...(isSecondary ? [] : side.lines), ...settings].join("\n"), name);
}

/** Reads one side of a zone as it is stored; the ids are numbered from 1. */
export function storedZone({ name, isSecondary }: DarkZone, side: ZoneSide, id: number): LiveZone {
  const settings = [
    ...(side.isDisabled ? [";@ status: disabled"] : []),
    ...(isSecondary ? [";@ type: slave", ";@ master_ips: 192.0.2.53"] : []),
  ];
  const zone = liveOf([...(isSecondary ? [] : side.lines), ...settings].join("\n"), "documented", name);
  return { ...zone, id: asId(id) };
}

/** Plans the world against the stored zones. */
export function planWorld({ zones }: DarkWorld, stored: Stored): Plan {
  const desired = zones.flatMap((zone) => (zone.after ? [desiredZone(zone, zone.after)] : []));
  const deleted = zones.flatMap(({ name, after }) => (after ? [] : (stored.get(name) ?? [])));
  const kept = [...stored.values()].filter((zone) => !deleted.includes(zone));
  const live = new Map(kept.map((zone) => [nameKey(zone.name), zone]));
  return plan(desired, live, { deletions: deleted });
}
