import { addressWords } from "../name/address.ts";
import { labelEnd, type Name, nameKey, octets } from "../name/name.ts";

/** A pointer has 14 bits (RFC 1035 §4.1.4). */
const furthestTarget = 0x3fff;

/** Maximum number of pointers in a name: Go's resolver, for one, rejects a name with more than ten. */
const mostPointers = 10;

/** A name that a pointer can refer to, and the number of pointers in it. */
interface Target {
  readonly offset: number;
  readonly pointers: number;
}

/** The offsets of an uncompressed name. */
interface NameRange {
  readonly start: number;
  readonly end: number;
}

/** Writes the wire format (RFC 1035 §3.3). Names are compressed only in messages. */
export class WireWriter {
  #buffer = Buffer.allocUnsafe(512);
  #length = 0;
  /** By name, in the order of the names; undefined outside messages. */
  readonly #targets: Map<string, Target> | undefined;
  readonly #names: string[] = [];

  readonly #isLowerCase: boolean;

  readonly #sharedNames: NameRange[] | undefined;

  private constructor(targets: Map<string, Target> | undefined, isLowerCase = false, sharedNames?: NameRange[]) {
    this.#targets = targets;
    this.#isLowerCase = isLowerCase;
    this.#sharedNames = sharedNames;
  }

  /** A writer for RDATA and other data that is never compressed. */
  static plain(): WireWriter {
    return new WireWriter(undefined);
  }

  /** Like `plain`, with names in lower case. */
  static lowerCase(): WireWriter {
    return new WireWriter(undefined, true);
  }

  /** Like `plain`, and notes the names that may be compressed in messages. */
  static notingNames(): WireWriter {
    return new WireWriter(undefined, false, []);
  }

  static ofMessage(): WireWriter {
    return new WireWriter(new Map());
  }

  get length(): number {
    return this.#length;
  }

  /** The written octets, until more are written; others may follow them. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  /** The names that `notingNames` has noted. */
  get sharedNames(): readonly NameRange[] {
    return this.#sharedNames ?? [];
  }

  /** A copy of the written octets. */
  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  /** Truncates the output to `length` octets. */
  truncate(length: number): void {
    this.#length = length;
    if (this.#sharedNames) this.#sharedNames.length = 0;
    if (this.#targets === undefined) return;
    for (let name = this.#names.at(-1); name !== undefined; name = this.#names.at(-1)) {
      if ((this.#targets.get(name)?.offset ?? 0) < length) return;
      this.#targets.delete(name);
      this.#names.pop();
    }
  }

  /** Writes a big-endian number in `size` octets. */
  uint(size: number, value: number): void {
    const start = this.#grow(size);
    for (let at = start + size - 1, left = value; at >= start; at--, left = Math.floor(left / 256))
      this.#buffer[at] = left % 256;
  }

  /** Overwrites the 16-bit number at an offset. */
  uint16At(offset: number, value: number): void {
    this.#buffer.writeUInt16BE(value, offset);
  }

  /** Writes octets, one character for each. */
  octets(octets: string): void {
    const start = this.#grow(octets.length);
    if (octets.length > 32) this.#buffer.write(octets, start, "latin1");
    else for (let at = 0; at < octets.length; at++) this.#buffer[start + at] = octets.charCodeAt(at);
  }

  /** Writes a character-string: a length octet, then the octets. */
  shortText(octets: string): void {
    this.uint(1, octets.length);
    this.octets(octets);
  }

  /** Writes a name uncompressed; later names may point to it. */
  name(spelling: Name): void {
    const name = this.#isLowerCase ? nameKey(spelling) : spelling;
    for (let start = 0; start < name.length && name !== "."; ) {
      if (this.#targets && !this.#targets.has(name.slice(start))) this.#remember(name.slice(start), 0);
      start = this.#label(name, start);
    }
    this.uint(1, 0);
  }

  /** Writes a name, compressed in messages. Case is kept: only identically spelled names are shared. */
  sharedName(name: Name): void {
    if (this.#targets === undefined || name === ".") {
      const start = this.#length;
      this.name(name);
      this.#sharedNames?.push({ start, end: this.#length });
      return;
    }
    const { start: end, target } = this.#longestTarget(name, this.#targets);
    const pointers = target ? target.pointers + 1 : 0;
    for (let start = 0; start < end; ) {
      const rest = start === 0 ? name : name.slice(start);
      if (!this.#targets.has(rest)) this.#remember(rest, pointers);
      start = this.#label(name, start);
    }
    if (target) this.uint(2, 0xc000 + target.offset);
    else this.uint(1, 0);
  }

  address4(text: string): void {
    for (const octet of text.split(".")) this.uint(1, Number(octet));
  }

  address6(text: string): void {
    for (const word of addressWords(text)) this.uint(2, word);
  }

  /** The longest end of a name that a pointer may refer to, and its start; the end of the name without any. */
  #longestTarget(name: Name, targets: ReadonlyMap<string, Target>): { start: number; target: Target | undefined } {
    for (let start = 0; start < name.length; start = labelEnd(name, start) + 1) {
      const target = targets.get(start === 0 ? name : name.slice(start));
      if (target && target.pointers < mostPointers) return { start, target };
    }
    return { start: name.length, target: undefined };
  }

  #remember(name: string, pointers: number): void {
    if (this.#length > furthestTarget) return;
    this.#targets?.set(name, { offset: this.#length, pointers });
    this.#names.push(name);
  }

  /** Writes the label at `start` of a name and returns the offset of the next one. */
  #label(name: Name, start: number): number {
    const end = labelEnd(name, start);
    this.shortText(octets(name.slice(start, end)));
    return end + 1;
  }

  /** Reserves `count` octets and returns their offset. */
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

/** A name in wire format, uncompressed. */
export function wireName(name: Name): Buffer {
  const wire = WireWriter.plain();
  wire.name(name);
  return wire.bytes();
}
