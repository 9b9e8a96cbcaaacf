import { randomInt } from "node:crypto";
import type { Arena } from "./arena.ts";

/** A hash that a zone's owner cannot predict: names made to collide would make each lookup slow. */
const seed = randomInt(2 ** 32 - 1) | 0;

/** Offsets of the labels in a name; a name has at most 127 labels and the root (RFC 1035 §2.3.4). */
export type LabelOffsets = Int32Array;

export function newLabelOffsets(): LabelOffsets {
  return new Int32Array(128);
}

/**
 * Finds the labels of an uncompressed name in wire format and returns their number, without the root; the offset of the
 * root's octet follows the others.
 */
export function findLabels(octets: Uint8Array, at: number, into: LabelOffsets): number {
  let count = 0;
  let offset = at;
  for (let length = octets[offset] ?? 0; length > 0; length = octets[offset] ?? 0) {
    into[count++] = offset;
    offset += length + 1;
  }
  into[count] = offset;
  return count;
}

/**
 * Names as a tree of labels, in typed arrays: a million names cost no objects. Entries are numbered from 0, the top, in
 * the order in which they were added, so that a parent has a lower number than its children. None is removed.
 */
export class LabelTree {
  size = 1;
  /** The labels of the entries, in wire format; several trees may share it. */
  readonly #labels: Arena;
  readonly #isCaseBlind: boolean;
  /** By entry, the offset of its label and its parent. */
  #offsets = new Int32Array(8);
  #parents = new Int32Array(8);
  /** Entries by the hash of parent and label, with open addressing; 0 is free. */
  #slots = new Int32Array(16);

  constructor(labels: Arena, { isCaseBlind }: { readonly isCaseBlind: boolean }) {
    this.#labels = labels;
    this.#isCaseBlind = isCaseBlind;
  }

  /** Octets of memory, without the labels. */
  get octets(): number {
    return (this.#offsets.length * 2 + this.#slots.length) * 4;
  }

  parent(entry: number): number {
    return this.#parents[entry] ?? 0;
  }

  labelOffset(entry: number): number {
    return this.#offsets[entry] ?? 0;
  }

  /** The entry of a label directly below another entry, or -1. `at` is the offset of the label's length. */
  find(parent: number, octets: Uint8Array, at: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hash(parent, octets, at) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return -1;
      if (this.#parents[entry] === parent && this.#hasLabel(entry, octets, at)) return entry;
    }
  }

  /** The entry of a label directly below another entry, added if it is missing. */
  add(parent: number, octets: Uint8Array, at: number): number {
    const known = this.find(parent, octets, at);
    if (known >= 0) return known;
    if (this.size === this.#offsets.length) this.#resize(this.size * 2);
    const entry = this.size++;
    const end = at + 1 + (octets[at] ?? 0);
    const offset = this.#labels.reserve(end - at);
    for (let from = at; from < end; from++) this.#labels.octets[offset + from - at] = octets[from] ?? 0;
    this.#offsets[entry] = offset;
    this.#parents[entry] = parent;
    this.#place(entry);
    return entry;
  }

  /** Returns unused room. */
  trim(): void {
    if (this.#offsets.length - this.size > this.size / 4) this.#resize(this.size);
  }

  #resize(capacity: number): void {
    const [offsets, parents] = [this.#offsets, this.#parents];
    this.#offsets = new Int32Array(capacity);
    this.#offsets.set(offsets.subarray(0, this.size));
    this.#parents = new Int32Array(capacity);
    this.#parents.set(parents.subarray(0, this.size));
    const slots = 2 ** Math.ceil(Math.log2(Math.max(8, capacity) * 1.5));
    if (slots <= this.#slots.length) return;
    this.#slots = new Int32Array(slots);
    for (let entry = 1; entry < this.size; entry++) this.#place(entry);
  }

  #place(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hash(this.#parents[entry] ?? 0, this.#labels.octets, this.#offsets[entry] ?? 0) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry;
  }

  #hash(parent: number, octets: Uint8Array, at: number): number {
    let hash = seed ^ Math.imul(parent, 0x9e3779b1);
    const end = at + 1 + (octets[at] ?? 0);
    for (let from = at + 1; from < end; from++) {
      const octet = octets[from] ?? 0;
      hash = Math.imul(hash ^ (this.#isCaseBlind ? lowerCase(octet) : octet), 0x01000193);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  #hasLabel(entry: number, octets: Uint8Array, at: number): boolean {
    const own = this.#labels.octets;
    const offset = this.#offsets[entry] ?? 0;
    const length = octets[at] ?? 0;
    if (own[offset] !== length) return false;
    for (let index = 1; index <= length; index++) {
      const [one, other] = [own[offset + index] ?? 0, octets[at + index] ?? 0];
      if (one !== other && !(this.#isCaseBlind && lowerCase(one) === lowerCase(other))) return false;
    }
    return true;
  }
}

/** An octet of a label in lower case (RFC 4343). */
export function lowerCase(octet: number): number {
  return octet >= 65 && octet <= 90 ? octet + 32 : octet;
}
