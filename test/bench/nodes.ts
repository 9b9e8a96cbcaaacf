import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { findPostgres } from "../judges.ts";
import { startCluster } from "../server/cluster.ts";
import { addManyNodes } from "../server/many-nodes.ts";
import { type Case, ms, ratio } from "./case.ts";
import { median } from "./median.ts";

const [few, many] = [100, 10_000];
const rounds = 21;
const now = new Date("2026-03-04T12:00:00Z");
const tomorrow = new Date("2026-03-05T12:00:00Z");

type Call = readonly [method: string, path: string, filter?: object];
const list: Call = ["GET", "/node/instances"];
const outside: Call = ["GET", "/domains"];
const calls: Record<string, Call> = {
  "list, page 1": list,
  "list, last page": ["GET", "/node/instances?page_size=25&page=4"],
  "filter by label": ["GET", "/node/instances", { label: "web-50" }],
  "filter by part of a label": ["GET", "/node/instances", { label: { "+contains": "b-50" } }],
  "filter by tag": ["GET", "/node/instances", { tags: "tag 1" }],
  "filter by address": ["GET", "/node/instances", { ipv4: "10.0.0.253" }],
  "order by label": ["GET", "/node/instances", { "+order_by": "label" }],
  view: ["GET", "/node/instances/50"],
  "its disks": ["GET", "/node/instances/50/disks"],
  "its addresses": ["GET", "/node/instances/50/ips"],
  "events of a node": ["GET", "/account/events", { "entity.type": "node", "entity.id": 50 }],
};

/**
 * Times of requests about nodes with 10,000 of them, 50,000 disks, addresses and events of jobs, and as ratios to those
 * with 100 nodes, in turns; then the cost of 1,000 due jobs. Without a network.
 */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const clusters = findPostgres() === undefined ? [] : [await startCluster(), await startCluster()];
  try {
    const places: Record<string, string[]> = { SQLite: [join(folder, "few.db"), join(folder, "many.db")] };
    if (clusters.length > 0) places["PostgreSQL, fsync off"] = clusters.map(({ url }) => url("postgres"));
    for (const [database, [ofFew = "", ofMany = ""]] of Object.entries(places)) {
      const group = `${database}: ${few} nodes, ${many} nodes`;
      const servers: [Served, Served] = [await serve(ofFew, few), await serve(ofMany, many)];
      for (const [what, call] of Object.entries(calls)) {
        const times = await inTurns(servers, (server) => server.time(call));
        yield { group, name: what, ...comparison(times) };
      }
      for await (const measured of measureDue(servers)) yield { group, ...measured };
      for (const server of servers) await server.close();
    }
  } finally {
    for (const cluster of clusters) await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The cost of due jobs for the requests that settle them, and for others meanwhile. */
async function* measureDue([small, large]: readonly [Served, Served]): AsyncGenerator<Case> {
  await small.makeDue(1, few);
  await large.makeDue(1, 1000);
  const ofFew = (await small.time(list)) / few;
  const settled = large.time(list);
  const others = await timesUntil(settled, () => large.time(outside, large.stranger));
  yield { name: "settle, for each job", ...comparison([[ofFew], [(await settled) / 1000]]) };
  const quiet = await timesOf(() => large.time(outside));
  const most = (times: readonly number[]) => [Math.max(...times)];
  const meanwhile = "GET /domains of another account meanwhile";
  yield { name: `${meanwhile}: median`, ...comparison([[median(quiet)], [median(others)]]) };
  yield { name: `${meanwhile}: longest`, ...comparison([most(quiet), most(others)]) };
  await large.makeDue(1001, 2000);
  const own = [];
  for (let count = 0; count < 10; count++) own.push(await large.time(outside));
  yield {
    name: "GET /domains of the account with 1,000 due jobs, ten times: median",
    ...comparison([[median(quiet)], [median(own)]]),
  };
}

interface Served {
  /** The token of a user of another account. */
  readonly stranger: string;
  /** Milliseconds of a request. */
  time(call: Call, as?: string): Promise<number>;
  /** Ends the jobs of these nodes. */
  makeDue(first: number, last: number): Promise<void>;
  close(): Promise<void>;
}

async function serve(place: string, nodes: number): Promise<Served> {
  const store = await openStore(place);
  const token = await createToken(store, { username: "admin", now });
  const stranger = await createToken(store, { username: "stranger", now });
  await addManyNodes(store, nodes, { now, ends: tomorrow });
  const server = createServer({ store, clock: () => now });
  return {
    stranger,
    async time([method, path, filter], as = token) {
      await new Promise((resolve) => setImmediate(resolve)); // as a request from a socket
      const headers = { Authorization: `Bearer ${as}`, ...(filter && { "X-Filter": JSON.stringify(filter) }) };
      const started = performance.now();
      const reply = await server(new Request(`http://api/v4${path}`, { method, headers }));
      const text = await reply.text();
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`);
      return performance.now() - started;
    },
    makeDue: (first, last) =>
      store.write(async (db) => {
        const jobs = db.updateTable("jobs").set({ ends: timestamp(now) });
        await jobs.where("entity_id", ">=", first).where("entity_id", "<=", last).execute();
        await db
          .updateTable("accounts")
          .set({ due: timestamp(now) })
          .where("id", "=", 1)
          .execute();
      }),
    close: () => store.close(),
  };
}

async function timesOf(measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measure());
  return times;
}

/** Measurements of both, one after the other in each round. */
async function inTurns(
  servers: readonly [Served, Served],
  measure: (server: Served) => Promise<number>,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    times[0].push(await measure(servers[0]));
    times[1].push(await measure(servers[1]));
  }
  return times;
}

/** Repeated measurements while work is under way. */
async function timesUntil(work: Promise<unknown>, measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  work.finally(() => {
    isOver = true;
  });
  while (!isOver) times.push(await measure());
  return times;
}

function comparison([first, second]: readonly [number[], number[]]): Pick<Case, "numbers" | "ratios"> {
  return {
    numbers: { "with few": ms(median(first)), "with many": ms(median(second)) },
    ratios: { time: ratio(second, first, { to: "with few", better: "lower" }) },
  };
}
