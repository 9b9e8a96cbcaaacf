import { plainAddress } from "../../dns/address.ts";
import { type Name, root } from "../../dns/name.ts";
import { zoneMessages } from "../../dns/transfer/axfr-sender.ts";
import { dnsClass, opcode, rcode } from "../../dns/transfer/codes.ts";
import type { Edns, Message } from "../../dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../dns/transfer/message-writer.ts";
import { AnswerSigner } from "../../dns/transfer/signed-answer.ts";
import { appendError, type Credentials, credentials, type Key, sign, timeOctets } from "../../dns/transfer/tsig.ts";
import { isLater } from "../kit/serial.ts";
import { answer, askAgain, ourEdns, readQuery, type Transport } from "./answer.ts";
import type { EdnsOptions, ReadOptions } from "./edns-options.ts";
import type { ResponseLimit } from "./response-limit.ts";
import { ServedZones } from "./served-zone.ts";
import type { Zones } from "./stored-zones.ts";

export interface Answering {
  readonly zones: Zones;
  /** Addresses that may transfer every zone: the operator's own secondaries. */
  readonly secondaries?: readonly string[];
  /** Who signs with one of these may transfer every zone, and gets signed answers. */
  readonly keys?: readonly Key[];
  /** Answers the EDNS options of questions; without it they are ignored. */
  readonly edns?: EdnsOptions;
  /** Limits responses to a network by UDP; peers that sign or show a good cookie are exempt. An address alone proves nothing. */
  readonly limit?: ResponseLimit | undefined;
  /** In seconds since 1970. */
  readonly now?: () => number;
  /** Hears that a zone has changed at a server of this address, and says with which rcode to answer; without it NOTIMP. */
  readonly notice?: (zone: Name, peer: string) => Promise<number>;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** What goes back for a message: one answer, the messages of a zone, or nothing. `peer` is an address as `plainAddress` has it. */
export async function* replies(
  octets: Uint8Array,
  transport: Transport,
  peer: string,
  options: Answering,
): AsyncGenerator<Buffer> {
  const { zones, notice, keys = [], now = seconds } = options;
  const query = readQuery(octets);
  const proof: Credentials = query && !query.qr ? credentials(octets, query, keys, now()) : { kind: "none" };
  const signer = proof.kind === "signed" ? new AnswerSigner(proof.key, proof.prior, now) : undefined;
  const signed = (reply: Buffer) => signer?.sign(reply) ?? reply;
  const read = options.edns ? options.edns.read(query?.edns, peer, now()) : noOptions;
  const ednsOptions = read?.options ?? [];
  if (transport === "udp" && signer === undefined && read?.cookie !== "good") {
    const verdict = options.limit?.judge(peer) ?? "answer";
    if (verdict === "drop" || (verdict === "truncate" && (!query || query.qr))) return;
    if (verdict === "truncate" && query) return yield askAgain(query, ednsOptions);
  }
  if (query && proof.kind === "refused" && proof.key)
    return yield refuseProof(query, { ...proof, key: proof.key }, now());
  // Of another version of EDNS nothing is known, so neither is what its options mean.
  if (query && !query.qr && read === undefined && !isOtherVersion(query))
    return yield signed(replyTo(query, rcode.FORMERR));
  // A key that nobody knows: `answer` says so.
  const isKnown = proof.kind !== "refused";
  if (isKnown && query && transport === "tcp" && isTransfer(query))
    return yield* transfer({ query, peer, ednsOptions }, options, signer);
  if (isKnown && notice && query && isNotice(query)) {
    const { id, opcode, questions } = query;
    const code = await notice(questions[0]?.name ?? root, peer);
    const head = { id, opcode, qr: true, aa: code === rcode.NOERROR, questions, edns: ourEdns(query, ednsOptions) };
    return yield signed(writeMessage({ ...head, rcode: code }));
  }
  if (isKnown && query && read && isForCookie(query, read))
    return yield signed(replyTo(query, read.cookie === "bad" ? rcode.BADCOOKIE : rcode.NOERROR, ednsOptions));
  const question = query?.questions[0];
  const isAnswerable = query?.opcode === opcode.query && !query.qr && question?.class === dnsClass.in;
  // A secondary that was told of a change asks for the SOA record: with the old one it would not ask again for hours.
  const wanted = question?.type === "SOA" ? "is current" : "may be the last one";
  const around = isAnswerable ? await zones.around(question.name, wanted) : new ServedZones([]);
  const reply = answer(octets, around, transport, { key: signer?.key, options: ednsOptions });
  if (reply) yield signed(reply);
}

const noOptions: ReadOptions = { options: [], cookie: "none" };

/** An answer with a code and no records. */
function replyTo(query: Message, code: number, options?: Edns["options"]): Buffer {
  const { id, opcode, rd, questions } = query;
  return writeMessage({ id, opcode, qr: true, rd, questions, edns: ourEdns(query, options), rcode: code });
}

function isOtherVersion({ edns }: Message): boolean {
  return (edns?.version ?? 0) > 0;
}

/** A question about nothing but the cookie (RFC 7873 §5.4). */
function isForCookie(query: Message, { cookie }: ReadOptions): boolean {
  const { qr, opcode: code, questions } = query;
  return !qr && code === opcode.query && questions.length === 0 && cookie !== "none" && !isOtherVersion(query);
}

/** A key that is known, but what it signed does not hold (RFC 8945 §5.2). */
function refuseProof(
  { id, opcode, rd, questions, tsig, edns }: Message,
  { key, error }: { readonly key: Key; readonly error: number },
  time: number,
): Buffer {
  const head = { id, opcode, qr: true, rd, questions, edns: ourEdns({ edns }) };
  if (tsig === undefined || error === rcode.FORMERR) return writeMessage({ ...head, rcode: rcode.FORMERR });
  const message = writeMessage({ ...head, rcode: rcode.NOTAUTH });
  if (error === rcode.BADSIG) return appendError(message, tsig, error);
  const other = error === rcode.BADTIME ? timeOctets(time) : "";
  return sign(message, key, { time: tsig.time, prior: { mac: tsig.mac }, error, other }).message;
}

/** RFC 1996 §3.7: the SOA record of the zone is what has changed. */
function isNotice(message: Message): boolean {
  const { qr, opcode: code, questions } = message;
  const [question] = questions;
  const isOfZone = question?.class === dnsClass.in && question.type === "SOA" && questions.length === 1;
  return !qr && code === opcode.notify && !isOtherVersion(message) && isOfZone;
}

function isTransfer(message: Message): boolean {
  const { qr, opcode: code, questions } = message;
  const [question] = questions;
  const isPlain = !qr && code === opcode.query && !isOtherVersion(message);
  const isOfZone = question?.class === dnsClass.in && (question.type === "AXFR" || question.type === "IXFR");
  return isPlain && questions.length === 1 && isOfZone;
}

/** The whole zone; to who has this serial already, and asks with IXFR, its SOA record alone (RFC 1995 §4). */
async function* transfer(
  { query, peer, ednsOptions }: { query: Message; peer: string; ednsOptions: Edns["options"] },
  { zones, secondaries = [] }: Answering,
  signer: AnswerSigner | undefined,
): AsyncGenerator<Buffer> {
  const { id, rd, questions, authorities } = query;
  const [question] = questions;
  const say = (message: NewMessage) => {
    const octets = writeMessage({ id, qr: true, rd, questions, edns: ourEdns(query, ednsOptions), ...message });
    return signer?.sign(octets) ?? octets;
  };
  const found = question && (await zones.transferable(question.name));
  if (found === undefined) return yield say({ rcode: rcode.NOTAUTH });
  if (found === "lost") return yield say({ rcode: rcode.SERVFAIL });
  const allowed = [...found.axfrIps, ...secondaries].map(plainAddress);
  if (!signer && !allowed.includes(peer)) return yield say({ rcode: rcode.REFUSED });
  const { soa } = found.zone;
  const known = authorities.find(({ type }) => type === "SOA")?.data.serial;
  if (question?.type === "IXFR" && isAsNew(known, soa.data.serial)) yield say({ aa: true, answers: [soa] });
  else yield* zoneMessages(query, found.zone.toSend(), signer);
}

function isAsNew(serial: unknown, other: unknown): boolean {
  return typeof serial === "number" && (serial === other || isLater(serial, Number(other)));
}
