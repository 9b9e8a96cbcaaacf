import { asId, type Id } from "../dns/zone/desired-live.ts";
import { recordKeyOf, type ZoneRecord } from "../dns/zone/zone.ts";

/** The id of a record on a service without ids: owner, type and RDATA. The TTL is that of its set. */
export function contentId(record: ZoneRecord): Id {
  return asId(recordKeyOf(record));
}
