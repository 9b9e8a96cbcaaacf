import pMap from "p-map";
import { type NameKey, nameKey } from "../dns/name/name.ts";
import type { LiveZone, UnknownRecord } from "../dns/zone/desired-live.ts";
import type { Live, PlanningReads, ReadOptions, ZoneHead } from "./target.ts";

const zonesAtOnce = 4;

export interface LiveOptions extends ReadOptions {
  /** Called with the numbers of zones that were read and that are to be read; the latter is 0 while it is unknown. */
  readonly onRead?: ((done: number, total: number) => void) | undefined;
  /** Called with a zone that cannot be read, and why. Returns whether it is left out; otherwise the error is thrown. */
  readonly onUnreadable?: ((zone: ZoneHead, error: unknown) => boolean) | undefined;
}

/**
 * Reads the live state of zones: the list of zones, then the records of each. `besideOf` then selects further zones to
 * read. Rejects with the errors of `read`.
 */
export async function readLive(
  read: Pick<PlanningReads, "listZones" | "readRecords">,
  isWanted: (name: NameKey) => boolean,
  options: LiveOptions = {},
  createIsNeighbor: (zones: Live["zones"]) => (name: NameKey) => boolean = () => () => false,
): Promise<Live> {
  options.onRead?.(0, 0);
  const heads = await read.listZones(options);
  const readOne = async (head: ZoneHead): Promise<LiveZone | undefined> => {
    try {
      return await withRecords(read, head, options);
    } catch (error) {
      if (options.onUnreadable?.(head, error)) return undefined;
      throw error;
    }
  };
  const readAll = async (some: readonly ZoneHead[]): Promise<LiveZone[]> => {
    let done = 0;
    if (some.length > 0) options.onRead?.(0, some.length);
    const found = await pMap(
      some,
      async (head) => {
        const zone = await readOne(head);
        options.onRead?.(++done, some.length);
        return zone;
      },
      { concurrency: zonesAtOnce },
    );
    return found.filter((zone) => zone !== undefined);
  };
  const wanted = await readAll(heads.filter(({ name }) => isWanted(nameKey(name))));
  const zones = new Map(wanted.map((zone) => [nameKey(zone.name), zone]));
  const others = heads.filter(({ name }) => !isWanted(nameKey(name)));
  const isNeighbor = createIsNeighbor(zones);
  const neighbors = await readAll(others.filter(({ name }) => isNeighbor(nameKey(name))));
  return { zones, others: others.map(({ name }) => name), neighbors };
}

/** Reads the records of a zone. */
export async function withRecords(
  read: Pick<PlanningReads, "readRecords">,
  head: ZoneHead,
  options: ReadOptions = {},
): Promise<LiveZone> {
  const unknownRecords: UnknownRecord[] = [];
  let { settings, ...more } = head;
  const records = await read.readRecords(head, {
    ...options,
    onUnknown: (record) => unknownRecords.push(record),
    onHead: ({ settings: own, ...rest }) => {
      settings = { ...settings, ...own };
      more = { ...more, ...rest };
    },
  });
  return { ...more, settings, records, ...(unknownRecords.length > 0 && { unknownRecords }) };
}
