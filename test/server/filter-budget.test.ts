// @suite nightly-postgres

import type { QueryResult, RootOperationNode, UnknownRow } from "kysely";
import { describe, expect, test } from "vitest";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { NewRecordRow } from "../../src/server/store/tables.ts";
import { countLoopTurns } from "./count-loop-turns.ts";
import { refused, start } from "./start.ts";

type Row = Pick<NewRecordRow, "type" | "name" | "target" | "tag">;

const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, created: "", updated: "" };

/** A server with one domain that has these records, and what its statements gave. */
async function begin(rows: readonly Row[]) {
  const api = await start();
  const id = await api.domain("example.com");
  const stored = rows.map((row) => ({ domain_id: id, ...rest, ...row, name_key: row.name.toLowerCase() }));
  await api.store.write((db) => insertRecordRows(db, stored));
  const given = { mostRows: 0, statements: 0 };
  const plugin = {
    transformQuery: ({ node }: { node: RootOperationNode }) => node,
    transformResult: async ({ result }: { result: QueryResult<UnknownRow> }) => {
      given.statements++;
      given.mostRows = Math.max(given.mostRows, result.rows.length);
      return result;
    },
  };
  const store: Store = { ...api.store, read: (work) => api.store.read((db) => work(db.withPlugin(plugin))) };
  const observed = await start({ store });
  const list = (filter: object, query = "?page_size=500") =>
    observed.call("GET", `/domains/${id}/records${query}`, undefined, { "X-Filter": JSON.stringify(filter) });
  return { list, given, id };
}

const texts = ["Zebra", "\u{1f600}smile", "\ufb01ne", "apple", "äpfel", "mid-\u{10ffff}", ""];
const many: Row[] = Array.from({ length: 12_000 }, (_, index) => ({
  type: index % 3 === 0 ? "CAA" : "TXT",
  name: `h${index % 500}`,
  target: `${texts[index % texts.length]}${index % 11}`,
  tag: index % 3 === 0 ? "issue" : null,
}));

/** Conditions that are always false, so that a filter costs more than one step. */
const ballast = { "+or": Array.from({ length: 20 }, (_, index) => ({ name: `nothing${index}` })) };

describe("a filter in many steps finds the same rows as in one", () => {
  const octets = (text: string | null) =>
    text === null ? Buffer.of() : Buffer.concat([Buffer.of(0), Buffer.from(text)]);
  const byTarget = (a: Row, b: Row) => Buffer.compare(octets(a.target), octets(b.target));
  const byTag = (a: Row, b: Row) => Buffer.compare(octets(a.tag ?? null), octets(b.tag ?? null));
  test.each<[string, object, (row: Row) => boolean, ((a: Row, b: Row) => number) | undefined, -1 | 1]>([
    ["equality", { type: "CAA" }, ({ type }) => type === "CAA", undefined, 1],
    ["a search", { target: { "+contains": "mile" } }, ({ target }) => target.includes("mile"), undefined, 1],
    ["an order", { type: "TXT", "+order_by": "target" }, ({ type }) => type === "TXT", byTarget, 1],
    [
      "the reverse order",
      { type: "TXT", "+order_by": "target", "+order": "desc" },
      ({ type }) => type === "TXT",
      byTarget,
      -1,
    ],
    ["an order by a field that is null in some rows", { "+order_by": "tag" }, () => true, byTag, 1],
    ["nothing", { type: "PTR" }, () => false, undefined, 1],
  ])("%s", async (_, filter, matches, compare, sign) => {
    const { list, given } = await begin(many);
    const expected = many
      .map((row, index) => ({ ...row, id: index + 1 }))
      .filter(matches)
      .sort((a, b) => (compare ? sign * compare(a, b) : 0) || a.id - b.id)
      .map(({ id }) => id);
    const wanted = { "+and": [{ "+or": [{ ...ballast }, { name: { "+neq": "no" } }] }], ...filter };
    const pages = Math.max(1, Math.ceil(expected.length / 500));
    for (const page of [1, 2, pages - 1, pages, pages + 1].filter((page) => page > 0)) {
      const { status, body } = await list(wanted, `?page_size=500&page=${page}`);
      expect(status).toBe(200);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(expected.slice((page - 1) * 500, page * 500));
      expect([body.results, body.pages]).toEqual([expected.length, pages]);
    }
    expect(given.statements).toBeGreaterThan(20);
    expect(given.mostRows).toBeLessThanOrEqual(2000);
  });
});

