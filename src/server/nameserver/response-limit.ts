import { isIPv6 } from "node:net";
import { addressWords } from "../../dns/address.ts";

/** How many networks are remembered; of more, the one that has been quiet for longest is forgotten. */
const mostNetworks = 65_536;

/** Treatment of a question by UDP: answer it, tell the peer to ask by TCP, or say nothing. */
export type Verdict = "answer" | "truncate" | "drop";

interface Bucket {
  tokens: number;
  /** When it was last filled, in milliseconds. */
  filled: number;
  limited: number;
}

export interface ResponseLimitOptions {
  /** How many responses a network gets in a second. */
  readonly perSecond: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Limits responses by UDP to each network, so that questions with a forged address do not turn the server against the
 * network of its owner. A network is an IPv4 /24 or an IPv6 /56. Of the questions over the limit every other one is told
 * to come by TCP, which a real client does and a forged address cannot.
 */
export class ResponseLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #perSecond: number;
  readonly #now: () => number;

  constructor({ perSecond, now = () => performance.now() }: ResponseLimitOptions) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Counts a question of this peer, whose address is in the form of `plainAddress`. */
  judge(peer: string): Verdict {
    const network = networkOf(peer);
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

function networkOf(address: string): string {
  if (!isIPv6(address)) return address.slice(0, address.lastIndexOf("."));
  const [first = 0, second = 0, third = 0, fourth = 0] = addressWords(address);
  return [first, second, third, fourth & 0xff00].join(":");
}
