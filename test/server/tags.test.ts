// @suite postgres

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { findLockedAccount } from "../../src/server/entities/accounts-rows.ts";
import { noon, refused, start } from "./start.ts";
import { isPostgres } from "./stores.ts";

let api: Awaited<ReturnType<typeof start>>;

beforeEach(async () => {
  api = await start();
  await api.domain("example.com");
  await api.domain("example.net");
});

const labels = async () => (await api.call("GET", "/tags")).body.data.map(({ label }: { label: string }) => label);
const tagsOf = async (id: number) => (await api.call("GET", `/domains/${id}`)).body.tags;
const events = async () =>
  (await api.call("GET", "/account/events")).body.data
    .filter(({ action }: { action: string }) => action.startsWith("tag_"))
    .map(({ action, entity, status }: { action: string; entity: object; status: string }) => [action, entity, status]);

test("a tag is created and listed by label", async () => {
  expect(await api.call("POST", "/tags", { label: "web" })).toEqual({ status: 200, body: { label: "web" } });
  await api.call("POST", "/tags", { label: "Mail" });
  await api.call("PUT", "/domains/1", { tags: ["new"] });
  expect(await api.call("GET", "/tags")).toEqual({
    status: 200,
    body: { data: [{ label: "Mail" }, { label: "new" }, { label: "web" }], page: 1, pages: 1, results: 3 },
  });
  const entity = (label: string) => ({ label, id: label, type: "tag", url: `/v4/tags/${label}` });
  expect(await events()).toEqual([
    ["tag_create", entity("new"), "notification"],
    ["tag_create", entity("Mail"), "notification"],
    ["tag_create", entity("web"), "notification"],
  ]);
});

test("a tag is attached to domains after their other tags, without updating the domains", async () => {
  await api.call("PUT", "/domains/1", { tags: ["old"] });
  const before = (await api.call("GET", "/domains/1")).body;
  api.clock.now = new Date(`${noon.replace("12:", "13:")}Z`);
  expect((await api.call("POST", "/tags", { label: "web", domains: [2, 1, 1] })).status).toBe(200);
  expect((await api.call("GET", "/domains/1")).body).toEqual({ ...before, tags: ["old", "web"] });
  expect(await tagsOf(2)).toEqual(["web"]);
});

test("an existing tag keeps its spelling and gains the domains", async () => {
  await api.call("POST", "/tags", { label: "Web", domains: [1] });
  expect(await api.call("POST", "/tags", { label: "WEB", domains: [1, 2] })).toEqual({
    status: 200,
    body: { label: "Web" },
  });
  expect([await tagsOf(1), await tagsOf(2), await labels(), (await events()).length]).toEqual([
    ["Web"],
    ["Web"],
    ["Web"],
    1,
  ]);
});

describe("a tag is created whole or not at all", () => {
  test.each<[object, ...[string, string][]]>([
    [{}, ["label is required", "label"]],
    [{ label: null }, ["label is required", "label"]],
    [{ label: "ab" }, ["Length must be 3-50 characters", "label"]],
    [{ label: "a".repeat(51) }, ["Length must be 3-50 characters", "label"]],
    [{ label: "web", domains: [1, 3] }, ["domains[1] is not valid", "domains[1]"]],
    [{ label: "web", domains: [0] }, ["domains[0] is not valid", "domains[0]"]],
    [{ label: "web", domains: ["1"] }, ["Must be an integer", "domains[0]"]],
    [{ label: "web", nodes: [1] }, ["nodes[0] is not valid", "nodes[0]"]],
    [{ label: "web", balancers: [1] }, ["balancers[0] is not valid", "balancers[0]"]],
    [{ label: "web", volumes: [1] }, ["volumes[0] is not valid", "volumes[0]"]],
    [{ label: "web", domains: Array.from({ length: 1001 }, () => 1) }, ["Must have at most 1000 entries", "domains"]],
    [
      { label: "web", domains: [1, 3], nodes: [1] },
      ["domains[1] is not valid", "domains[1]"],
      ["nodes[0] is not valid", "nodes[0]"],
    ],
  ])("%j", async (body, ...errors) => {
    expect(await api.call("POST", "/tags", body)).toEqual(refused(...errors));
    expect([await labels(), await tagsOf(1), await events()]).toEqual([[], [], []]);
  });
});

