// @suite postgres

import { beforeEach, describe, expect, test } from "vitest";
import { revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser, setAccess, setGrant, setPassword } from "../../src/server/areas/account/users-operator.ts";
import { noon, refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  api = await start();
});

const notFound = { status: 404, body: { errors: [{ reason: "Not found" }] } };
const a = { type: "A", name: "www", target: "192.0.2.1" };

/** An event about the domain `example.com`, 1 (decisions/service#events). */
const about = {
  created: noon,
  duration: null,
  entity: { label: "example.com", id: 1, type: "domain", url: "/v4/domains/1" },
  secondary_entity: null,
  percent_complete: null,
  rate: null,
  read: false,
  seen: false,
  status: "notification",
  time_remaining: null,
  username: "admin",
};

/** An event that the operator causes. */
const none = { username: "", message: "" };

async function list(query = "", filter?: object, as?: string) {
  const headers = { ...(filter && { "X-Filter": JSON.stringify(filter) }), ...(as && { as }) };
  return (await api.call("GET", `/account/events${query}`, undefined, headers)).body;
}

/** The texts of the events, the newest first. */
async function eventTexts(as?: string): Promise<string[]> {
  const { data } = await list("", undefined, as);
  return data.map((event: { action: string; entity: { label: string }; message: string | null }) =>
    [event.action, event.entity.label, event.message].filter(Boolean).join(" | "),
  );
}

test("an event has its keys in order", async () => {
  await api.domain("example.com");
  const answer = await api.call("GET", "/account/events/1");
  const expected = { id: 1, action: "dns_zone_create", ...about, message: "" };
  expect(answer).toEqual({ status: 200, body: expected });
  expect(Object.keys(answer.body)).toEqual([
    "id",
    "created",
    "seen",
    "read",
    "percent_complete",
    "time_remaining",
    "rate",
    "duration",
    "action",
    "username",
    "entity",
    "status",
    "secondary_entity",
    "message",
  ]);
  expect(await list()).toEqual({ data: [expected], page: 1, pages: 1, results: 1 });
});

test("each change adds an event with its entity", async () => {
  await api.domain("example.com", [a, { type: "MX", target: "mail.example.org" }]);
  await api.call("PUT", "/domains/1/records/1", { target: "192.0.2.2" });
  await api.call("PUT", "/domains/1/records/1", { name: "web" });
  await api.call("DELETE", "/domains/1/records/2");
  await api.call("PUT", "/domains/1", { description: "mine" });
  await api.call("PUT", "/domains/1", { domain: "example.net" });
  await api.call("POST", "/domains/1/clone", { domain: "example.org" });
  await api.call("DELETE", "/domains/1");
  expect((await eventTexts()).reverse()).toEqual([
    "dns_zone_create | example.com",
    "dns_record_create | example.com | A www.example.com",
    "dns_record_create | example.com | MX example.com",
    "dns_record_update | example.com | A www.example.com",
    "dns_record_update | example.com | A web.example.com, was A www.example.com",
    "dns_record_delete | example.com | MX example.com",
    "dns_zone_update | example.com",
    "dns_zone_update | example.net | was example.com",
    "dns_zone_create | example.org | clone of example.net",
    "dns_zone_delete | example.net",
  ]);
});

test("reads, refused requests and dry runs add no events", async () => {
  await api.domain("example.com", [a]);
  await api.call("GET", "/domains/1/zone-file");
  await api.call("POST", "/domains/1/records", { type: "A", target: "no address" });
  await api.call("POST", "/domains/1/records", { ...a, name: "web", ttl_sec: -1 });
  await api.call("DELETE", "/domains/1/records/9");
  expect((await eventTexts()).length).toBe(2);
});

test("an event is marked as read, and all up to it as seen", async () => {
  await api.domain("example.com", [a, { ...a, name: "web" }]);
  const marks = async () => {
    const { data } = await list();
    return data.map(({ id, read, seen }: { id: number; read: boolean; seen: boolean }) => [id, read, seen]);
  };
  expect(await api.call("POST", "/account/events/2/read")).toEqual({ status: 200, body: {} });
  expect(await api.call("POST", "/account/events/2/seen", {})).toEqual({ status: 200, body: {} });
  expect(await marks()).toEqual([
    [3, false, false],
    [2, true, true],
    [1, false, true],
  ]);
  for (const path of ["", "/read", "/seen"]) {
    expect(await api.call(path === "" ? "GET" : "POST", `/account/events/4${path}`)).toEqual(notFound);
  }
});

