import * as fc from "fast-check";
import { openStore } from "../../src/server/store/store.ts";
import { judge, requests } from "./requests.ts";

const each = 50;

/** So many requests, fifty to a server. Says whether each was answered as it must be. */
export async function fuzzRequests(count = 100_000, seed = Date.now() & 0x7fffffff): Promise<boolean> {
  process.stdout.write(`seed ${seed}, ${count} requests\n`);
  let sent = 0;
  let stored = 0;
  const started = performance.now();
  const look = async (sequence: Parameters<typeof judge>[1]) => {
    const store = await openStore(":memory:");
    try {
      stored += await judge(store, sequence);
      sent += sequence.length;
    } finally {
      await store.close();
    }
  };
  const sequences = fc.array(requests, { minLength: each, maxLength: each });
  const result = await fc.check(fc.asyncProperty(sequences, look), { numRuns: Math.ceil(count / each), seed });
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`${sent} requests in ${seconds.toFixed(1)} s, ${stored} answered 200\n`);
  if (!result.failed) return true;
  const error = result.errorInstance;
  process.stdout.write(`seed ${seed} fails after ${result.numRuns}: ${error instanceof Error ? error.stack : error}\n`);
  if (error instanceof Error && error.cause) process.stdout.write(`${error.cause}\n`);
  return false;
}
