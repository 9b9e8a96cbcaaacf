import { root } from "../name/name.ts";
import { encodeRdata, type Rdata, type RecordType } from "../rdata/record-type.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { typeOf } from "../types/index.ts";
import { opcode, questionCode } from "./codes.ts";
import type { Edns, Head, MessageQuestion, MessageRecord } from "./message.ts";
import { largestMessage } from "./message.ts";

export type MessageSection = "answers" | "authorities" | "additionals";

/** The offsets of the counts in the header of a message. */
const countAt = { questions: 4, answers: 6, authorities: 8, additionals: 10 };
const flagsAt = 2;
/** qr, aa, tc, rd, ra, ad, cd */
const flagBits = [0x8000, 0x0400, 0x0200, 0x0100, 0x0080, 0x0020, 0x0010];
const optLength = 11;

/** A record to write: one of an update may have no RDATA, and the type ANY (RFC 2136 §2.4, §2.5). */
export type WrittenRecord = Omit<MessageRecord, "data"> & { readonly data: Rdata | undefined };

/** A message to write; absent fields are 0 or false. */
export interface NewMessage extends Partial<Head> {
  readonly questions?: readonly MessageQuestion[];
  readonly answers?: readonly MessageRecord[];
  readonly authorities?: readonly MessageRecord[];
  readonly additionals?: readonly MessageRecord[];
  readonly edns?: Edns | undefined;
}

/** Writes a message of at most `limit` octets. Sections are added in order, records only if they fit. */
export class MessageWriter {
  readonly #wire = WireWriter.ofMessage();
  readonly #counts = { questions: 0, answers: 0, authorities: 0, additionals: 0 };
  readonly #limit: number;
  readonly #edns: Edns | undefined;
  readonly #rcode: number;
  readonly #isUpdate: boolean;
  #bits: number;

  /** The question and the OPT record always fit. */
  constructor({ id = 0, questions = [], edns, rcode = 0, ...head }: NewMessage, limit = largestMessage) {
    const flags = [head.qr, head.aa, head.tc, head.rd, head.ra, head.ad, head.cd];
    const bits = flags.map((flag, index) => (flag ? (flagBits[index] ?? 0) : 0));
    this.#bits = bits.reduce((sum, bit) => sum + bit, (head.opcode ?? 0) * 0x0800 + (rcode % 16));
    this.#edns = edns;
    this.#rcode = rcode;
    this.#isUpdate = head.opcode === opcode.update;
    this.#limit = limit - (edns ? optLength + edns.options.reduce((sum, { data }) => sum + 4 + data.length, 0) : 0);
    for (const value of [id, 0, 0, 0, 0, 0]) this.#wire.uint(2, value);
    for (const question of questions) {
      this.#wire.sharedName(question.name);
      this.#wire.uint(2, questionCode(question.type));
      this.#wire.uint(2, question.class);
      this.#counts.questions++;
    }
  }

  /** Adds all or none of the records; returns whether they fit. */
  add(section: MessageSection, records: readonly WrittenRecord[]): boolean {
    const before = this.#wire.length;
    for (const record of records) {
      this.#write(record);
      if (this.#wire.length > this.#limit) {
        this.#wire.truncate(before);
        return false;
      }
    }
    this.#counts[section] += records.length;
    return true;
  }

  /** Octets of the message so far, without the OPT record. */
  get length(): number {
    return this.#wire.length;
  }

  /** Sets the TC bit. */
  truncate(): void {
    this.#bits |= 0x0200;
  }

  /** Returns the message; nothing can be added after that. */
  bytes(): Buffer {
    if (this.#edns) this.#opt(this.#edns);
    this.#wire.uint16At(flagsAt, this.#bits);
    for (const section of ["questions", "answers", "authorities", "additionals"] as const)
      this.#wire.uint16At(countAt[section], this.#counts[section]);
    return this.#wire.bytes();
  }

  #write({ owner, type, class: dnsClass, ttl, data }: WrittenRecord): void {
    const wire = this.#wire;
    wire.sharedName(owner);
    wire.uint(2, questionCode(type));
    wire.uint(2, dnsClass);
    wire.uint(4, ttl);
    wire.uint(2, 0);
    const start = wire.length;
    if (data) this.#rdata(typeOf(type), data);
    wire.uint16At(start - 2, Math.min(wire.length - start, 65535)); // anything longer does not fit anyway
  }

  /** In updates names in RDATA are not compressed: not every server expands them in rare types, such as MG. */
  #rdata(type: RecordType, data: Rdata): void {
    if (!this.#isUpdate) return encodeRdata(type, data, this.#wire);
    const plain = WireWriter.plain();
    encodeRdata(type, data, plain);
    this.#wire.octets(plain.bytes().toString("latin1"));
  }

  #opt({ udpSize, version, do: isDo, options }: Edns): void {
    const wire = this.#wire;
    wire.name(root);
    for (const value of [41, udpSize, (this.#rcode >> 4) * 256 + version, isDo ? 0x8000 : 0]) wire.uint(2, value);
    const start = wire.length + 2;
    wire.uint(2, 0);
    for (const { code, data } of options) {
      wire.uint(2, code);
      wire.uint(2, data.length);
      wire.octets(data);
    }
    wire.uint16At(start - 2, wire.length - start);
    this.#counts.additionals++;
  }
}

/** Writes a whole message. @throws {RangeError} if it does not fit into 65535 octets. */
export function writeMessage(message: NewMessage): Buffer {
  const writer = new MessageWriter(message);
  for (const section of ["answers", "authorities", "additionals"] as const) {
    if (!writer.add(section, message[section] ?? [])) throw new RangeError("a message has at most 65535 octets");
  }
  return writer.bytes();
}
