import type { Problem } from "../diagnostics/problem.ts";
import { isSameName } from "../dns/name/name.ts";
import { type DesiredRecord, type DesiredZone, partsOfFile } from "../dns/zone/desired-live.ts";
import { copyRecord, recordKeyOf, type Zone, type ZoneRecord } from "../dns/zone/zone.ts";
import { defaultTimes, type Setting, settingsIn } from "../dns/zone/zone-settings.ts";
import type { Accepted, Capabilities } from "./target.ts";

/** How a service stores the records of a zone file. */
export interface PlainForm {
  /** The TTL of records without one, where zones have no setting `ttl_sec`, in seconds. */
  readonly defaultTtl: number;
  /** A problem if a record is stored in another way, or not at all (`undefined` in place of the record). */
  readonly store?: (record: DesiredRecord) => {
    readonly record: DesiredRecord | undefined;
    readonly problem?: Problem;
  };
}

/**
 * A zone as a service without limits on values stores it: settings that it does not have are left out, as are the
 * records that belong to it, and without ids a record is stored once.
 */
export function acceptPlain(
  zone: Zone,
  { settings: known, apex, ids }: Pick<Capabilities, "settings" | "apex" | "ids">,
  { defaultTtl, store = (record) => ({ record }) }: PlainForm,
): Accepted {
  const names = new Set(known.map(({ name }) => name));
  const isOfService = ({ owner, type }: ZoneRecord) =>
    (type === "SOA" || (type === "NS" && apex === "service")) && isSameName(owner, zone.name);
  const problems: Problem[] = [];
  const unsupported: ZoneRecord[] = [];
  const records = new Map<unknown, DesiredRecord>();
  for (const written of zone.records) {
    if (isOfService(written)) continue;
    const ttl = written.ttl ?? (names.has("ttl_sec") ? undefined : (zone.settings.ttl_sec ?? defaultTtl));
    const { record, problem } = store(ttl === written.ttl ? written : copyRecord(written, { ttl }));
    if (problem) problems.push(problem);
    if (record) records.set(ids === "content" ? recordKeyOf(record) : record, record);
    else unsupported.push(written);
  }
  return {
    desired: {
      name: zone.name,
      ...settingsOf(zone, known),
      otherTimes: {},
      defaultTimes: defaultTimes(known),
      records: [...records.values()],
      ...(unsupported.length > 0 && { unsupported }),
      ...partsOfFile(zone),
    },
    problems,
  };
}

function settingsOf({ settings }: Zone, known: readonly Setting[]): Pick<DesiredZone, "settings" | "unstated"> {
  const names = new Set(known.map(({ name }) => name));
  const unstated = (["type", "status"] as const).filter((name) => names.has(name) && settings[name] === undefined);
  const type = names.has("type") ? { type: settings.type ?? ("master" as const) } : {};
  return { settings: { ...settingsIn(settings, known), ...type }, ...(unstated.length > 0 && { unstated }) };
}
