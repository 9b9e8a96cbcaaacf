import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical } from "../../dns/zone/zone.ts";
import type { Effect } from "../changes/effects.ts";
import { rdataOfSide } from "./admit.ts";

/** Live zones, of which only the records are compared. */
export type LiveRecords = ReadonlyMap<NameKey, Pick<LiveZone, "records">>;

/**
 * Returns a test whether an effect on a record is in place: the record that it creates is stored with the same TTL, and
 * the record that it deletes is not stored, whatever the TTL.
 */
export function createPlaceTest(live: LiveRecords): (effect: Effect) => boolean {
  const zones = new Map<NameKey, ReadonlySet<string>>();
  const storedIn = (zone: NameKey) => {
    let stored = zones.get(zone);
    if (stored === undefined) {
      stored = new Set(
        (live.get(zone)?.records ?? []).flatMap((record) => {
          const data = `${record.ttl ?? "default(0)"} ${canonical(record)}`;
          const owner = `${nameKey(record.owner)} ${record.type}`;
          return [`${owner} ${rdataOfSide(data)}`, `${owner} ${ttlAndRdata(data)}`];
        }),
      );
      zones.set(zone, stored);
    }
    return stored;
  };
  return ({ zone, name, type, before, after }) => {
    const isStored = (text: string) => storedIn(zone).has(`${name} ${type} ${text}`);
    if (after === null) return before === null || !isStored(rdataOfSide(before));
    return isStored(ttlAndRdata(after)) && (before === null || !isStored(ttlAndRdata(before)));
  };
}

/** A side of an effect; all TTLs of the zone are equal. */
function ttlAndRdata(side: string): string {
  return `${/^default\(/.test(side) ? "default" : `ttl ${Number.parseInt(side, 10)}`} ${rdataOfSide(side)}`;
}
