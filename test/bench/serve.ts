import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { Pool } from "undici";
import { findMissing } from "../judges.ts";
import { type Cluster, startCluster } from "../server/cluster.ts";
import { type Case, count, mebibytes, ms, perSecond, type Ratio, ratio } from "./case.ts";
import { median, quantile } from "./median.ts";

const child = fileURLToPath(new URL("./serve-child.ts", import.meta.url));
const checkout = fileURLToPath(new URL("../..", import.meta.url));
export const token = "token-of-the-bench";
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const connections = (process.env.BENCH_CONNECTIONS ?? "1,16,256").split(",").map(Number);
/** The calls and databases to measure: those whose names contain the text. */
const only = { call: process.env.BENCH_ROW ?? "", database: process.env.BENCH_DATABASE ?? "" };
/** Another checkout, with its `node_modules`, to measure beside this one: usually an earlier commit. */
const before = process.env.BENCH_BEFORE;
/** Whether the functions that take the most CPU are reported. */
const isProfiled = process.env.BENCH_PROFILE !== undefined;
/** 200000 shows whether memory grows; nothing is measured of it unless asked. */
const memoryRequests = Number(process.env.BENCH_MEMORY ?? 0);

export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string | ((n: number) => string);
  headers?: Record<string, string>;
  body?: (n: number) => object;
}

/** Domain 1 has 100 records, the following ones are for writes, and the last one has 12,000. */
const [writable, large] = [100, 102];

const calls: Record<string, Call> = {
  "record read": { method: "GET", path: "/v4/domains/1/records/50" },
  "list of 100 records": { method: "GET", path: "/v4/domains/1/records?page_size=100" },
  "filtered list": {
    method: "GET",
    path: "/v4/domains/1/records?page_size=25",
    headers: { "X-Filter": '{"type":"A","name":{"+contains":"h1"}}' },
  },
  "record create": {
    method: "POST",
    path: (n) => `/v4/domains/${2 + (Math.floor(n / 3000) % writable)}/records`,
    body: (n) => ({ type: "A", name: `h${n % 3000}`, target: "192.0.2.1" }),
  },
  "record create in 100 domains": {
    method: "POST",
    path: (n) => `/v4/domains/${2 + (n % writable)}/records`,
    body: (n) => ({ type: "A", name: `h${n % 3000}`, target: "192.0.2.1" }),
  },
};

/**
 * Requests a second, the 99th percentile of their times, and the CPU of a request, for zonewright on each database and
 * for handlers without one (of Node alone, and of the same HTTP library), in turns; the load comes from this process,
 * the servers have their own. The CPU of PostgreSQL is not counted. `BENCH_BEFORE` is the folder of another checkout to
 * compare with (decisions/performance#the-server).
 */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const hasPostgres = findMissing(["postgres"]).length === 0;
  const databases: Record<string, { fsync: boolean } | undefined> = {
    SQLite: undefined,
    ...(hasPostgres && { "PostgreSQL, fsync on": { fsync: true }, "PostgreSQL, fsync off": { fsync: false } }),
  };
  const baselines: Record<string, Started> = {};
  try {
    for (const name of ["node:http", "Hono", "Hono, whole reply", "Hono on undici"])
      baselines[name] = await startServer(name);
    for (const [group, options] of Object.entries(databases).filter(([name]) => name.includes(only.database))) {
      const cluster = options && (await startCluster(options));
      for await (const measured of measure(baselines, (which) => placeIn(which, folder, cluster)))
        yield { group, ...measured };
      await cluster?.stop();
    }
  } finally {
    for (const baseline of Object.values(baselines)) await baseline.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A place for the data of a server: a file in the folder, or a new database of the cluster. */
export async function placeIn(which: string, folder: string, cluster: Cluster | undefined): Promise<string> {
  if (cluster === undefined) return join(folder, `${which}.db`);
  const client = new pg.Client({ connectionString: cluster.url("postgres") });
  await client.connect();
  await client.query(`create database ${which}`);
  await client.end();
  return cluster.url(which);
}

/** Measures zonewright of this checkout, and of an earlier one, on one database. */
async function* measure(
  baselines: Record<string, Started>,
  place: (which: string) => Promise<string>,
): AsyncGenerator<Case> {
  const ours: Record<string, Started> = {};
  for (const [which, folder] of Object.entries({ ...(before && { before }), now: checkout })) {
    ours[which] = await startServer(await place(which), folder);
    await fill(ours[which].pool);
  }
  for (const [what, call] of Object.entries(calls).filter(([what]) => what.includes(only.call))) {
    for (const count of connections) {
      const name = `${what}, ${count === 1 ? "1 connection" : `${count} connections`}`;
      yield* casesOf(name, await loadInTurns({ ...baselines, ...ours }, call, count));
    }
    if (isProfiled)
      for (const [which, server] of Object.entries(ours))
        yield { name: `${what}: CPU, ${which}`, note: await profile(server, call) };
  }
  const { now } = ours;
  if (now && only.call === "") yield* pages(now.pool);
  if (now && memoryRequests > 0) yield* memory(now);
  for (const server of Object.values(ours)) await server.stop();
}

export interface Started {
  url: string;
  pool: Pool;
  process: ChildProcess;
  /** The number of requests of loads, so that no create is repeated. */
  sent: number;
  stop(): Promise<void>;
}

export async function startServer(place: string, from = checkout): Promise<Started> {
  const process = fork(child, [place, token, from], { execArgv: ["--expose-gc", "--import", "tsx"] });
  const [{ url }] = (await once(process, "message")) as [{ url: string }];
  const pool = new Pool(url, { connections: 16 });
  const stop = async () => {
    await pool.destroy();
    process.kill("SIGKILL");
    await once(process, "close");
  };
  return { url, pool, process, sent: 0, stop };
}

/** Asks a server about itself. */
async function ask<T>({ process }: Started, wanted: "memory" | "cpu" | "profile" | "top"): Promise<T> {
  process.send(wanted);
  const [answer] = (await once(process, "message")) as [T];
  return answer;
}

export async function send(pool: Pool, { method, path, headers, body }: Call, n = 0): Promise<void> {
  const reply = await pool.request({
    method,
    path: typeof path === "string" ? path : path(n),
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: body ? JSON.stringify(body(n)) : null,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
}

async function fill(pool: Pool): Promise<void> {
  for (let id = 1; id <= large; id++) {
    const domain = { domain: `bench${id}.example`, type: "master", soa_email: "a@b.example" };
    await send(pool, { method: "POST", path: "/v4/domains", body: () => domain });
  }
  const sizes = [[1, 100] as const, ...(only.call === "" ? [[large, 12_000] as const] : [])];
  for (const [id, size] of sizes) {
    const create: Call = {
      method: "POST",
      path: `/v4/domains/${id}/records`,
      body: (n) => ({ type: "A", name: `h${n}`, target: "192.0.2.1" }),
    };
    for (let n = 0; n < size; n += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, step) => send(pool, create, n + step)));
    }
  }
}

