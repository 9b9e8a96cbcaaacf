import * as fc from "fast-check";
import pg from "pg";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { startCluster } from "../server/cluster.ts";
import { judge, ReplyJudge } from "./judge-requests.ts";
import { type FuzzRequest, profiles, requestsTo } from "./requests.ts";

const each = 50;

/** Sends `count` requests, fifty to each server with a store in memory. Returns whether all replies were valid. */
export function fuzzRequests(count?: number, seed?: number): Promise<boolean> {
  return run(() => openStore(":memory:"), count, seed);
}

/** The same on a temporary PostgreSQL cluster, whose database is emptied after each fifty. */
export async function fuzzRequestsOnPostgres(count?: number, seed?: number): Promise<boolean> {
  const cluster = await startCluster();
  const url = cluster.url("postgres");
  const open = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("drop schema public cascade; create schema public");
    await client.end();
    return openStore(url);
  };
  try {
    return await run(open, count, seed);
  } finally {
    await cluster.stop();
  }
}

async function run(open: () => Promise<Store>, count = 100_000, seed = Date.now() & 0x7fffffff): Promise<boolean> {
  process.stdout.write(`seed ${seed}, ${count} requests\n`);
  let sent = 0;
  let successes = 0;
  const started = performance.now();
  const countSuccesses = async (rules: ReplyJudge, sequence: readonly FuzzRequest[]) => {
    const store = await open();
    try {
      return await judge(store, rules, sequence);
    } finally {
      await store.close();
    }
  };
  const judges: { readonly rules: ReplyJudge; readonly begun: number }[] = [];
  // What a store has before the random requests also has replies, which are not counted.
  for (const profile of profiles) {
    const rules = new ReplyJudge(profile);
    judges.push({ rules, begun: await countSuccesses(rules, []) });
  }
  const look = async ([{ rules, begun }, sequence]: [(typeof judges)[number], FuzzRequest[]]) => {
    successes += (await countSuccesses(rules, sequence)) - begun;
    sent += sequence.length;
  };
  const sequences = judges.map((one) =>
    fc.tuple(fc.constant(one), fc.array(requestsTo(one.rules.document), { minLength: each, maxLength: each })),
  );
  const result = await fc.check(fc.asyncProperty(fc.oneof(...sequences), look), {
    numRuns: Math.ceil(count / each),
    seed,
  });
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`${sent} requests in ${seconds.toFixed(1)} s, ${successes} with reply 200\n`);
  if (!result.failed) return true;
  const error = result.errorInstance;
  process.stdout.write(
    `seed ${seed} failed after ${result.numRuns} sequences: ${error instanceof Error ? error.stack : error}\n`,
  );
  if (error instanceof Error && error.cause) process.stdout.write(`${error.cause}\n`);
  return false;
}
