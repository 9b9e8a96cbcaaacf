import { addressWords } from "../address.ts";
import { labelEnd, type Name, octets } from "../name.ts";

/** A pointer has 14 bits (RFC 1035 §4.1.4). */
const furthestTarget = 0x3fff;

/** Writes octets as they stand on the wire (RFC 1035 §3.3). Names are compressed only in a message. */
export class WireWriter {
  #buffer = Buffer.allocUnsafe(512);
  #length = 0;
  /**
   * Where the names stand that a pointer may lead to, and the names in that order; undefined where there is no message.
   */
  readonly #offsets: Map<string, number> | undefined;
  readonly #names: string[] = [];

  private constructor(offsets: Map<string, number> | undefined) {
    this.#offsets = offsets;
  }

  /** For RDATA, and for all else that is never compressed. */
  static plain(): WireWriter {
    return new WireWriter(undefined);
  }

  static ofMessage(): WireWriter {
    return new WireWriter(new Map());
  }

  get length(): number {
    return this.#length;
  }

  /** A copy of what was written. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  /** Takes back all but the first `length` octets. */
  cut(length: number): void {
    this.#length = length;
    if (this.#offsets === undefined) return;
    for (let name = this.#names.at(-1); name !== undefined; name = this.#names.at(-1)) {
      if ((this.#offsets.get(name) ?? 0) < length) return;
      this.#offsets.delete(name);
      this.#names.pop();
    }
  }

  /** A number in `size` octets, the highest first. */
  uint(size: number, value: number): void {
    const start = this.#grow(size);
    for (let at = start + size - 1, left = value; at >= start; at--, left = Math.floor(left / 256))
      this.#buffer[at] = left % 256;
  }

  /** Writes a number of two octets again that stands at an offset. */
  uint16At(offset: number, value: number): void {
    this.#buffer.writeUInt16BE(value, offset);
  }

  /** Octets, one character for each. */
  octets(octets: string): void {
    const start = this.#grow(octets.length);
    if (octets.length > 32) this.#buffer.write(octets, start, "latin1");
    else for (let at = 0; at < octets.length; at++) this.#buffer[start + at] = octets.charCodeAt(at);
  }

  /** A character-string: one octet of length, then as many octets. */
  shortText(octets: string): void {
    this.uint(1, octets.length);
    this.octets(octets);
  }

  /** A name that is not compressed, though others may share it. */
  name(name: Name): void {
    for (let start = 0; start < name.length && name !== "."; ) {
      if (this.#offsets && !this.#offsets.has(name.slice(start))) this.#remember(name.slice(start));
      start = this.#label(name, start);
    }
    this.uint(1, 0);
  }

  /** A name, compressed in a message. Letter case is kept: only names in the same letters share them. */
  sharedName(name: Name): void {
    if (this.#offsets === undefined || name === ".") return this.name(name);
    for (let start = 0; start < name.length; ) {
      const rest = start === 0 ? name : name.slice(start);
      const target = this.#offsets.get(rest);
      if (target !== undefined) return this.uint(2, 0xc000 + target);
      this.#remember(rest);
      start = this.#label(name, start);
    }
    this.uint(1, 0);
  }

  address4(text: string): void {
    for (const octet of text.split(".")) this.uint(1, Number(octet));
  }

  address6(text: string): void {
    for (const word of addressWords(text)) this.uint(2, word);
  }

  #remember(name: string): void {
    if (this.#length > furthestTarget) return;
    this.#offsets?.set(name, this.#length);
    this.#names.push(name);
  }

  /** Writes the label at `start` of a name; where the next one starts. */
  #label(name: Name, start: number): number {
    const end = labelEnd(name, start);
    this.shortText(octets(name.slice(start, end)));
    return end + 1;
  }

  /** Makes room for `count` octets; where they go. */
  #grow(count: number): number {
    const start = this.#length;
    this.#length += count;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#buffer.length * 4));
      this.#buffer.copy(larger, 0, 0, start);
      this.#buffer = larger;
    }
    return start;
  }
}
