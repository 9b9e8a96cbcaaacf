import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { type Plan, writesOf } from "../../planner/changes/change.ts";
import type { Capabilities } from "../../targets/target.ts";
import { countWrites, settingWrites } from "./writes.ts";

/** Number of requests of an apply if no one else writes and no reply is lost. */
export interface Forecast {
  readonly reads: number;
  readonly writes: number;
}

/**
 * Counts the requests of `apply`. It reads the name of the user first, for the journal. A zone is read before its first
 * write and after its last one, and a new zone also before it is served. Records and settings are read right before
 * they are changed or deleted, and domains right before they are deleted. `live` contains the zones by name.
 */
export function forecast(
  { zones, deletions }: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  { recordsPerRead }: Pick<Capabilities, "recordsPerRead">,
): Forecast {
  /** Reads of the zone, and of its records page by page. */
  const readingOf = (records: number) => 1 + Math.max(1, Math.ceil(records / recordsPerRead));
  let reads = 1;
  let writes = 0;
  for (const zone of zones) {
    const changes = writesOf(zone);
    const creates = changes.filter(({ kind }) => kind === "create").length;
    const deletes = changes.filter(({ kind }) => kind === "delete").length;
    const before = live.get(nameKey(zone.zone.name))?.records.length ?? 0;
    const after = before + creates - deletes;
    const { first, last } = settingWrites(zone);
    const isNew = zone.domainId === undefined;
    reads += isNew ? 0 : readingOf(before);
    reads += changes.length - creates;
    reads += [first, last].filter(({ length }) => length > 0).length;
    reads += readingOf(after) * (isNew && last.length > 0 ? 2 : 1);
    writes += countWrites(zone);
    for (const { kind, writes: parts } of zone.steps) if (kind === "change-set") writes -= parts.length - 1;
  }
  for (const { records } of deletions) {
    reads += readingOf(records.length);
    writes++;
  }
  return { reads, writes };
}
