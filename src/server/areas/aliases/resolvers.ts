import type { NameKey } from "../../../dns/name/name.ts";
import { TransferError } from "../../../dns/transfer/transfer-error.ts";
import { type AddressAnswer, answerLimits, askAddresses } from "../../../dns-client/ask-addresses.ts";
import { type ServerAddress, serverText } from "../../../dns-client/server-address.ts";
import type { AddressType } from "../nodes/addresses/own-zones.ts";

/** The addresses of one type that a target has. */
export type AddressFinding =
  | { readonly kind: "addresses"; readonly addresses: readonly string[]; readonly ttl: number }
  /** An answer without addresses. */
  | { readonly kind: "none"; readonly reason: "nodata" | "nxdomain" | "loop" | "chain" }
  /** No answer that can be believed. */
  | { readonly kind: "failed"; readonly reason: string };

/** A finding of the resolvers. */
export interface FoundAnswer {
  readonly finding: AddressFinding;
  /** The name of the question, and the targets of the CNAME records that follow. */
  readonly names: readonly NameKey[];
  /** When they were asked, and when they may be asked again, in milliseconds since 1970. */
  readonly asked: number;
  readonly until: number;
}

export type AskResolver = (
  server: ServerAddress,
  question: { readonly name: NameKey; readonly type: AddressType },
  signal: AbortSignal,
) => Promise<AddressAnswer>;

export interface ResolversOptions {
  /** In the order in which they are asked. */
  readonly servers: readonly ServerAddress[];
  readonly ask?: AskResolver;
  readonly clock: () => Date;
  /** Whether an address may be served. */
  readonly isAllowed: (address: string) => boolean;
  /** Called for each question to a resolver. */
  readonly onQuestion?: () => void;
}

/** Limits on the seconds until the same question is asked again, after an answer without addresses `mostOfNone`. */
export const interval = { least: 60, most: 3600, mostOfNone: 300 } as const;

/** After this time, in milliseconds, a question is sent to no further resolver. */
const longestQuestion = 30_000;

/** Answers that are remembered; over it, those asked first are dropped. */
const mostRemembered = 10_000;

/** A resolver that does not answer in this time is left for the next one; see `ask`. */
const bounds = { timeoutMs: 2000, attempts: 2, connectMs: 3000, idleMs: 3000, totalMs: 5000 };

const askWithinBounds: AskResolver = (server, question, signal) => askAddresses(server, question, { bounds, signal });

/** Asks the resolvers of the operator, and remembers their answers, so that equal targets are asked for once. */
export class Resolvers {
  readonly #options: ResolversOptions;
  readonly #answers = new Map<string, { until: number; answer: Promise<FoundAnswer> }>();
  /** The resolver that answered last, which is asked first. */
  #first = 0;

  constructor(options: ResolversOptions) {
    this.#options = options;
  }

  /** @throws the reason of the signal */
  find(name: NameKey, type: AddressType, signal: AbortSignal): Promise<FoundAnswer> {
    const key = `${type} ${name}`;
    const known = this.#answers.get(key);
    if (known && known.until > this.#now()) return known.answer;
    const entry = { until: Number.POSITIVE_INFINITY, answer: this.#resolve(name, type, signal) };
    this.#answers.delete(key);
    this.#answers.set(key, entry);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= mostRemembered) break;
      this.#answers.delete(oldest);
    }
    entry.answer.then(
      ({ until }) => {
        entry.until = until;
      },
      () => this.#answers.delete(key),
    );
    return entry.answer;
  }

  async #resolve(name: NameKey, type: AddressType, signal: AbortSignal): Promise<FoundAnswer> {
    const names: NameKey[] = [name];
    const asked = this.#now();
    const found = (finding: AddressFinding, ttl: number = interval.least): FoundAnswer => ({
      finding,
      names,
      asked,
      until: asked + 1000 * Math.min(interval.most, Math.max(interval.least, ttl)),
    });
    let ttl = Number.POSITIVE_INFINITY;
    for (let at = name; ; at = names.at(-1) ?? name) {
      const answer = await this.#askAny(at, type, { until: asked + longestQuestion, signal });
      if (typeof answer === "string") return found({ kind: "failed", reason: answer });
      ttl = Math.min(ttl, answer.ttl);
      names.push(...answer.names.slice(1));
      const { kind } = answer;
      if (new Set(names).size < names.length) return found({ kind: "failed", reason: "its CNAME records form a loop" });
      if (names.length > answerLimits.aliases + 1)
        return found({ kind: "failed", reason: `it has more than ${answerLimits.aliases} CNAME records in a row` });
      if (kind === "nodata" || kind === "nxdomain")
        return found({ kind: "none", reason: kind }, Math.min(ttl, interval.mostOfNone));
      if (kind === "addresses") return found(this.#admit(answer.addresses, ttl), ttl);
    }
  }

  /** The answer of the first resolver that has one; the reasons of all without one. */
  async #askAny(
    name: NameKey,
    type: AddressType,
    { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  ): Promise<AddressAnswer | string> {
    const { servers, ask = askWithinBounds, onQuestion } = this.#options;
    const reasons: string[] = [];
    for (let tried = 0; tried < servers.length; tried++) {
      const index = (this.#first + tried) % servers.length;
      const server = servers[index];
      if (server === undefined || (this.#now() > until && reasons.length > 0)) break;
      signal.throwIfAborted();
      onQuestion?.();
      try {
        const answer = await ask(server, { name, type }, signal);
        this.#first = index;
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TransferError)) throw error;
        reasons.push(`${serverText(server)}: ${error.problem.summary}`);
      }
    }
    return reasons.length === 0 ? "no resolver is configured" : reasons.join("; ");
  }

  #admit(addresses: readonly string[], ttl: number): AddressFinding {
    const allowed = addresses.filter((address) => this.#options.isAllowed(address));
    if (allowed.length > 0) return { kind: "addresses", addresses: allowed, ttl };
    return { kind: "failed", reason: `its addresses, such as ${addresses[0]}, are in networks that are not allowed` };
  }

  #now(): number {
    return this.#options.clock().getTime();
  }
}
