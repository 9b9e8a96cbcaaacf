import { zoneMessages } from "../../transfer/axfr-sender.ts";
import { dnsClass, opcode, rcode } from "../../transfer/codes.ts";
import type { Message } from "../../transfer/message.ts";
import { writeMessage } from "../../transfer/message-writer.ts";
import { plainAddress } from "./address.ts";
import { answer, readQuery, type Transport } from "./answer.ts";
import { ServedZones } from "./served-zone.ts";
import type { Zones } from "./stored-zones.ts";

export interface Answering {
  readonly zones: Zones;
  readonly secondaries?: readonly string[];
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
  const isAnswerable = query?.opcode === opcode.query && !query.qr && question?.class === dnsClass.in;
  const zones = isAnswerable ? await options.zones.around(question.name) : new ServedZones([]);
  const reply = answer(octets, zones, transport);
  if (reply) yield reply;
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

/** Is a serial the other one, or a later one (RFC 1982 §3.2)? */
function isAsNew(serial: unknown, other: unknown): boolean {
  return typeof serial === "number" && (serial - Number(other)) >>> 0 < 2 ** 31;
}
