import { decodeRdata, encodeRdata } from "../rdata/record-type.ts";
import { typeCode, typeName } from "../rdata/type-codes.ts";
import { WireReader } from "../rdata/wire-reader.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { typeOf } from "../types/index.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import type { Arena } from "./arena.ts";
import type { ZoneSpace } from "./compiled-zone.ts";

/**
 * Types whose data has names that compare without regard to letter case (RFC 4034 §6.2, RFC 6840 §5.1), and NSAP-PTR,
 * of which BIND has one where another has two: a deletion of one by IXFR would leave it with none. Data of other types
 * compares octet by octet (RFC 3597 §7): signatures would not match a set without one of two spellings.
 */
const caseBlind: ReadonlySet<number | undefined> = new Set(
  "NS MD MF CNAME SOA MB MG MR PTR MINFO MX RP AFSDB RT SIG PX NXT NAPTR KX SRV DNAME A6 RRSIG NSAP-PTR"
    .split(" ")
    .map(typeCode),
);

/** Types whose sets also have the same covered type (RFC 2181 §5). */
const signatures: ReadonlySet<number | undefined> = new Set(["SIG", "RRSIG"].map(typeCode));

/** A record in the form of `ZoneSpace`, at an offset of an arena; its TTL may differ from the one there. */
export interface StoredRecord {
  readonly arena: Arena;
  readonly at: number;
  readonly ttl: number;
}

const wire = WireWriter.notingNames();

/** Appends a record and returns its offset. Its data has at most 65,535 octets. */
export function appendRecord(
  arena: Arena,
  space: ZoneSpace,
  { type, ttl, data }: Pick<ZoneRecord, "type" | "data"> & { readonly ttl: number },
): number {
  wire.truncate(0);
  encodeRdata(typeOf(type), data, wire);
  const start = arena.reserve(9);
  let from = 0;
  for (const { start: nameAt, end } of wire.sharedNames) {
    appendText(arena, from, nameAt);
    const at = arena.reserve(4);
    arena.octets.writeInt32BE(space.internName(wire.buffer, nameAt), at);
    from = end;
  }
  appendText(arena, from, wire.length);
  arena.octets.writeUInt32BE(arena.length - start - 4, start);
  arena.octets.writeUInt32BE(ttl, start + 4);
  arena.octets[start + 8] = wire.sharedNames.length;
  return start;
}

function appendText(arena: Arena, from: number, to: number): void {
  const at = arena.reserve(2);
  arena.octets.writeUInt16BE(to - from, at);
  arena.append({ octets: wire.buffer }, from, to);
}

/** Appends the block of a name and returns its offset. */
export function appendBlock(
  blocks: Arena,
  spelling: number,
  sets: ReadonlyMap<number, readonly StoredRecord[]>,
): number {
  const block = blocks.reserve(6);
  blocks.octets.writeInt32BE(spelling, block);
  blocks.octets.writeUInt16BE(sets.size, block + 4);
  for (const [type, records] of sets) {
    const set = blocks.reserve(8);
    for (const { arena, at, ttl } of records) {
      const record = blocks.append(arena, at, at + 4 + arena.octets.readUInt32BE(at));
      blocks.octets.writeUInt32BE(ttl, record + 4);
    }
    blocks.octets.writeUInt16BE(type, set);
    blocks.octets.writeUInt16BE(records.length, set + 2);
    blocks.octets.writeUInt32BE(blocks.length - set - 8, set + 4);
  }
  return block;
}

/** The RDATA of a record without compression, one character for each octet. */
export function rdataOf(space: ZoneSpace, { arena: { octets }, at }: StoredRecord): string {
  let text = "";
  let from = at + 9;
  for (let left = octets[at + 8] ?? 0; ; left--) {
    const end = from + 2 + octets.readUInt16BE(from);
    text += octets.toString("latin1", from + 2, end);
    if (left === 0) return text;
    text += name.toString("latin1", 0, space.writeName(octets.readInt32BE(end), name, 0));
    from = end + 4;
  }
}

const name = Buffer.alloc(256);

/** The records of a set without duplicates, each with the shortest TTL of the set. */
export function unify(space: ZoneSpace, type: number, records: readonly StoredRecord[]): StoredRecord[] {
  const distinct = new Map<string, StoredRecord>();
  const ttls = new Map<string, number>();
  for (const record of records) {
    const rdata = rdataOf(space, record);
    const key = caseBlind.has(type) ? inLowerCase(type, rdata) : rdata;
    if (!distinct.has(key)) distinct.set(key, record);
    const covered = readCoveredType(type, rdata);
    ttls.set(covered, Math.min(record.ttl, ttls.get(covered) ?? record.ttl));
  }
  return [...distinct].map(([key, record]) => ({
    ...record,
    ttl: ttls.get(readCoveredType(type, key)) ?? record.ttl,
  }));
}

/** Whether the data of two records of a zone, by their offsets, differs at most in the letter case of its names. */
export function isSpelledAlike(space: ZoneSpace, type: number, [one, other]: readonly [number, number]): boolean {
  const keyOf = (at: number) => inLowerCase(type, rdataOf(space, { arena: space.blocks, at, ttl: 0 }));
  return keyOf(one) === keyOf(other);
}

function readCoveredType(type: number, rdata: string): string {
  return signatures.has(type) ? rdata.slice(0, 2) : "";
}

function inLowerCase(code: number, rdata: string): string {
  const type = typeOf(typeName(code));
  const lower = WireWriter.lowerCase();
  encodeRdata(type, decodeRdata(type, WireReader.ofData(rdata)), lower);
  return lower.bytes().toString("latin1");
}
