import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { decodeRdata, octetsForm } from "../rdata/record-type.ts";
import { isMeta, typeName } from "../rdata/type-codes.ts";
import { WireReader } from "../rdata/wire-reader.ts";
import { type RdataOf, typeOf } from "../types/index.ts";
import { dnsClass, opcode, questionName } from "./codes.ts";
import { readTsig, type Tsig } from "./tsig-record.ts";

/** The header of a message (RFC 1035 §4.1.1), with the names of its bits there. `rcode` has 12 bits with EDNS. */
export interface Head {
  readonly id: number;
  readonly opcode: number;
  readonly rcode: number;
  readonly qr: boolean;
  readonly aa: boolean;
  readonly tc: boolean;
  readonly rd: boolean;
  readonly ra: boolean;
  readonly ad: boolean;
  readonly cd: boolean;
}

export interface MessageQuestion {
  readonly name: Name;
  /** A mnemonic or TYPEnnn; also AXFR, IXFR and ANY. */
  readonly type: string;
  readonly class: number;
}

/** A record in a message. `ttl` in seconds. */
export interface MessageRecord<T extends string = string> {
  readonly owner: Name;
  readonly type: T;
  readonly class: number;
  readonly ttl: number;
  readonly data: RdataOf<T>;
}

/** A complete record of the answer section with an invalid value. */
export interface UnreadRecord {
  readonly owner: Name;
  readonly type: string;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** RDATA in the form for unknown types (RFC 3597 §5). */
  readonly rdata: string;
  readonly fault: Fault;
}

/** The content of the OPT record (RFC 6891 §6.1), without the rcode. */
export interface Edns {
  /** The sender's UDP payload size, in octets. */
  readonly udpSize: number;
  readonly version: number;
  readonly do: boolean;
  readonly options: readonly { readonly code: number; readonly data: string }[];
}

export interface Message extends Head {
  readonly questions: readonly MessageQuestion[];
  readonly answers: readonly MessageRecord[];
  readonly authorities: readonly MessageRecord[];
  readonly additionals: readonly MessageRecord[];
  readonly unread: readonly UnreadRecord[];
  readonly edns: Edns | undefined;
  readonly tsig: Tsig | undefined;
}

export const largestMessage = 65535;
const longestTtl = 2 ** 31 - 1;
const code = { OPT: 41, TSIG: 250 };

/** The header of a message and its section counts; undefined if the octets are too few. */
export function readHead(octets: Uint8Array): { head: Head; counts: readonly number[] } | undefined {
  if (octets.length < 12) return undefined;
  const wire = WireReader.ofMessage(Buffer.from(octets.subarray(0, 12)).toString("latin1"));
  return { head: headOf(wire.uint(2), wire.uint(2)), counts: [0, 0, 0, 0].map(() => wire.uint(2)) };
}

/**
 * Reads a whole message. Of an update, conditions without a value and deletions (RFC 2136 §2.4, §2.5) are left out:
 * they matter to the server only, and a response may repeat them.
 * @throws {Fault} `dns-message` if it is invalid (RFC 1035, RFC 6891, RFC 8945).
 */
export function readMessage(octets: Uint8Array): Message {
  const text = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
  const wire = WireReader.ofMessage(text);
  try {
    return new MessageReader(wire).read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault("dns-message", `the DNS message is invalid at octet ${wire.at}: ${error.message}`);
  }
}

const sections = ["answer", "authority", "additional"] as const;
type Section = (typeof sections)[number];

class MessageReader {
  readonly #wire: WireReader;
  readonly #unread: UnreadRecord[] = [];
  #edns: Edns | undefined;
  #highRcode = 0;
  #tsig: Tsig | undefined;
  #isUpdate = false;

  constructor(wire: WireReader) {
    this.#wire = wire;
  }

  read(): Message {
    const wire = this.#wire;
    const head = headOf(wire.uint(2), wire.uint(2));
    this.#isUpdate = head.opcode === opcode.update;
    const [questionCount, ...counts] = [wire.uint(2), wire.uint(2), wire.uint(2), wire.uint(2)];
    const questions = times(questionCount, () => this.#question());
    const [answers = [], authorities = [], additionals = []] = counts.map((count, section) =>
      times(count, () => this.#record(sections[section])).filter((record) => record !== undefined),
    );
    if (!wire.isAtEnd) throw messageFault("data follows the message");
    const rcode = this.#highRcode * 16 + head.rcode;
    const extra = { edns: this.#edns, tsig: this.#tsig, unread: this.#unread };
    return { ...head, rcode, questions, answers, authorities, additionals, ...extra };
  }

  #question(): MessageQuestion {
    const name = this.#wire.name();
    return { name, type: questionName(this.#wire.uint(2)), class: this.#wire.uint(2) };
  }

  /** The next record if it is one of a zone and valid. */
  #record(section: Section | undefined): MessageRecord | undefined {
    const wire = this.#wire;
    if (this.#tsig) throw messageFault("a record follows the TSIG record");
    const start = wire.at;
    const owner = wire.name();
    const [typeCode, classCode, ttl] = [wire.uint(2), wire.uint(2), wire.uint(4)];
    const data = wire.subReader(wire.uint(2));
    const isAdditional = section === "additional";
    if (isAdditional && typeCode === code.OPT) return this.#opt(owner, classCode, ttl, data);
    if (isAdditional && typeCode === code.TSIG) {
      if (classCode !== dnsClass.any || ttl !== 0) throw messageFault("the TSIG record has a class or a TTL");
      this.#tsig = readTsig(owner, data, start);
      return undefined;
    }
    if (this.#isUpdate && (classCode === dnsClass.any || classCode === dnsClass.none)) return undefined;
    if (isMeta(typeCode)) throw messageFault(`a record has the query type ${questionName(typeCode)}`);
    const type = typeOf(typeName(typeCode));
    // RFC 2181 §8: a TTL with the highest bit set is treated as 0.
    const seconds = ttl > longestTtl ? 0 : ttl;
    try {
      return { owner, type: type.type, class: classCode, ttl: seconds, data: decodeRdata(type, data) };
    } catch (error) {
      if (!(error instanceof Fault) || error.problem.id === "rdata-wire") throw error;
      const rdata = octetsForm(data.whole);
      if (section === "answer")
        this.#unread.push({ owner, type: type.type, class: classCode, ttl: seconds, rdata, fault: error });
      return undefined;
    }
  }

  #opt(owner: Name, udpSize: number, ttl: number, data: WireReader): undefined {
    if (this.#edns || owner !== ".") throw messageFault("it has two OPT records, or one with a name");
    const options = [];
    while (!data.isAtEnd) options.push({ code: data.uint(2), data: data.take(data.uint(2)) });
    this.#highRcode = Math.floor(ttl / 2 ** 24);
    this.#edns = { udpSize, version: (ttl >>> 16) & 255, do: (ttl & 0x8000) !== 0, options };
  }
}

function headOf(id: number, bits: number): Head {
  const flag = (bit: number) => (bits & (1 << bit)) !== 0;
  return {
    id,
    opcode: (bits >> 11) & 15,
    rcode: bits & 15,
    qr: flag(15),
    aa: flag(10),
    tc: flag(9),
    rd: flag(8),
    ra: flag(7),
    ad: flag(5),
    cd: flag(4),
  };
}

/** Repeats a read. The count may exceed the message, so nothing is allocated in advance. */
function times<T>(count: number, read: () => T): T[] {
  const all: T[] = [];
  for (let index = 0; index < count; index++) all.push(read());
  return all;
}

function messageFault(summary: string): Fault {
  return new Fault("rdata-wire", summary);
}
