import { ProblemError } from "../diagnostics/problem.ts";
import { isSameName, type Name } from "../dns/name.ts";
import { dnsClass, rcode as rcodes } from "../dns/transfer/codes.ts";
import { rcodeError } from "../dns/transfer/transfer-error.ts";
import { type AskOptions, ask, shortBounds } from "../dns-client/ask.ts";
import { askDs } from "../dns-client/ask-ds.ts";
import type { ServerAddress } from "../dns-client/server-address.ts";

/** The delegation of a zone in its parent zone, with TTLs in seconds. */
export type ParentZone =
  | {
      /** Absent if the parent has no such delegation. */
      readonly nsTtl?: number;
      /** Present if the parent has DS records. */
      readonly dsTtl?: number;
    }
  | { readonly failure: string };

/** Asks a name server of the parent zone, or a resolver, for the delegation of a zone. */
export async function askParent(server: ServerAddress, zone: Name, signal: AbortSignal): Promise<ParentZone> {
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
