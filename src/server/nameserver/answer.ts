import { badVersion, dnsClass, opcode, rcode } from "../../dns/transfer/codes.ts";
import { type Edns, largestMessage, type Message } from "../../dns/transfer/message.ts";
import { MessageWriter, type NewMessage } from "../../dns/transfer/message-writer.ts";
import { appendError, type Key, tsigLength } from "../../dns/transfer/tsig.ts";
import type { Query } from "./query.ts";
import { type Answer, resolve } from "./resolve.ts";
import type { ServedZones } from "./served-zone.ts";

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
  zones: ServedZones,
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
  const largest = transport === "tcp" ? largestMessage : datagramLimit(message.edns);
  const room = { limit: largest - (key ? tsigLength(key) : 0), transport };
  if (question.type === "IXFR" && transport === "udp")
    return write(asked, resolve({ ...question, type: "SOA" }, zones), room); // RFC 1995 §2: ask again over TCP
  if (question.type === "AXFR") return refuse(asked, rcode.FORMERR); // RFC 5936 §4.2: not over UDP
  return write(asked, resolve(question, zones), room);
}

/** SERVFAIL, after an unexpected error. */
export function writeServfail({ head: { id, opcode, rd } }: Query): Buffer {
  return refuse({ id, opcode, qr: true, rd }, rcode.SERVFAIL);
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

function datagramLimit(edns: Edns | undefined): number {
  return Math.min(largestDatagram, Math.max(smallestDatagram, edns?.udpSize ?? smallestDatagram));
}

function refuse(head: NewMessage, code: number): Buffer {
  return new MessageWriter({ ...head, rcode: code }).bytes();
}

/** Over UDP, a large answer is truncated, to be asked for over TCP; over TCP it is SERVFAIL, as with Knot. */
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
