import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import * as records from "../../src/server/store/records.ts";
import { openStore } from "../../src/server/store/store.ts";
import { type Case, count, ms, ratio } from "./case.ts";
import { median, quantile } from "./median.ts";
import { type Call, type Started, send, startServer } from "./serve.ts";

/** Records of the large domain. */
const size = 100_000;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
/** The kinds of work to measure: those whose names contain the text. */
const only = process.env.BENCH_ROW ?? "";

const list = (query: string, filter?: object): Call => ({
  method: "GET",
  path: `/v4/domains/1/records?${query}`,
  ...(filter && { headers: { "X-Filter": JSON.stringify(filter) } }),
});

/** Requests about a domain of 100,000 records, one after another; the number distinguishes the repetitions. */
const kinds: Record<string, (n: number) => Call[]> = {
  "first, middle and last page": () => [1, 100, 200].map((page) => list(`page=${page}&page_size=500`)),
  "filter by a part of the target": () => [list("page_size=500", { target: { "+contains": "2.77" } })],
  "order by the target": () => [list("page_size=500", { "+order_by": "target" })],
  rendering: (n) => [
    { method: "PUT", path: "/v4/domains/1/records/1", body: () => ({ target: `192.0.2.${n % 250}` }) },
    { method: "GET", path: "/v4/domains/1/zone-file" },
  ],
  "zone file without a change": () => [{ method: "GET", path: "/v4/domains/1/zone-file" }],
  clone: (n) => [{ method: "POST", path: "/v4/domains/1/clone", body: () => ({ domain: `clone${n}.example` }) }],
  "deletion of a clone": (n) => [{ method: "DELETE", path: `/v4/domains/${2 + n}` }],
};

/** Times of `/healthz` while the server works on a domain of 100,000 records, beside those of an idle server. */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const place = join(folder, "zonewright.db");
  const server = await startServer(place);
  try {
    await fill(server, place);
    const idle = await probeDuring(server, () => new Promise((resolve) => setTimeout(resolve, seconds * 1000)));
    yield { name: "idle", numbers: { median: ms(median(idle)), p99: ms(quantile(idle, 0.99)) } };
    for (const [name, callsOf] of Object.entries(kinds).filter(([name]) => name.includes(only))) {
      let done = 0;
      const times = await probeDuring(server, async () => {
        const until = performance.now() + seconds * 1000;
        // As many deletions as clones.
        while (name === "clone" || name === "deletion of a clone" ? done < 2 : performance.now() < until)
          for (const call of callsOf(done++)) await send(server.pool, call);
      });
      const [p99, longest] = [quantile(times, 0.99), Math.max(...times)];
      yield {
        name: `during ${name}`,
        numbers: { median: ms(median(times)), p99: ms(p99), longest: ms(longest), repetitions: count(done, "times") },
        ratios: { p99: ratio(p99, quantile(idle, 0.99), { to: "an idle server", better: "lower" }) },
      };
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(server: Started, place: string): Promise<void> {
  const domain = { domain: "large.example", type: "master", soa_email: "a@b.example" };
  await send(server.pool, { method: "POST", path: "/v4/domains", body: () => domain });
  const rest = { priority: 0, weight: 0, port: 0, ttl_sec: 0, created: "", updated: "" };
  const rows = Array.from({ length: size }, (_, n) => {
    const target = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    return { domain_id: 1, type: "A", name: `h${n}`, name_key: `h${n}`, target, ...rest };
  });
  const store = await openStore(place);
  await store.write((db) => records.insertAll(db, rows));
  await store.close();
}

/** The times of requests for `/healthz`, one after another, while the work is under way. */
async function probeDuring(server: Started, work: () => Promise<unknown>): Promise<number[]> {
  const pool = new Pool(server.url, { connections: 1 });
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    await send(pool, { method: "GET", path: "/healthz" });
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await working;
  await pool.destroy();
  return times;
}
