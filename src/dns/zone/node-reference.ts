import { copyRecord, isType, type NodeReference, type Zone, type ZoneRecord } from "./zone.ts";

/** A record whose file names a node in place of an address. */
export interface ReferringRecord extends ZoneRecord {
  readonly node: NodeReference;
}

/** The address that a reference stands for; undefined if it is unknown. */
export type AddressOf = (record: ReferringRecord) => string | undefined;

const prefix = "node ";

/** The text in place of an unknown address: no address, and equal for equal references. */
export function unknownAddress({ label, isPrivate }: Pick<NodeReference, "label" | "isPrivate">): string {
  return `${prefix}${labelKey(label)}${isPrivate ? ", private" : ""}`;
}

/** The key of a label: labels that differ only in letter case are equal. */
export function labelKey(label: string): string {
  return label.toLowerCase();
}

export function isReferring(record: ZoneRecord): record is ReferringRecord {
  return record.node !== undefined;
}

/** Whether it refers to a node whose address is unknown. */
export function isUnresolved(record: ZoneRecord): boolean {
  return record.node !== undefined && isType(record, "A", "AAAA") && record.data.address.startsWith(prefix);
}

/** The zone with the addresses of the nodes that it refers to. */
export function withAddresses(zone: Zone, addressOf: AddressOf | undefined): Zone {
  if (!addressOf || !zone.records.some(isReferring)) return zone;
  return { ...zone, records: zone.records.map((record) => withAddress(record, addressOf)) };
}

/** The record with the address of its node; the same one if it refers to none, or its address is unknown. */
export function withAddress(record: ZoneRecord, addressOf: AddressOf): ZoneRecord {
  if (!isReferring(record)) return record;
  const address = addressOf(record);
  return address === undefined ? record : copyRecord(record, { data: { address } });
}
