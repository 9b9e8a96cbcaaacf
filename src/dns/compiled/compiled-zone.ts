import type { NameKey } from "../name/name.ts";
import type { MessageRecord } from "../transfer/message.ts";
import { Arena } from "./arena.ts";
import { findLabels, LabelTree, lowerCase, newLabelOffsets } from "./label-tree.ts";

/** Codes of the record types that answers depend on (RFC 1035 §3.2.2, RFC 3596, RFC 2782, RFC 6672, RFC 4034). */
export const type = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  ANY: 255,
} as const;

/**
 * The parts of a zone that its versions share, because they only grow: names, and sets of records as fragments of
 * messages.
 *
 * The sets of one name form a block:
 *
 *     block   spelling of the owner (4) | number of sets (2) | set …
 *     set     type (2) | number of records (2) | octets of the records (4) | record …
 *     record  octets that follow (4) | TTL (4) | number of shared names (1) | text | (name (4) | text) …
 *     text    number of octets (2) | octets of the RDATA
 *
 * Shared names are those that a message may compress (RFC 3597 §4); like the owner, they are entries of `names`.
 */
export class ZoneSpace {
  readonly labels = new Arena(64);
  /** Names in their spellings, from the root down: owners, and the shared names in RDATA. */
  readonly names = new LabelTree(this.labels, { isCaseBlind: false });
  /** Names from the apex down, without regard to case. */
  readonly nodes = new LabelTree(this.labels, { isCaseBlind: true });
  readonly blocks = new Arena(256);

  /** The entry of an uncompressed name, added if it is missing. */
  internName(octets: Uint8Array, at: number): number {
    const count = findLabels(octets, at, offsets);
    let entry = 0;
    for (let label = count - 1; label >= 0; label--) entry = this.names.add(entry, octets, offsets[label] ?? 0);
    return entry;
  }

  /** Writes the uncompressed octets of a name into a buffer and returns the offset after them. */
  writeName(name: number, target: Uint8Array, start: number): number {
    let at = start;
    for (let entry = name; entry !== 0; entry = this.names.parent(entry)) {
      const from = this.names.labelOffset(entry);
      const length = (this.labels.octets[from] ?? 0) + 1;
      for (let index = 0; index < length; index++) target[at++] = this.labels.octets[from + index] ?? 0;
    }
    target[at] = 0;
    return at + 1;
  }

  /** Octets of memory when the first version was complete. */
  octetsWhenNew = 0;

  /** Returns unused room, after the first version. */
  complete(): void {
    for (const part of [this.labels, this.names, this.nodes, this.blocks]) part.trim();
    this.octetsWhenNew = this.octets;
  }

  get octets(): number {
    const arenas = this.labels.octets.length + this.blocks.octets.length;
    return arenas + this.names.octets + this.nodes.octets;
  }
}

/** The result of looking a name up; see `lookup.ts`. A node is numbered as in `ZoneSpace.nodes`. */
export type FoundNode = { readonly kind: "node" | "referral" | "renamed"; readonly node: number } | undefined;

const offsets = newLabelOffsets();
const wildcard = Uint8Array.of(1, 42);

/** A version of a zone, compiled for answers and transfers; it never changes. */
export class CompiledZone {
  readonly apex: NameKey;
  readonly soa: MessageRecord<"SOA">;
  readonly space: ZoneSpace;
  /** The number of records. */
  readonly size: number;
  readonly #isAboveOthers: boolean;
  /** The labels of the apex. */
  readonly #depth: number;
  readonly #apexOctets: Buffer;
  /** By node, the offset of its block, 0 for none, and the number of children that exist. */
  readonly #blocks: Int32Array;
  readonly #children: Int32Array;

  /** `blocks` holds the offset of the block of each node; it belongs to the zone from now on. */
  constructor(parts: {
    readonly apex: NameKey;
    readonly soa: MessageRecord<"SOA">;
    readonly space: ZoneSpace;
    readonly size: number;
    readonly blocks: Int32Array;
    readonly isAboveOthers?: boolean;
  }) {
    const { apex, soa, space, size, blocks, isAboveOthers = false } = parts;
    this.apex = apex;
    this.soa = soa;
    this.space = space;
    this.size = size;
    this.#isAboveOthers = isAboveOthers;
    this.#blocks = blocks;
    this.#children = new Int32Array(blocks.length);
    for (let node = blocks.length - 1; node > 0; node--) {
      const parent = space.nodes.parent(node);
      if (this.exists(node)) this.#children[parent] = (this.#children[parent] ?? 0) + 1;
    }
    const name = Buffer.alloc(256);
    this.#apexOctets = name.subarray(0, space.writeName(this.spelling(0), name, 0));
    this.#depth = findLabels(name, 0, offsets);
  }

