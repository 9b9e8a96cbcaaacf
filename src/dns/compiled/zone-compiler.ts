import { type Name, nameKey } from "../name/name.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { dnsClass } from "../transfer/codes.ts";
import { typeOf } from "../types/index.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import { Arena } from "./arena.ts";
import { CompiledZone, ZoneSpace } from "./compiled-zone.ts";
import { findLabels, newLabelOffsets } from "./label-tree.ts";
import { appendBlock, appendRecord, type StoredRecord, unify } from "./stored-record.ts";

const offsets = newLabelOffsets();

/** Names that are compiled in one step. */
const namesAtOnce = 1000;

/** A zone grows by its changes until it takes this many times the octets of a new one. */
const mostGrowth = 2;
/** The growth of small zones does not matter. */
const smallZone = 2 ** 16;

/**
 * Compiles a zone from its records, which may come in any order. The API stores duplicates, and records of one set with
 * several TTLs; a set has neither (RFC 2181 §5). It gets the shortest TTL, as in an import of such records.
 *
 * With an earlier version as `base`, only the names that have changed are compiled: their records replace those of the
 * earlier version, and everything else is shared with it.
 */
export class ZoneCompiler {
  readonly #soa: ZoneRecord<"SOA">;
  readonly #ttl: number;
  readonly #base: CompiledZone | undefined;
  readonly #space: ZoneSpace;
  readonly #wire = WireWriter.plain();
  readonly #depth: number;
  /** The records as they came: the offset of the next one of the node (4), type (2), then as in `ZoneSpace`. */
  readonly #records = new Arena(256);
  /** By node, the offsets of the first and the last of its records; 0 for none. */
  #firsts = new Int32Array(8);
  #lasts = new Int32Array(8);
  /** By node, the spelling of its first record's owner. */
  #spellings = new Int32Array(8);
  /** The nodes that replace those of the base. */
  readonly #replaced = new Set<number>();
  #lastOwner: Name;
  #lastNode = 0;

  /** `ttl` is the TTL of records without one; the apex of `base` is that of the SOA record. */
  constructor(soa: ZoneRecord<"SOA">, ttl: number, base?: CompiledZone) {
    this.#soa = soa;
    this.#ttl = ttl;
    this.#base = base;
    this.#space = base?.space ?? new ZoneSpace();
    this.#records.reserve(1); // no record has the offset 0
    this.#wire.name(soa.owner);
    this.#depth = findLabels(this.#wire.buffer, 0, offsets);
    this.#lastOwner = soa.owner;
    this.#spellings[0] = this.#space.internName(this.#wire.buffer, 0);
    this.#replaced.add(0);
    this.add(soa);
  }

  /** Removes the records that the base has at a name; those that are added take their place. */
  replace(owner: Name): void {
    this.#nodeOf(owner);
  }

  /** Adds a record of the zone, whose data has at most 65,535 octets. */
  add({ owner, type, ttl = this.#ttl, data }: ZoneRecord): void {
    const node = this.#nodeOf(owner);
    const start = this.#records.reserve(6);
    appendRecord(this.#records, this.#space, { type, ttl, data });
    const { octets } = this.#records;
    octets.writeInt32BE(0, start);
    octets.writeUInt16BE(typeOf(type).code, start + 4);
    const last = this.#lasts[node] ?? 0;
    if (last === 0) this.#firsts[node] = start;
    else octets.writeInt32BE(start, last);
    this.#lasts[node] = start;
  }

  /** Compiles a part of the names in each step, and returns the zone. */
  *compile(): Generator<void, CompiledZone> {
    const base = this.#base;
    const { nodes, blocks } = this.#space;
    const offsets = base?.copyBlocks(nodes.size) ?? new Int32Array(nodes.size);
    let size = base?.size ?? 0;
    if (base === undefined) blocks.reserve(1); // no block has the offset 0
    let done = 0;
    for (const node of base ? this.#replaced : range(nodes.size)) {
      if (++done % namesAtOnce === 0) yield;
      if (base) size -= countRecords(base, node);
      offsets[node] = 0;
      if ((this.#firsts[node] ?? 0) === 0) continue;
      const sets = this.#setsOf(node);
      offsets[node] = appendBlock(blocks, this.#spellings[node] ?? 0, sets);
      for (const records of sets.values()) size += records.length;
    }
    if (base === undefined) this.#space.complete();
    const { owner, type, ttl = this.#ttl, data } = this.#soa;
    const soa = { owner, type, class: dnsClass.in, ttl, data };
    return new CompiledZone({ apex: nameKey(owner), soa, space: this.#space, size, blocks: offsets });
  }

  #nodeOf(owner: Name): number {
    if (owner === this.#lastOwner) return this.#lastNode;
    const wire = this.#wire;
    wire.truncate(0);
    wire.name(owner);
    const { nodes } = this.#space;
    let node = 0;
    for (let label = findLabels(wire.buffer, 0, offsets) - this.#depth - 1; label >= 0; label--)
      node = nodes.add(node, wire.buffer, offsets[label] ?? 0);
    if (node >= this.#firsts.length) {
      this.#firsts = withRoom(this.#firsts, node);
      this.#lasts = withRoom(this.#lasts, node);
      this.#spellings = withRoom(this.#spellings, node);
    }
    if (this.#firsts[node] === 0) this.#spellings[node] = this.#space.internName(wire.buffer, 0);
    if (this.#base) this.#replaced.add(node);
    this.#lastOwner = owner;
    this.#lastNode = node;
    return node;
  }

  /** The sets of a node by their types, in the order of their first records. */
  #setsOf(node: number): Map<number, StoredRecord[]> {
    const sets = new Map<number, StoredRecord[]>();
    const arena = this.#records;
    for (let start = this.#firsts[node] ?? 0; start !== 0; start = arena.octets.readInt32BE(start)) {
      const type = arena.octets.readUInt16BE(start + 4);
      const at = start + 6;
      const record = { arena, at, ttl: arena.octets.readUInt32BE(at + 4) };
      const set = sets.get(type);
      if (set === undefined) sets.set(type, [record]);
      else set.push(record);
    }
    for (const [type, records] of sets) if (records.length > 1) sets.set(type, unify(this.#space, type, records));
    return sets;
  }
}

/** Compiles a zone in one go; see `ZoneCompiler`. */
export function compileZone(soa: ZoneRecord<"SOA">, records: Iterable<ZoneRecord>, ttl: number): CompiledZone {
  const compiler = new ZoneCompiler(soa, ttl);
  for (const record of records) compiler.add(record);
  const steps = compiler.compile();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Whether so much has changed in a zone that a new one would take much less memory. */
export function isOvergrown({ space }: CompiledZone): boolean {
  return space.octets > mostGrowth * space.octetsWhenNew + smallZone;
}

function countRecords(zone: CompiledZone, node: number): number {
  let count = 0;
  let set = zone.firstSet(node);
  for (let sets = zone.setCount(node); sets > 0; sets--, set = zone.nextSet(set)) count += zone.recordCount(set);
  return count;
}

function* range(end: number): Generator<number> {
  for (let index = 0; index < end; index++) yield index;
}

function withRoom(array: Int32Array, index: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(index + 1, array.length * 2));
  larger.set(array);
  return larger;
}
