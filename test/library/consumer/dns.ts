import { IndexedZone, isType, lookUp, nameKey, readName, type Zone, type ZoneRecord } from "zonewright/dns";

/** The compiler knows the data of a type. */
export function portOf(record: ZoneRecord<"SRV">): number {
  return record.data.port;
}

export function services(zone: Zone): string[] {
  return zone.records.filter((record) => isType(record, "SRV")).map(({ data }) => data.target);
}

export function answer(zone: Zone, name: string): string {
  const found = lookUp(new IndexedZone(zone), nameKey(readName(name)), "A");
  return found.kind === "answer" ? found.set.records.map(({ owner }) => owner).join(" ") : found.kind;
}

// @ts-expect-error a text is not a name before it is read
export const unread: ZoneRecord["owner"] = "example.com.";

export const mistaken = (record: ZoneRecord<"SRV">): unknown =>
  // @ts-expect-error SRV data has no such field
  record.data.address;
