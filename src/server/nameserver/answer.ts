import { answerQuestion } from "../../dns/compiled/answer-question.ts";
import { ZoneMessage } from "../../dns/compiled/zone-message.ts";
import { wireName } from "../../dns/rdata/wire-writer.ts";
import { badVersion, dnsClass, opcode, questionCode, rcode } from "../../dns/transfer/codes.ts";
import { type Edns, largestMessage, type Message } from "../../dns/transfer/message.ts";
import { MessageWriter, type NewMessage } from "../../dns/transfer/message-writer.ts";
import { appendError, type Key, tsigLength } from "../../dns/transfer/tsig.ts";
import type { Query } from "./query.ts";
import type { ServedZone, ZonesByName } from "./zones/served-zones.ts";

/** The largest datagram that most networks do not fragment (DNS flag day 2020). */
const largestDatagram = 1232;
const smallestDatagram = 512;

/** The transport of a query. */
export type Transport = "udp" | "tcp";

/** Facts about a query that its message does not contain. */
export interface QueryFacts {
  /** The key that signed it; the answer leaves room for a signature. */
  readonly key?: Key | undefined;
  /** EDNS options of the answer. */
  readonly options?: Edns["options"];
}

/** The answer to a query, ready to send. Zone transfers and NOTIFY are not answered here. */
export function answer(
  { head: { id, opcode: code, rd, cd }, message }: Query,
  zones: ZonesByName,
  transport: Transport,
  { key, options }: QueryFacts = {},
): Buffer {
  const head = { id, opcode: code, qr: true, rd, cd };
  const isOtherVersion = (message?.edns?.version ?? 0) > 0;
  const edns = answerEdns({ edns: message?.edns }, options);
  if (code !== opcode.query) return refuse({ ...head, edns }, isOtherVersion ? badVersion : rcode.NOTIMP);
  if (message === undefined) return refuse(head, rcode.FORMERR);
  const [question] = message.questions;
  if (question === undefined || message.questions.length > 1)
    return refuse({ ...head, edns }, isOtherVersion ? badVersion : rcode.FORMERR);
  const asked = { ...head, questions: [question], edns };
  if (message.tsig && key === undefined) return appendError(refuse(asked, rcode.NOTAUTH), message.tsig, rcode.BADKEY);
  if (isOtherVersion) return refuse(asked, badVersion);
  if (question.class !== dnsClass.in) return refuse(asked, rcode.REFUSED);
  if (question.type === "AXFR") return refuse(asked, rcode.FORMERR); // RFC 5936 §4.2: not over UDP
  // RFC 1995 §2: after the SOA record, ask again over TCP.
  const type = question.type === "IXFR" && transport === "udp" ? "SOA" : question.type;
  const room = answerRoom(transport, message.edns) - (key ? tsigLength(key) : 0);
  return answerFrom(zones.find(question.name, type), {
    ...{ id, rd, cd, edns, transport, room },
    ...{ octets: wireName(question.name), at: 0, type: questionCode(type), asked: questionCode(question.type) },
  });
}

/** A question of class IN, in wire format, and the form of its answer. */
export interface WireQuestion {
  readonly id: number;
  readonly rd: boolean;
  readonly cd: boolean;
  /** The uncompressed name at `at`. */
  readonly octets: Uint8Array;
  readonly at: number;
  /** The code of the type to look up, and that in the question. */
  readonly type: number;
  readonly asked: number;
  /** EDNS of the answer. */
  readonly edns: Edns | undefined;
  readonly transport: Transport;
  /** The maximum number of octets of the answer. */
  readonly room: number;
}

/** Each answer is written in one go, so that all share it. */
const response = new ZoneMessage();

/**
 * The answer to a question from its zone, undefined for one that is not ours. Over UDP, a large answer is truncated, to
 * be asked for over TCP; over TCP it is SERVFAIL, as with Knot.
 */
export function answerFrom(zone: ServedZone | undefined, question: WireQuestion): Buffer {
  const { id, rd, cd, octets, at, type, asked, edns, transport, room } = question;
  if (zone !== undefined && zone !== "unavailable") {
    response.begin(zone, room, edns);
    response.question(octets, at, asked);
    const { rcode, aa, isTruncated: tc } = answerQuestion(response, zone, type);
    if (!tc || transport === "udp") return response.finish({ id, rcode, aa, tc, rd, cd }, edns);
  }
  return emptyAnswer(question, { rcode: zone === undefined ? rcode.REFUSED : rcode.SERVFAIL, tc: false });
}

/** An answer without records. With TC, it asks to repeat the question over TCP. */
export function emptyAnswer(
  { id, rd, cd, octets, at, asked, edns, room }: WireQuestion,
  { rcode, tc }: { readonly rcode: number; readonly tc: boolean },
): Buffer {
  response.begin(undefined, room, edns);
  response.question(octets, at, asked);
  return response.finish({ id, rcode, aa: false, tc, rd, cd }, edns);
}

/** The maximum number of octets of an answer. */
export function answerRoom(transport: Transport, edns: Edns | undefined): number {
  if (transport === "tcp") return largestMessage;
  return Math.min(largestDatagram, Math.max(smallestDatagram, edns?.udpSize ?? smallestDatagram));
}

/** SERVFAIL, after an unexpected error. */
export function writeServfail({ head: { id, opcode, rd, cd }, message }: Query): Buffer {
  const { questions = [], edns } = message ?? {};
  return refuse({ id, opcode, qr: true, rd, cd, questions, edns: answerEdns({ edns }) }, rcode.SERVFAIL);
}

/** An empty answer with TC set: ask again over TCP. */
export function writeTruncated(query: Message, options?: Edns["options"]): Buffer {
  const { id, opcode, rd, questions } = query;
  const writer = new MessageWriter({ id, opcode, qr: true, rd, questions, edns: answerEdns(query, options) });
  writer.truncate();
  return writer.bytes();
}

/** EDNS of an answer, if the query has it (RFC 6891 §6.1.1, §7); the DO bit is copied (RFC 3225 §3). */
export function answerEdns(
  { edns }: { readonly edns?: Edns | undefined },
  options: Edns["options"] = [],
): Edns | undefined {
  return edns && { udpSize: largestDatagram, version: 0, do: edns.do, options };
}

function refuse(head: NewMessage, code: number): Buffer {
  return new MessageWriter({ ...head, rcode: code }).bytes();
}
