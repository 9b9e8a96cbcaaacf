import pMap from "p-map";
import { type Problem, ProblemError, type problem } from "../../diagnostics/problem.ts";
import { compileZone } from "../../dns/compiled/zone-compiler.ts";
import { isSameName, type Name } from "../../dns/name/name.ts";
import { wireName } from "../../dns/rdata/wire-writer.ts";
import type { AnswerQuestion } from "../../dns/transfer/answer-questions.ts";
import type { AxfrZone } from "../../dns/transfer/axfr-receiver.ts";
import { dnsClass, questionCode, rcode, rcodeName } from "../../dns/transfer/codes.ts";
import { type Answer, summarizeAnswer } from "../../dns/transfer/compare-answers.ts";
import { largestMessage, readMessage } from "../../dns/transfer/message.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type AskOptions, ask, shortBounds } from "../../dns-client/ask.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";
import { receiveZone, type TransferOptions } from "../../dns-client/transfer-zone.ts";
import { answerFrom } from "../../server/nameserver/answer.ts";
import { transferZones } from "../import/transfer-zones.ts";
import type { KnownZone } from "./sides.ts";

export interface AskingOptions {
  readonly key?: Key | undefined;
  /** The maximum number of questions to one server at the same time. */
  readonly jobs: number;
  readonly bounds?: AskOptions["bounds"];
  readonly signal: AbortSignal;
}

/** The reply to a question: an answer, or the reason why there is none. */
export type ServerReply = { readonly answer: Answer } | { readonly failure: string };

/** Whether a server is authoritative for a zone. */
export type Authority =
  | { readonly state: "served"; readonly soa: ZoneRecord<"SOA"> }
  | { readonly state: "missing" | "silent"; readonly reason: string };

/** A server that fails to reply this many times in a row is not asked again. */
const mostFailures = 10;

/** Asks one name server, and gives up when it no longer replies. */
export class ResolverClient {
  readonly #server: ServerAddress;
  readonly #options: AskingOptions;
  #failures = 0;

  constructor(server: ServerAddress, options: AskingOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** @throws the reason of the signal */
  async authority(zone: Name): Promise<Authority> {
    try {
      const { rcode: code, aa, answers } = await this.#ask(zone, "SOA");
      const soa = answers.filter((record) => isType(record, "SOA")).find(({ owner }) => isSameName(owner, zone));
      if (code === rcode.NOERROR && aa && soa)
        return { state: "served", soa: { owner: soa.owner, type: soa.type, ttl: soa.ttl, data: soa.data } };
      if (code === rcode.SERVFAIL) return { state: "silent", reason: "it failed (SERVFAIL)" };
      const reason = code === rcode.NOERROR ? "it is not authoritative for the zone" : `it replied ${rcodeName(code)}`;
      return { state: "missing", reason };
    } catch (error) {
      return { state: "silent", reason: this.#failureOf(error) };
    }
  }

  /** Asks all questions, and returns the replies in their order. @throws the reason of the signal */
  replies(zone: Name, questions: readonly AnswerQuestion[], onReply: () => void): Promise<ServerReply[]> {
    return pMap(
      questions,
      async ({ name, type }): Promise<ServerReply> => {
        try {
          return { answer: summarizeAnswer(name, zone, await this.#ask(name, type)) };
        } catch (error) {
          return { failure: this.#failureOf(error) };
        } finally {
          onReply();
        }
      },
      { concurrency: this.#options.jobs },
    );
  }

  async #ask(name: Name, type: string) {
    const { signal, bounds } = this.#options;
    if (this.#failures >= mostFailures) throw notAsked();
    try {
      const question = { name, type, class: dnsClass.in };
      const message = await ask(this.#server, { question }, { bounds: { ...shortBounds, ...bounds }, signal });
      this.#failures = 0;
      return message;
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }

  #failureOf(error: unknown): string {
    this.#options.signal?.throwIfAborted();
    if (error instanceof ProblemError) return error.problem.summary;
    throw error;
  }
}

function notAsked(): TransferError {
  return new TransferError("transfer/timeout", `not asked, because ${mostFailures} questions in a row had no answer`);
}

/** The answers that a name server of the zone gives. */
export function answersOf(zone: KnownZone, questions: readonly AnswerQuestion[]): ServerReply[] {
  const records = [...zone.owners.values()].flatMap((sets) => sets.values().flatMap((set) => set.records));
  const withoutSoa = records.filter(({ type }) => type !== "SOA");
  const compiled = compileZone(zone.soa, withoutSoa, 0);
  return questions.map(({ name, type }) => {
    const code = questionCode(type);
    const question = { octets: wireName(name), at: 0, type: code, asked: code, edns: undefined };
    const head = { id: 0, rd: false, cd: false };
    const response = answerFrom(compiled, { ...head, ...question, transport: "tcp", room: largestMessage });
    return { answer: summarizeAnswer(name, zone.name, readMessage(response)) };
  });
}

/** The result of transferring one zone. */
export type Transferred = { readonly zone: AxfrZone } | { readonly problems: readonly Problem[] };

/** Transfers zones one after the other, in their order. */
export async function* transfersOf(
  server: ServerAddress,
  zones: readonly Name[],
  { key, bounds, signal }: AskingOptions,
): AsyncGenerator<Transferred> {
  const request = { zones, servers: [server], key, jobs: 2, perServer: 2, signal };
  yield* transferZones({ ...request, bounds: { ...transferBounds, ...bounds } }, transferWithOrWithoutKey);
}

const transferBounds = { connectMs: 5_000, idleMs: 10_000, totalMs: 600_000 };

/** The other server of a comparison may not know the key. */
async function transferWithOrWithoutKey(options: TransferOptions): Promise<AxfrZone> {
  try {
    return await receiveZone(options);
  } catch (error) {
    const isUnknownKey = error instanceof TransferError && keyProblems.has(error.problem.id);
    if (!isUnknownKey || options.key === undefined) throw error;
    try {
      return await receiveZone({ ...options, key: undefined });
    } catch {
      // The server wants a key: why it rejected this one says more than that it refuses a request without one.
      options.signal?.throwIfAborted();
      throw error;
    }
  }
}

const keyProblems: ReadonlySet<ReturnType<typeof problem>["id"]> = new Set(["transfer/notauth", "transfer/tsig"]);
