// @suite postgres

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Condition, type Filter, FilterError, operators, parseFilter } from "../../src/contract/filter.ts";
import { pageList } from "../../src/server/kit/list-of.ts";
import { samples } from "../properties.ts";
import { countLoopTurns } from "./count-loop-turns.ts";
import { start } from "./start.ts";

const types = [
  { id: "small", cpus: 1, gpus: 0.5, flags: ["Old", "b"], isOld: true, next: "Large", price: { monthly: 5 } },
  { id: "Large", cpus: 10, gpus: 0, flags: [], isOld: false, next: null, price: { monthly: 20 } },
  { id: "medium", cpus: 2, gpus: 0, flags: ["b"], isOld: false, next: null, price: { monthly: 10 } },
];
const attributes = ["id", "cpus", "gpus", "flags", "isOld", "next", "price", "price.monthly", "price.yearly"];

const query = (filter: Filter) => parseFilter(JSON.stringify(filter), attributes);

async function ids(filter: Filter): Promise<string[]> {
  const { data } = await pageList(types, { filter: query(filter), page: 1, page_size: 100 });
  return data.map(({ id }) => id);
}

test.each<[string, Filter, string[]]>([
  ["no filter", {}, ["small", "Large", "medium"]],
  ["a text", { id: "small" }, ["small"]],
  ["a text in other letter case", { id: "SMALL" }, []],
  ["a part of a text", { id: { "+contains": "m" } }, ["small", "medium"]],
  ["every text contains nothing", { next: { "+contains": "" } }, ["small"]],
  ["after a text, in order of octets", { id: { "+gt": "Large" } }, ["small", "medium"]],
  ["null", { next: null }, ["Large", "medium"]],
  ["not null", { next: { "+neq": null } }, ["small"]],
  ["null is no text", { next: { "+neq": "Large" } }, ["Large", "medium"]],
  ["null is neither before nor after a text", { next: { "+gte": "" } }, ["small"]],
  ["numbers have an order of their own", { cpus: { "+gt": 1, "+lte": 10 } }, ["Large", "medium"]],
  ["a fraction", { gpus: 0.5 }, ["small"]],
  ["a text is no number", { cpus: "1" }, []],
  ["every number differs from a text", { cpus: { "+neq": "1" } }, ["small", "Large", "medium"]],
  ["a text is neither before nor after a number", { cpus: { "+lt": "9" } }, []],
  ["true", { isOld: true }, ["small"]],
  ["not true", { isOld: { "+neq": true } }, ["Large", "medium"]],
  ["true is not 1", { isOld: 1 }, []],
  ["an array with this entry", { flags: "b" }, ["small", "medium"]],
  ["in the same letter case", { flags: "old" }, []],
  ["an array without it", { flags: { "+neq": "Old" } }, ["Large", "medium"]],
  ["an array with an entry like that", { flags: { "+contains": "l" } }, ["small"]],
  ["an array with an entry before that", { flags: { "+lt": "a" } }, ["small"]],
  ["no array has null", { flags: null }, []],
  ["an attribute of an attribute", { "price.monthly": { "+gte": 10 } }, ["Large", "medium"]],
  ["an attribute that no item has", { "price.yearly": null }, ["small", "Large", "medium"]],
  ["an object equals nothing", { price: "[object Object]" }, []],
  ["keys AND", { flags: "b", isOld: false }, ["medium"]],
  ["+or", { "+or": [{ cpus: 1 }, { cpus: 10 }] }, ["small", "Large"]],
  ["none of none", { "+or": [] }, []],
  ["+order_by a text", { "+order_by": "id" }, ["Large", "medium", "small"]],
  ["+order_by a number, descending", { "+order_by": "cpus", "+order": "desc" }, ["Large", "medium", "small"]],
  ["+order_by what may be null, which is first", { "+order_by": "next" }, ["Large", "medium", "small"]],
  ["descending, last", { "+order_by": "next", "+order": "desc" }, ["small", "Large", "medium"]],
  ["+order_by an array, by its first entry", { "+order_by": "flags" }, ["Large", "small", "medium"]],
  ["+order_by a boolean", { "+order_by": "isOld", "+order": "desc" }, ["small", "Large", "medium"]],
  ["+order_by an object keeps the order", { "+order_by": "price" }, ["small", "Large", "medium"]],
])("%s", async (_, filter, expected) => {
  expect(await ids(filter)).toEqual(expected);
});

