import type { CompiledZone } from "../../dns/compiled/compiled-zone.ts";
import { transferMessages, writeInOne } from "../../dns/compiled/transfer-messages.ts";
import { listDifferences } from "../../dns/compiled/zone-difference.ts";
import { plainAddress } from "../../dns/name/address.ts";
import { type Name, root } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import { dnsClass, opcode, rcode } from "../../dns/transfer/codes.ts";
import type { Edns, Message } from "../../dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../dns/transfer/message-writer.ts";
import { AnswerSigner } from "../../dns/transfer/signed-answer.ts";
import {
  appendError,
  type Credentials,
  credentials,
  type Key,
  sign,
  timeOctets,
  tsigLength,
} from "../../dns/transfer/tsig.ts";
import { isType } from "../../dns/zone/zone.ts";
import type { ComparisonLimits } from "../areas/zones/zone-version.ts";
import { answer, answerEdns, answerRoom, writeTruncated } from "./answer.ts";
import type { QuerySender, TcpClient } from "./client.ts";
import type { EdnsOptions, EvaluatedOptions } from "./edns-options.ts";
import type { Query } from "./query.ts";
import type { QueryCounts, TransferOutcome } from "./query-counts.ts";
import type { ResponseLimit } from "./response-limit.ts";
import { Transfers } from "./transfers.ts";
import { ZonesByName } from "./zones/served-zones.ts";
import type { Zones } from "./zones/stored-zones.ts";

export interface ReplyContext {
  readonly zones: Zones;
  /** Addresses that may transfer every zone: the operator's own secondaries. */
  readonly secondaries?: readonly string[];
  /** A peer that signs with one of these keys may transfer every zone, and gets signed answers. */
  readonly keys?: readonly Key[];
  /** Answers EDNS options; without it they are ignored. */
  readonly edns?: EdnsOptions;
  /**
   * Limits responses to a network over UDP; peers that sign or show a good cookie are exempt. An address alone proves
   * nothing.
   */
  readonly limit?: ResponseLimit | undefined;
  /** In seconds since 1970. */
  readonly now?: () => number;
  /** Limits transfers over TCP; without it each is alone. */
  readonly transfers?: Transfers;
  /** Handles a NOTIFY from this address and returns the rcode; without it NOTIMP. */
  readonly notice?: (zone: Name, peer: string) => Promise<number>;
  /** Counts queries, responses and transfers. */
  readonly counts?: QueryCounts | undefined;
}

/** The default of `now`. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** The signature of a query, and the signer of all messages of its answer if it is valid. */
export interface QuerySignature {
  readonly proof: Credentials;
  readonly signer: AnswerSigner | undefined;
}

export function checkQuerySignature(
  { octets, message }: Query,
  { keys = [], now = secondsNow }: Pick<ReplyContext, "keys" | "now">,
): QuerySignature {
  const proof: Credentials = message ? credentials(octets, message, keys, now()) : { kind: "none" };
  const signer = proof.kind === "signed" ? new AnswerSigner(proof.key, proof.prior, now) : undefined;
  return { proof, signer };
}

/** The replies to a query: one answer, the messages of a zone, or none. */
export async function* replies(
  query: Query,
  { proof, signer }: QuerySignature,
  client: QuerySender,
  options: ReplyContext,
): AsyncGenerator<Buffer> {
  const { message } = query;
  const { transport, address: peer } = client;
  const { zones, notice, now = secondsNow } = options;
  const sign = (reply: Buffer) => signer?.sign(reply) ?? reply;
  if (signer && client.transport === "tcp") client.onSigned();
  const read = options.edns ? options.edns.read(message?.edns, peer, now()) : noOptions;
  const ednsOptions = read?.options ?? [];
  if (transport === "udp" && signer === undefined && read?.cookie !== "good") {
    const verdict = options.limit?.decide(peer) ?? "answer";
    if (verdict === "drop" || (verdict === "truncate" && message === undefined)) return;
    if (verdict === "truncate" && message) return yield writeTruncated(message, ednsOptions);
  }
  if (message && proof.kind === "refused" && proof.key)
    return yield refuseProof(message, { ...proof, key: proof.key }, now());
  // The meaning of options in another version of EDNS is unknown.
  if (message && read === undefined && !isOtherVersion(message)) return yield sign(replyTo(message, rcode.FORMERR));
  const asked = { key: signer?.key, options: ednsOptions };
  // Malformed, or signed with an unknown key.
  if (message === undefined || proof.kind === "refused")
    return yield sign(answer(query, new ZonesByName([]), transport, asked));
  if (isTransfer(message)) {
    const request = { query: message, peer, ednsOptions };
    if (client.transport === "tcp") return yield* transfer(request, client, options, signer);
    const reply = await transferInDatagram(request, options, signer);
    if (reply) {
      options.counts?.countTransfer("IXFR", "changes");
      return yield reply;
    }
  }
  if (notice && isNotify(message)) {
    const { id, opcode, questions } = message;
    const code = await notice(questions[0]?.name ?? root, peer);
    const head = {
      id,
      opcode,
      qr: true,
      aa: code === rcode.NOERROR,
      questions,
      edns: answerEdns(message, ednsOptions),
    };
    return yield sign(writeMessage({ ...head, rcode: code }));
  }
  if (read && isForCookie(message, read))
    return yield sign(replyTo(message, read.cookie === "bad" ? rcode.BADCOOKIE : rcode.NOERROR, ednsOptions));
  const [question] = message.questions;
  const isAnswerable = message.opcode === opcode.query && question?.class === dnsClass.in;
  // A secondary asks for the SOA record after a NOTIFY: after an outdated answer it would not ask again for hours.
  const wanted = question?.type === "SOA" ? "current" : "recent";
  const around = isAnswerable ? await zones.findZones(question.name, wanted) : new ZonesByName([]);
  yield sign(answer(query, around, transport, asked));
}