describe("a filter over the budget is refused before any row is read", () => {
  const long: Row[] = Array.from({ length: 130 }, (_, index) => ({
    type: "TXT",
    name: `h${index}`,
    target: "ab".repeat(30_000),
    tag: null,
  }));
  const contains = (count: number, pattern = "nothing") => ({
    "+or": Array.from({ length: count }, (_, index) => ({ target: { "+contains": `${pattern}${index}` } })),
  });
  const tooExpensive = (conditions: number, rows: number, octets: number) =>
    refused([
      `The filter is too expensive: ${conditions} conditions on ${rows} rows with ${octets} octets of text. Use fewer conditions.`,
      "X-Filter",
    ]);

  test("300 searches in long texts", async () => {
    const { list, given } = await begin(long);
    expect(await list(contains(300))).toEqual(tooExpensive(300, 130, 7_800_000));
    expect(given.mostRows).toBe(1);
    expect((await list(contains(10))).body.results).toBe(0);
  });

  test("a long pattern in repetitive texts", async () => {
    const { list } = await begin(long);
    expect(await list(contains(7, "ab".repeat(100)))).toMatchObject({ status: 200 });
    expect(await list(contains(7, "ab".repeat(1000)))).toEqual(tooExpensive(7, 130, 7_800_000));
  });

  test("many searches in one long text, in one step", async () => {
    const { list } = await begin(long.slice(0, 1));
    expect(await list(contains(60))).toMatchObject({ status: 200 });
    expect(await list(contains(70))).toEqual(tooExpensive(70, 1, 60_000));
  });

  test("the advised form is accepted", async () => {
    const { list } = await begin(many);
    expect(await list(contains(300))).toMatchObject({ status: 400 });
    expect(await list(contains(30))).toMatchObject({ status: 200 });
  });
});

test("the event loop runs during a filter, at least once per estimated step", async () => {
  const { list } = await begin(many);
  const filter = { "+or": Array.from({ length: 300 }, (_, index) => ({ type: `T${index}` })) };
  const request = list(filter);
  // 12,000 rows of 200 + 300 × 60 nanoseconds in steps of 10 ms.
  expect(await countLoopTurns(request)).toBeGreaterThanOrEqual(21);
  expect(await request).toMatchObject({ status: 200, body: { results: 0 } });
});

test("the event loop runs while the texts of many rows are measured, before a filter is refused", async () => {
  const turnsWith = async (rows: readonly Row[]) => {
    const { list } = await begin(rows);
    const request = list({ "+or": Array.from({ length: 90 }, () => ({ target: { "+contains": "a".repeat(100) } })) });
    return { turns: await countLoopTurns(request), status: (await request).status };
  };
  const few = await turnsWith(many.slice(0, 10));
  const all = await turnsWith(Array.from({ length: 5 }, () => many).flat());
  expect([few.status, all.status]).toEqual([200, 400]);
  expect(all.turns).toBeGreaterThanOrEqual(few.turns + 3); // 60,000 rows in parts of 20,000
});

test("the event loop runs while the events are searched that a restricted user may see", async () => {
  const { store, call, mint, clock, domain } = await start();
  const id = await domain("example.com");
  await addUser(store, { username: "guest", account: "admin", now: clock.now, restricted: true });
  await setGrant(store, "guest", "example.com", "read_only", clock.now);
  const as = await mint({ username: "guest" });
  const [shown] = await store.read((db) => db.selectFrom("events").selectAll().execute());
  const { id: _, ...event } = shown ?? expect.fail();
  const others = Array.from({ length: 600 }, (_, index) => ({ ...event, entity_id: id + 1 + index }));
  for (let part = 0; part < 50; part++) await store.write((db) => db.insertInto("events").values(others).execute());
  const request = call("GET", "/account/events", undefined, { as });
  // 30,000 rows of 1,700 nanoseconds in steps of 10 ms.
  expect(await countLoopTurns(request)).toBeGreaterThanOrEqual(5);
  expect((await request).body).toMatchObject({ results: 1, data: [{ entity: { id } }] });
});

test("the longest filter that fits into a request is answered or refused", async () => {
  const { list } = await begin(many.slice(0, 100));
  const statuses = [];
  for (const part of [{ name: "x" }, { target: { "+contains": "x" } }, { "+or": [{ name: "x" }] }]) {
    const count = Math.floor(15_000 / (JSON.stringify(part).length + 1));
    statuses.push((await list({ "+or": Array.from({ length: Math.min(500, count) }, () => part) })).status);
  }
  expect(statuses).toEqual([200, 200, 200]);
});
