import { ApiError } from "./api-error.ts";
import { TransportError } from "./transport-error.ts";

export interface RetryPolicy {
  /** The maximum number of retries of a call. */
  retries: number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** A number from 0 up to but not 1. */
  random: () => number;
  /** Called for each wait that the service requested, with that time in milliseconds. */
  onWait?: ((error: ApiError, ms: number) => void) | undefined;
}

/**
 * The maximum of the random wait before the second attempt, in milliseconds, doubled for each further one (full
 * jitter).
 */
const firstWaitMs = 250;
const longestBackoffMs = 8_000;

/** A rate limit's window is 120 s (decisions/service#rate-limits). Longer requested waits are not followed. */
const longestAskedMs = 150_000;

/**
 * Retries `attempt` when that is safe: any method after a 429, while a domain is busy, or if nothing was sent; a GET
 * after every temporary failure, including maintenance and garbled replies. Never a write with an ambiguous outcome
 * (decisions/plan-apply#ambiguous-outcomes). Rejects with the last error.
 */
export async function withRetries<T>(
  method: string,
  attempt: () => Promise<T>,
  { retries, sleep, random, onWait }: RetryPolicy,
  signal?: AbortSignal,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
      if (retry >= retries || asked > longestAskedMs || !isSafe(method, error)) throw error;
      const backoff = random() * Math.min(longestBackoffMs, firstWaitMs * 2 ** retry);
      if (error instanceof ApiError && asked > 0) onWait?.(error, asked);
      await pause(asked + backoff, sleep, signal);
    }
  }
}

function isSafe(method: string, error: unknown): boolean {
  if (error instanceof ApiError) {
    return (
      error.kind === "rate" ||
      error.kind === "busy" ||
      (method === "GET" && (error.outcome === "ambiguous" || error.kind === "maintenance"))
    );
  }
  if (!(error instanceof TransportError)) return false;
  switch (error.kind) {
    case "refused":
    case "dns":
    case "connect":
      return true;
    case "timeout":
    case "reset":
      return error.outcome === "not-sent" || method === "GET";
    case "reply":
      return method === "GET" && !isForeign(error.status);
    // A retry does not fix a certificate, an abort is intended, and an unknown failure should be reported.
    case "tls":
    case "aborted":
    case "failed":
      return false;
  }
}

/**
 * A redirect or an error in another form comes from another program each time; a broken 2xx or 5xx reply may be
 * temporary.
 */
function isForeign(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500;
}

/** An abort ends the wait without an error: the next attempt reports it with the name of the request. */
async function pause(ms: number, sleep: RetryPolicy["sleep"], signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
