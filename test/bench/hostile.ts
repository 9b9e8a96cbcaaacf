import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import { openStore } from "../../src/server/store/store.ts";
import { findPostgres } from "../judges.ts";
import { startCluster } from "../server/cluster.ts";
import { measureAbandoned } from "./abandoned.ts";
import { type Case, count, ms } from "./case.ts";
import { attackServers } from "./hostile-clients.ts";
import { quantile } from "./median.ts";
import { placeIn, type Started, send, startServer, token } from "./serve.ts";

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const senders = 8;
/** The rows and databases to measure: those whose names contain the text. */
const only = { row: process.env.BENCH_ROW ?? "", database: process.env.BENCH_DATABASE ?? "" };

interface Hostile {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const filtered = (path: string, filter: object): Hostile => ({
  method: "GET",
  path,
  headers: { "X-Filter": JSON.stringify(filter) },
});
const post = (path: string, body: string): Hostile => ({ method: "POST", path, body });
const many = <T>(count: number, entry: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => entry(index));

/** Written once: this process must not be busy with them while it measures. */
const bodies = {
  deep: `{"tags":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
  wide: JSON.stringify(Object.fromEntries(many(80_000, (n) => [`k${n}`, 1]))),
  tags: `{"tags":[${"1,".repeat(450_000)}1]}`,
};

/** Domain 1 has 11,000 short records, domain 2 has 130 texts of 60,000 octets. */
const requests: Record<string, (n: number) => Hostile> = {
  "nothing else": () => ({ method: "GET", path: "/v4/domains/1" }),
  "deep body": () => post("/v4/domains", bodies.deep),
  "80,000 unknown keys": () => post("/v4/domains", bodies.wide),
  "450,000 tags": () => post("/v4/domains", bodies.tags),
  "9,000 tags": () => post("/v4/domains", JSON.stringify({ tags: many(9000, () => "") })),
  "long names": () =>
    post(
      "/v4/domains/1/records",
      JSON.stringify({ type: "SRV", service: "a.".repeat(250_000), protocol: "a.".repeat(200_000) }),
    ),
  "300 searches in long texts": () =>
    filtered("/v4/domains/2/records", { "+or": many(300, (n) => ({ target: { "+contains": `x${n}` } })) }),
  "20 searches in long texts": () =>
    filtered("/v4/domains/2/records", { "+or": many(20, (n) => ({ target: { "+contains": `x${n}` } })) }),
  "200 conditions on 12,000 rows": () =>
    filtered("/v4/domains/1/records", { "+or": many(200, (n) => ({ name: `x${n}` })) }),
  "deep +or": () =>
    filtered(
      "/v4/domains/1/records",
      many(19, (n) => n).reduce<object>((inner) => ({ "+or": [inner, { name: "y" }] }), { name: "x" }),
    ),
  "an order on 12,000 rows": () => filtered("/v4/domains/1/records?page_size=500&page=12", { "+order_by": "target" }),
  "pages of 500": (n) => ({ method: "GET", path: `/v4/domains/1/records?page_size=500&page=${1 + (n % 24)}` }),
  "change and zone file of 12,000": (n) =>
    n % 2 === 0
      ? post("/v4/domains/1/records", JSON.stringify({ type: "A", name: `c${n}`, target: "192.0.2.1" }))
      : { method: "GET", path: "/v4/domains/1/zone-file" },
  "change and zone file of 8 MiB": (n) =>
    n % 2 === 0
      ? post("/v4/domains/2/records", JSON.stringify({ type: "A", name: `c${n}`, target: "192.0.2.1" }))
      : { method: "GET", path: "/v4/domains/2/zone-file" },
  "clones of 12,000": (n) => post("/v4/domains/1/clone", JSON.stringify({ domain: `clone${n}-${Date.now()}.example` })),
  "clones of 8 MiB": (n) => post("/v4/domains/2/clone", JSON.stringify({ domain: `text${n}-${Date.now()}.example` })),
};

/**
 * The latency of /healthz while eight connections send one kind of request as fast as it is answered, and of a record
 * read while many clients leave before they are answered; then attacks by connections.
 */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const cluster = findPostgres() === undefined ? undefined : await startCluster();
  const places: Record<string, string> = { SQLite: join(folder, "zonewright.db") };
  if (cluster) places["PostgreSQL, fsync off"] = cluster.url("postgres");
  try {
    for (const [name, place] of Object.entries(places).filter(([name]) => name.includes(only.database))) {
      const server = await startServer(place);
      await fill(server, place);
      const group = `${name}: /healthz while others send`;
      for (const [what, request] of Object.entries(requests).filter(([what]) => what.includes(only.row)))
        yield { group, name: what, ...(await measure(server, request)) };
      await server.stop();
      yield* measureAbandoned(
        name,
        (which) => placeIn(which, folder, name === "SQLite" ? undefined : cluster),
        only.row,
      );
    }
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  yield* attackServers();
}

/** The records are stored without the API: 12,000 creates would take longer than all that is measured. */
async function fill({ pool }: Started, place: string): Promise<void> {
  for (const index of [1, 2]) {
    const domain = { domain: `hostile${index}.example`, type: "master", soa_email: "a@b.example" };
    await send(pool, { method: "POST", path: "/v4/domains", body: () => domain });
  }
  const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
  const row = (domain_id: number, name: string, type: string, target: string) => ({
    ...{ domain_id, name, name_key: name, type, target, created: "", updated: "" },
    ...rest,
  });
  const store = await openStore(place);
  await store.write(async (db) => {
    await insertRecordRows(
      db,
      many(11_000, (n) => row(1, `h${n}`, "A", "192.0.2.1")),
    );
    await insertRecordRows(
      db,
      many(130, (n) => row(2, `t${n}`, "TXT", "ab".repeat(30_000))),
    );
  });
  await store.close();
}

async function measure({ url }: Started, request: (n: number) => Hostile): Promise<Pick<Case, "numbers">> {
  const [attack, health] = [new Pool(url, { connections: senders }), new Pool(url, { connections: 1 })];
  const until = performance.now() + seconds * 1000;
  const statuses: Record<number, number> = {};
  let sent = 0;
  const sender = async () => {
    while (performance.now() < until) {
      const { method, path, headers, body } = request(sent++);
      const reply = await attack.request({
        method: method as "GET",
        path,
        headers: { authorization: `Bearer ${token}`, ...headers },
        body: body ?? null,
      });
      await reply.body.dump({ limit: Number.POSITIVE_INFINITY });
      statuses[reply.statusCode] = (statuses[reply.statusCode] ?? 0) + 1;
    }
  };
  const times: number[] = [];
  const prober = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await (await health.request({ method: "GET", path: "/healthz" })).body.text();
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await Promise.all([...many(senders, sender), prober()]);
  await Promise.all([attack.destroy(), health.destroy()]);
  const at = (part: number) => ms(quantile(times, part));
  const replies = Object.entries(statuses).map(([status, number]) => [`status ${status}`, count(number, "replies")]);
  return { numbers: { p50: at(0.5), p99: at(0.99), longest: at(1), ...Object.fromEntries(replies) } };
}
