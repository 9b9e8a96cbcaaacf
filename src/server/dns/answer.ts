import { badVersion, dnsClass, opcode, questionCode, rcode } from "../../transfer/codes.ts";
import {
  type Edns,
  largestMessage,
  type Message,
  type Question,
  readHead,
  readMessage,
} from "../../transfer/message.ts";
import { MessageWriter, type NewMessage } from "../../transfer/message-writer.ts";
import { appendError, type Key, tsigLength } from "../../transfer/tsig.ts";
import { Fault } from "../../zone/fault.ts";
import { type Answer, resolve } from "./resolve.ts";
import type { ServedZones } from "./served-zone.ts";

/** What goes through most networks in one piece (DNS flag day 2020). */
const largestDatagram = 1232;
const smallestDatagram = 512;

/** How a question came. */
export type Transport = "udp" | "tcp";

/**
 * The answer to a message, ready to be sent; undefined for what no answer must be sent to: another answer, or fewer octets
 * than a head. Zone transfers and NOTIFY are not answered here. Where the message is signed with `key`, there is room left
 * to sign the answer.
 */
export function answer(octets: Uint8Array, zones: ServedZones, transport: Transport, key?: Key): Buffer | undefined {
  const start = readHead(octets);
  if (start === undefined || start.head.qr) return undefined;
  const { id, opcode: code, rd, cd } = start.head;
  const head = { id, opcode: code, qr: true, rd, cd };
  const query = readQuery(octets);
  const isOtherVersion = (query?.edns?.version ?? 0) > 0;
  if (code !== opcode.query) return refuse(head, isOtherVersion ? badVersion : rcode.NOTIMP, query?.edns);
  if (query === undefined) return refuse(head, rcode.FORMERR);
  const [question] = query.questions;
  if (question === undefined || query.questions.length > 1) return refuse(head, rcode.FORMERR, query.edns);
  const asked = { ...head, questions: [question], edns: ourEdns(query) };
  if (query.tsig && key === undefined) return appendError(refuse(asked, rcode.NOTAUTH), query.tsig, rcode.BADKEY);
  if (isOtherVersion) return refuse(asked, badVersion);
  if (question.class !== dnsClass.in) return refuse(asked, rcode.REFUSED);
  const largest = transport === "tcp" ? largestMessage : datagramLimit(query.edns);
  const room = { limit: largest - (key ? tsigLength(key) : 0), transport };
  if (question.type === "IXFR" && transport === "udp")
    return write(asked, resolve({ ...question, type: "SOA" }, zones), room); // RFC 1995 §2: ask again by TCP
  if (!isOfRecords(question)) return refuse(asked, notAskable.has(question.type) ? rcode.FORMERR : rcode.NOTIMP);
  return write(asked, resolve(question, zones), room);
}

/** The answer where we have failed. */
export function failure(octets: Uint8Array): Buffer | undefined {
  const { head } = readHead(octets) ?? {};
  if (head === undefined || head.qr) return undefined;
  return refuse({ id: head.id, opcode: head.opcode, qr: true, rd: head.rd }, rcode.SERVFAIL);
}

/** Types of no record that nobody may ask for like this: OPT and AXFR. */
const notAskable = new Set(["TYPE41", "AXFR"]);

/** Does the question ask for records of a type, or of all? Types from 128 to 255, and OPT, mean something else. */
function isOfRecords({ type }: Question): boolean {
  const code = questionCode(type);
  return type === "ANY" || (code !== 41 && (code < 128 || code > 255));
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
export function ourEdns({ edns }: { readonly edns?: Edns | undefined }): Edns | undefined {
  return edns && { udpSize: largestDatagram, version: 0, do: edns.do, options: [] };
}

function datagramLimit(edns: Edns | undefined): number {
  return Math.min(largestDatagram, Math.max(smallestDatagram, edns?.udpSize ?? smallestDatagram));
}

function refuse(head: NewMessage, code: number, edns?: Edns): Buffer {
  return new MessageWriter({ edns: ourEdns({ edns }), ...head, rcode: code }).bytes();
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
