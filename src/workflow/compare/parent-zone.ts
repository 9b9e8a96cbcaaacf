import { ProblemError } from "../../diagnostics/problem.ts";
import { isSameName, type Name } from "../../dns/name/name.ts";
import { dnsClass, rcode as rcodes } from "../../dns/transfer/codes.ts";
import { rcodeError } from "../../dns/transfer/transfer-error.ts";
import { type AskOptions, ask, shortBounds } from "../../dns-client/ask.ts";
import { askDs } from "../../dns-client/ask-ds.ts";
import type { ServerAddress } from "../../dns-client/server-address.ts";

/** The delegation of a zone in its parent zone, with TTLs in seconds. */
export type ParentZone =
  | {
      /** Absent if the parent has no such delegation. */
      readonly nsTtl?: number;
      /** Present if the parent has DS records. */
      readonly dsTtl?: number;
    }
  | { readonly failure: string };

/** A server that does not answer for this many zones in a row is not asked again. */
const mostFailures = 3;

/** Asks a name server of the parent zones, or a resolver, for the delegations of zones. */
export class ParentResolverClient {
  readonly #server: ServerAddress;
  readonly #signal: AbortSignal;
  #failures = 0;

  constructor(server: ServerAddress, signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  /** @throws the reason of the signal */
  async find(zone: Name): Promise<ParentZone> {
    if (this.#failures >= mostFailures)
      return { failure: `not asked, because the server did not answer for ${mostFailures} zones in a row` };
    const parent = await askParent(this.#server, zone, this.#signal);
    this.#failures = "failure" in parent ? this.#failures + 1 : 0;
    return parent;
  }
}

async function askParent(server: ServerAddress, zone: Name, signal: AbortSignal): Promise<ParentZone> {
  const options = { bounds: shortBounds, signal };
  try {
    const [nsTtl, ds] = await Promise.all([askNsTtl(server, zone, options), askDs(server, zone, options)]);
    return { ...(nsTtl !== undefined && { nsTtl }), ...(ds.keyTags.length > 0 && { dsTtl: ds.ttl }) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProblemError) return { failure: error.problem.summary };
    throw error;
  }
}

async function askNsTtl(server: ServerAddress, zone: Name, options: AskOptions): Promise<number | undefined> {
  const question = { name: zone, type: "NS", class: dnsClass.in };
  const { rcode, answers, authorities } = await ask(server, { question, rd: true }, options);
  if (rcode !== rcodes.NOERROR && rcode !== rcodes.NXDOMAIN) throw rcodeError(rcode);
  // A parent refers to the servers of the zone; a resolver answers.
  const servers = [...answers, ...authorities].filter(({ owner, type }) => type === "NS" && isSameName(owner, zone));
  return servers.length > 0 ? Math.min(...servers.map(({ ttl }) => ttl)) : undefined;
}
