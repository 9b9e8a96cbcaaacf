import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Insertable } from "kysely";
import { Pool } from "undici";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import { insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import { openStore } from "../../src/server/store/store.ts";
import type { Tables } from "../../src/server/store/tables.ts";
import { type Case, count, ms, ratio } from "./case.ts";
import { median, quantile } from "./median.ts";
import { type Call, type Started, send, startServer, token } from "./serve.ts";

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

/** The token of a restricted user with a grant on each node and domain. */
const restricted = "restricted-token-of-the-bench";

/** The first, a middle and the last page of a long list, as an unrestricted and a restricted user see it. */
const lists = Object.fromEntries(
  ["domains", "node/instances", "account/events", "support/tickets"].flatMap((path) =>
    [token, restricted].map((token) => {
      const headers = { authorization: `Bearer ${token}` };
      const call = (page: number): Call => ({ method: "GET", path: `/v4/${path}?page=${page}`, headers });
      const name = `list of ${path}${token === restricted ? ", restricted user" : ""}`;
      return [name, () => [1, size / 200, size / 100].map(call)] as const;
    }),
  ),
);

/**
 * Times of `/healthz` while the server works on a domain of 100,000 records and on lists as long, beside those of an
 * idle server.
 */
export async function* run(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const place = join(folder, "zonewright.db");
  const server = await startServer(place);
  try {
    await fill(server, place);
    let hasLists = false;
    const idle = await probeDuring(server, () => new Promise((resolve) => setTimeout(resolve, seconds * 1000)));
    yield { name: "idle", numbers: { median: ms(median(idle)), p99: ms(quantile(idle, 0.99)) } };
    for (const [name, callsOf] of Object.entries({ ...kinds, ...lists }).filter(([name]) => name.includes(only))) {
      if (name in lists && !hasLists) hasLists = await fillLists(place);
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
  await store.write((db) => insertRecordRows(db, rows));
  await store.close();
}

/** Stores as many domains, nodes, events and tickets, without the API. */
async function fillLists(place: string): Promise<true> {
  const store = await openStore(place);
  const now = new Date();
  await addUser(store, { username: "restricted", account: "admin", restricted: true, now });
  await createToken(store, { username: "restricted", token: restricted, now });
  const dates = { created: timestamp(now), updated: timestamp(now) };
  const ids = Array.from({ length: size }, (_, n) => n + 1000);
  const insertAll = async <T extends keyof Tables>(table: T, rowOf: (id: number) => Insertable<Tables[T]>) => {
    for (let from = 0; from < size; from += 500)
      await store.write(async (db) => {
        const rows = ids.slice(from, from + 500).map(rowOf);
        await db.insertInto(table).values(rows).execute();
      });
  };
  await insertAll("domains", (id) => ({
    ...({ id, account_id: 1, domain: `d${id}.example`, domain_key: `d${id}.example`, type: "master" } as const),
    ...({
      tree_key: `example.d${id}.`,
      status: "active",
      description: "",
      group: "",
      soa_email: "a@b.example",
    } as const),
    ...{ ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0, master_ips: "[]", axfr_ips: "[]", changed: null },
    ...dates,
  }));
  await insertAll("nodes", (id) => ({
    ...({ id, account_id: 1, label: `n${id}`, label_key: `n${id}`, group: "", status: "running" } as const),
    ...{ type: "g6-nanode-1", region: "us-east", image: "node/debian12", rescue_devices: null },
    ...{ disk: 25_600, memory: 1024, vcpus: 1, transfer: 1000, watchdog_enabled: 1, booted_config_id: null },
    alerts: JSON.stringify({ cpu: 90, network_in: 10, network_out: 10, transfer_quota: 80, io: 10_000 }),
    ...{ backups_enabled: 0, backup_day: null, backup_window: null, backup_successful: null, backup_next: null },
    ...dates,
  }));
  await insertAll("events", (id) => ({
    ...{ id: 1_000_000 + id, account_id: 1, user_id: 1, username: "admin", action: "node_boot", entity_id: id },
    ...({ entity_key: null, entity_type: "node", entity_label: `n${id}`, secondary_entity: null } as const),
    ...({ message: null, remark: null, read: 0, seen: 0, created: dates.created, starts: null, ends: null } as const),
    ...({ entity_url: `/v4/node/instances/${id}`, status: "notification" } as const),
  }));
  await insertAll("tickets", (id) => ({
    ...({
      id,
      account_id: 1,
      user_id: 1,
      opened_by: "admin",
      gravatar_id: "",
      summary: "a",
      description: "b",
    } as const),
    ...({ status: "new", entity_type: "node", entity_id: id, entity_label: `n${id}` } as const),
    ...{ entity_url: `/v4/node/instances/${id}`, opened: dates.created, updated: dates.updated },
    ...{ updated_by: null, closed: null },
  }));
  const { id: user_id } = await store.read((db) =>
    db.selectFrom("users").select("id").where("username", "=", "restricted").executeTakeFirstOrThrow(),
  );
  for (const entity_type of ["domain", "node"] as const)
    await insertAll("grants", (entity_id) => ({ user_id, entity_type, entity_id, permissions: "read_only" as const }));
  await store.close();
  return true;
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
