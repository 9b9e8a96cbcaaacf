import { dnsClass } from "../transfer/codes.ts";
import { type Edns, largestMessage } from "../transfer/message.ts";
import { type CompiledZone, type as types, type ZoneSpace } from "./compiled-zone.ts";
import { findLabels, newLabelOffsets } from "./label-tree.ts";

/** A pointer has 14 bits (RFC 1035 §4.1.4). */
const furthestTarget = 0x3fff;

/** Maximum number of pointers in a name: Go's resolver, for one, rejects a name with more than ten. */
const mostPointers = 10;

const headerLength = 12;
const optLength = 11;
/** Room for the record that exceeds the limit, which is removed again. */
const spareRoom = 2 ** 17;

/** Messages are numbered up to here, and then from 1 again. */
const mostMessages = 2 ** 31 - 1;

/** The offsets of the counts in the header. */
const countAt = { answers: 6, authorities: 8, additionals: 10 } as const;

export type CountedSection = keyof typeof countAt;

/** The header of a response to a standard query (RFC 1035 §4.1.1); `rcode` is less than 16. */
export interface ResponseHead {
  readonly id: number;
  readonly rcode: number;
  readonly aa: boolean;
  readonly tc: boolean;
  readonly rd: boolean;
  readonly cd: boolean;
}

const offsets = newLabelOffsets();

/**
 * A message that is put together from the fragments of a zone, one after another with the same buffers, so that an
 * answer costs no objects. Names are compressed (RFC 1035 §4.1.4) where they are spelled alike.
 */
export class ZoneMessage {
  readonly octets = Buffer.allocUnsafeSlow(largestMessage + spareRoom);
  length = 0;
  #limit = largestMessage;
  #space: ZoneSpace | undefined;
  /** The number of this message. */
  #number = 0;
  /** By name of the zone: the message that contains it, and there its offset (14 bits) and number of pointers. */
  #messages = new Int32Array(64);
  #places = new Int32Array(64);
  /** The names in this message in the order of their offsets, except those of the question, which are never removed. */
  readonly #placed: number[] = [];

