// @suite postgres

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KyselyPlugin, type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseFilter } from "../../src/contract/filter.ts";
import { listEventRows } from "../../src/server/areas/events/rows.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { countLoopTurns } from "./count-loop-turns.ts";
import { start } from "./start.ts";
import { emptyPlace, isPostgres } from "./stores.ts";

/** Events of the account: more than short work reads, and more than two steps count. */
const size = 60_000;

/** One for all tests, which only read. Of memory, it would have a single connection. */
let filled: Store;
const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
beforeAll(async () => {
  filled = await openStore(isPostgres() ? await emptyPlace() : join(folder, "zonewright.db"));
  const { call, mint } = await start({ store: filled });
  await filled.write(fill);
  if (isPostgres()) await filled.write((db) => sql`analyze events`.execute(db));
  const as = await mint({ username: "other", account: "other" });
  await call("POST", "/domains", { domain: "b.example", type: "master", soa_email: "a@b.example" }, { as });
  await call("POST", "/domains/1/records", { type: "A", target: "192.0.2.1" }, { as });
});
afterAll(async () => {
  await filled.close();
  rmSync(folder, { recursive: true });
});

/** A server whose first account has many events, and another one a domain with a record. */
async function begin(wrap: (store: Store) => Store = (store) => store) {
  const api = await start({ store: wrap(filled) });
  const other = await api.mint({ username: "other", account: "other" });
  const list = (query = "", headers: Record<string, string> = {}) =>
    api.call("GET", `/account/events${query}`, undefined, headers);
  const asOther = (path: string) => api.call("GET", path, undefined, { as: other });
  return { ...api, list, asOther };
}

async function fill(db: Database): Promise<void> {
  const row = (n: RawBuilder<number>) => sql`1, 1, 'admin', 'node_boot', ${n}, 'node',
    'n' || (${n} % 7), '/v4/node/instances/1', 0, 0, '2026-03-04T12:00:00', 'notification'`;
  await sql`insert into events (account_id, user_id, username, action, entity_id, entity_type,
    entity_label, entity_url, read, seen, created, status)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(size)})
    select ${row(sql`n`)} from numbers`.execute(db);
}

/** A store whose long reads wait until they are released, and what they do. */
function held() {
  const seen = { running: 0, most: 0, begun: 0 };
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wrap = (store: Store): Store => ({
    ...store,
    read: async (work, options) => {
      if (options?.pace !== "long") return store.read(work, options);
      seen.begun++;
      seen.most = Math.max(seen.most, ++seen.running);
      try {
        await released;
        return await store.read(work, options);
      } finally {
        seen.running--;
      }
    },
  });
  return { seen, release, wrap };
}

const settled = async (isSettled: () => boolean) => {
  while (!isSettled()) await new Promise(setImmediate);
};

test("cheap requests overtake long lists, of which two of an account and four in all are in the database", async () => {
  const { seen, release, wrap } = held();
  const { list, asOther, mint, clock, store } = await begin(wrap);
  const tokens = await Promise.all(["one", "two"].map((name) => mint({ username: name, account: name })));
  await store.write((db) =>
    sql`insert into events (account_id, user_id, username, action, entity_type, entity_label, entity_url, read, seen,
      created, status) select accounts.id, 0, '', 'node_boot', 'node', 'n', '', 0, 0, ${clock.now.toISOString()}, 'notification'
      from accounts, events where accounts.name in ('one', 'two') and events.account_id = 1 and events.id <= 20000`.execute(
      db,
    ),
  );
  const ofOne = Array.from({ length: 10 }, () => list());
  await settled(() => seen.begun === 2);
  const ofOthers = tokens.map((as) => list("", { as })).concat(tokens.map((as) => list("", { as })));
  await settled(() => seen.begun === 4);
  for (const path of [
    "/profile",
    "/domains/1/records/1",
    "/domains/1",
    "/domains/1/records",
    "/domains",
    "/account/events",
  ])
    expect([path, (await asOther(path)).status]).toEqual([path, 200]);
  expect(seen).toMatchObject({ begun: 4, most: 4 });
  release();
  for (const { status } of await Promise.all([...ofOne, ...ofOthers])) expect(status).toBe(200);
  expect(seen).toMatchObject({ begun: 14, most: 4 });
});