describe("a domain's own tags obey the rules of labels", () => {
  test.each<[string[], ...[string, string][]]>([
    [
      ["ok!", "a\nbc"],
      ["Must not contain control characters", "tags[1]"],
    ],
    [["a\u001b[1m"], ["Must not contain control characters", "tags[0]"]],
    [["   "], ["Must contain a visible character", "tags[0]"]],
    [["\u3164".repeat(3)], ["Must contain a visible character", "tags[0]"]],
    [["\u001b"], ["Length must be 3-50 characters", "tags[0]"]],
  ])("%j", async (tags, ...errors) => {
    await api.call("PUT", "/domains/1", { tags: ["old"] });
    expect(await api.call("PUT", "/domains/1", { tags })).toEqual(refused(...errors));
    const other = { domain: "example.org", type: "master", soa_email: "a@example.org", tags };
    expect(await api.call("POST", "/domains", other)).toEqual(refused(...errors));
    expect([await tagsOf(1), await labels()]).toEqual([["old"], ["old"]]);
  });

  test("a label that was stored before stays, and can be deleted", async () => {
    await api.call("PUT", "/domains/1", { tags: ["old"] });
    const label = "a\nbc";
    await api.store.write((db) => db.updateTable("tags").set({ label, label_key: label }).execute());
    expect((await api.call("PUT", "/domains/1", { description: "new" })).body.tags).toEqual([label]);
    expect((await api.call("POST", "/domains/1/clone", { domain: "clone.example" })).body.tags).toEqual([label]);
    expect((await api.call("DELETE", "/tags/a%0Abc")).status).toBe(200);
    expect(await tagsOf(1)).toEqual([]);
  });
});

test("a domain has at most 100 tags, as many as a request can send back", async () => {
  await api.call("PUT", "/domains/1", { tags: Array.from({ length: 100 }, (_, index) => `tag${index}`) });
  expect(await api.call("POST", "/tags", { label: "one more", domains: [2, 1] })).toEqual(
    refused(["The domain has 100 tags already", "domains[1]"]),
  );
  expect((await api.call("POST", "/tags", { label: "TAG7", domains: [1] })).status).toBe(200);
});

test("tagged domains are listed as their own endpoint replies them", async () => {
  await api.call("POST", "/tags", { label: "web", domains: [2, 1] });
  const domains = await Promise.all([1, 2].map(async (id) => (await api.call("GET", `/domains/${id}`)).body));
  expect(await api.call("GET", "/tags/WEB")).toEqual({
    status: 200,
    body: { data: domains.map((data) => ({ type: "domain", data })), page: 1, pages: 1, results: 2 },
  });
  expect((await api.call("GET", "/tags/web?page=2&page_size=25")).body).toEqual({
    data: [],
    page: 2,
    pages: 1,
    results: 2,
  });
});

test("a deleted tag is removed from all domains", async () => {
  await api.call("PUT", "/domains/1", { tags: ["one", "two", "three"] });
  expect(await api.call("DELETE", "/tags/TWO")).toEqual({ status: 200, body: {} });
  expect([await labels(), await tagsOf(1)]).toEqual([
    ["one", "three"],
    ["one", "three"],
  ]);
  expect((await events())[0]).toEqual([
    "tag_delete",
    { label: "two", id: "two", type: "tag", url: "/v4/tags/two" },
    "notification",
  ]);
  expect((await api.call("DELETE", "/tags/two")).status).toBe(404);
  for (const path of ["/tags/two", "/tags/%00"]) expect((await api.call("GET", path)).status).toBe(404);
});

test("a tag remains after its last use", async () => {
  await api.call("PUT", "/domains/1", { tags: ["one"] });
  await api.call("PUT", "/domains/1", { tags: [] });
  await api.call("POST", "/tags", { label: "two", domains: [2] });
  await api.call("DELETE", "/domains/2");
  expect(await labels()).toEqual(["one", "two"]);
  expect((await api.call("GET", "/tags/two")).body.data).toEqual([]);
});

test.each(["a/b", "100%", "naïve", "a b?c#d", "...", "%2F", "<b>&"])("label %j in a path", async (label) => {
  const path = `/tags/${encodeURIComponent(label)}`;
  await api.call("POST", "/tags", { label, domains: [1] });
  expect((await api.call("GET", path)).body.results).toBe(1);
  expect((await events())[0]?.[1]).toMatchObject({ id: label, url: `/v4${path}` });
  expect((await api.call("DELETE", path)).status).toBe(200);
});

test("a filter finds tags by label in any letter case", async () => {
  for (const label of ["web", "Webmail", "mail"]) await api.call("POST", "/tags", { label });
  const found = async (filter: object) =>
    (await api.call("GET", "/tags", undefined, { "X-Filter": JSON.stringify(filter) })).body.data;
  expect(await found({ label: "WEB" })).toEqual([{ label: "web" }]);
  expect(await found({ label: { "+contains": "mail" } })).toEqual([{ label: "mail" }, { label: "Webmail" }]);
  expect(await found({ "+order_by": "label", "+order": "desc" })).toEqual([
    { label: "Webmail" },
    { label: "web" },
    { label: "mail" },
  ]);
});

