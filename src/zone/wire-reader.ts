import { formatAddress6 } from "./address.ts";
import { Fault } from "./fault.ts";
import { type Name, spellLabel } from "./name.ts";

/**
 * Reads the octets of RDATA as they stand on the wire, one character for each (RFC 1035 §3.3). Names are not compressed.
 * @throws {Fault} `rdata-wire` from every method where octets are missing.
 */
export class WireReader {
  readonly #octets: string;
  #at = 0;

  constructor(octets: string) {
    this.#octets = octets;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#octets.length;
  }

  take(count: number): string {
    const end = this.#at + count;
    if (end > this.#octets.length) {
      throw new Fault(
        "rdata-wire",
        "the data is too short for its type",
        "Count the octets behind \\#, or write the data in the type's own form.",
      );
    }
    const taken = this.#octets.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  rest(): string {
    return this.take(this.#octets.length - this.#at);
  }

  /** The rest, which is not empty. */
  some(): string {
    return this.take(Math.max(1, this.#octets.length - this.#at));
  }

  /** A number of `size` octets, the highest first. */
  uint(size: number): number {
    return [...this.take(size)].reduce((value, octet) => value * 256 + octet.charCodeAt(0), 0);
  }

  /** A character-string: one octet of length, then as many octets. */
  shortText(): string {
    return this.take(this.uint(1));
  }

  /** A character-string that is not empty. */
  someText(): string {
    const text = this.shortText();
    if (text !== "") return text;
    throw new Fault("rdata-wire", "a part of the data is empty, which it must not be", "Write at least one octet.");
  }

  name(): Name {
    const labels: string[] = [];
    const start = this.#at;
    for (let length = this.uint(1); length > 0; length = this.uint(1)) {
      if (length > 63) throw new Fault("rdata-wire", "a name in the data is compressed or has a label over 63 octets");
      labels.push(spellLabel(this.take(length)));
    }
    if (this.#at - start > 255) throw new Fault("rdata-wire", "a name in the data is over 255 octets", "Shorten it.");
    return `${labels.join(".")}.`;
  }

  address4(): string {
    return [...this.take(4)].map((octet) => octet.charCodeAt(0)).join(".");
  }

  address6(): string {
    return formatAddress6(Array.from({ length: 8 }, () => this.uint(2)));
  }
}
