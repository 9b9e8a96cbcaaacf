import type { Clock } from "../clock.ts";
import type { Endpoint } from "../contract/endpoint.ts";

/** Requests in a window of `windowSeconds`. 0, text or a missing header means no limit. */
type AnnouncedLimit = number | "unlimited";

/** The maximum requests per minute of a client under a limit, less the headroom for others. */
export function sendingRate(limit: number): number {
  return Math.max(1, Math.floor((limit * (1 - headroom) * 60) / windowSeconds));
}

/** Requests that the service counts together, or at least in its headers: an endpoint may have a limit of its own. */
type RequestClass = "reads" | "writes" | NonNullable<Endpoint["limit"]>;

interface PermitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Precedes all others and may use the headroom, because a name does not resolve until the request is done. */
  readonly urgent?: boolean | undefined;
}

/** The permission for one request in progress, until `leave`. */
export interface RequestPermit {
  /** Reports a reply, `tookMs` after its request was sent. */
  reportReply(reply: { status: number; headers: Headers }, tookMs: number): void;
  /** Reports a request without a reply. */
  reportFailure(): void;
  leave(): void;
}

/** The share of a limit that is left to other users of the token, so that this run does not cause a 429 for them. */
const headroom = 0.2;
/** The duration of a window of the service (decisions/service#rate-limits). */
const windowSeconds = 120;
/** The maximum wait, even if the clocks differ. */
const longestWaitMs = 150_000;
/** The initial and the maximum number of concurrent requests. */
const atFirst = 4;
const atMost = 8;
/** A slow reply takes `times` as long as the fastest one of its class, plus `more` milliseconds. */
const slow = { times: 4, more: 100 };

/**
 * Limits the request rate of a client. Each class of requests has a bucket, filled from the headers of their replies
 * (decisions/service#headers). A bound on concurrent requests is halved on a 429, a failure or slow replies, and grows
 * by one for each round of good replies (AIMD, as in RFC 5681 §3.1).
 */
export class Rate {
  readonly #clock: Clock;
  readonly #buckets: Record<RequestClass, Bucket> = {
    reads: new Bucket(),
    writes: new Bucket(),
    tickets: new Bucket(),
    transfers: new Bucket(),
  };
  readonly #waiting: { go: () => void }[] = [];
  #underWay = 0;
  #announced: AnnouncedLimit | undefined;
  #bound = atFirst;
  #shrunkAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The service's limit of requests in a window, as the last reply announced it; undefined before the first reply. */
  get announced(): AnnouncedLimit | undefined {
    return this.#announced;
  }

  /** The current bound on concurrent requests. */
  get bound(): number {
    return Math.floor(this.#bound);
  }

  /** Waits for a permission. An abort ends the wait; the caller then checks its signal. */
  async enter(kind: RequestClass, { signal, urgent = false }: PermitOptions = {}): Promise<RequestPermit> {
    const bucket = this.#buckets[kind];
    if (!signal?.aborted) await this.#place(signal, urgent);
    this.#underWay++;
    await this.#fill(bucket, signal, urgent);
    let isOver = false;
    return {
      reportReply: (reply, tookMs) => this.#learn(kind, reply, tookMs),
      reportFailure: () => this.#shrink(),
      leave: () => {
        if (isOver) return;
        isOver = true;
        this.#underWay--;
        bucket.leave();
        this.#next();
      },
    };
  }

  async #place(signal: AbortSignal | undefined, urgent: boolean): Promise<void> {
    if (this.#underWay < this.bound && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => {
      const give = () => {
        const index = this.#waiting.indexOf(place);
        if (index >= 0) this.#waiting.splice(index, 1);
        place.go();
      };
      const place = {
        go: () => {
          signal?.removeEventListener("abort", give); // the signal exists as long as the run
          resolve();
        },
      };
      if (urgent) this.#waiting.unshift(place);
      else this.#waiting.push(place);
      signal?.addEventListener("abort", give);
    });
  }

  #next(): void {
    for (let free = this.bound - this.#underWay; free > 0; free--) this.#waiting.shift()?.go();
  }

  async #fill(bucket: Bucket, signal: AbortSignal | undefined, urgent: boolean): Promise<void> {
    const wait = bucket.take(this.#clock.now());
    if (wait <= 0 || urgent || signal?.aborted) return;
    try {
      await this.#clock.sleep(wait, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  #learn(kind: RequestClass, { status, headers }: { status: number; headers: Headers }, tookMs: number): void {
    const bucket = this.#buckets[kind];
    bucket.learn(headers, this.#clock.now(), status === 429);
    // A proxy's reply without the header is no information about the service.
    const isShared = kind === "reads" || kind === "writes";
    if (status < 400 && isShared) this.#announced = number(headers.get("X-RateLimit-Limit")) || "unlimited";
    const isSlow = tookMs > bucket.quickest * slow.times + slow.more;
    bucket.quickest = Math.min(bucket.quickest, tookMs);
    if (status === 429 || status >= 500 || isSlow) this.#shrink(tookMs);
    else {
      this.#bound = Math.min(atMost, this.#bound + 1 / this.#bound);
      this.#next();
    }
  }

  /** Shrinks only once for all requests sent before the last time: they had the same cause. */
  #shrink(tookMs = 0): void {
    const now = this.#clock.now();
    if (now - tookMs < this.#shrunkAt) return;
    this.#shrunkAt = now;
    this.#bound = Math.max(1, this.#bound / 2);
  }
}

/** Requests left in the service's window; unlimited without headers. */
class Bucket {
  quickest = Number.POSITIVE_INFINITY;
  #underWay = 0;
  #remaining = Number.POSITIVE_INFINITY;
  #spare = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  /** Takes one request, until `leave`, and returns the time to wait for it in milliseconds. */
  take(now: number): number {
    this.#underWay++;
    if (now >= this.#endsAt) this.#remaining = Number.POSITIVE_INFINITY;
    return this.#remaining - this.#spare >= this.#underWay ? 0 : this.#endsAt - now;
  }

  leave(): void {
    this.#underWay--;
  }

  learn(headers: Headers, now: number, isExceeded: boolean): void {
    const limit = number(headers.get("X-RateLimit-Limit"));
    const remaining = isExceeded ? 0 : number(headers.get("X-RateLimit-Remaining"));
    const wait = windowMs(headers, now);
    if (wait === undefined || remaining === undefined || (limit === undefined && !isExceeded)) return;
    const endsAt = now + Math.min(wait, longestWaitMs);
    // Replies arrive in any order: within a window only the lowest number is current.
    const isSame = now < this.#endsAt && Math.abs(endsAt - this.#endsAt) < 2_000;
    this.#remaining = isSame ? Math.min(this.#remaining, remaining) : remaining;
    this.#spare = Math.floor((limit ?? 0) * headroom);
    this.#endsAt = endsAt;
  }
}

/**
 * The remaining time of the window. `Retry-After` takes precedence, because it does not depend on synchronised clocks.
 */
function windowMs(headers: Headers, now: number): number | undefined {
  const after = number(headers.get("Retry-After"));
  if (after !== undefined) return after * 1000;
  const reset = number(headers.get("X-RateLimit-Reset"));
  if (reset === undefined) return undefined;
  return reset < 1e9 ? reset * 1000 : Math.max(0, reset * 1000 - now);
}

function number(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}

/** The rate of each client. */
export const rates = new WeakMap<object, Rate>();

/**
 * The last rate limit that the service announced to this client; undefined before the first reply, and if `client` was
 * not made by `createClient`.
 */
export function readAnnouncedLimit(client: object): AnnouncedLimit | undefined {
  return rates.get(client)?.announced;
}
