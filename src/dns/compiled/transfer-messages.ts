import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { typeName } from "../rdata/type-codes.ts";
import { WireReader } from "../rdata/wire-reader.ts";
import { wireName } from "../rdata/wire-writer.ts";
import { questionCode, rcode } from "../transfer/codes.ts";
import { type Edns, largestMessage, type Message } from "../transfer/message.ts";
import type { AnswerSigner } from "../transfer/signed-answer.ts";
import { tsigLength } from "../transfer/tsig.ts";
import { type CompiledZone, type as types } from "./compiled-zone.ts";
import { ZoneMessage } from "./zone-message.ts";

const ownEdns = { udpSize: 1232, version: 0, options: [] };

/** Each message is written in one go, so that all transfers share it. */
const message = new ZoneMessage();

/**
 * The server side of a zone transfer (RFC 5936): generates the messages that answer an AXFR request, or an IXFR request
 * with the whole zone (RFC 1995 §4), each as full as possible.
 * @throws {ProblemError} `zone-unserved` if a record does not fit into a message.
 */
export function* transferMessages(request: Message, zone: CompiledZone, signer?: AnswerSigner): Generator<Buffer> {
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
  for (const { node, type, record } of recordsInOrder(zone)) {
    const name = zone.spelling(node);
    if (message.addRecord("answers", name, zone, type, record)) continue;
    yield finish();
    message.begin(zone, limit, edns);
    if (!message.addRecord("answers", name, zone, type, record)) throw tooLargeError(zone, name, type);
  }
  yield finish();
}

interface PlacedRecord {
  readonly node: number;
  readonly type: number;
  /** Its offset. */
  readonly record: number;
}

/** All records of the zone: the SOA record, then the others, then the SOA record again (RFC 5936 §2.2). */
function* recordsInOrder(zone: CompiledZone): Generator<PlacedRecord> {
  const soa = { node: 0, type: types.SOA, record: zone.firstRecord(zone.set(0, types.SOA)) };
  yield soa;
  for (let node = 0; node < zone.nodes; node++) {
    let set = zone.firstSet(node);
    for (let sets = zone.setCount(node); sets > 0; sets--, set = zone.nextSet(set)) {
      const type = zone.typeOf(set);
      if (type === types.SOA) continue;
      let record = zone.firstRecord(set);
      for (let left = zone.recordCount(set); left > 0; left--, record = zone.nextRecord(record))
        yield { node, type, record };
    }
  }
  yield soa;
}

function tooLargeError(zone: CompiledZone, name: number, type: number): ProblemError {
  const octets = Buffer.alloc(256);
  const owner = WireReader.ofData(octets.toString("latin1", 0, zone.space.writeName(name, octets, 0))).name();
  const summary = `the zone cannot be transferred: ${owner} ${typeName(type)} does not fit into a message`;
  return new ProblemError(problem("zone-unserved", summary, { fix: "Shorten or remove that record." }));
}