  /** Begins a message of at most `limit` octets, of which `edns` gets its part; without a zone it has no records. */
  begin(zone: CompiledZone | undefined, limit: number, edns: Edns | undefined): void {
    this.#space = zone?.space;
    this.#limit = limit - (edns ? optLength + edns.options.reduce((sum, { data }) => sum + 4 + data.length, 0) : 0);
    if (this.#number === mostMessages) {
      this.#messages.fill(0);
      this.#number = 0;
    }
    this.#number++;
    this.#placed.length = 0;
    this.length = headerLength;
    this.octets.fill(0, 0, headerLength);
    const names = this.#space?.names.size ?? 0;
    if (names <= this.#messages.length) return;
    this.#messages = new Int32Array(names * 2);
    this.#places = new Int32Array(names * 2);
  }

  /** Writes the question: an uncompressed name, its type, and the class IN. */
  question(octets: Uint8Array, at: number, type: number): void {
    const start = this.length;
    const labels = findLabels(octets, at, offsets);
    const end = (offsets[labels] ?? 0) + 1;
    for (let from = at; from < end; from++) this.octets[this.length++] = octets[from] ?? 0;
    this.#uint16(type);
    this.#uint16(dnsClass.in);
    this.octets[5] = 1;
    if (this.#space === undefined) return;
    const { names } = this.#space;
    let entry = 0;
    for (let label = labels - 1; label >= 0; label--) {
      const offset = offsets[label] ?? 0;
      entry = names.find(entry, octets, offset);
      if (entry < 0) return;
      this.#place(entry, start + offset - at, 0);
    }
  }

  /** Adds a set with the owner at an offset of the message below 16,384; returns whether it fitted. */
  addAt(section: CountedSection, offset: number, zone: CompiledZone, set: number): boolean {
    return this.#add(section, zone, set, { offset, name: 0, ttl: undefined });
  }

  /** Adds a set with an owner of the zone; returns whether it fitted. With `ttl`, its records get this TTL. */
  addNamed(section: CountedSection, name: number, zone: CompiledZone, set: number, ttl?: number): boolean {
    return this.#add(section, zone, set, { offset: 0, name, ttl });
  }

  /** Adds a record of a set with an owner of the zone; returns whether it fitted. */
  addRecord(section: CountedSection, name: number, zone: CompiledZone, type: number, record: number): boolean {
    const before = this.length;
    this.#name(name);
    this.#record(zone, type, record, undefined);
    if (this.length > this.#limit) {
      this.truncate(before);
      return false;
    }
    this.#count(section, 1);
    return true;
  }

  /** Adds a CNAME record with the owner at an offset; returns the offset of the target, or 0 if it did not fit. */
  addAlias(offset: number, ttl: number, target: Uint8Array): number {
    const before = this.length;
    this.#uint16(0xc000 | offset);
    this.#uint16(types.CNAME);
    this.#uint16(dnsClass.in);
    this.#uint32(ttl);
    const lengthAt = this.length;
    this.#uint16(0);
    this.#wireName(target);
    this.octets.writeUInt16BE(this.length - lengthAt - 2, lengthAt);
    if (this.length > this.#limit) {
      this.truncate(before);
      return 0;
    }
    this.#count("answers", 1);
    return lengthAt + 2;
  }

  /** Removes everything from an offset on. */
  truncate(length: number): void {
    this.length = length;
    for (let name = this.#placed.at(-1); name !== undefined; name = this.#placed.at(-1)) {
      if (((this.#places[name] ?? 0) & furthestTarget) < length) return;
      this.#messages[name] = 0;
      this.#placed.pop();
    }
  }

  /** A copy of the message, with the OPT record of `edns` (RFC 6891 §6.1.2). */
  finish({ id, rcode, aa, tc, rd, cd }: ResponseHead, edns: Edns | undefined): Buffer {
    if (edns) this.#opt(edns);
    this.octets.writeUInt16BE(id, 0);
    this.octets[2] = 0x80 | (aa ? 0x04 : 0) | (tc ? 0x02 : 0) | (rd ? 0x01 : 0);
    this.octets[3] = (cd ? 0x10 : 0) | rcode;
    const message = Buffer.allocUnsafe(this.length);
    this.octets.copy(message, 0, 0, this.length);
    return message;
  }

  #add(
    section: CountedSection,
    zone: CompiledZone,
    set: number,
    { offset, name, ttl }: { readonly offset: number; readonly name: number; readonly ttl: number | undefined },
  ): boolean {
    const before = this.length;
    const type = zone.typeOf(set);
    const count = zone.recordCount(set);
    let record = zone.firstRecord(set);
    for (let left = count; left > 0; left--) {
      if (name === 0) this.#uint16(0xc000 | offset);
      else this.#name(name);
      this.#record(zone, type, record, ttl);
      if (this.length > this.#limit) {
        this.truncate(before);
        return false;
      }
      record = zone.nextRecord(record);
    }
    this.#count(section, count);
    return true;
  }

  #count(section: CountedSection, records: number): void {
    const at = countAt[section];
    this.octets.writeUInt16BE(this.octets.readUInt16BE(at) + records, at);
  }

  /** Writes a record without its owner, see `ZoneSpace`. */
  #record(zone: CompiledZone, type: number, record: number, ttl: number | undefined): void {
    const source = zone.space.blocks.octets;
    this.#uint16(type);
    this.#uint16(dnsClass.in);
    this.#uint32(ttl ?? source.readUInt32BE(record + 4));
    const lengthAt = this.length;
    this.#uint16(0);
    let from = record + 9;
    for (let names = source[record + 8] ?? 0; ; names--) {
      const end = from + 2 + source.readUInt16BE(from);
      this.#copy(source, from + 2, end);
      if (names === 0) break;
      this.#name(source.readInt32BE(end));
      from = end + 4;
    }
    this.octets.writeUInt16BE(Math.min(this.length - lengthAt - 2, largestMessage), lengthAt);
  }

  /** Writes a name of the zone. */
  #name(name: number): void {
    const space = this.#space;
    if (space === undefined) throw new Error("a message without a zone has no names");
    const { names, labels } = space;
    let known = name;
    while (known !== 0 && !this.#isTarget(known)) known = names.parent(known);
    const place = this.#places[known] ?? 0;
    const pointers = known === 0 ? 0 : (place >>> 14) + 1;
    for (let entry = name; entry !== known; entry = names.parent(entry)) {
      this.#place(entry, this.length, pointers);
      const from = names.labelOffset(entry);
      this.#copy(labels.octets, from, from + 1 + (labels.octets[from] ?? 0));
    }
    if (known === 0) this.octets[this.length++] = 0;
    else this.#uint16(0xc000 | (place & furthestTarget));
  }

  /** Writes an uncompressed name, of which the zone may know an end. */
  #wireName(octets: Uint8Array): void {
    const labels = findLabels(octets, 0, offsets);
    const names = this.#space?.names;
    let known = 0;
    let rest = labels;
    while (names !== undefined && rest > 0) {
      const entry = names.find(known, octets, offsets[rest - 1] ?? 0);
      if (entry < 0) break;
      known = entry;
      rest--;
    }
    const end = offsets[rest] ?? 0;
    for (let from = 0; from < end; from++) this.octets[this.length++] = octets[from] ?? 0;
    if (known === 0) this.octets[this.length++] = 0;
    else this.#name(known);
  }

  #isTarget(name: number): boolean {
    return this.#messages[name] === this.#number && (this.#places[name] ?? 0) >>> 14 < mostPointers;
  }

  #place(name: number, offset: number, pointers: number): void {
    if (offset > furthestTarget || this.#messages[name] === this.#number) return;
    this.#messages[name] = this.#number;
    this.#places[name] = offset | (pointers << 14);
    this.#placed.push(name);
  }

  #opt({ udpSize, version, do: isDo, options }: Edns): void {
    this.octets[this.length++] = 0;
    this.#uint16(41);
    this.#uint16(udpSize);
    this.#uint16(version);
    this.#uint16(isDo ? 0x8000 : 0);
    const lengthAt = this.length;
    this.#uint16(0);
    for (const { code, data } of options) {
      this.#uint16(code);
      this.#uint16(data.length);
      this.length += this.octets.write(data, this.length, "latin1");
    }
    this.octets.writeUInt16BE(this.length - lengthAt - 2, lengthAt);
    this.#count("additionals", 1);
  }

  #copy(source: Buffer, from: number, to: number): void {
    if (to - from > 64) source.copy(this.octets, this.length, from, to);
    else for (let at = from; at < to; at++) this.octets[this.length + at - from] = source[at] ?? 0;
    this.length += to - from;
  }

  #uint16(value: number): void {
    this.octets[this.length++] = value >>> 8;
    this.octets[this.length++] = value;
  }

  #uint32(value: number): void {
    this.#uint16(value >>> 16);
    this.#uint16(value & 0xffff);
  }
}
