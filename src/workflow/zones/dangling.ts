import { hasErrors, type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { registry } from "../../diagnostics/registry.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { freedText } from "../../dns/name/freed-address.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { lenientEntry } from "../../dns/zone/lenient-advice.ts";
import { isUnresolved } from "../../dns/zone/node-reference.ts";
import { byOwner } from "../../dns/zone/owners.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { applyScope } from "../../planner/match/match.ts";
import type { Capabilities, FreedAddresses, PlanningReads, ReadOptions } from "../../targets/target.ts";
import type { Project } from "../project/project.ts";
import { applySeverities } from "../project/severities.ts";

/** Zones as their files describe them, and as they are stored. */
interface Zones {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

type Severities = Pick<Project, "switches" | "isStrict" | "target">;

/** Addresses in these zones that a node of the account lost and no node has now. */
export async function readFreed(
  read: Pick<PlanningReads, "readFreedAddresses">,
  { desired = [], live = new Map() }: Partial<Zones>,
  options: ReadOptions,
): Promise<FreedAddresses> {
  const addresses = new Set<string>();
  const add = (zone: { readonly records: readonly ZoneRecord[] }) => {
    for (const record of zone.records) for (const address of addressOf(record)) addresses.add(address);
  };
  for (const zone of desired) add(zone);
  for (const zone of live.values()) add(zone);
  return (await read.readFreedAddresses?.(addresses, options)) ?? { freed: [] };
}

/**
 * Problems of stored records that a plan keeps although no node has their address any more, with the severities of the
 * config and the zones, and a note if some of these addresses may be missing.
 * @throws {ProblemError} if the config makes such a record an error
 */
export function findDangling(project: Severities, { desired, live }: Zones, freed: FreedAddresses): Problem[] {
  const recordsOf = (zone: DesiredZone) => {
    const stored = live.get(nameKey(zone.name));
    return stored ? keepAddresses(zone, stored, project.target.capabilities.apex) : [];
  };
  const found = findProblems(project, { desired, recordsOf }, freed);
  if (hasErrors(found)) throw new ProblemError(found.filter(({ severity }) => severity === "error"));
  return found;
}

/** Finds dangling records of zone files by the freed addresses of a snapshot, whose time the problems name. */
export async function findDanglingInFiles(
  project: Severities,
  desired: readonly DesiredZone[],
  snapshot: Pick<PlanningReads, "readFreedAddresses"> & { readonly time: Date },
): Promise<Problem[]> {
  const freed = await readFreed(snapshot, { desired }, {});
  const found = findProblems(project, { desired, recordsOf: ({ records }) => records }, freed);
  const time = `${snapshot.time.toISOString().slice(0, 19)}Z`;
  return found.map((one) => (one.detail ? { ...one, detail: `${one.detail} The snapshot is of ${time}.` } : one));
}

/** Zones, and the records of each to check. */
interface RecordsToCheck {
  readonly desired: readonly DesiredZone[];
  readonly recordsOf: (zone: DesiredZone) => readonly ZoneRecord[];
}

const fixFreed = "Point the record to the present address of a node, or delete it.";
const fixTransferred =
  "Point the record to the address of a node of this account, or delete it. If it may use the node of the other account, write";

function findProblems(
  { switches, isStrict }: Severities,
  { desired, recordsOf }: RecordsToCheck,
  { freed, unknown }: FreedAddresses,
): Problem[] {
  const known = new Map(freed.map((one) => [one.address, one]));
  const ofZones = known.size === 0 ? [] : desired;
  const found = ofZones.flatMap((zone) => {
    const dangling = recordsOf(zone).flatMap((record): Problem[] => {
      const reason = addressOf(record).flatMap((address) => known.get(address) ?? [])[0];
      if (!reason) return [];
      const summary = `${record.owner.slice(0, -1)} ${record.type} points to ${freedText(reason)}`;
      const fix = reason.isTransferred
        ? `${fixTransferred} ${lenientEntry(zone, record, "dangling-address")}.`
        : fixFreed;
      const detail = registry["dangling-address"].why;
      return [problem("dangling-address", summary, { detail, fix, owner: record.owner, ...placeWithIncludes(record) })];
    });
    return applySeverities(dangling, zone, switches, isStrict);
  });
  if (unknown === undefined) return found;
  return [...found, problem("freed-unknown", missedSummary(unknown))];
}

export function missedSummary(why: string): string {
  return `records that point to addresses of deleted nodes may be missed: ${why}`;
}

/** The records in the scope of the plan whose address is already stored at their name. */
function keepAddresses(zone: DesiredZone, stored: LiveZone, apex: Capabilities["apex"]): readonly ZoneRecord[] {
  const before = byOwner(stored.records);
  return applyScope(zone, stored, apex).records.filter((record) => {
    const [address] = addressOf(record);
    const same = before.get(nameKey(record.owner))?.get(record.type)?.records ?? [];
    return address !== undefined && same.some((one) => addressOf(one)[0] === address);
  });
}

/** The address of an A or AAAA record; none while its reference to a node is unresolved. */
function addressOf(record: ZoneRecord): readonly string[] {
  return isType(record, "A", "AAAA") && !isUnresolved(record) ? [record.data.address] : none;
}

const none: readonly string[] = [];
