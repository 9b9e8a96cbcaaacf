import { ApiError } from "./api-error.ts";
import { TransportError } from "./transport-error.ts";

export interface RetryPolicy {
  /** How many times a call is sent again, at most. */
  retries: number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** A number from 0 up to but not 1. */
  random: () => number;
  /** Hears of each wait that the service asked for, in milliseconds. */
  onWait?: ((error: ApiError, ms: number) => void) | undefined;
}

/**
 * Waits before the second, third, … attempt are random up to this, doubled each time, in milliseconds (full jitter).
 */
const firstWaitMs = 250;
const longestBackoffMs = 8_000;

/** A rate limit's window is 120 s (service: Rate limits). A service that asks for much more is not waited for. */
const longestAskedMs = 150_000;

/**
 * Runs `attempt` again while that is safe: any method after a 429 or when nothing was sent, a GET after every failure
 * that may pass, maintenance and a garbled reply included. Never a write with an ambiguous outcome (plan-apply:
 * Ambiguous outcomes). Rejects with the last error.
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
      if (error instanceof ApiError && asked > 0) onWait?.(error, asked + backoff);
      await pause(asked + backoff, sleep, signal);
    }
  }
}

function isSafe(method: string, error: unknown): boolean {
  if (error instanceof ApiError) {
    return (
      error.kind === "rate" || (method === "GET" && (error.outcome === "ambiguous" || error.kind === "maintenance"))
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
    // A certificate does not get better by asking again; an abort is meant; an unknown failure should be seen.
    case "tls":
    case "aborted":
    case "failed":
      return false;
  }
}

/** A redirect or a refusal in another form is another program's, each time; a broken reply of 2xx or 5xx may pass. */
function isForeign(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500;
}

/** An abort ends the wait without an error of its own: the next attempt says it with the name of the request. */
async function pause(ms: number, sleep: RetryPolicy["sleep"], signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
