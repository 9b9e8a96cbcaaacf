import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, isIPv6 } from "node:net";
import { longestName } from "../../kit/name.ts";

/** A reason why a service is down, as a clause about it. */
export class ProbeFailure extends Error {}

/** The addresses of a host to connect to. */
export type Reach = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Looks up the addresses of a name; an abort ends it. */
export type LookUp = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Limit on the addresses of a name that are tried. */
const mostAddresses = 8;

/**
 * Decides which addresses of a host may be probed. A name is looked up once: connections go to the addresses that were
 * checked.
 */
export function createReach(isAllowed: (address: string) => boolean, lookUp: LookUp = askResolver): Reach {
  return async (host, signal) => {
    if (host.length > longestName) throw new ProbeFailure(`its host name is longer than ${longestName} characters`);
    const found = isIP(host) > 0 ? [host] : await lookUp(host, signal);
    const allowed = found.filter(isAllowed);
    if (allowed.length > 0) return allowed.slice(0, mostAddresses);
    const wanted = "public or in a network that the operator allows";
    if (isIP(host) > 0) throw new ProbeFailure(`its address ${host} is not ${wanted}`);
    // The same for a name without an address: the resolver may know names and addresses that users must not see.
    throw new ProbeFailure(`${host} has no address that is ${wanted}`);
  };
}

/** A lookup of `net.connect` that knows the checked addresses only, whatever the name. */
export function lookupAmong(addresses: readonly string[]) {
  const all: LookupAddress[] = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (
    _: string,
    options: LookupOptions,
    done: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    const [first] = all;
    if (options.all || first === undefined) done(null, all);
    else done(null, first.address, first.family);
  };
}

/** Asks the resolvers of the machine. Other lookups of Node would block threads that the whole server shares. */
async function askResolver(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver();
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    signal.throwIfAborted();
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const errors = answers.flatMap((answer) => (answer.status === "rejected" ? [codeOf(answer.reason)] : []));
    const isAnswered = errors.every((code) => code === "ENODATA" || code === "ENOTFOUND");
    if (addresses.length === 0 && !isAnswered)
      throw new ProbeFailure(`the name ${name} cannot be resolved (${errors.join(", ")})`);
    return addresses;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** The code of an error of Node or undici; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