describe("X-Filter and paging", () => {
  beforeEach(async () => {
    await api.domain("example.com", [a]);
    api.clock.now = new Date("2026-03-05T12:00:00Z");
    await api.domain("example.net", [a]);
  });

  test.each<[string, object, number[]]>([
    ["action", { action: "dns_record_create" }, [4, 2]],
    ["created", { created: { "+gte": "2026-03-05T00:00:00" } }, [4, 3]],
    ["created, exactly", { created: noon }, [2, 1]],
    ["id", { id: 3 }, [3]],
    ["ids", { id: { "+gt": 1, "+lte": 3 } }, [3, 2]],
    ["a fraction lies between", { id: { "+gt": 1.5, "+lt": 3.5 } }, [3, 2]],
    ["a fraction is not an id", { id: 1.5 }, []],
    ["beyond all numbers", { id: { "+lt": 1e300 } }, [4, 3, 2, 1]],
    ["a text is not a number", { id: "3" }, []],
    ["not a text", { id: { "+neq": "3" } }, [4, 3, 2, 1]],
    ["dotted keys", { "entity.id": 2, "entity.type": "domain" }, [4, 3]],
    ["another type of entity", { "entity.type": "node" }, []],
    ["the oldest first", { "+order_by": "id" }, [1, 2, 3, 4]],
    ["by what happened", { "+order_by": "action", "+order": "desc" }, [3, 1, 4, 2]],
  ])("%s", async (_, filter, ids) => {
    expect((await list("", filter)).data.map(({ id }: { id: number }) => id)).toEqual(ids);
  });

  test("lists are ordered by domain name, without regard to letter case", async () => {
    api = await start({ profile: "live" });
    for (const name of ["b.example.org", "C.Example.org", "A.example.org"]) await api.domain(name);
    const { data } = await list("", { "+order_by": "entity.label" });
    expect(data.map(({ id }: { id: number }) => id)).toEqual([3, 1, 2]);
  });

  test("unsupported filters are refused", async () => {
    const filter = JSON.stringify({ username: "admin" });
    expect(await api.call("GET", "/account/events", undefined, { "X-Filter": filter })).toEqual(
      refused(["Cannot filter on username", "X-Filter"]),
    );
  });

  test("pages", async () => {
    for (let n = 0; n < 30; n++) await api.call("PUT", "/domains/1", { description: `${n}` });
    const { data, ...envelope } = await list("?page=2&page_size=25");
    expect(envelope).toEqual({ page: 2, pages: 2, results: 34 });
    expect(data.map(({ id }: { id: number }) => id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });
});

test("an event is deleted after 90 days", async () => {
  await api.domain("example.com");
  api.clock.now = new Date("2026-06-02T12:00:00Z");
  expect((await list()).results).toBe(1);
  api.clock.now = new Date("2026-06-02T12:00:01Z");
  expect((await list()).results).toBe(0);
  expect(await api.call("GET", "/account/events/1")).toEqual(notFound);
  for (let n = 0; n < 100; n++) await api.call("PUT", "/domains/1", { description: `${n}` });
  const { rows } = await api.store.read(async (db) => ({ rows: await db.selectFrom("events").select("id").execute() }));
  expect(rows.length).toBe(100);
});

test("an event belongs to its account and names its user", async () => {
  const colleague = await api.mint({ username: "colleague", account: "admin" });
  const stranger = await api.mint({ username: "stranger" });
  await api.call(
    "POST",
    "/domains",
    { domain: "example.com", type: "slave", master_ips: ["192.0.2.1"] },
    { as: colleague },
  );
  expect((await list()).data[0].username).toBe("colleague");
  expect((await list("", undefined, stranger)).results).toBe(0);
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/read"],
    ["POST", "/seen"],
  ] as const) {
    expect(await api.call(method, `/account/events/1${path}`, undefined, { as: stranger })).toEqual(notFound);
  }
});

test("the operator's commands on users and tokens add events without a user", async () => {
  const { store, clock, mint } = api;
  await api.domain("example.com");
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  await setGrant(store, "ci", "example.com", "read_only", clock.now);
  await setGrant(store, "ci", "example.com", undefined, clock.now);
  await setAccess(store, "ci", { accountAccess: "read_only" }, clock.now);
  await setPassword(store, "ci", "another fine password", clock.now);
  const as = await mint({ username: "ci", label: "backup" });
  await revokeTokenById(store, 2, clock.now);
  await mint({ username: "stranger" });
  const user = { label: "ci", id: 2, type: "user", url: "/v4/account/users/ci" };
  const token = { label: "backup", id: 2, type: "token", url: "/v4/profile/tokens/2" };
  const { data } = await list();
  expect(data.slice(0, -1)).toEqual([
    { ...about, ...none, id: 8, action: "token_delete", entity: token },
    { ...about, ...none, id: 7, action: "token_create", entity: token },
    { ...about, ...none, id: 6, action: "user_update", entity: user },
    { ...about, ...none, id: 5, action: "user_update", entity: user },
    { ...about, ...none, id: 4, action: "user_update", entity: user },
    { ...about, ...none, id: 3, action: "user_update", entity: user },
    { ...about, ...none, id: 2, action: "user_create", entity: user },
  ]);
  const live = await start({ store, profile: "live" });
  expect((await live.call("GET", "/account/events/8")).body).toEqual({ ...data[0], username: "operator" });
  const again = await mint({ username: "ci" });
  expect((await list("", undefined, again)).data).toEqual([]);
  expect((await api.call("GET", "/account/events", undefined, { as })).status).toBe(401);
});

test("a restricted user sees events of granted domains, and their own", async () => {
  const { store, clock } = api;
  await addUser(store, { username: "ci", account: "admin", restricted: true, addDomains: true, now: clock.now });
  const ci = await api.mint({ username: "ci" });
  await api.domain("example.com");
  await api.domain("example.net");
  expect(await eventTexts(ci)).toEqual([]);
  await setGrant(store, "ci", "Example.com", "read_only", clock.now);
  expect(await eventTexts(ci)).toEqual(["dns_zone_create | example.com"]);
  const { body } = await api.call("POST", "/domains/1/clone", { domain: "example.org" }, { as: ci });
  await api.call("DELETE", `/domains/${body.id}`, undefined, { as: ci });
  expect(await eventTexts(ci)).toEqual([
    "dns_zone_delete | example.org",
    "dns_zone_create | example.org | clone of example.com",
    "dns_zone_create | example.com",
  ]);
  expect((await eventTexts()).length).toBe(7);
  await api.call("POST", "/account/events/7/seen", undefined, { as: ci });
  expect((await list()).data.map(({ seen }: { seen: boolean }) => seen)).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
    false,
  ]);
});
