import { plainAddress } from "../../dns/name/address.ts";
import { rcode } from "../../dns/transfer/codes.ts";
import type { StoreVersion } from "../store/driver.ts";
import { answerEdns, answerFrom, answerRoom, emptyAnswer, type Transport } from "./answer.ts";
import type { EvaluatedOptions } from "./edns-options.ts";
import { questionAt, readPlainQuery } from "./plain-query.ts";
import { type ReplyContext, secondsNow } from "./replies.ts";

const dsCode = 43;
const noOptions: EvaluatedOptions = { options: [], cookie: "none" };

/** The circumstances of a query: its transport, its peer, and the version of the store when it arrived or later. */
export interface QueryPlace {
  readonly transport: Transport;
  readonly address: string;
  readonly version: StoreVersion;
}

/**
 * The answer to a plain query about a zone that needs no read, `none` if it gets no answer; undefined for all others,
 * which `replies` answers in the same way.
 */
export function answerFast(
  octets: Buffer,
  { transport, address, version }: QueryPlace,
  { zones, edns, limit, counts, now = secondsNow }: ReplyContext,
): Buffer | "none" | undefined {
  const query = readPlainQuery(octets);
  // The DS records of a zone are in the one above it.
  if (query === undefined || query.type === dsCode) return undefined;
  const zone = zones.known?.find(query.key, version);
  if (zone === undefined) return undefined;
  const hasOptions = query.edns !== undefined && query.edns.options.length > 0;
  const read = edns && hasOptions ? edns.read(query.edns, plainAddress(address), now()) : noOptions;
  if (read === undefined) return undefined;
  const verdict = transport === "udp" && read.cookie !== "good" ? limit?.decide(plainAddress(address)) : "answer";
  const { id, rd, cd, type } = query;
  if (verdict === "drop") {
    counts?.countQuery(transport, type);
    return "none";
  }
  const question = {
    ...{ id, rd, cd, octets, at: questionAt, type, asked: type, transport },
    edns: answerEdns(query, read.options),
    room: answerRoom(transport, query.edns),
  };
  const reply =
    verdict === "truncate"
      ? emptyAnswer(question, { rcode: rcode.NOERROR, tc: true })
      : answerFrom(zone === "none" ? undefined : zone, question);
  // Only now: after an error, the query is answered and counted elsewhere.
  counts?.countQuery(transport, type);
  counts?.countResponse((reply[3] ?? 0) & 15);
  return reply;
}
