import type { Database } from "../store/store.ts";
import { saveSerial, serialOf } from "../store/zones.ts";

/** Is a serial later than another one (RFC 1982 §3.2)? */
export function isLater(serial: number, other: number): boolean {
  const ahead = (serial - other) >>> 0;
  return ahead > 0 && ahead < 2 ** 31;
}

/**
 * The serial behind another one, undefined for the first: the year and a six-digit counter where that is later, else one
 * more. It never goes back, also when the clock does (RFC 1912 §2.2); behind the largest comes 1, as 0 means none to some.
 */
export function nextSerial(serial: number | undefined, now: Date): number {
  const first = (now.getUTCFullYear() * 1_000_000 + 1) >>> 0;
  if (serial === undefined || isLater(first, serial)) return first;
  return (serial + 1) >>> 0 || 1;
}

/** Secondaries have seen this serial of a zone of this name from elsewhere: ours goes on behind it. */
export async function goOnBehind(db: Database, domain_key: string, serial: number): Promise<void> {
  const own = await serialOf(db, domain_key);
  if (own === undefined || isLater(serial, own)) await saveSerial(db, domain_key, serial);
}
