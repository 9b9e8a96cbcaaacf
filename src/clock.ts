/** Time as the client and the executor see it; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
}