test("a filter finds tags by letters outside ASCII in any case", async () => {
  await api.call("POST", "/tags", { label: "Äpfel", domains: [2] });
  await api.call("POST", "/tags", { label: "STRAẞE" });
  const found = async (path: string, filter: object) =>
    (await api.call("GET", path, undefined, { "X-Filter": JSON.stringify(filter) })).body.data;
  for (const label of ["Äpfel", "äpfel", "ÄPFEL"]) {
    expect(await found("/tags", { label })).toEqual([{ label: "Äpfel" }]);
    expect(await found("/tags", { label: { "+contains": label.slice(0, 3) } })).toEqual([{ label: "Äpfel" }]);
    expect(await found("/tags", { label: { "+neq": label } })).toEqual([{ label: "STRAẞE" }]);
    expect(await found("/domains", { tags: label })).toMatchObject([{ domain: "example.net" }]);
  }
  expect(await found("/tags", { label: "straße" })).toEqual([{ label: "STRAẞE" }]);
  expect(await found("/tags", { label: { "+gt": "Zebra" } })).toEqual([{ label: "Äpfel" }]);
});

describe("other users", () => {
  test("a restricted user lists all tags, and the tagged domains with a grant", async () => {
    await api.call("POST", "/tags", { label: "web", domains: [1, 2] });
    await addUser(api.store, { username: "reader", account: "admin", restricted: true, now: api.clock.now });
    const as = await api.mint({ username: "reader" });
    await setGrant(api.store, "reader", "example.net", "read_only", api.clock.now);
    expect((await api.call("GET", "/tags", undefined, { as })).body.data).toEqual([{ label: "web" }]);
    const { data, results } = (await api.call("GET", "/tags/web", undefined, { as })).body;
    expect([data.map((item: { data: { domain: string } }) => item.data.domain), results]).toEqual([["example.net"], 1]);
    const forbidden = { status: 403, body: { errors: [{ reason: "Unauthorized" }] } };
    expect(await api.call("POST", "/tags", { label: "new", domains: [2] }, { as })).toEqual(forbidden);
    expect(await api.call("DELETE", "/tags/web", undefined, { as })).toEqual(forbidden);
  });

  test("an account neither sees nor tags what another one has", async () => {
    await api.call("POST", "/tags", { label: "web", domains: [1] });
    const as = await api.mint({ username: "other" });
    expect((await api.call("GET", "/tags", undefined, { as })).body.data).toEqual([]);
    expect((await api.call("GET", "/tags/web", undefined, { as })).status).toBe(404);
    expect((await api.call("DELETE", "/tags/web", undefined, { as })).status).toBe(404);
    expect(await api.call("POST", "/tags", { label: "web", domains: [1] }, { as })).toEqual(
      refused(["domains[0] is not valid", "domains[0]"]),
    );
    expect(await tagsOf(1)).toEqual(["web"]);
  });
});

test("requests that create, attach and delete the same tags at once leave each domain with known tags", async () => {
  const requests = Array.from({ length: 8 }, (_, index) => [
    api.call("PUT", `/domains/${1 + (index % 2)}`, { tags: ["one", "two", `t${index % 3}x`] }),
    api.call("POST", "/tags", { label: index % 2 ? "two" : "one", domains: [1, 2] }),
    api.call("DELETE", `/tags/${index % 2 ? "one" : "two"}`),
  ]).flat();
  const statuses = new Set((await Promise.all(requests)).map(({ status }) => status));
  statuses.delete(404);
  expect([...statuses]).toEqual([200]);
  const known = new Set(await labels());
  for (const id of [1, 2]) for (const label of await tagsOf(id)) expect(known).toContain(label);
});

test("a clone does not create a tag again that is deleted meanwhile", async () => {
  await api.call("POST", "/tags", { label: "web", domains: [1] });
  await api.call("POST", "/tags", { label: "kept", domains: [1] });
  let hold = () => {};
  let end = () => {};
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const deleted = api.store.write(async (db) => {
    await findLockedAccount(db, "id", 1);
    hold();
    await isOver;
    await db.deleteFrom("tags").where("label", "=", "web").execute();
  });
  await isHeld;
  const cloned = api.call("POST", "/domains/1/clone", { domain: "clone.example" });
  const locks = sql<{ waiting: number }>`select count(*) as waiting from pg_locks where not granted`;
  const isWaiting = async () => (await api.store.read((db) => locks.execute(db))).rows[0]?.waiting !== 0;
  // SQLite begins the clone only after the deletion.
  while (isPostgres() && !(await isWaiting()));
  end();
  await deleted;
  expect((await cloned).status).toBe(200);
  expect(await tagsOf(3)).toEqual(["kept"]);
  expect(await labels()).toEqual(["kept"]);
});
