import type { Endpoint } from "../../contract/endpoint.ts";
import { tooManyRequests } from "./api-error.ts";

/** Limit on the requests of one user in a window of `seconds`. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The limits of the hosted service (decisions/service#rate-limits); profile live limits lists separately. */
export const defaultRate: RateLimit = { requests: 1600, seconds: 120 };
const defaultListRate: RateLimit = { requests: 200, seconds: 60 };

/** The limit of lists for a limit of `requests` in two minutes: the hosted service's share, at least 1. */
export function listRateFor(requests: number): RateLimit {
  const { requests: lists, seconds } = defaultListRate;
  return { requests: Math.max(1, Math.round((requests * lists) / defaultRate.requests)), seconds };
}

/** The limits of endpoints that have one of their own, in both profiles. */
const ownRates: Record<NonNullable<Endpoint["limit"]>, RateLimit> = {
  tickets: { requests: 2, seconds: 60 },
  transfers: { requests: 2, seconds: 60 },
};

/** The own limit of an endpoint where `limit` is that of all requests: scaled as that is, at least 1. */
export function ownRateFor(name: keyof typeof ownRates, limit: RateLimit): RateLimit {
  const { requests, seconds } = ownRates[name];
  const scale = limit.requests / limit.seconds / (defaultRate.requests / defaultRate.seconds);
  return { requests: Math.max(1, Math.round(requests * scale)), seconds };
}

/** A user's count in the window: `reset` is its end in seconds since 1970, `retryAfter` the seconds until then. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly retryAfter: number;
  readonly isExceeded: boolean;
}

/**
 * Counts requests in fixed windows, the same for all users, so that all counts are dropped when one ends. Without a
 * user nothing is counted, and the result is that of an unused window; without a limit it is undefined.
 */
export function rateLimiter(
  limit: RateLimit | undefined,
): (user: string | undefined, now: Date) => RateLimitState | undefined {
  if (limit === undefined) return () => undefined;
  const { requests, seconds } = limit;
  let window = 0;
  const counts = new Map<string, number>();
  return (user, now) => {
    const second = Math.floor(now.getTime() / 1000);
    const current = Math.floor(second / seconds);
    if (current !== window) counts.clear();
    window = current;
    const count = user === undefined ? 0 : (counts.get(user) ?? 0) + 1;
    if (user !== undefined) counts.set(user, count);
    const reset = (current + 1) * seconds;
    return {
      limit: requests,
      remaining: Math.max(0, requests - count),
      reset,
      retryAfter: reset - second,
      isExceeded: count > requests,
    };
  };
}

/** @throws {Refusal} 429 */
export function requireWithinLimit(state: RateLimitState | undefined): void {
  if (state?.isExceeded) throw tooManyRequests();
}
