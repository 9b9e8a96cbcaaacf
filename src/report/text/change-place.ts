import type { Place } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { byOwner, type Owners } from "../../dns/zone/owners.ts";
import { placeOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type RecordChange, subject, type ZonePlan } from "../../planner/changes/change.ts";

/** The place in a zone file that causes a change. */
export interface ChangePlace extends Place {
  /**
   * Its content. A deleted record is no longer in a file: its change is placed at the remaining records of the same
   * name and type, else at the first of the name, else at the first line of the zone's file.
   */
  readonly shows: "change" | "same-type" | "same-name" | "zone";
  /** The places that include the file, the nearest first. */
  readonly via: readonly Place[];
}

/** Finds the places of the changes of one zone; undefined for a zone that no file describes. */
export interface PlaceFinder {
  readonly ofChange: (change: RecordChange) => ChangePlace | undefined;
  /** A setting without a place, such as a default, is placed at the first line of the zone's file. */
  readonly ofSetting: (name: string) => ChangePlace | undefined;
  readonly ofZone: () => ChangePlace | undefined;
}

export function findPlaces({ zone }: ZonePlan): PlaceFinder {
  let remaining: Owners | undefined;
  const recordsAt = (owner: NameKey) => {
    remaining ??= byOwner(zone.records);
    return remaining.get(owner);
  };
  const ofZone = (): ChangePlace | undefined => {
    if (zone.file === undefined) return undefined;
    return { file: zone.file, line: 1, column: 1, length: 1, shows: "zone", via: [] };
  };
  const ofSetting = (name: string): ChangePlace | undefined => {
    const place = zone.places?.[name];
    return place ? { ...place, shows: "change", via: [] } : ofZone();
  };
  const ofDeletion = (record: ZoneRecord) => {
    const sets = recordsAt(nameKey(record.owner));
    const same = sets?.get(record.type)?.records ?? [];
    const others = sets?.values().flatMap(({ records }) => records) ?? [];
    return firstPlace(same, "same-type") ?? firstPlace(others, "same-name") ?? ofZone();
  };
  return {
    ofChange: (change) =>
      change.kind === "delete" ? ofDeletion(subject(change)) : (placeAt(change.after, "change") ?? ofZone()),
    ofSetting,
    ofZone,
  };
}

function firstPlace(records: readonly ZoneRecord[], shows: ChangePlace["shows"]): ChangePlace | undefined {
  for (const record of records) {
    const place = placeAt(record, shows);
    if (place) return place;
  }
  return undefined;
}

function placeAt(record: ZoneRecord, shows: ChangePlace["shows"]): ChangePlace | undefined {
  const place = placeOf(record);
  return place && { ...place, shows, via: record.source?.via ?? [] };
}
