import { isIPv6 } from "node:net";
import { addressWords } from "../../dns/name/address.ts";

/** Limit on the networks in memory; over it, the least recently active one is dropped. */
const mostNetworks = 65_536;

/** Treatment of a query over UDP: answer it, answer it truncated, or drop it. */
export type Treatment = "answer" | "truncate" | "drop";

interface Bucket {
  tokens: number;
  /** When it was last filled, in milliseconds. */
  filled: number;
  limited: number;
}

export interface ResponseLimitOptions {
  /** Responses per second to one network. */
  readonly perSecond: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Limits responses over UDP to each network, so that queries with forged addresses cannot use the server for an
 * amplification attack. A network is an IPv4 /24 or an IPv6 /56. Over the limit, every other query is answered
 * truncated: a real client repeats it over TCP, a forged address cannot.
 */
export class ResponseLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #perSecond: number;
  readonly #now: () => number;

  constructor({ perSecond, now = () => performance.now() }: ResponseLimitOptions) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a query of a peer, whose address is as `plainAddress` spells it. */
  decide(peer: string): Treatment {
    const network = networkToLimit(peer);
    const now = this.#now();
    const known = this.#buckets.get(network);
    const bucket = known ?? { tokens: this.#perSecond, filled: now, limited: 0 };
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + ((now - bucket.filled) * this.#perSecond) / 1000);
    bucket.filled = now;
    if (known) this.#buckets.delete(network);
    else if (this.#buckets.size === mostNetworks) this.#forgetOldest();
    this.#buckets.set(network, bucket);
    if (bucket.tokens < 1) return bucket.limited++ % 2 === 0 ? "truncate" : "drop";
    bucket.tokens--;
    return "answer";
  }

  #forgetOldest(): void {
    for (const [oldest] of this.#buckets) return void this.#buckets.delete(oldest);
  }
}

function networkToLimit(address: string): string {
  if (!isIPv6(address)) return address.slice(0, address.lastIndexOf("."));
  const [first = 0, second = 0, third = 0, fourth = 0] = addressWords(address);
  return [first, second, third, fourth & 0xff00].join(":");
}
