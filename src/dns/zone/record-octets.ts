import { encodeRdata } from "../rdata/record-type.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { typeOf } from "../types/index.ts";
import type { ZoneRecord } from "./zone.ts";

/** The size of a record in a message without compression: owner, type, class, TTL, length and RDATA. */
export function recordOctets({ owner, type, data }: ZoneRecord): number {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  return owner.length + 11 + wire.length;
}
