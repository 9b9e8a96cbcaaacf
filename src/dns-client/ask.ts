import { randomInt } from "node:crypto";
import { isSameName, type Name } from "../dns/name/name.ts";
import { checkAnswer, readAnswer } from "../dns/transfer/axfr-receiver.ts";
import { dnsClass, opcode, rcode } from "../dns/transfer/codes.ts";
import { type Message, type MessageQuestion, readHead } from "../dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../dns/transfer/message-writer.ts";
import { AnswerVerifier } from "../dns/transfer/signed-answer.ts";
import { rcodeError, TransferError } from "../dns/transfer/transfer-error.ts";
import { type Key, sign } from "../dns/transfer/tsig.ts";
import { isType, type ZoneRecord } from "../dns/zone/zone.ts";
import { type ServerAddress, type TimeBounds, timeBounds } from "./server-address.ts";
import { overTcp } from "./tcp.ts";
import { overUdp, type UdpBounds } from "./udp.ts";

export interface AskOptions {
  readonly key?: Key | undefined;
  readonly bounds?: Partial<UdpBounds & TimeBounds>;
  readonly signal?: AbortSignal;
  /** In seconds since 1970. */
  readonly now?: () => number;
}

/** Bounds for many questions to one server: shorter, because a lost answer only makes the result incomplete. */
export const shortBounds: UdpBounds & TimeBounds = {
  timeoutMs: 2_000,
  attempts: 2,
  connectMs: 5_000,
  idleMs: 5_000,
  totalMs: 20_000,
};

/** The EDNS options of a query for signatures; networks do not fragment replies of this size. */
export const signedEdns = { udpSize: 1232, version: 0, do: true, options: [] };

const udpBounds: UdpBounds = { timeoutMs: 3000, attempts: 3 };

/**
 * Sends a query over UDP, and over TCP if the response does not fit into a datagram, is lost among others, or is an
 * error without the signature that the query has. The caller checks the rcode.
 * @throws {TransferError} without a response.
 */
export async function ask(
  server: ServerAddress,
  query: Omit<NewMessage, "id" | "questions"> & { readonly question: MessageQuestion },
  options: AskOptions = {},
): Promise<Message> {
  const { key, signal, now = () => Math.floor(Date.now() / 1000) } = options;
  const bounds = { ...udpBounds, ...timeBounds, ...options.bounds };
  const id = randomInt(65536);
  const { question, ...rest } = query;
  const octets = writeMessage({ ...rest, id, questions: [question] });
  const signed = key && sign(octets, key, { time: now() });
  const read = (answer: Buffer): Message => {
    const message = readAnswer(answer);
    checkAnswer(message, id, query.opcode ?? opcode.query);
    checkQuestion(message, question);
    if (key && signed) new AnswerVerifier(key, signed.mac, now).take(answer, message);
    return message;
  };
  // Anyone can forge an error without a signature in a datagram. The server repeats it over TCP.
  const readDatagram = (answer: Buffer): Message | undefined => {
    try {
      return read(answer);
    } catch (error) {
      const isOfSignature = error instanceof TransferError && error.problem.id === "transfer/tsig";
      if (isOfSignature && readHead(answer)?.head.rcode !== rcode.NOERROR) return undefined;
      throw error;
    }
  };
  const sent = signed?.message ?? octets;
  const answer = await overUdp(sent, server, readDatagram, { ...bounds, signal });
  if (answer?.tc === false) return answer;
  for await (const whole of overTcp(sent, server, { ...bounds, signal })) return read(whole);
  throw new TransferError(
    "transfer/incomplete",
    "the connection ended before a whole DNS message",
    "Try again, or use another server.",
  );
}

/**
 * Queries an authoritative server for the SOA record of a zone.
 * @throws {TransferError}
 */
export async function askSoa(server: ServerAddress, zone: Name, options: AskOptions = {}): Promise<ZoneRecord<"SOA">> {
  const question = { name: zone, type: "SOA", class: dnsClass.in };
  const { rcode: code, aa, answers } = await ask(server, { question }, options);
  // A server that has the parent zone replies NXDOMAIN, and so does a resolver.
  if (code !== rcode.NOERROR && code !== rcode.NXDOMAIN) throw rcodeError(code);
  const soa = answers.filter((record) => isType(record, "SOA")).find(({ owner }) => isSameName(owner, zone));
  if (aa && soa) return { owner: soa.owner, type: soa.type, ttl: soa.ttl, data: soa.data };
  throw new TransferError(
    "transfer/soa",
    "the server is not authoritative for the zone",
    "Use a server that is authoritative for the zone.",
  );
}

/** Whether a server has a signature of the SOA record of a zone. @throws {TransferError} without a response */
export async function hasSignedSoa(server: ServerAddress, zone: Name, options: AskOptions = {}): Promise<boolean> {
  const question = { name: zone, type: "SOA", class: dnsClass.in };
  const { answers } = await ask(server, { question, edns: signedEdns }, options);
  return answers.some((record) => isType(record, "RRSIG") && isSameName(record.owner, zone));
}

/**
 * Notifies a secondary of the new SOA record of a zone (RFC 1996 §3.7). @throws {TransferError} if it does not
 * acknowledge.
 */
export async function notify(server: ServerAddress, soa: ZoneRecord, options: AskOptions = {}): Promise<void> {
  const question = { name: soa.owner, type: "SOA", class: dnsClass.in };
  const answers = [{ owner: soa.owner, type: soa.type, class: dnsClass.in, ttl: soa.ttl ?? 0, data: soa.data }];
  const { rcode: code } = await ask(server, { opcode: opcode.notify, aa: true, question, answers }, options);
  if (code !== rcode.NOERROR) throw rcodeError(code);
}

/** Some servers omit the question from an error response. */
function checkQuestion({ questions, rcode: code }: Message, { name, type }: MessageQuestion): void {
  const [question] = questions;
  if (question === undefined && code !== rcode.NOERROR) return;
  if (questions.length === 1 && question?.type === type && isSameName(question.name, name)) return;
  throw new TransferError("transfer/answer", "the response is to another question", "Use another server.");
}
