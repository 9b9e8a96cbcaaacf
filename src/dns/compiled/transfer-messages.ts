import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import { typeName } from "../rdata/type-codes.ts";
import { WireReader } from "../rdata/wire-reader.ts";
import { wireName } from "../rdata/wire-writer.ts";
import { questionCode, rcode } from "../transfer/codes.ts";
import { type Edns, largestMessage, type Message } from "../transfer/message.ts";
import type { AnswerSigner } from "../transfer/signed-answer.ts";
import { tsigLength } from "../transfer/tsig.ts";
import type { CompiledZone } from "./compiled-zone.ts";
import { type PlacedRecord, recordsAtNode, soaRecord } from "./zone-difference.ts";
import { ZoneMessage } from "./zone-message.ts";

const ownEdns = { udpSize: 1232, version: 0, options: [] };

/** Octets from which on a message takes no further record: pointers to names reach no further (RFC 1035 §4.1.4). */
const enough = 2 ** 14;

/** Each message is written in one go, so that all transfers share it. */
const message = new ZoneMessage();

/**
 * The server side of a zone transfer (RFC 5936): generates the messages that answer an AXFR or IXFR request (RFC 1995
 * §4): with the whole zone, or with these records, which `listDifferences` orders.
 * @throws {ProblemError} `zone-unserved` if a record does not fit into a message.
 */
export function* transferMessages(
  request: Message,
  zone: CompiledZone,
  signer?: AnswerSigner,
  records: Iterable<PlacedRecord> = wholeZone(zone),
): Generator<Buffer> {
  const { id, rd, questions } = request;
  const edns: Edns | undefined = request.edns && { ...ownEdns, do: request.edns.do };
  const limit = largestMessage - (signer ? tsigLength(signer.key) : 0);
  const head = { id, rcode: rcode.NOERROR, aa: true, tc: false, rd, cd: false };
  const finish = () => {
    const octets = message.finish(head, edns);
    return signer?.sign(octets) ?? octets;
  };
  message.begin(zone, limit, edns);
  for (const { name, type } of questions) message.question(wireName(name), 0, questionCode(type));
  for (const { name, type, record } of records) {
    if (message.length < enough && message.addRecord("answers", name, zone, type, record)) continue;
    yield finish();
    message.begin(zone, limit, edns);
    if (!message.addRecord("answers", name, zone, type, record)) throw tooLargeError(zone, name, type);
  }
  yield finish();
}

/** A message with all of these records of a zone; undefined if they take more than `limit` octets. */
export function writeInOne(
  { id, rd, questions }: Message,
  zone: CompiledZone,
  records: Iterable<PlacedRecord>,
  { limit, edns }: { readonly limit: number; readonly edns: Edns | undefined },
): Buffer | undefined {
  message.begin(zone, limit, edns);
  for (const { name, type } of questions) message.question(wireName(name), 0, questionCode(type));
  for (const { name, type, record } of records)
    if (!message.addRecord("answers", name, zone, type, record)) return undefined;
  return message.finish({ id, rcode: rcode.NOERROR, aa: true, tc: false, rd, cd: false }, edns);
}

/** All records of the zone: the SOA record, then the others, then the SOA record again (RFC 5936 §2.2). */
function* wholeZone(zone: CompiledZone): Generator<PlacedRecord> {
  const soa = soaRecord(zone);
  yield soa;
  for (let node = 0; node < zone.nodes; node++) yield* recordsAtNode(zone, node);
  yield soa;
}

function tooLargeError(zone: CompiledZone, name: number, type: number): ProblemError {
  const octets = Buffer.alloc(256);
  const owner = WireReader.ofData(octets.toString("latin1", 0, zone.space.writeName(name, octets, 0))).name();
  const summary = `the zone cannot be transferred: ${owner} ${typeName(type)} does not fit into a message`;
  return problemError("zone-unserved", summary, { fix: "Shorten or remove that record." });
}
