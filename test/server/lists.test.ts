// @suite nightly-postgres

import { beforeAll, describe, expect, test } from "vitest";
import { refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  api = await start();
  const domain = (name: string, rest: object) =>
    api.call("POST", "/domains", { domain: name, type: "master", soa_email: "hostmaster@example.com", ...rest });
  await domain("b.example", { group: "web", tags: ["prod", "Blue"] });
  await domain("a.example", { group: "mail", tags: ["prod"] });
  await domain("C.example", { group: "web" });
  await domain("d%_.example".replace("%_", "x"), { group: "" });
  const record = (body: object) => api.call("POST", "/domains/1/records", body);
  await record({ type: "A", name: "www", target: "192.0.2.1" });
  await record({ type: "A", name: "WWW", target: "192.0.2.2" });
  await record({ type: "TXT", name: "", target: "100%_sure 'quoted'" });
  await record({ type: "CAA", name: "", tag: "issue", target: "ca.example" });
  await record({ type: "CAA", name: "", tag: "iodef", target: "mailto:a@b.example" });
  await record({ type: "CNAME", name: "ftp", target: "Mail.example.NET" });
  await record({ type: "AAAA", name: "six", target: "2001:db8::a" });
});

async function ids(path: string, filter: unknown): Promise<number[]> {
  const header = typeof filter === "string" ? filter : JSON.stringify(filter);
  const { body } = await api.call("GET", path, undefined, { "X-Filter": header });
  return body.data?.map(({ id }: { id: number }) => id) ?? body;
}

describe("X-Filter on domains", () => {
  test.each<[string, unknown, number[]]>([
    ["nothing", "", [1, 2, 3, 4]],
    ["an empty object", {}, [1, 2, 3, 4]],
    ["equality", { domain: "a.example" }, [2]],
    ["a name in other letter case", { domain: "c.EXAMPLE" }, [3]],
    ["not that name, in other letter case", { domain: { "+neq": "A.Example" } }, [1, 3, 4]],
    ["only ASCII letters have two cases", JSON.stringify({ domain: "c.exampLe" }).replace("L", "\\u0139"), []],
    ["letter case counts outside names", { group: "Web" }, []],
    ["keys AND", { group: "web", domain: "b.example" }, [1]],
    ["an empty text", { group: "" }, [4]],
    ["+and", { "+and": [{ group: "web" }, { domain: "C.example" }] }, [3]],
    ["+or", { "+or": [{ domain: "a.example" }, { domain: "C.example" }] }, [2, 3]],
    ["+or beside a key", { "+or": [{ domain: "a.example" }, { domain: "C.example" }], group: "web" }, [3]],
    ["nested", { "+or": [{ "+and": [{ group: "web" }, { tags: "prod" }] }, { group: "mail" }] }, [1, 2]],
    ["none of none", { "+or": [] }, []],
    ["+neq", { group: { "+neq": "web" } }, [2, 4]],
    ["+contains", { domain: { "+contains": "x.ex" } }, [4]],
    ["+contains a part of a name in other letter case", { domain: { "+contains": "X.eX" } }, [4]],
    ["+contains in letter case", { group: { "+contains": "WE" } }, []],
    ["+contains nothing", { domain: { "+contains": "" } }, [1, 2, 3, 4]],
    ["+gt", { domain: { "+gt": "A.example" } }, [1, 3, 4]],
    ["+gte and +lt", { domain: { "+gte": "a.example", "+lt": "b.example" } }, [2]],
    ["+lte", { domain: { "+lte": "B.example" } }, [1, 2]],
    ["a number is not a text", { domain: 1 }, []],
    ["a boolean is not a text", { group: true }, []],
    ["not a number", { group: { "+neq": 1 } }, [1, 2, 3, 4]],
    ["after a number", { group: { "+gt": 1 } }, []],
    ["null", { group: null }, []],
    ["not null", { group: { "+neq": null } }, [1, 2, 3, 4]],
    ["an array contains the scalar", { tags: "prod" }, [1, 2]],
    ["tags are the same in any letter case", { tags: "BLUE" }, [1]],
    ["two tags", { "+and": [{ tags: "prod" }, { tags: "blue" }] }, [1]],
    ["not that tag", { tags: { "+neq": "prod" } }, [3, 4]],
    ["a tag like that", { tags: { "+contains": "LU" } }, [1]],
    ["+order_by ignores letter case, as comparisons do", { "+order_by": "domain" }, [2, 1, 3, 4]],
    ["+order_by, descending", { "+order_by": "domain", "+order": "desc" }, [4, 3, 1, 2]],
    ["+order_by tags, by the first", { "+order_by": "tags" }, [3, 4, 1, 2]],
    ["equals in order of their ids", { "+order_by": "group", "+order": "desc" }, [1, 3, 2, 4]],
    ["twenty levels", Array.from({ length: 20 }).reduce((inner) => ({ "+and": [inner] }), { group: "web" }), [1, 3]],
    [
      "500 comparisons",
      { "+or": Array.from({ length: 500 }, (_, n) => ({ domain: n === 499 ? "a.example" : "x" })) },
      [2],
    ],
    ["500 empty parts", { "+or": Array.from({ length: 500 }, () => ({})) }, [1, 2, 3, 4]],
    ["SQL in a value", { domain: "' or 1=1 --" }, []],
  ])("%s", async (_, filter, expected) => {
    expect(await ids("/domains", filter)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "{", "Filter not valid JSON"],
    ["an array", [], "Could not apply filter"],
    ["an unknown key", { colour: "blue" }, "Cannot filter on colour"],
    ["a key that is not filterable", { id: 1 }, "Cannot filter on id"],
    ["a key that is SQL", { "domain or 1=1": "x" }, "Cannot filter on domain or 1=1"],
    ["a key of Object.prototype", { __proto__x: 1, constructor: 1 }, "Cannot filter on __proto__x"],
    ["an unknown operator", { domain: { "+like": "x" } }, "Could not apply filter"],
    ["an unfilterable order", { "+order_by": "id" }, "Cannot filter on id"],
    ["an unknown direction", { "+order_by": "domain", "+order": "up" }, "Could not apply filter"],
    ["+contains with a number", { domain: { "+contains": 1 } }, "Could not apply filter"],
    ["a value that no text contains", { domain: { "+gt": "a\0" } }, "Could not apply filter"],
    ["an array for a value", { domain: ["a.example"] }, "Could not apply filter"],
    ["too many parts", { "+or": Array.from({ length: 1500 }, () => ({})) }, "Could not apply filter"],
    ["too many comparisons", { "+or": Array.from({ length: 601 }, () => ({ domain: "x" })) }, "Could not apply filter"],
  ])("refuses %s", async (_, filter, reason) => {
    const header = typeof filter === "string" ? filter : JSON.stringify(filter);
    expect(await api.call("GET", "/domains", undefined, { "X-Filter": header })).toEqual(refused([reason, "X-Filter"]));
  });

  test("is ignored by other endpoints", async () => {
    expect((await api.call("GET", "/domains/1", undefined, { "X-Filter": "{" })).status).toBe(200);
  });
});

