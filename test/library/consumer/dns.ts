import {
  checkZone,
  IndexedZone,
  isType,
  lookUp,
  nameKey,
  type ReadZone,
  readName,
  writeZoneFile,
  type Zone,
  type ZoneRecord,
} from "zonewright/dns";

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

/** A comparison of the type narrows a record that was read, and its TTL is a number. */
export function preferences(zone: ReadZone): number[] {
  return zone.records.map((record) => {
    const ttl: number = record.ttl;
    // @ts-expect-error only the data of some types has it
    void record.data.preference;
    return record.type === "MX" ? record.data.preference : (record.statedTtl ?? ttl);
  });
}

export const check = (zone: ReadZone): string[] => [writeZoneFile(zone), ...checkZone(zone).map(({ id }) => id)];
