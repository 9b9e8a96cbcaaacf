import { typeName } from "../../dns/rdata/type-codes.ts";
import { badVersion, opcode, questionCode, rcode } from "../../dns/transfer/codes.ts";
import { readMessage } from "../../dns/transfer/message.ts";
import type { Transport } from "./answer.ts";
import type { Query } from "./query.ts";

/**
 * The end of a zone transfer: the whole zone or its changes were sent, the peer had the current version, it may not
 * transfer a zone of this name or none is served here, the zone could not be read, or the peer left before the end.
 */
export type TransferOutcome = "whole" | "changes" | "current" | "refused" | "failed" | "interrupted";

/** Types with a count of their own have lower codes. Only TA and DLV, which were withdrawn, have higher ones. */
const countedTypes = 512;
/** All that DNS defines, up to BADCOOKIE. */
const countedRcodes = 24;

const rcodeNames = new Map<number, string>(Object.entries(rcode).map(([name, code]) => [code, name]));
rcodeNames.set(badVersion, "BADVERS"); // BADSIG and its kin are only in TSIG records

/**
 * Counts queries, responses and zone transfers. Each query increments two numbers; their names are looked up only when
 * the counts are read.
 */
export class QueryCounts {
  readonly #queries = {
    udp: new Float64Array(countedTypes + 1),
    tcp: new Float64Array(countedTypes + 1),
  } satisfies Record<Transport, Float64Array>;
  readonly #responses = new Float64Array(countedRcodes + 1);
  readonly #transfers = new Map<string, { type: string; outcome: TransferOutcome; count: number }>();

  /** `type` is the code of the type in the question; none for a message that asks no question. */
  countQuery(transport: Transport, type = countedTypes): void {
    increment(this.#queries[transport], type);
  }

  /** Counts a response by its code, which has 12 bits with EDNS. */
  countResponse(code: number): void {
    increment(this.#responses, code);
  }

  countTransfer(type: "AXFR" | "IXFR", outcome: TransferOutcome): void {
    const key = `${type} ${outcome}`;
    const known = this.#transfers.get(key);
    if (known) known.count++;
    else this.#transfers.set(key, { type, outcome, count: 1 });
  }

  /** The queries by the mnemonic of their type; `other` for types without one, and for messages of other kinds. */
  listQueries(): { transport: string; type: string; count: number }[] {
    return Object.entries(this.#queries).flatMap(([transport, counts]) =>
      sumByName(counts, (code) => {
        const name = typeName(code);
        return code === countedTypes || /^TYPE\d/.test(name) ? "other" : name;
      }).map(([type, count]) => ({ transport, type, count })),
    );
  }

  listResponses(): { rcode: string; count: number }[] {
    const named = sumByName(this.#responses, (code) => rcodeNames.get(code) ?? "other");
    return named.map(([rcode, count]) => ({ rcode, count }));
  }

  listTransfers(): readonly { type: string; outcome: TransferOutcome; count: number }[] {
    return [...this.#transfers.values()];
  }
}

/** Increments the count of a code; the last one is that of all codes beyond. */
function increment(counts: Float64Array, code: number): void {
  const at = Math.min(code, counts.length - 1);
  counts[at] = (counts[at] ?? 0) + 1;
}

/** The sums of counts that are not 0, by the names of their codes. */
function sumByName(counts: Float64Array, nameOf: (code: number) => string): [name: string, sum: number][] {
  const sums = new Map<string, number>();
  for (const [code, count] of counts.entries()) {
    if (count > 0) sums.set(nameOf(code), (sums.get(nameOf(code)) ?? 0) + count);
  }
  return [...sums];
}

/** The code of the type in the question of a standard query. */
export function queryType({ message }: Query): number | undefined {
  const [question] = message?.opcode === opcode.query ? message.questions : [];
  return question && questionCode(question.type);
}

/** The code of a response, with the bits of its OPT record, which only responses without other records have set. */
export function responseCode(response: Buffer): number {
  const low = (response[3] ?? 0) & 15;
  const [records, additionals] = [response.readUInt32BE(6), response.readUInt16BE(10)];
  return records === 0 && additionals > 0 ? readMessage(response).rcode : low;
}