describe("X-Filter on records", () => {
  test.each<[string, unknown, number[]]>([
    ["name, in any letter case", { name: "wWw" }, [1, 2]],
    ["a part of a name", { name: { "+contains": "WW" } }, [1, 2]],
    ["the apex", { name: "" }, [3, 4, 5]],
    ["type", { type: "A" }, [1, 2]],
    ["target", { target: "192.0.2.2" }, [2]],
    ["a name as target, in any letter case", { target: "MAIL.Example.net" }, [6]],
    ["an address as target, in any letter case", { target: "2001:DB8::A" }, [7]],
    ["an issuer as target, in any letter case", { target: "CA.example" }, [4]],
    ["letter case counts in a text", { target: { "+contains": "QUOTED" } }, []],
    ["letter case counts in a URL", { target: { "+contains": "MAILTO" } }, []],
    ["not that target", { target: { "+neq": "MAIL.example.net" } }, [1, 2, 3, 4, 5, 7]],
    ["tag", { tag: "issue" }, [4]],
    ["no tag", { tag: null }, [1, 2, 3, 6, 7]],
    ["a tag", { tag: { "+neq": null } }, [4, 5]],
    ["another tag or none", { tag: { "+neq": "issue" } }, [1, 2, 3, 5, 6, 7]],
    ["per cent and underscore are literal", { target: { "+contains": "%_" } }, [3]],
    ["a quote", { target: { "+contains": "'quoted'" } }, [3]],
    ["name, type and target, as clients filter", { name: "www", type: "A", target: "192.0.2.1" }, [1]],
    ["+order_by target", { "+order_by": "target" }, [3, 1, 2, 7, 4, 6, 5]],
  ])("%s", async (_, filter, expected) => {
    expect(await ids("/domains/1/records", filter)).toEqual(expected);
  });
});