/** The numbers of a load, one for each round. */
interface Load {
  readonly perSecond: number[];
  /** Milliseconds. */
  readonly p99: number[];
  /** Microseconds of the server for each request. */
  readonly cpu: number[];
}

/** The same load on each server, one after another, in a few rounds. */
async function loadInTurns(servers: Record<string, Started>, call: Call, count: number): Promise<Record<string, Load>> {
  const loads: Record<string, Load> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, server] of Object.entries(servers)) {
      loads[name] ??= { perSecond: [], p99: [], cpu: [] };
      const { cpu } = await ask<{ cpu: number }>(server, "cpu");
      const { times, elapsed } = await load(server, call, count, seconds / rounds);
      const used = (await ask<{ cpu: number }>(server, "cpu")).cpu - cpu;
      loads[name].perSecond.push(times.length / elapsed);
      loads[name].p99.push(quantile(times, 0.99));
      loads[name].cpu.push(used / times.length);
    }
  return loads;
}

/** As many requests as `count` connections can send one after another. */
async function load(
  server: Started,
  call: Call,
  count: number,
  seconds: number,
): Promise<{ times: number[]; elapsed: number }> {
  const pool = new Pool(server.url, { connections: count, pipelining: 1 });
  const times: number[] = [];
  const begin = performance.now();
  const until = begin + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await send(pool, call, server.sent++);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  const elapsed = (performance.now() - begin) / 1000;
  await pool.destroy();
  return { times, elapsed };
}

/** The load on each server; of the present one also the ratios to all others. */
function* casesOf(name: string, { now, ...others }: Record<string, Load>): Generator<Case> {
  if (now === undefined) return;
  const numbersOf = ({ perSecond: rates, p99, cpu }: Load) => ({
    rate: perSecond(median(rates)),
    p99: ms(median(p99)),
    CPU: count(median(cpu), "µs"),
  });
  const ratios: Record<string, Ratio> = {};
  for (const [to, other] of Object.entries(others)) {
    yield { name: `${name}: ${to}`, numbers: numbersOf(other) };
    ratios[`rate to ${to}`] = ratio(now.perSecond, other.perSecond, { to, better: "higher" });
    ratios[`CPU to ${to}`] = ratio(now.cpu, other.cpu, { to, better: "lower" });
  }
  yield { name, numbers: numbersOf(now), ratios };
}

/** The functions of a server that take the most CPU during a call. */
async function profile(server: Started, call: Call): Promise<string> {
  await ask(server, "profile");
  await load(server, call, Math.max(...connections), seconds);
  const { top } = await ask<{ top: string[] }>(server, "top");
  return ["", ...top].join("\n      ");
}

/** The last page of a domain of 12,000 records beside its first: medians of 40, taken in turns. */
async function* pages(pool: Pool): AsyncGenerator<Case> {
  for (const size of [100, 500]) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < 80; round++) {
      const page = round % 2 === 0 ? 1 : 12_000 / size;
      const started = performance.now();
      await send(pool, { method: "GET", path: `/v4/domains/${large}/records?page_size=${size}&page=${page}` });
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
async function* memory(server: Started): AsyncGenerator<Case> {
  const mixed = [calls["record read"], calls["filtered list"]] as Call[];
  for (let quarter = 0; quarter <= 4; quarter++) {
    for (let n = 0; quarter > 0 && n < memoryRequests / 4; n += 64) {
      await Promise.all(Array.from({ length: 64 }, (_, step) => send(server.pool, mixed[step % 2] as Call)));
    }
    const { rss, heapUsed } = await ask<{ rss: number; heapUsed: number }>(server, "memory");
    const after = ((memoryRequests / 4) * quarter).toLocaleString("en");
    yield { name: `memory after ${after} requests`, numbers: { heap: mebibytes(heapUsed), process: mebibytes(rss) } };
  }
}
