import { isLater, serialAfter } from "../../../dns/name/serial.ts";
import type { Database } from "../../store/tables.ts";
import type { ReverseSerials } from "./reverse-zones-rows.ts";
import { saveZoneSerial, serialOfZone } from "./zones-rows.ts";

/**
 * The serial after this one, undefined for the first: year and six-digit counter where that is later, else one more. It
 * never decreases, even if the clock does (RFC 1912 §2.2).
 */
export function nextSerial(serial: number | undefined, now: Date): number {
  const first = (now.getUTCFullYear() * 1_000_000 + 1) >>> 0;
  return serial === undefined || isLater(first, serial) ? first : serialAfter(serial);
}

/**
 * The serial of a zone made from addresses: later than that of a domain which had its name. Undefined if both had none.
 */
export function reverseSerial({ own, ofDomain }: ReverseSerials): number | undefined {
  if (ofDomain === undefined || (own !== undefined && isLater(own, ofDomain))) return own;
  return serialAfter(ofDomain);
}

/** Makes our next serial later than one that secondaries may have received from elsewhere. */
export async function raiseSerial(db: Database, domain_key: string, serial: number): Promise<void> {
  const own = await serialOfZone(db, domain_key);
  if (own === undefined || isLater(serial, own)) await saveZoneSerial(db, domain_key, serial);
}
