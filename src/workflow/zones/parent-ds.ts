import { ProblemError } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import type { AskOptions } from "../../dns-client/ask.ts";
import { askDs, type DsSet } from "../../dns-client/ask-ds.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";

/** The DS records of a zone at its parent, or the reason why they are unknown. */
export type ParentDs = DsSet | { readonly unknown: string };

/** In milliseconds; short, because the answer only serves a warning. */
const shortBounds = { timeoutMs: 1500, attempts: 2, connectMs: 2000, idleMs: 2000, totalMs: 4000 };

/** A resolver that does not answer this many times in a row is not asked again. */
const mostFailures = 3;

/** Asks resolvers, in this order, whether zones have DS records at their parents. */
export class ParentDsFinder {
  readonly #resolvers: readonly ServerAddress[];
  readonly #bounds: NonNullable<AskOptions["bounds"]>;
  readonly #failures = new Map<ServerAddress, number>();

  constructor(resolvers: readonly ServerAddress[], bounds: AskOptions["bounds"] = {}) {
    this.#resolvers = resolvers;
    this.#bounds = { ...shortBounds, ...bounds };
  }

  /** Never fails: an import does not depend on the answer. */
  async find(zone: Name, signal: AbortSignal): Promise<ParentDs> {
    let unknown = "no resolver is configured";
    for (const resolver of this.#resolvers) {
      if (this.#failuresOf(resolver) >= mostFailures) {
        unknown = `${serverText(resolver)}: not asked, because it did not answer ${mostFailures} times in a row`;
        continue;
      }
      try {
        const found = await askDs(resolver, zone, { bounds: this.#bounds, signal });
        this.#failures.set(resolver, 0);
        return found;
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const { id, summary } = error.problem;
        const isSilent = id === "transfer/timeout" || id === "transfer/connect";
        this.#failures.set(resolver, isSilent ? this.#failuresOf(resolver) + 1 : 0);
        unknown = `${serverText(resolver)}: ${summary}`;
      }
    }
    return { unknown };
  }

  #failuresOf(resolver: ServerAddress): number {
    return this.#failures.get(resolver) ?? 0;
  }
}
