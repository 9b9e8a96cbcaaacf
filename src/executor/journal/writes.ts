import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import {
  isServed,
  type Plan,
  type SettingChange,
  stepsTogether,
  writesOf,
  type ZonePlan,
} from "../../planner/changes/change.ts";
import type { Capabilities } from "../../targets/target.ts";

/** Settings of a zone to write before its records, and those to write after. Each list is one write, or none. */
export function settingWrites(plan: ZonePlan): { first: readonly SettingChange[]; last: readonly SettingChange[] } {
  const { domainId, settings, zone } = plan;
  if (domainId === undefined) {
    // Created disabled, where zones have a status: a half-filled zone is never served.
    const last = { name: "status", before: "disabled", after: "active" } as const;
    return { first: [], last: zone.settings.status === "active" ? [last] : [] };
  }
  // A zone that is not served needs no order.
  const served = isServed(plan);
  if (served.before && !served.after) return { first: settings, last: [] };
  // A slave refuses records, so the change to master comes first; activation still waits for the records.
  const becomesMaster = settings.some(({ name, after }) => name === "type" && after === "master");
  if (!becomesMaster) return { first: [], last: settings };
  const isActivation = ({ name, after }: SettingChange) => name === "status" && after === "active";
  return { first: settings.filter((change) => !isActivation(change)), last: settings.filter(isActivation) };
}

/** Number of writes of a zone plan: the domain, its records, its settings. */
export function countWrites(plan: ZonePlan): number {
  const { first, last } = settingWrites(plan);
  const others = [plan.domainId === undefined, first.length > 0, last.length > 0].filter(Boolean).length;
  return writesOf(plan).length + others;
}

/**
 * Whether a run reads records only with their whole zone, not right before each change: a lock guards them, or the
 * service has no reads of single records.
 */
export function readsZonesOnly({ ids, lock }: Pick<Capabilities, "ids" | "lock">): boolean {
  return ids === "content" || lock !== "none";
}

/** Number of requests of an apply if no one else writes and no reply is lost. */
interface Forecast {
  readonly reads: number;
  readonly writes: number;
  /** The requests that carry the writes: a change set carries several. */
  readonly writeRequests: number;
}

/**
 * Counts the requests of `apply`. It reads the name of the user first, for the journal. A zone is read before its first
 * write and after its last one, and a new zone also before it is served. Settings are read right before they are
 * changed, domains right before they are deleted, and records too, except with `readsZonesOnly`. `live` contains the
 * zones by name.
 */
export function forecast(
  { zones, deletions }: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  capabilities: Pick<Capabilities, "recordsPerRead" | "ids" | "lock">,
): Forecast {
  /** Reads of the zone, and of its records page by page. */
  const readingOf = (records: number) => 1 + Math.max(1, Math.ceil(records / capabilities.recordsPerRead));
  let reads = 1;
  let writes = 0;
  let inSets = 0;
  for (const zone of zones) {
    const changes = writesOf(zone);
    const creates = changes.filter(({ kind }) => kind === "create").length;
    const deletes = changes.filter(({ kind }) => kind === "delete").length;
    const before = live.get(nameKey(zone.zone.name))?.records.length ?? 0;
    const after = before + creates - deletes;
    const { first, last } = settingWrites(zone);
    const isNew = zone.domainId === undefined;
    reads += isNew ? 0 : readingOf(before);
    reads += readsZonesOnly(capabilities) ? 0 : changes.length - creates;
    reads += [first, last].filter(({ length }) => length > 0).length;
    reads += readingOf(after) * (isNew && last.length > 0 ? 2 : 1);
    writes += countWrites(zone);
    for (const set of stepsTogether(zone.steps))
      if (set[0].set !== undefined) inSets += set.reduce((sum, { writes }) => sum + writes.length, 0) - 1;
  }
  for (const { records } of deletions) {
    reads += readingOf(records.length);
    writes++;
  }
  return { reads, writes, writeRequests: writes - inSets };
}
