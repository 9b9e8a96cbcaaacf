import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { findMissing } from "../judges.ts";
import { startCluster } from "../server/cluster.ts";
import { type Case, mebibytes, ms, perSecond, ratio } from "./case.ts";
import { median, quantile } from "./median.ts";

const child = fileURLToPath(new URL("./serve-child.ts", import.meta.url));
export const token = "token-of-the-bench";
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = (process.env.BENCH_CONNECTIONS ?? "1,16,256").split(",").map(Number);
/** 200000 shows whether memory grows; nothing is measured of it unless asked. */
const memoryRequests = Number(process.env.BENCH_MEMORY ?? 0);

export interface Call {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: (n: number) => object;
}

const calls: Record<string, Call> = {
  "record read": { method: "GET", path: "/v4/domains/1/records/50" },
  "record create": {
    method: "POST",
    path: "/v4/domains/2/records",
    body: (n) => ({ type: "A", name: `h${n % 4000}`, target: "192.0.2.1" }),
  },
  "filtered list": {
    method: "GET",
    path: "/v4/domains/1/records?page_size=25",
    headers: { "X-Filter": '{"type":"A","name":{"+contains":"h1"}}' },
  },
};

/**
 * Requests a second and the 99th percentile of their times, for zonewright on each database and for a bare handler of
 * the same HTTP library, in turns; the load comes from this process, the servers have their own. Each number of
 * requests is also a fraction of what the bare handler does.
 */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const cluster = findMissing(["postgres"]).length > 0 ? undefined : await startCluster();
  const places: Record<string, string> = { SQLite: join(folder, "zonewright.db") };
  if (cluster) places["PostgreSQL, fsync off"] = cluster.url("postgres");
  try {
    const bare = await startServer("bare");
    for (const [name, place] of Object.entries(places)) {
      const server = await startServer(place);
      await fill(server.pool);
      for (const [what, call] of Object.entries(calls)) {
        for (const count of connections) {
          const base = await load(bare.url, call, count);
          const ours = await load(server.url, call, count);
          yield {
            group: name,
            name: `${what}, ${count} connections`,
            numbers: {
              rate: perSecond(ours.perSecond),
              p99: ms(ours.p99),
              "bare rate": perSecond(base.perSecond),
              "bare p99": ms(base.p99),
            },
            ratios: { rate: ratio(ours.perSecond, base.perSecond, { to: "bare", better: "higher" }) },
          };
        }
      }
      for await (const measured of pages(server.pool)) yield { group: name, ...measured };
      if (memoryRequests > 0) for await (const measured of memory(server)) yield { group: name, ...measured };
      await server.stop();
    }
    await bare.stop();
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Started {
  url: string;
  pool: Pool;
  process: ChildProcess;
  stop(): Promise<void>;
}

export async function startServer(place: string): Promise<Started> {
  const process = fork(child, [place, token], { execArgv: ["--expose-gc", "--import", "tsx"] });
  const [{ url }] = (await once(process, "message")) as [{ url: string }];
  const pool = new Pool(url, { connections: 16 });
  const stop = async () => {
    await pool.destroy();
    process.kill("SIGKILL");
    await once(process, "close");
  };
  return { url, pool, process, stop };
}

export async function send(pool: Pool, { method, path, headers, body }: Call, n = 0): Promise<void> {
  const reply = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: body ? JSON.stringify(body(n)) : null,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
}

/** Domain 1 has 100 records to read; domain 2, for writes, is replaced when it is full; domain 3 has 12,000. */
async function fill(pool: Pool): Promise<void> {
  for (const [index, size] of [100, 0, 12_000].entries()) {
    const domain = { domain: `bench${index}.example`, type: "master", soa_email: "a@b.example" };
    await send(pool, { method: "POST", path: "/v4/domains", body: () => domain });
    const create: Call = {
      method: "POST",
      path: `/v4/domains/${index + 1}/records`,
      body: (n) => ({ type: "A", name: `h${n}`, target: "192.0.2.1" }),
    };
    for (let n = 0; n < size; n += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, step) => send(pool, create, n + step)));
    }
  }
}

interface Load {
  perSecond: number;
  p99: number;
}

/** As many requests as `count` connections can send one after another. Creates stop before the domain is full. */
async function load(url: string, call: Call, count: number): Promise<Load> {
  const pool = new Pool(url, { connections: count, pipelining: 1 });
  const times: number[] = [];
  const most = call.method === "POST" ? 3500 : Number.POSITIVE_INFINITY;
  let sent = 0;
  const begin = performance.now();
  const until = begin + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until && sent < most) {
      const started = performance.now();
      await send(pool, call, sent++);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  const elapsed = (performance.now() - begin) / 1000;
  await pool.destroy();
  return { perSecond: times.length / elapsed, p99: quantile(times, 0.99) };
}

/** The last page of a domain of 12,000 records beside its first: medians of 40, taken in turns. */
async function* pages(pool: Pool): AsyncGenerator<Case> {
  for (const size of [100, 500]) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < 80; round++) {
      const page = round % 2 === 0 ? 1 : 12_000 / size;
      const started = performance.now();
      await send(pool, { method: "GET", path: `/v4/domains/3/records?page_size=${size}&page=${page}` });
      times[round % 2]?.push(performance.now() - started);
    }
    const [first, last] = times;
    yield {
      name: `last page of 12,000 records in pages of ${size}`,
      numbers: { first: ms(median(first)), last: ms(median(last)) },
      ratios: { time: ratio(last, first, { to: "the first page", better: "lower" }) },
    };
  }
}

/** Memory of the server after collecting its garbage, at the start and after each quarter of the requests. */
async function* memory({ pool, process }: Started): AsyncGenerator<Case> {
  const mixed = [calls["record read"], calls["filtered list"]] as Call[];
  for (let quarter = 0; quarter <= 4; quarter++) {
    for (let n = 0; quarter > 0 && n < memoryRequests / 4; n += 64) {
      await Promise.all(Array.from({ length: 64 }, (_, step) => send(pool, mixed[step % 2] as Call)));
    }
    process.send("memory");
    const [{ rss, heapUsed }] = (await once(process, "message")) as [{ rss: number; heapUsed: number }];
    const after = ((memoryRequests / 4) * quarter).toLocaleString("en");
    yield { name: `memory after ${after} requests`, numbers: { heap: mebibytes(heapUsed), process: mebibytes(rss) } };
  }
}
