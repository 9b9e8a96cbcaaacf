import { hasErrors, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { DesiredZone, LiveZone } from "../dns/desired-live.ts";
import { freedText } from "../dns/freed-address.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import { placeWithIncludes } from "../dns/rule.ts";
import { byOwner, isType, type ZoneRecord } from "../dns/zone.ts";
import { applyScope } from "../planner/scope.ts";
import type { FreedAddresses, PlanningReads, ReadOptions } from "../targets/target.ts";
import type { Project } from "./project.ts";
import { applySeverities } from "./severities.ts";

/** Zones as their files describe them, and as they are stored. */
interface Zones {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

/** The addresses in these zones that a node of the account had and none has now. */
export async function readFreed(
  read: Pick<PlanningReads, "readFreedAddresses">,
  { desired, live }: Zones,
  options: ReadOptions,
): Promise<FreedAddresses> {
  const records = [...desired, ...live.values()].flatMap((zone) => zone.records);
  const addresses = new Set(records.flatMap(addressOf));
  return (await read.readFreedAddresses?.(addresses, options)) ?? { freed: [] };
}

/**
 * The problems of stored records that a plan keeps and that point to addresses which no node has any more, with the
 * severities of the config and the zones; and a note if such addresses may have been missed.
 * @throws {ProblemError} if the config makes such a record an error
 */
export function findDangling(
  { switches, isStrict }: Pick<Project, "switches" | "isStrict">,
  { desired, live }: Zones,
  { freed, unknown }: FreedAddresses,
): Problem[] {
  const known = new Map(freed.map((one) => [one.address, one]));
  const ofZones = desired.flatMap((zone): Problem[] => {
    const stored = live.get(nameKey(zone.name));
    if (known.size === 0 || stored === undefined) return [];
    const before = byOwner(stored.records);
    const found = applyScope(zone, stored).records.flatMap((record): Problem[] => {
      const [address] = addressOf(record);
      const reason = address === undefined ? undefined : known.get(address);
      const same = before.get(nameKey(record.owner))?.get(record.type)?.records ?? [];
      if (!reason || !same.some((one) => addressOf(one)[0] === address)) return [];
      const summary = `${record.owner.slice(0, -1)} ${record.type} points to ${freedText(reason)}`;
      const fix = "Point the record to the present address of a node, or delete it.";
      return [problem("dangling-address", summary, { fix, owner: record.owner, ...placeWithIncludes(record) })];
    });
    return applySeverities(found, zone, switches, isStrict);
  });
  if (hasErrors(ofZones)) throw new ProblemError(ofZones.filter(({ severity }) => severity === "error"));
  if (unknown === undefined) return ofZones;
  return [
    ...ofZones,
    problem("freed-unknown", `records that point to addresses of deleted nodes may be missed: ${unknown}`),
  ];
}

function addressOf(record: ZoneRecord): string[] {
  return isType(record, "A") || isType(record, "AAAA") ? [record.data.address] : [];
}
