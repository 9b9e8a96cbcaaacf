import { Fault } from "../../dns/fault.ts";
import { badVersion, dnsClass, opcode, rcode } from "../../dns/transfer/codes.ts";
import { type Edns, largestMessage, type Message, readHead, readMessage } from "../../dns/transfer/message.ts";
import { MessageWriter, type NewMessage } from "../../dns/transfer/message-writer.ts";
import { appendError, type Key, tsigLength } from "../../dns/transfer/tsig.ts";
import { type Answer, resolve } from "./resolve.ts";
import type { ServedZones } from "./served-zone.ts";

/** What goes through most networks in one piece (DNS flag day 2020). */
const largestDatagram = 1232;
const smallestDatagram = 512;

/** How a question came. */
export type Transport = "udp" | "tcp";

/** Facts about a question beside its octets. */
export interface Asked {
  /** Its signature has been found good: there is room left to sign the answer. */
  readonly key?: Key | undefined;
  /** The EDNS options of the answer. */
  readonly options?: Edns["options"];
}

/**
 * The answer to a message, ready to be sent; undefined for what no answer must be sent to: another answer, or fewer octets
 * than a head. Zone transfers and NOTIFY are not answered here.
 */
export function answer(
  octets: Uint8Array,
  zones: ServedZones,
  transport: Transport,
  { key, options }: Asked = {},
): Buffer | undefined {
  const start = readHead(octets);
  if (start === undefined || start.head.qr) return undefined;
  const { id, opcode: code, rd, cd } = start.head;
  const head = { id, opcode: code, qr: true, rd, cd };
  const query = readQuery(octets);
  const isOtherVersion = (query?.edns?.version ?? 0) > 0;
  const edns = ourEdns({ edns: query?.edns }, options);
  if (code !== opcode.query) return refuse({ ...head, edns }, isOtherVersion ? badVersion : rcode.NOTIMP);
  if (query === undefined) return refuse(head, rcode.FORMERR);
  const [question] = query.questions;
  if (question === undefined || query.questions.length > 1)
    return refuse({ ...head, edns }, isOtherVersion ? badVersion : rcode.FORMERR);
  const asked = { ...head, questions: [question], edns };
  if (query.tsig && key === undefined) return appendError(refuse(asked, rcode.NOTAUTH), query.tsig, rcode.BADKEY);
  if (isOtherVersion) return refuse(asked, badVersion);
  if (question.class !== dnsClass.in) return refuse(asked, rcode.REFUSED);
  const largest = transport === "tcp" ? largestMessage : datagramLimit(query.edns);
  const room = { limit: largest - (key ? tsigLength(key) : 0), transport };
  if (question.type === "IXFR" && transport === "udp")
    return write(asked, resolve({ ...question, type: "SOA" }, zones), room); // RFC 1995 §2: ask again by TCP
  if (question.type === "AXFR") return refuse(asked, rcode.FORMERR); // RFC 5936 §4.2: not by UDP
  return write(asked, resolve(question, zones), room);
}

/** The answer where we have failed. */
export function failure(octets: Uint8Array): Buffer | undefined {
  const { head } = readHead(octets) ?? {};
  if (head === undefined || head.qr) return undefined;
  return refuse({ id: head.id, opcode: head.opcode, qr: true, rd: head.rd }, rcode.SERVFAIL);
}

/** The answer to a question by UDP that only says: ask again by TCP. */
export function askAgain(query: Message, options?: Edns["options"]): Buffer {
  const { id, opcode, rd, questions } = query;
  const writer = new MessageWriter({ id, opcode, qr: true, rd, questions, edns: ourEdns(query, options) });
  writer.truncate();
  return writer.bytes();
}

/** The message; undefined where it is none. */
export function readQuery(octets: Uint8Array): Message | undefined {
  try {
    return readMessage(octets);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Answers with EDNS go to who asks with it (RFC 6891 §6.1.1, §7); the DO bit is copied (RFC 3225 §3). */
export function ourEdns(
  { edns }: { readonly edns?: Edns | undefined },
  options: Edns["options"] = [],
): Edns | undefined {
  return edns && { udpSize: largestDatagram, version: 0, do: edns.do, options };
}

function datagramLimit(edns: Edns | undefined): number {
  return Math.min(largestDatagram, Math.max(smallestDatagram, edns?.udpSize ?? smallestDatagram));
}

function refuse(head: NewMessage, code: number): Buffer {
  return new MessageWriter({ ...head, rcode: code }).bytes();
}

/** Asking again by TCP helps who asked by UDP; what does not fit there either cannot be said, as Knot has it. */
function write(
  head: NewMessage,
  { rcode: code, aa, answers, authorities, glue, helpful }: Answer,
  { limit, transport }: { readonly limit: number; readonly transport: Transport },
): Buffer {
  const writer = new MessageWriter({ ...head, rcode: code, aa }, limit);
  const fits =
    answers.every((set) => writer.add("answers", set)) &&
    authorities.every((set) => writer.add("authorities", set)) &&
    glue.every((set) => writer.add("additionals", set));
  if (!fits && transport === "tcp") return refuse(head, rcode.SERVFAIL);
  if (!fits) writer.truncate();
  else for (const set of helpful) writer.add("additionals", set);
  return writer.bytes();
}
