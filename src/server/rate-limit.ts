import { reasons } from "../contract/errors.ts";
import { ApiError } from "./api-error.ts";

/** How many requests one user may send in a window of so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** What a service that limits allows (service: Rate limits); profile live limits lists on their own. */
export const usualRate: RateLimit = { requests: 1600, seconds: 120 };
export const usualListRate: RateLimit = { requests: 200, seconds: 60 };

/** Where a user stands in the window: `reset` is its end in seconds since 1970, `retryAfter` the seconds until then. */
export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly retryAfter: number;
  readonly exceeded: boolean;
}

/**
 * Counts requests in fixed windows, which are the same for everybody, so that what is kept is dropped at each turn.
 * Without a limit or a user nothing is counted, and the numbers are those of an unused window.
 */
export function rateLimiter(limit: RateLimit | undefined): (user: string | undefined, now: Date) => Standing {
  const { requests, seconds } = limit ?? usualRate;
  let window = 0;
  const counts = new Map<string, number>();
  return (user, now) => {
    const second = Math.floor(now.getTime() / 1000);
    const current = Math.floor(second / seconds);
    if (current !== window) counts.clear();
    window = current;
    const count = limit === undefined || user === undefined ? 0 : (counts.get(user) ?? 0) + 1;
    if (user !== undefined && count > 0) counts.set(user, count);
    const reset = (current + 1) * seconds;
    return {
      limit: requests,
      remaining: Math.max(0, requests - count),
      reset,
      retryAfter: reset - second,
      exceeded: count > requests,
    };
  };
}

/** @throws {ApiError} 429 */
export function keepLimit({ exceeded }: Standing): void {
  if (exceeded) throw new ApiError(429, [{ reason: reasons.tooManyRequests }]);
}