const noOptions: EvaluatedOptions = { options: [], cookie: "none" };

/** An answer with an rcode and no records. */
function replyTo(query: Message, code: number, options?: Edns["options"]): Buffer {
  const { id, opcode, rd, questions } = query;
  return writeMessage({ id, opcode, qr: true, rd, questions, edns: answerEdns(query, options), rcode: code });
}

function isOtherVersion({ edns }: Message): boolean {
  return (edns?.version ?? 0) > 0;
}

/** A query without a question that only asks for a cookie (RFC 7873 §5.4). */
function isForCookie(query: Message, { cookie }: EvaluatedOptions): boolean {
  const { opcode: code, questions } = query;
  return code === opcode.query && questions.length === 0 && cookie !== "none" && !isOtherVersion(query);
}

/** The answer to an invalid signature by a known key (RFC 8945 §5.2). */
function refuseProof(
  { id, opcode, rd, questions, tsig, edns }: Message,
  { key, error }: { readonly key: Key; readonly error: number },
  time: number,
): Buffer {
  const head = { id, opcode, qr: true, rd, questions, edns: answerEdns({ edns }) };
  if (tsig === undefined || error === rcode.FORMERR) return writeMessage({ ...head, rcode: rcode.FORMERR });
  const message = writeMessage({ ...head, rcode: rcode.NOTAUTH });
  if (error === rcode.BADSIG) return appendError(message, tsig, error);
  const other = error === rcode.BADTIME ? timeOctets(time) : "";
  return sign(message, key, { time: tsig.time, prior: { mac: tsig.mac }, error, other }).message;
}

/** NOTIFY with the SOA record of a zone (RFC 1996 §3.7). */
function isNotify(message: Message): boolean {
  const { opcode: code, questions } = message;
  const [question] = questions;
  const isOfZone = question?.class === dnsClass.in && question.type === "SOA" && questions.length === 1;
  return code === opcode.notify && !isOtherVersion(message) && isOfZone;
}

function isTransfer(message: Message): boolean {
  const { opcode: code, questions } = message;
  const [question] = questions;
  const isOfZone = question?.class === dnsClass.in && (question.type === "AXFR" || question.type === "IXFR");
  return code === opcode.query && !isOtherVersion(message) && questions.length === 1 && isOfZone;
}

interface TransferRequest {
  readonly query: Message;
  readonly peer: string;
  readonly ednsOptions: Edns["options"];
}

/** A transfer over TCP. One that is allowed waits for its turn, before its zone is loaded. */
async function* transfer(
  request: TransferRequest,
  client: TcpClient,
  context: ReplyContext,
  signer: AnswerSigner | undefined,
): AsyncGenerator<Buffer> {
  const { transfers = new Transfers(), counts } = context;
  const isSecondary = signer !== undefined || isAllowed(client.address, [], context);
  let end = () => {};
  const begin = async () => {
    end = await transfers.begin(client, isSecondary);
  };
  let outcome: TransferOutcome = "interrupted";
  try {
    const answer = await answerTransfer(request, context, signer, begin);
    if (Buffer.isBuffer(answer.messages)) yield answer.messages;
    else yield* transfers.write(client, answer.messages);
    outcome = answer.outcome;
  } catch (error) {
    if (!client.signal.aborted) outcome = "failed";
    throw error;
  } finally {
    counts?.countTransfer(transferType(request.query), outcome);
    end();
  }
}

