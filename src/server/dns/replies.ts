import { zoneMessages } from "../../transfer/axfr-sender.ts";
import { dnsClass, opcode, rcode } from "../../transfer/codes.ts";
import type { Message } from "../../transfer/message.ts";
import { writeMessage } from "../../transfer/message-writer.ts";
import type { Name } from "../../zone/name.ts";
import { plainAddress } from "./address.ts";
import { answer, readQuery, type Transport } from "./answer.ts";
import { isLater } from "./serial.ts";
import { ServedZones } from "./served-zone.ts";
import type { Zones } from "./stored-zones.ts";

export interface Answering {
  readonly zones: Zones;
  /** Addresses that may transfer every zone: the operator's own secondaries. */
  readonly secondaries?: readonly string[];
  /** Hears that a zone has changed at a server of this address, and says with which rcode to answer; without it NOTIMP. */
  readonly notice?: (zone: Name, peer: string) => Promise<number>;
}

/** What goes back for a message: one answer, the messages of a zone, or nothing. `peer` is an address as `plainAddress` has it. */
export async function* replies(
  octets: Uint8Array,
  transport: Transport,
  peer: string,
  options: Answering,
): AsyncGenerator<Buffer> {
  const query = readQuery(octets);
  const question = query?.questions[0];
  if (query && transport === "tcp" && isTransfer(query)) return yield* transfer(query, peer, options);
  if (options.notice && query && isNotice(query)) {
    const { id, opcode, questions } = query;
    const code = await options.notice(questions[0]?.name ?? ".", peer);
    return yield writeMessage({ id, opcode, qr: true, aa: code === rcode.NOERROR, questions, rcode: code });
  }
  const isAnswerable = query?.opcode === opcode.query && !query.qr && question?.class === dnsClass.in;
  const zones = isAnswerable ? await options.zones.around(question.name) : new ServedZones([]);
  const reply = answer(octets, zones, transport);
  if (reply) yield reply;
}

/** RFC 1996 §3.7: the SOA record of the zone is what has changed. */
function isNotice({ qr, opcode: code, questions, tsig }: Message): boolean {
  const [question] = questions;
  const isOfZone = question?.class === dnsClass.in && question.type === "SOA" && questions.length === 1;
  return !qr && code === opcode.notify && isOfZone && tsig === undefined;
}

function isTransfer({ qr, opcode: code, questions, tsig, edns }: Message): boolean {
  const [question] = questions;
  const isPlain = !qr && code === opcode.query && tsig === undefined && (edns?.version ?? 0) === 0;
  const isOfZone = question?.class === dnsClass.in && (question.type === "AXFR" || question.type === "IXFR");
  return isPlain && questions.length === 1 && isOfZone;
}

/** The whole zone; to who has this serial already, and asks with IXFR, its SOA record alone (RFC 1995 §4). */
async function* transfer(query: Message, peer: string, { zones, secondaries = [] }: Answering): AsyncGenerator<Buffer> {
  const { id, rd, questions, authorities } = query;
  const [question] = questions;
  const found = question && (await zones.transferable(question.name));
  const head = { id, qr: true, rd, questions };
  if (found === undefined) return yield writeMessage({ ...head, rcode: rcode.NOTAUTH });
  const allowed = [...found.axfrIps, ...secondaries].map(plainAddress);
  if (!allowed.includes(peer)) return yield writeMessage({ ...head, rcode: rcode.REFUSED });
  const { soa } = found.zone;
  const known = authorities.find(({ type }) => type === "SOA")?.data.serial;
  if (question?.type === "IXFR" && isAsNew(known, soa.data.serial))
    yield writeMessage({ ...head, aa: true, answers: [soa] });
  else yield* zoneMessages(query, found.zone.toSend());
}

function isAsNew(serial: unknown, other: unknown): boolean {
  return typeof serial === "number" && (serial === other || isLater(serial, Number(other)));
}