test("a long list whose client leaves while it waits never begins, and a hundred may wait", async () => {
  const { seen, release, wrap } = held();
  const { list, server, token, asOther } = await begin(wrap);
  const running = [list(), list()];
  await settled(() => seen.begun === 2);
  const abort = new AbortController();
  const headers = { Authorization: `Bearer ${token}` };
  const ask = () => server(new Request("http://api/v4/account/events", { headers, signal: abort.signal }));
  const leaving = Array.from({ length: 101 }, ask);
  const refused = await Promise.race(leaving); // the only one that does not wait
  expect([refused.status, Number(refused.headers.get("Retry-After"))]).toEqual([429, 10]);
  expect((await asOther("/account/events")).status).toBe(200);
  abort.abort();
  const statuses = (await Promise.all(leaving)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([429, ...Array.from({ length: 100 }, () => 499)]);
  const later = list();
  release();
  expect((await Promise.all([...running, later])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(seen).toMatchObject({ running: 0, begun: 3 });
});

test("a list whose client leaves ends before its next statement", async () => {
  const abort = new AbortController();
  const { server, token } = await begin((store) => ({
    ...store,
    read: (work, options) =>
      store.read((db) => {
        if (options?.pace === "long") setImmediate(() => abort.abort()); // between the first two steps
        return work(db);
      }, options),
  }));
  const headers = { Authorization: `Bearer ${token}` };
  const reply = await server(new Request("http://api/v4/account/events", { headers, signal: abort.signal }));
  expect([reply.status, await reply.json()]).toEqual([499, { errors: [] }]);
});

test("the rows of a long list are counted in steps, and its pages add up to the list", async () => {
  const { list, store } = await begin();
  const request = list();
  expect(await countLoopTurns(request)).toBeGreaterThanOrEqual(3);
  const { body } = await request;
  const all = await store.read((db) => db.selectFrom("events").select("id").where("account_id", "=", 1).execute());
  const ids = all.map(({ id }) => id).sort((a, b) => b - a);
  expect([body.results, body.pages]).toEqual([ids.length, Math.ceil(ids.length / 100)]);
  for (const page of [1, 2, 39, 40, 41, 60, 61, 80, 120, 121, 122]) {
    const { data } = (await list(`?page=${page}&page_size=500`)).body;
    expect([page, data.map(({ id }: { id: number }) => id)]).toEqual([page, ids.slice((page - 1) * 500, page * 500)]);
  }
  const counted: number[] = [];
  const noting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      for (const { rows } of result.rows) if (rows !== undefined) counted.push(Number(rows));
      return result;
    },
  };
  const visible = { account_id: 1, since: "", grantee: undefined, now: "" };
  const wanted = { page: 1, page_size: 100, filter: parseFilter("", []) };
  await store.read((db) => listEventRows(db.withPlugin(noting), visible, wanted));
  // As many as could be read in one step, and then all.
  expect(counted).toEqual([50_001, 20_000, 20_000, 20_000, ids.length - size]);
});

test("lists with filters that an index finds many rows for are read in steps, with the same rows", async () => {
  const { list } = await begin();
  const filters: [filter: object, results: number][] = [
    [{ action: "node_boot" }, size],
    [{ action: "node_boot", "entity.type": "node" }, size],
    [{ created: { "+gte": "2026-03-04T12:00:00" }, action: "node_boot" }, size],
    [{ created: { "+gte": "2026-03-04T12:00:01" } }, 0],
    [{ "+or": [] }, 0],
    [{ "+and": [{}], action: "node_boot" }, size],
    [{ action: "node_boot", "+order_by": "created", "+order": "desc" }, size],
  ];
  for (const [filter, results] of filters) {
    const request = list("?page=3", { "X-Filter": JSON.stringify(filter) });
    if (results > 0) expect(await countLoopTurns(request)).toBeGreaterThanOrEqual(3);
    const { status, body } = await request;
    expect([filter, status, body.results]).toEqual([filter, 200, results]);
  }
});