test.each([
  [1, { data: [0, 24], page: 1, pages: 3, results: 61 }],
  [3, { data: [50, 60], page: 3, pages: 3, results: 61 }],
  [4, { data: [], page: 4, pages: 3, results: 61 }],
  [Number.MAX_SAFE_INTEGER, { data: [], page: Number.MAX_SAFE_INTEGER, pages: 3, results: 61 }],
])("page %i", async (page, expected) => {
  const items = Array.from({ length: 61 }, (_, id) => ({ id }));
  const { data, ...rest } = await pageList(items, { filter: query({}), page, page_size: 25 });
  expect({ ...rest, data: data.length === 0 ? [] : [data[0]?.id, data.at(-1)?.id] }).toEqual(expected);
});

test("an empty list has one page", async () => {
  const list = await pageList([], { filter: query({}), page: 1, page_size: 100 });
  expect(list).toEqual({ data: [], page: 1, pages: 1, results: 0 });
});

describe("a filter on many items", () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ id: `h${index % 7}`, cpus: index }));
  const conditions = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `x${index}` }));
  const wanted = { page: 1, page_size: 25 };

  test("is refused over the budget, in the words for rows", async () => {
    const filter = query({ "+or": conditions(834) });
    await expect(pageList(items, { filter, ...wanted })).rejects.toEqual(
      new FilterError("The filter is too expensive: 834 conditions on 20000 rows. Use fewer conditions."),
    );
  });

  test("lets the event loop turn at least once per estimated step, and keeps the order", async () => {
    const filter = query({ "+or": [...conditions(200), {}], "+order_by": "id", "+order": "desc" });
    const list = pageList(items, { filter, ...wanted });
    // 20,000 items of 200 × 60 + 1,560 nanoseconds in steps of 10 ms.
    expect(await countLoopTurns(list)).toBeGreaterThanOrEqual(27);
    const { data, results } = await list;
    expect(results).toBe(20_000);
    expect(data.slice(0, 3)).toEqual([
      { id: "h6", cpus: 6 },
      { id: "h6", cpus: 13 },
      { id: "h6", cpus: 20 },
    ]);
  });
});

/** Attributes of a list of rows, by which it can be filtered and ordered, and values of which some are in it. */
interface Rows {
  readonly path: string;
  readonly filterable: Readonly<Record<string, readonly Condition[]>>;
  readonly orderable: readonly string[];
}

// Names are in lower case: only for them does a list of rows ignore letter case.
const lists: Rows[] = [
  {
    path: "/domains",
    filterable: {
      domain: ["a.example", "b.example", "example"],
      group: ["web", "Web", "W", "", "\u{1f600}", "\ufb01", "\ufb01n", "100%_"],
      tags: ["prod", "blue", "pro", "lu"],
    },
    orderable: ["id", "type", "domain", "group", "tags", "ttl_sec", "created"],
  },
  {
    path: "/domains/1/records",
    filterable: {
      type: ["A", "TXT", "CAA", "a", "AA"],
      name: ["", "www", "w"],
      tag: ["issue", "iodef", "iss", ""],
    },
    orderable: ["id", "type", "name", "priority", "service", "tag", "ttl_sec"],
  },
  {
    path: "/account/events",
    filterable: {
      id: [1, 3, 3.5, -1, 1e300],
      action: ["dns_zone_create", "dns_record_create", "dns_", "DNS_"],
      created: ["2026-03-04T12:00:00", "2026-03-04T12:00:02", "2026"],
      "entity.type": ["domain", "dom"],
    },
    orderable: ["id", "action", "created", "message", "duration", "entity.label", "username"],
  },
];

