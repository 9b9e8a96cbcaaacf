import { isType, type ZoneRecord } from "../dns/zone/zone.ts";

/** The record, with 0 in place of the serial of an SOA record, where each write chooses one. */
export function withoutSerial<R extends ZoneRecord>(record: R): R {
  return isType(record, "SOA") ? { ...record, data: { ...record.data, serial: 0 } } : record;
}