function transferType({ questions }: Message): "AXFR" | "IXFR" {
  return questions[0]?.type === "AXFR" ? "AXFR" : "IXFR";
}

/** The messages of a transfer, and its outcome once all are sent. */
interface TransferAnswer {
  readonly outcome: TransferOutcome;
  readonly messages: Buffer | Generator<Buffer>;
}

/**
 * The whole zone. For an IXFR the changes since the serial of the peer, if they are known and fewer than the records of
 * the zone; from the current serial, the SOA record alone (RFC 1995 §4).
 */
async function answerTransfer(
  { query, peer, ednsOptions }: TransferRequest,
  context: ReplyContext,
  signer: AnswerSigner | undefined,
  begin: () => Promise<void>,
): Promise<TransferAnswer> {
  const { id, rd, questions } = query;
  const [question] = questions;
  const reply = (outcome: TransferOutcome, message: NewMessage): TransferAnswer => {
    const octets = writeMessage({ id, qr: true, rd, questions, edns: answerEdns(query, ednsOptions), ...message });
    return { outcome, messages: signer?.sign(octets) ?? octets };
  };
  let isRefused = false;
  const admit = async (axfrIps: readonly string[]) => {
    isRefused = !signer && !isAllowed(peer, axfrIps, context);
    if (!isRefused) await begin();
    return !isRefused;
  };
  const found = question && (await context.zones.findTransferable(question.name, admit));
  if (found === undefined) return reply("refused", { rcode: isRefused ? rcode.REFUSED : rcode.NOTAUTH });
  if (found === "unavailable") return reply("failed", { rcode: rcode.SERVFAIL });
  const { zone } = found;
  const serial = question?.type === "IXFR" ? serialOfClient(query) : undefined;
  const whole = (): TransferAnswer => ({ outcome: "whole", messages: transferMessages(query, zone, signer) });
  if (serial === undefined) return whole();
  if (isCurrent(serial, zone)) return reply("current", { aa: true, answers: [zone.soa] });
  const versions = await context.zones.findVersions?.(zone.apex, serial);
  const records = versions && listDifferences(versions);
  return versions && records && records.length <= zone.size
    ? { outcome: "changes", messages: transferMessages(query, versions.after, signer, records) }
    : whole();
}

/**
 * Limits on the changes that are looked for to answer a datagram, and on the records at the changed names: more seldom
 * fit into one, and its sender's address may be forged, so that it must not cost much.
 */
const mostInDatagram: ComparisonLimits = { changes: 200, records: 500 };

/**
 * The changes since the serial of a peer that may transfer the zone, if they fit into a datagram. Otherwise the answer
 * is the SOA record, after which the peer asks again over TCP (RFC 1995 §2).
 */
async function transferInDatagram(
  { query, peer, ednsOptions }: TransferRequest,
  context: ReplyContext,
  signer: AnswerSigner | undefined,
): Promise<Buffer | undefined> {
  const [question] = query.questions;
  const serial = question?.type === "IXFR" ? serialOfClient(query) : undefined;
  if (question === undefined || serial === undefined) return undefined;
  const admit = async (axfrIps: readonly string[]) => signer !== undefined || isAllowed(peer, axfrIps, context);
  const found = await context.zones.findTransferable(question.name, admit);
  if (found === undefined || found === "unavailable" || isCurrent(serial, found.zone)) return undefined;
  const versions = await context.zones.findVersions?.(question.name, serial, mostInDatagram);
  if (versions === undefined) return undefined;
  const records = listDifferences(versions);
  if (records === undefined) return undefined;
  const limit = answerRoom("udp", query.edns) - (signer ? tsigLength(signer.key) : 0);
  const edns = answerEdns(query, ednsOptions);
  const octets = writeInOne(query, versions.after, records, { limit, edns });
  return octets && (signer?.sign(octets) ?? octets);
}

function isAllowed(peer: string, axfrIps: readonly string[], { secondaries = [] }: ReplyContext): boolean {
  return [...axfrIps, ...secondaries].map(plainAddress).includes(peer);
}

/** The serial of the version that the peer has (RFC 1995 §3). */
function serialOfClient({ authorities }: Message): number | undefined {
  return authorities.find((record) => isType(record, "SOA"))?.data.serial;
}

function isCurrent(serial: number, { soa }: CompiledZone): boolean {
  return serial === soa.data.serial || isLater(serial, soa.data.serial);
}
