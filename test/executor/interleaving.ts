import { type Client, createClient } from "../../src/client/client.ts";
import { isNightly } from "../properties.ts";
import type { FakeApi } from "./fake-api.ts";
import { Random } from "./random.ts";

/**
 * A program that runs beside others. It may wait for its requests and for the time of `clock`, and for nothing else.
 */
export type Actor = (client: Client, clock: { now(): number; sleep(ms: number): Promise<void> }) => Promise<void>;

/** Decides which of the programs may continue. */
export type Chooser = (options: number) => number;

/**
 * Runs programs against one service; one request is carried out at a time, and `choose` says whose is next. Two reads
 * in a row by different programs tell both the same in either order, so of the two orders only one is offered.
 */
export async function interleave(api: FakeApi, actors: readonly Actor[], choose: Chooser): Promise<void> {
  const requests = new Map<number, () => void>();
  const reads = new Set<number>();
  const sleeps = new Map<number, () => void>();
  let left = actors.length;
  const ended = actors.map((actor, index) => {
    const turn = (waiting: Map<number, () => void>) =>
      new Promise<void>((resolve) => {
        waiting.set(index, resolve);
      });
    const send = async (request: Request) => {
      if (request.method === "GET") reads.add(index);
      else reads.delete(index);
      await turn(requests);
      return api.send(request);
    };
    const sleep = async (ms: number) => {
      await turn(sleeps);
      await api.clock.sleep(ms);
    };
    const clock = { now: api.clock.now, sleep };
    const client = createClient({ baseUrl: "http://api", token: "t", send, sleep: async () => undefined });
    return actor(client, clock).finally(() => {
      left--;
    });
  });
  let lastRead = -1;
  for (await idle(); left > 0; await idle()) {
    // Time passes when no program has a request to send.
    const waiting = requests.size > 0 ? requests : sleeps;
    const all = [...waiting.keys()].sort((a, b) => a - b);
    const fresh = all.filter((index) => index >= lastRead || !reads.has(index));
    const indexes = fresh.length > 0 ? fresh : all;
    const chosen = indexes[indexes.length === 1 ? 0 : choose(indexes.length)];
    if (chosen === undefined) continue; // it runs
    const go = waiting.get(chosen);
    waiting.delete(chosen);
    lastRead = waiting === requests && reads.has(chosen) ? chosen : -1;
    go?.();
  }
  await Promise.all(ended);
}

/**
 * Calls `play` once for each possible sequence of choices; outside of the nightly run, for random ones. Gives the
 * number of calls.
 */
export async function playInterleavings(play: (choose: Chooser) => Promise<void>): Promise<number> {
  if (isNightly) return playAll(play);
  const random = new Random(1);
  const count = 40;
  for (let round = 0; round < count; round++) await play((options) => random.below(options));
  return count;
}

async function playAll(play: (choose: Chooser) => Promise<void>): Promise<number> {
  const path: { chosen: number; options: number }[] = [];
  for (let count = 1; ; count++) {
    let depth = 0;
    await play((options) => {
      const step = path[depth] ?? { chosen: 0, options };
      path[depth++] = step;
      return step.chosen;
    });
    while (path.length > 0 && (path.at(-1)?.chosen ?? 0) + 1 === path.at(-1)?.options) path.pop();
    const last = path.at(-1);
    if (last === undefined) return count;
    last.chosen++;
  }
}

/** Two turns of the event loop: whatever could go on has gone on, or waits. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}