const others: Condition[] = [null, true, 0, 2, "", "zzz"];

function comparisons({ filterable }: Rows): fc.Arbitrary<Filter> {
  return fc.oneof(
    ...Object.entries(filterable).map(([attribute, values]) => {
      const value = fc.constantFrom(...values, ...others);
      const operation = fc
        .tuple(fc.constantFrom(...operators), value)
        .map(([operator, value]) => ({ [operator]: operator === "+contains" ? String(value) : value }));
      const condition = fc
        .oneof(value, operation)
        .map((one) => (attribute === "entity.type" ? withKnownType(one) : one));
      return condition.map((one) => ({ [attribute]: one }) as Filter);
    }),
  );
}

/** Types that no event has are refused where they are compared as a whole (live-differences.test.ts). */
function withKnownType(condition: Condition | Record<string, Condition>): Condition | Record<string, Condition> {
  if (typeof condition === "string") return "domain";
  if (typeof condition !== "object" || condition === null || !("+neq" in condition)) return condition;
  return typeof condition["+neq"] === "string" ? { "+neq": "domain" } : condition;
}

function filters(rows: Rows): fc.Arbitrary<Filter> {
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: "small" },
      comparisons(rows),
      fc.array(tie("filter"), { maxLength: 3 }).map((parts) => ({ "+and": parts })),
      fc.array(tie("filter"), { maxLength: 3 }).map((parts) => ({ "+or": parts })),
    ),
  }));
  const order = fc.record(
    { "+order_by": fc.constantFrom(...rows.orderable), "+order": fc.constantFrom("asc" as const, "desc" as const) },
    { requiredKeys: ["+order_by"] },
  );
  return fc.tuple(filter, fc.option(order)).map(([filter, order]) => ({ "+and": [filter], ...order }));
}

describe("rows in a database and the same items in memory", () => {
  let api: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    api = await start({ profile: "live" });
    const later = () => {
      api.clock.now = new Date(api.clock.now.getTime() + 1000);
    };
    const groups = ["web", "Web", "", "\u{1f600}smile", "\ufb01ne", "100%_sure", "web"];
    const tags = [["prod", "blue"], [], ["blue"], ["blue-green"], [], ["prod"], ["web", "prod"]];
    for (const [index, group] of groups.entries()) {
      const domain = { domain: `${"bcadgfe"[index]}.example`, type: "master", soa_email: "a@example.com" };
      await api.call("POST", "/domains", { ...domain, group, tags: tags[index], ttl_sec: (index % 3) * 3600 });
      later();
    }
    const records = [
      { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 },
      { type: "TXT", target: "text" },
      { type: "CAA", tag: "issue", target: ";" },
      { type: "MX", target: "mail.example", priority: 5 },
      { type: "CAA", tag: "iodef", target: "mailto:a@b.example" },
      { type: "SRV", service: "sip", protocol: "tcp", target: "s.example", priority: 1, weight: 0, port: 9 },
      { type: "AAAA", name: "www", target: "2001:db8::1" },
    ];
    for (const record of records) {
      expect((await api.call("POST", "/domains/1/records", record)).status).toBe(200);
      later();
    }
  });

  test.each(lists)("agree on $path", async ({ path, ...rows }) => {
    const items = (await api.call("GET", path)).body.data;
    const names = Object.keys(rows.filterable);
    const pages = fc.record({ page: fc.integer({ min: 1, max: 2 }), page_size: fc.integer({ min: 25, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(filters({ path, ...rows }), pages, async (filter, { page, page_size }) => {
        const header = { "X-Filter": asciiJson(filter) };
        const answer = await api.call("GET", `${path}?page=${page}&page_size=${page_size}`, undefined, header);
        const query = parseFilter(JSON.stringify(filter), [...names, ...rows.orderable]);
        expect(answer).toEqual({ status: 200, body: await pageList(items, { filter: query, page, page_size }) });
      }),
      samples(600),
    );
  });
});

/** JSON as a header can carry it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
