/** Resolves after this many milliseconds, unless the signal is aborted before. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** After the timer, the event loop turns once more: so a busy process reads what arrived in time. */
export const waitForTimer: Wait = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(resolve), ms).unref();
    signal.addEventListener("abort", () => clearTimeout(timer));
  });

/** The result of work, or `late` if that takes longer than `ms`. */
export async function inTime<T, L>(work: T | Promise<T>, ms: number, late: L, wait = waitForTimer): Promise<T | L> {
  const over = new AbortController();
  try {
    return await Promise.race([work, wait(ms, over.signal).then(() => late)]);
  } finally {
    over.abort();
  }
}
