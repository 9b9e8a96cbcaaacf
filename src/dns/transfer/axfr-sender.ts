import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ZoneRecord } from "../zone.ts";
import { dnsClass } from "./codes.ts";
import { largestMessage, type Message, type MessageRecord } from "./message.ts";
import { MessageWriter } from "./message-writer.ts";
import type { AnswerSigner } from "./signed-answer.ts";
import { tsigLength } from "./tsig.ts";

/** A zone to send: `records` in any order, without the SOA record. `ttl` is the TTL of records without one. */
export interface ZoneToSend {
  readonly soa: ZoneRecord<"SOA">;
  readonly records: Iterable<ZoneRecord>;
  readonly ttl: number;
}

const largestUdp = 1232;

/**
 * The server side of a zone transfer (RFC 5936): generates the messages that answer an AXFR request, or an IXFR request
 * with the whole zone (RFC 1995 §4), each as full as possible. @throws {ProblemError} `zone-unserved` if a record does
 * not fit into a message.
 */
export function* zoneMessages(request: Message, zone: ZoneToSend, signer?: AnswerSigner): Generator<Buffer> {
  const limit = largestMessage - (signer ? tsigLength(signer.key) : 0);
  const head = { id: request.id, qr: true, aa: true, rd: request.rd };
  const edns = request.edns && { udpSize: largestUdp, version: 0, do: request.edns.do, options: [] };
  const finish = (writer: MessageWriter) => signer?.sign(writer.bytes()) ?? writer.bytes();
  let writer = new MessageWriter({ ...head, questions: request.questions, edns }, limit);
  for (const record of recordsInOrder(zone)) {
    if (writer.add("answers", [record])) continue;
    yield finish(writer);
    writer = new MessageWriter({ ...head, edns }, limit);
    if (!writer.add("answers", [record])) throw tooLargeError(record);
  }
  yield finish(writer);
}

function tooLargeError({ owner, type }: MessageRecord): ProblemError {
  const summary = `the zone cannot be transferred: ${owner} ${type} does not fit into a message`;
  return new ProblemError(problem("zone-unserved", summary, { fix: "Shorten or remove that record." }));
}

function* recordsInOrder({ soa, records, ttl }: ZoneToSend): Generator<MessageRecord> {
  const toMessageRecord = (record: ZoneRecord): MessageRecord => ({
    owner: record.owner,
    type: record.type,
    class: dnsClass.in,
    ttl: record.ttl ?? ttl,
    data: record.data,
  });
  yield toMessageRecord(soa);
  for (const record of records) yield toMessageRecord(record);
  yield toMessageRecord(soa);
}
