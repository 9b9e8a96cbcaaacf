import { Fault } from "../name/fault.ts";
import { type Name, nameKey } from "../name/name.ts";
import type { WireReader } from "../rdata/wire-reader.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { dnsClass } from "./codes.ts";

/** The content of a TSIG record (RFC 8945 §4.2). `mac` and `other` are octets, one character for each. */
export interface TsigData {
  readonly key: Name;
  readonly algorithm: Name;
  /** Time of signing, in seconds since 1970. */
  readonly time: number;
  /** Allowed clock skew, in seconds. */
  readonly fudge: number;
  readonly mac: string;
  readonly originalId: number;
  readonly error: number;
  readonly other: string;
}

/** A TSIG record of a message and its offset. */
export interface Tsig extends TsigData {
  readonly start: number;
}

const typeCode = 250;

export function readTsig(key: Name, wire: WireReader, start: number): Tsig {
  const algorithm = wire.name();
  const time = wire.uint(6);
  const fudge = wire.uint(2);
  const mac = wire.take(wire.uint(2));
  const originalId = wire.uint(2);
  const error = wire.uint(2);
  const other = wire.take(wire.uint(2));
  if (!wire.isAtEnd) throw new Fault("rdata-wire", "the data of the TSIG record is too long");
  return { key, algorithm, time, fudge, mac, originalId, error, other, start };
}

/** Writes the record for the end of a message. Its names are not compressed (RFC 8945 §4.2). */
export function writeTsig(tsig: TsigData): Buffer {
  const data = WireWriter.plain();
  data.name(tsig.algorithm);
  data.uint(6, tsig.time);
  data.uint(2, tsig.fudge);
  data.uint(2, tsig.mac.length);
  data.octets(tsig.mac);
  data.uint(2, tsig.originalId);
  data.uint(2, tsig.error);
  data.uint(2, tsig.other.length);
  data.octets(tsig.other);
  const record = WireWriter.plain();
  record.name(tsig.key);
  record.uint(2, typeCode);
  record.uint(2, dnsClass.any);
  record.uint(4, 0);
  record.uint(2, data.length);
  return Buffer.concat([record.bytes(), data.bytes()]);
}

/** The TSIG variables that are signed with the message (RFC 8945 §4.3.3). */
export function tsigVariables({ key, algorithm, time, fudge, error, other }: TsigData): Buffer {
  const wire = WireWriter.plain();
  wire.name(nameKey(key));
  wire.uint(2, dnsClass.any);
  wire.uint(4, 0);
  wire.name(nameKey(algorithm));
  wire.uint(6, time);
  wire.uint(2, fudge);
  wire.uint(2, error);
  wire.uint(2, other.length);
  wire.octets(other);
  return wire.bytes();
}

/** The variables that are signed with later messages of one answer (RFC 8945 §5.3.1). */
export function tsigTimers({ time, fudge }: TsigData): Buffer {
  const wire = WireWriter.plain();
  wire.uint(6, time);
  wire.uint(2, fudge);
  return wire.bytes();
}
