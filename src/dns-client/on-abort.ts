import { setMaxListeners } from "node:events";

/**
 * Calls a function when the signal aborts; returns what ends that. Questions under way share a signal, and Node warns
 * of more than ten listeners.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}
