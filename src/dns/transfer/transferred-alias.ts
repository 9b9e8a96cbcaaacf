import { Fault } from "../name/fault.ts";
import { decodeRdata } from "../rdata/record-type.ts";
import { WireReader } from "../rdata/wire-reader.ts";
import { ALIAS } from "../types/alias.ts";
import type { RdataOf } from "../types/index.ts";
import type { ZoneRecord } from "../zone/zone.ts";

/** The type of ALIAS records in a transfer from PowerDNS, unless it sends addresses in their place. */
export const transferredAlias = "TYPE65401";

/** The records of a transfer, with ALIAS for those as which PowerDNS sends it: of its type, with a name as data. */
export function withAliases(records: readonly ZoneRecord[]): readonly ZoneRecord[] {
  return records.some(({ type }) => type === transferredAlias) ? records.map(asAlias) : records;
}

function asAlias(record: ZoneRecord): ZoneRecord {
  if (record.type !== transferredAlias) return record;
  const { octets } = record.data as RdataOf<typeof transferredAlias>;
  try {
    return { ...record, type: ALIAS.type, data: decodeRdata(ALIAS, WireReader.ofData(octets)) };
  } catch (error) {
    if (error instanceof Fault) return record;
    throw error;
  }
}
