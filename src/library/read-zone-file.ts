import type { Problem } from "../diagnostics/problem.ts";
import type { Name } from "../dns/name.ts";
import type { Zone } from "../dns/zone.ts";
import { readBind } from "../formats/bind/read.ts";

/** A BIND zone file without `$INCLUDE`. */
export interface ZoneFile {
  readonly bytes: Uint8Array;
  /** The name of the zone, unless its SOA record has another owner. */
  readonly origin: Name;
  /** The name of the file in the places of records and problems. */
  readonly file: string;
}

/** Reads a BIND zone file (RFC 1035 §5). It never throws; `zone` lacks the records with errors. */
export function readZoneFile(file: ZoneFile): { readonly zone: Zone; readonly problems: readonly Problem[] } {
  const { zone, problems } = readBind({ ...file, settings: [] });
  return { zone, problems };
}
