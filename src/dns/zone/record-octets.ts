import type { Name } from "../name/name.ts";
import { encodeRdata } from "../rdata/record-type.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { typeOf } from "../types/index.ts";
import type { ZoneRecord } from "./zone.ts";

/** The size of the type, class, TTL and length of a record in a message, in octets. */
const fieldOctets = 10;

/**
 * The size of a record in a message about a zone, whose name owners refer to (RFC 1035 §4.1.4): owner, type, class,
 * TTL, length and RDATA without compression.
 */
export function recordOctets(zone: Name, record: ZoneRecord): number {
  return emptyOctets(zone, record.owner) + rdataOctets(record);
}

/** The size of a record in the answer to a question for its name, which its owner refers to (RFC 1035 §4.1.4). */
export function answerOctets(record: Pick<ZoneRecord, "type" | "data">): number {
  return 2 + fieldOctets + rdataOctets(record);
}

/** The size of RDATA without compression. */
export function rdataOctets({ type, data }: Pick<ZoneRecord, "type" | "data">): number {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  return wire.length;
}

/** The size of a record without RDATA, which stands for a name or an RRset in an update (RFC 2136 §2.4). */
export function emptyOctets(zone: Name, owner: Name): number {
  return Math.max(0, owner.length - zone.length) + 2 + fieldOctets;
}
