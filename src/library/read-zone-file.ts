import type { Problem } from "../diagnostics/problem.ts";
import type { Name } from "../dns/name/name.ts";
import type { RecordTable } from "../dns/zone/record-table.ts";
import { readBind } from "../formats/bind/read.ts";
import { defaultTtlOf, ReadRecords, type ReadZone } from "./read-record.ts";

/** A BIND zone file without `$INCLUDE`. */
export interface ZoneFile {
  readonly bytes: Uint8Array;
  /** The name of the zone, unless its SOA record has another owner. */
  readonly origin: Name;
  /** The name of the file in the places of records and problems. */
  readonly file: string;
}

/** Reads a BIND zone file (RFC 1035 §5). It never throws; `zone` lacks the records with errors. */
export function readZoneFile(file: ZoneFile): {
  readonly zone: ReadZone;
  readonly problems: readonly Problem[];
} {
  const { zone, problems } = readBind({ ...file, settings: [] });
  const table = zone.records as RecordTable; // the reader of master files makes one
  return { zone: { ...zone, records: new ReadRecords(table, defaultTtlOf(zone)) }, problems };
}
