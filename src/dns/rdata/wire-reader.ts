import { formatAddress6 } from "../name/address.ts";
import { Fault } from "../name/fault.ts";
import { asName, type Name, spellLabel } from "../name/name.ts";

/** A decoded name: its spelling, its uncompressed length in octets, and the offset after it. */
interface ReadName {
  readonly name: Name;
  readonly length: number;
  readonly next: number;
}

const headerLength = 12;
/** A name has at most 127 labels (RFC 1035 §3.1); more pointers than that are an attack. */
const mostPointers = 127;

/**
 * Reads the wire format from octets, one character for each (RFC 1035 §3.3). Names can be compressed only in a whole
 * message.
 * @throws {Fault} `rdata-wire` from every method if octets are missing.
 */
export class WireReader {
  readonly #octets: string;
  readonly #start: number;
  readonly #end: number;
  /** Names by the offsets of pointers; undefined outside messages. */
  readonly #names: Map<number, ReadName> | undefined;
  #at: number;

  private constructor(octets: string, at: number, end: number, names: Map<number, ReadName> | undefined) {
    this.#octets = octets;
    this.#start = at;
    this.#at = at;
    this.#end = end;
    this.#names = names;
  }

  /** The RDATA of one record, alone. */
  static ofData(octets: string): WireReader {
    return new WireReader(octets, 0, octets.length, undefined);
  }

  static ofMessage(octets: string): WireReader {
    return new WireReader(octets, 0, octets.length, new Map());
  }

  /** Number of octets read; in a message, the offset of the next one. */
  get at(): number {
    return this.#at;
  }

  /** All octets, also those that were read. */
  get whole(): string {
    return this.#octets.slice(this.#start, this.#end);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** A reader of the next `count` octets, which this one skips. */
  subReader(count: number): WireReader {
    const start = this.#at;
    this.#skip(count);
    return new WireReader(this.#octets, start, this.#at, this.#names);
  }

  take(count: number): string {
    const start = this.#at;
    this.#skip(count);
    return this.#octets.slice(start, this.#at);
  }

  takeRest(): string {
    return this.take(this.#end - this.#at);
  }

  /** The rest, which is not empty. */
  takeSome(): string {
    return this.take(Math.max(1, this.#end - this.#at));
  }

  /** A big-endian number of `size` octets. */
  uint(size: number): number {
    const start = this.#at;
    this.#skip(size);
    let value = 0;
    for (let at = start; at < this.#at; at++) value = value * 256 + this.#octets.charCodeAt(at);
    return value;
  }

  /** A character-string: a length octet, then the octets. */
  shortText(): string {
    return this.take(this.uint(1));
  }

  /** A character-string that is not empty. */
  takeSomeText(): string {
    const text = this.shortText();
    if (text !== "") return text;
    throw new Fault("rdata-wire", "a field of the RDATA is empty but must not be", "Write at least one octet.");
  }

  name(): Name {
    const { name, next } = this.#nameAt(this.#at, this.#end, 0);
    this.#at = next;
    return name;
  }

  address4(): string {
    return `${this.uint(1)}.${this.uint(1)}.${this.uint(1)}.${this.uint(1)}`;
  }

  address6(): string {
    return formatAddress6(Array.from({ length: 8 }, () => this.uint(2)));
  }

  #tooShort(): Fault {
    const isMessage = this.#names !== undefined && this.#end === this.#octets.length;
    if (isMessage) return new Fault("rdata-wire", "it ends in the middle of a field");
    return new Fault(
      "rdata-wire",
      "the RDATA is too short for its type",
      "Check the octets after \\#, or use the text form of the type.",
    );
  }

  #skip(count: number): void {
    if (this.#at + count > this.#end) throw this.#tooShort();
    this.#at += count;
  }

  #nameAt(start: number, end: number, pointers: number): ReadName {
    let name = "";
    let length = 1;
    for (let at = start; ; ) {
      if (at >= end) throw this.#tooShort();
      const octet = this.#octets.charCodeAt(at);
      if (octet === 0) return { name: asName(name || "."), length, next: at + 1 };
      if (octet > 63) {
        if (at + 2 > end) throw this.#tooShort();
        const target = (octet & 63) * 256 + this.#octets.charCodeAt(at + 1);
        // Each pointer must point to an earlier offset, so that names cannot be endless (RFC 1035 §4.1.4).
        if (octet < 192) throw new Fault("rdata-wire", "a name has a label longer than 63 octets");
        if (this.#names === undefined) throw new Fault("rdata-wire", "a name in the RDATA is compressed");
        if (target >= start || target < headerLength)
          throw new Fault("rdata-wire", "the compression pointer of a name does not point to an earlier name");
        const suffix = this.#nameOf(target, pointers + 1);
        check(length + suffix.length - 1);
        const isWhole = name === "" || suffix.name !== ".";
        return { name: asName(isWhole ? name + suffix.name : name), length: length + suffix.length - 1, next: at + 2 };
      }
      const next = at + octet + 1;
      if (next > end) throw this.#tooShort();
      length += octet + 1;
      check(length);
      name += `${spellLabel(this.#octets.slice(at + 1, next))}.`;
      at = next;
    }
  }

  #nameOf(target: number, pointers: number): ReadName {
    const known = this.#names?.get(target);
    if (known !== undefined) return known;
    if (pointers > mostPointers) throw new Fault("rdata-wire", "a name in the RDATA has too many compression pointers");
    const name = this.#nameAt(target, this.#octets.length, pointers);
    this.#names?.set(target, name);
    return name;
  }
}

function check(length: number): void {
  if (length > 255) throw new Fault("rdata-wire", "a name in the RDATA is longer than 255 octets", "Shorten it.");
}