describe("+order_by in profile live", () => {
  let live: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    live = await start({ profile: "live" });
    const soa_email = "b@example.com";
    const changes = [
      { domain: "b.example", type: "master", soa_email, ttl_sec: 300, description: "x", axfr_ips: ["192.0.2.2"] },
      { domain: "A.example", type: "slave", master_ips: ["192.0.2.1"], soa_email: "a@example.com", refresh_sec: 300 },
      { domain: "c.example", type: "master", soa_email, status: "disabled", group: "a", tags: ["one"], retry_sec: 300 },
    ];
    for (const body of changes) {
      expect((await live.call("POST", "/domains", body)).status).toBe(200);
      live.clock.now = new Date(live.clock.now.getTime() + 1000);
    }
    await live.call("PUT", "/domains/1", { expire_sec: 3600 });
    const records = [
      {
        type: "SRV",
        service: "sip",
        protocol: "tcp",
        target: "a.example",
        priority: 1,
        weight: 0,
        port: 9,
        ttl_sec: 300,
      },
      { type: "CAA", tag: "issue", target: ";", name: "ca" },
      { type: "MX", target: "B.example", priority: 9 },
    ];
    for (const body of records) {
      expect((await live.call("POST", "/domains/1/records", body)).status).toBe(200);
      live.clock.now = new Date(live.clock.now.getTime() + 1000);
    }
    await live.call("PUT", "/domains/1/records/1", { weight: 5 });
    await live.call("POST", "/account/events/2/read");
    await live.call("POST", "/account/events/1/seen");
  });

  /** Equals follow by id, among events the newest first. */
  test.each<[path: string, orders: Record<string, number[]>]>([
    [
      "/domains",
      {
        id: [1, 2, 3],
        type: [1, 3, 2],
        domain: [2, 1, 3],
        status: [1, 2, 3],
        description: [2, 3, 1],
        group: [1, 2, 3],
        soa_email: [2, 1, 3],
        ttl_sec: [2, 3, 1],
        refresh_sec: [1, 3, 2],
        retry_sec: [1, 2, 3],
        expire_sec: [2, 3, 1],
        master_ips: [1, 3, 2],
        axfr_ips: [2, 3, 1],
        tags: [1, 2, 3],
        created: [1, 2, 3],
        updated: [2, 3, 1],
        errors: [1, 2, 3],
      },
    ],
    [
      "/domains/1/records",
      {
        id: [1, 2, 3],
        type: [2, 3, 1],
        name: [3, 1, 2],
        target: [2, 1, 3],
        priority: [2, 1, 3],
        weight: [2, 3, 1],
        port: [2, 3, 1],
        service: [2, 3, 1],
        protocol: [2, 3, 1],
        ttl_sec: [2, 3, 1],
        tag: [1, 3, 2],
        created: [1, 2, 3],
        updated: [2, 3, 1],
      },
    ],
    [
      "/account/events",
      {
        id: [1, 2, 3, 4, 5, 6, 7, 8, 9],
        action: [8, 7, 6, 9, 3, 2, 1, 5, 4],
        created: [1, 2, 4, 3, 6, 5, 7, 8, 9],
        duration: [9, 8, 7, 6, 5, 4, 3, 2, 1],
        "entity.label": [2, 9, 8, 7, 6, 5, 1, 3, 4],
        "entity.id": [4, 9, 8, 7, 6, 5, 1, 2, 3],
        "entity.type": [9, 8, 7, 6, 5, 3, 2, 1, 4],
        "entity.url": [9, 8, 7, 6, 5, 1, 2, 3, 4],
        message: [5, 4, 3, 2, 1, 7, 8, 9, 6],
        percent_complete: [9, 8, 7, 6, 5, 4, 3, 2, 1],
        rate: [9, 8, 7, 6, 5, 4, 3, 2, 1],
        read: [9, 8, 7, 6, 5, 4, 3, 1, 2],
        seen: [9, 8, 7, 6, 5, 4, 3, 2, 1],
        status: [9, 8, 7, 6, 5, 4, 3, 2, 1],
        time_remaining: [9, 8, 7, 6, 5, 4, 3, 2, 1],
        username: [9, 8, 7, 6, 5, 4, 3, 2, 1],
      },
    ],
  ])("%s by every attribute", async (path, orders) => {
    const first = (await live.call("GET", path)).body.data[0];
    const scalars = Object.keys(first).filter((key) => key !== "entity" && key !== "secondary_entity");
    const entity = Object.keys(first.entity ?? {}).map((key) => `entity.${key}`);
    expect(Object.keys(orders).sort()).toEqual([...scalars, ...entity].sort());
    const seen: Record<string, number[]> = {};
    for (const attribute of Object.keys(orders)) {
      const header = JSON.stringify({ "+order_by": attribute });
      const { body } = await live.call("GET", path, undefined, { "X-Filter": header });
      seen[attribute] = body.data?.map(({ id }: { id: number }) => id) ?? body;
    }
    expect(seen).toEqual(orders);
  });

  test.each<[unknown, string]>([
    [{ domain_key: 1 }, "Cannot filter on domain_key"],
    [{ "+order_by": "domain_key" }, "Cannot filter on domain_key"],
    [{ "+order_by": "constructor" }, "Cannot filter on constructor"],
  ])("refuses what is not in its replies: %j", async (filter, reason) => {
    const header = { "X-Filter": JSON.stringify(filter) };
    expect(await live.call("GET", "/domains", undefined, header)).toEqual(refused([reason, "X-Filter"]));
  });
});

