import pMap from "p-map";
import type { LiveZone } from "../dns/desired-live.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import type { Live, PlanningReads, ReadOptions, ZoneHead } from "./target.ts";

const zonesAtOnce = 4;

/**
 * Reads the live state of zones: the list of zones, then the records of each. `besideOf` then selects further zones to
 * read. Rejects with the errors of `read`.
 */
export async function readLive(
  read: Pick<PlanningReads, "listZones" | "readRecords">,
  isWanted: (name: NameKey) => boolean,
  options: ReadOptions = {},
  besideOf: (zones: Live["zones"]) => (name: NameKey) => boolean = () => () => false,
): Promise<Live> {
  const heads = await read.listZones(options);
  const withRecords = (some: readonly ZoneHead[]) =>
    pMap(some, async (head): Promise<LiveZone> => ({ ...head, records: await read.readRecords(head, options) }), {
      concurrency: zonesAtOnce,
    });
  const wanted = await withRecords(heads.filter(({ name }) => isWanted(nameKey(name))));
  const zones = new Map(wanted.map((zone) => [nameKey(zone.name), zone]));
  const others = heads.filter(({ name }) => !isWanted(nameKey(name)));
  const isBeside = besideOf(zones);
  const beside = await withRecords(others.filter(({ name }) => isBeside(nameKey(name))));
  return { zones, others: others.map(({ name }) => name), beside };
}