  /** The same version on a server that has other zones below this one. */
  aboveOthers(): CompiledZone {
    return new CompiledZone({ ...this, blocks: this.#blocks, isAboveOthers: true });
  }

  /** Octets of memory. */
  get octets(): number {
    return this.space.octets + (this.#blocks.length + this.#children.length) * 4;
  }

  /** The entries of nodes: those below this number. */
  get nodes(): number {
    return this.#blocks.length;
  }

  /** A copy of the offsets of the blocks, by node, with room for more nodes. */
  copyBlocks(nodes: number): Int32Array<ArrayBuffer> {
    const copy = new Int32Array(nodes);
    copy.set(this.#blocks);
    return copy;
  }

  /** The offset of the block of a node, 0 without records: as long as it is the same, so are they. */
  block(node: number): number {
    return this.#blocks[node] ?? 0;
  }

  /** Whether the name of a node has records, or a name below it has (RFC 8499, empty non-terminal). */
  exists(node: number): boolean {
    return this.#blocks[node] !== 0 || this.#children[node] !== 0;
  }

  /** The offset of the first set of a node, and their number. */
  firstSet(node: number): number {
    return (this.#blocks[node] ?? 0) + 6;
  }

  setCount(node: number): number {
    const block = this.#blocks[node] ?? 0;
    return block === 0 ? 0 : this.space.blocks.octets.readUInt16BE(block + 4);
  }

  /** The offset of a node's set of a type, or 0. */
  set(node: number, wanted: number): number {
    const block = this.#blocks[node] ?? 0;
    if (block === 0) return 0;
    const { octets } = this.space.blocks;
    let set = block + 6;
    for (let left = octets.readUInt16BE(block + 4); left > 0; left--) {
      if (octets.readUInt16BE(set) === wanted) return set;
      set = this.nextSet(set);
    }
    return 0;
  }

  nextSet(set: number): number {
    return set + 8 + this.space.blocks.octets.readUInt32BE(set + 4);
  }

  typeOf(set: number): number {
    return this.space.blocks.octets.readUInt16BE(set);
  }

  recordCount(set: number): number {
    return this.space.blocks.octets.readUInt16BE(set + 2);
  }

  firstRecord(set: number): number {
    return set + 8;
  }

  ttl(record: number): number {
    return this.space.blocks.octets.readUInt32BE(record + 4);
  }

  /** The offset of a record's RDATA up to its first shared name. */
  text(record: number): number {
    return record + 11;
  }

  /** The first shared name of a record that has one. */
  sharedName(record: number): number {
    const { octets } = this.space.blocks;
    return octets.readInt32BE(this.text(record) + octets.readUInt16BE(record + 9));
  }

  /** The spelling of a node with records, as an entry of `space.names`. */
  spelling(node: number): number {
    return this.space.blocks.octets.readInt32BE(this.#blocks[node] ?? 0);
  }

  /** The number of labels in the name of a node. */
  labelCount(node: number): number {
    let count = this.#depth;
    for (let at = node; at > 0; at = this.space.nodes.parent(at)) count++;
    return count;
  }

  nextRecord(record: number): number {
    return record + 4 + this.space.blocks.octets.readUInt32BE(record);
  }

  /**
   * Looks up an uncompressed name at or below the apex, as `findNode` of `lookup.ts` does (RFC 1034 §4.3.2, RFC 4592,
   * RFC 6672): the node itself or a wildcard, a zone cut, the owner of a DNAME record, or undefined.
   */
  find(octets: Uint8Array, at: number, wanted: number): FoundNode {
    const { nodes } = this.space;
    let node = 0;
    for (let label = findLabels(octets, at, offsets) - this.#depth - 1; label >= 0; label--) {
      if (this.set(node, type.DNAME) !== 0) return { kind: "renamed", node };
      const next = nodes.find(node, octets, offsets[label] ?? 0);
      if (next < 0 || next >= this.nodes || !this.exists(next)) {
        const star = nodes.find(node, wildcard, 0);
        return star < 0 || star >= this.nodes || !this.exists(star) ? undefined : { kind: "node", node: star };
      }
      if (this.set(next, type.NS) !== 0 && !(wanted === type.DS && label === 0))
        return { kind: "referral", node: next };
      node = next;
    }
    return { kind: "node", node };
  }

  /** The node of an uncompressed name, also below a zone cut; -1 if it does not exist or is outside of the zone. */
  nodeOf(octets: Uint8Array, at: number): number {
    const below = findLabels(octets, at, offsets) - this.#depth;
    if (below < 0 || !this.#isApex(octets, offsets[below] ?? 0)) return -1;
    const { nodes } = this.space;
    let node = 0;
    for (let label = below - 1; label >= 0; label--) {
      node = nodes.find(node, octets, offsets[label] ?? 0);
      if (node < 0 || node >= this.nodes) return -1;
    }
    return this.exists(node) ? node : -1;
  }

  /**
   * Whether an uncompressed name is at or below the apex, and certainly in no other zone of the server: if there are
   * zones below this one, only the apex is.
   */
  isNearestTo(octets: Uint8Array, at: number): boolean {
    const below = findLabels(octets, at, offsets) - this.#depth;
    return below >= 0 && (below === 0 || !this.#isAboveOthers) && this.#isApex(octets, offsets[below] ?? 0);
  }

  /** Whether a node is at or below another one. */
  isInside(node: number, top: number): boolean {
    let at = node;
    while (at > top) at = this.space.nodes.parent(at);
    return at === top;
  }

  #isApex(octets: Uint8Array, at: number): boolean {
    for (let index = 0; index < this.#apexOctets.length; index++)
      if (lowerCase(octets[at + index] ?? 0) !== lowerCase(this.#apexOctets[index] ?? 0)) return false;
    return true;
  }
}