describe("paging", () => {
  const size = "Must be 25-500";
  test.each<[string, { page: number; pages: number; results: number; ids: number[] }]>([
    ["", { page: 1, pages: 1, results: 61, ids: [1, 61] }],
    ["?page_size=25", { page: 1, pages: 3, results: 61, ids: [1, 25] }],
    ["?page_size=25&page=3", { page: 3, pages: 3, results: 61, ids: [51, 61] }],
    ["?page_size=500", { page: 1, pages: 1, results: 61, ids: [1, 61] }],
    ["?page=2", { page: 2, pages: 1, results: 61, ids: [] }],
    ["?page=9007199254740991&page_size=25", { page: 9007199254740991, pages: 3, results: 61, ids: [] }],
    ["?constructor=1&__proto__=1&page_size=25", { page: 1, pages: 3, results: 61, ids: [1, 25] }],
    ["?colour=blue&page_size=25", { page: 1, pages: 3, results: 61, ids: [1, 25] }],
    ["?page_size=25&page_size=7", { page: 1, pages: 3, results: 61, ids: [1, 25] }],
  ])("%s", async (query, expected) => {
    const { call, domain } = await start();
    const records = Array.from({ length: 61 }, (_, n) => ({ type: "A", name: `h${n}`, target: "192.0.2.1" }));
    await domain("example.com", records);
    const { data, ...envelope } = (await call("GET", `/domains/1/records${query}`)).body;
    const ends = data.length === 0 ? [] : [data[0].id, data.at(-1).id];
    expect({ ...envelope, ids: ends }).toEqual(expected);
  });

  test.each<[string, object]>([
    ["by id", {}],
    ["by an attribute that many share", { "+order_by": "type" }],
    ["by one that some do not have, descending", { "+order_by": "tag", "+order": "desc" }],
  ])("the pages add up to the whole list, %s", async (_, filter) => {
    const { call, domain } = await start();
    const caa = { type: "CAA", tag: "issue", target: ";" };
    const records = Array.from({ length: 110 }, (_, n) => (n % 3 === 0 ? caa : { type: "A", target: "192.0.2.1" }));
    await domain("example.com", records);
    const list = async (query: string) =>
      (await call("GET", `/domains/1/records${query}`, undefined, { "X-Filter": JSON.stringify(filter) })).body.data;
    const pages = [];
    for (let page = 1; page <= 5; page++) pages.push(...(await list(`?page_size=25&page=${page}`)));
    expect(pages).toEqual(await list("?page_size=500"));
    expect(pages.length).toBe(110);
  });

  test("an empty list has one page", async () => {
    const { call } = await start();
    expect(await call("GET", "/domains")).toEqual({ status: 200, body: { data: [], page: 1, pages: 1, results: 0 } });
  });

  test.each<[string, Parameters<typeof refused>]>([
    ["?page=0", [["Must be 1 or greater", "page"]]],
    ["?page=-1", [["Must be 1 or greater", "page"]]],
    ["?page=one", [["Must be 1 or greater", "page"]]],
    ["?page=1.5", [["Must be 1 or greater", "page"]]],
    ["?page=99999999999999999999", [["Must be 1 or greater", "page"]]],
    ["?page=", [["Must be 1 or greater", "page"]]],
    ["?page_size=24", [[size, "page_size"]]],
    ["?page_size=501", [[size, "page_size"]]],
    ["?page_size=all", [[size, "page_size"]]],
    [
      "?page=0&page_size=0",
      [
        ["Must be 1 or greater", "page"],
        [size, "page_size"],
      ],
    ],
  ])("refuses %s", async (query, entries) => {
    expect(await api.call("GET", `/domains${query}`)).toEqual(refused(...entries));
  });

  test("reports errors of the query and the filter together", async () => {
    expect(await api.call("GET", "/domains?page=0", undefined, { "X-Filter": "{" })).toEqual(
      refused(["Must be 1 or greater", "page"], ["Filter not valid JSON", "X-Filter"]),
    );
  });
});
