import { beforeAll, describe, expect, test } from "vitest";
import { attributesOf, isList } from "../../src/contract/endpoint.ts";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { type Filter, parseFilter, type Scalar } from "../../src/contract/filter.ts";
import { translationOf } from "../../src/contract/translation.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { pageList } from "../../src/server/kit/list-of.ts";
import { start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;

/** Objects of every kind, which differ in as many fields as they can. */
beforeAll(async () => {
  const catalog = { ...embeddedCatalog, extra_public_ipv4: 3 };
  api = await start({ profile: "live", catalog });
  const later = (seconds = 1) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const post = async (path: string, body: object) => {
    const { status, body: made } = await api.call("POST", path, body);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(made)}`);
    later();
    return made;
  };
  const master = { type: "master", soa_email: "a@example.com" };
  await post("/domains", {
    ...master,
    domain: "a.example",
    tags: ["blue", "prod"],
    axfr_ips: ["192.0.2.1", "192.0.2.2"],
  });
  await post("/domains", { ...master, domain: "b.example", group: "web", axfr_ips: ["192.0.2.2"], status: "disabled" });
  await post("/domains", { domain: "c.example", type: "slave", master_ips: ["192.0.2.10"], description: "text" });
  await post("/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
  await post("/domains/1/records", { type: "MX", target: "mail.example.net", priority: 10, ttl_sec: 300 });
  await post("/domains/1/records", { type: "CAA", tag: "issue", target: "ca.example" });
  const debian = { type: "g6-nanode-1", image: "linode/debian12", root_pass: "correct Horse 7" };
  await post("/linode/instances", { ...debian, region: "us-east", label: "web-1", tags: ["prod"], private_ip: true });
  await post("/linode/instances", { type: "g6-standard-1", region: "eu-west", label: "web-2", group: "g" });
  later(200);
  await post("/linode/instances/1/ips", { type: "ipv4", public: true });
  await post("/linode/instances/2/disks", { label: "data", size: 512, filesystem: "ext3" });
  later(60);
  await post("/linode/instances/1/configs", { label: "other", devices: {}, comments: "text", run_level: "single" });
  await post("/volumes", { label: "one", size: 10, region: "us-east", tags: ["blue"] });
  await post("/volumes", { label: "two", linode_id: 1 });
  const rules = { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" };
  await post("/networking/firewalls", { label: "first", rules, tags: ["prod", "blue"] });
  await post("/networking/firewalls", { label: "second", rules, devices: { linodes: [1, 2] } });
  await post("/account/service-transfers", { entities: { linodes: [2] } });
  await post("/support/tickets", { summary: "Question", description: "Why?", linode_id: 1 });
  await post("/support/tickets", { summary: "Other", description: "How?" });
  await post("/support/tickets/1/replies", { description: "Because" });
  await post("/support/tickets/1/replies", { description: "Really" });
  await post("/support/tickets/2/close", {});
  await post("/account/oauth-clients", { label: "app", redirect_uri: "https://example.com/" });
  await post("/account/oauth-clients", { label: "bpp", redirect_uri: "https://example.net/", public: true });
  await post("/managed/contacts", { name: "Ann", email: "ann@example.com", group: "on-call" });
  await post("/managed/contacts", { name: "Bob", email: "bob@example.com" });
  await post("/managed/credentials", { label: "one", password: "secret" });
  await post("/managed/credentials", { label: "two", password: "secret" });
  const service = { label: "site", service_type: "url", address: "https://example.com", timeout: 10 };
  await post("/managed/services", { ...service, credentials: [1, 2], body: "ok", notes: "n" });
  await post("/managed/services", { ...service, label: "mail", address: "https://example.net", credentials: [2] });
  await post("/linode/instances/2/resize", { type: "g6-standard-2" });
  later(4);
  await api.mint({ label: "second" });
  await api.store.write(async (db) => {
    const { account_id } = await db.selectFrom("users").select("account_id").limit(1).executeTakeFirstOrThrow();
    await db
      .insertInto("logins")
      .values(
        ["192.0.2.1", "192.0.2.2"].map((ip, index) => ({
          ...{ account_id, ip, username: `user${index}`, restricted: index },
          created: `2026-03-04T12:00:0${index}`,
        })),
      )
      .execute();
    const invoice = { account_id, label: "Invoice", tax: 0 };
    await db
      .insertInto("invoices")
      .values([
        { ...invoice, id: 1, date: "2026-03-01T00:00:00", subtotal: 123_400, total: 123_400 },
        { ...invoice, id: 2, date: "2026-04-01T00:00:00", subtotal: 700, total: 700 },
      ])
      .execute();
    const item = { invoice_id: 1, tax: 0, from: "2026-02-01T00:00:00", to: "2026-03-01T00:00:00" };
    await db
      .insertInto("invoice_items")
      .values([
        { ...item, label: "web-1", type: "hourly" as const, quantity: 1, unit_price: 75, amount: 100, total: 100 },
        { ...item, label: "web-2", type: "misc" as const, quantity: 7, unit_price: 50_000, amount: 700, total: 700 },
      ])
      .execute();
  });
});

const lists = endpointsIn("live").filter(([, endpoint]) => isList(endpoint));
const ids: Readonly<Record<string, string>> = { label: "blue" };

describe.each(lists)("%s", (name, endpoint) => {
  const translation = translationOf(endpoint, "live");
  const path = translation.path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? "1");
  const names = attributesOf(endpoint, "live").map(translation.attribute);

  test("every attribute filters and orders as the replies show it", async () => {
    expect(names.length).toBeGreaterThan(0);
    const all = await api.call("GET", `${path}?page_size=500`);
    expect(all.status).toBe(200);
    const items: object[] = all.body.data;
    // Open tickets come first, unless another order is asked for.
    const newestFirst =
      name === "listTickets" ? [...items].sort((a, b) => Number(at(b, "id")) - Number(at(a, "id"))) : items;
    const places = new Map(items.map((item, place) => [JSON.stringify(item), place]));
    const placesOf = (found: object[] | undefined) => found?.map((item) => places.get(JSON.stringify(item)));
    const check = async (filter: Filter) => {
      const headers = { "X-Filter": JSON.stringify(filter) };
      const { status, body } = await api.call("GET", `${path}?page_size=500`, undefined, headers);
      const query = parseFilter(JSON.stringify(filter), names);
      const expected = await pageList("+order_by" in filter ? newestFirst : items, {
        filter: query,
        page: 1,
        page_size: 500,
      });
      const found = { status, errors: body.errors, places: placesOf(body.data) };
      expect({ filter, ...found }).toEqual({ filter, status: 200, places: placesOf(expected.data) });
    };
    for (const name of names) {
      // Orders are those of documented words.
      const isWord = /^(action|entity\.)/.test(name);
      for (const order of isWord ? [] : (["asc", "desc"] as const)) await check({ "+order_by": name, "+order": order });
      for (const value of valuesOf(items, name)) {
        await check({ [name]: value });
        await check({ [name]: { "+neq": value } });
        const isText = typeof value === "string";
        if (isText && name !== "unit_price") await check({ [name]: { "+contains": value.slice(-4) } });
        const isScalar = items.every((item) => !Array.isArray(at(item, name)));
        if (isScalar && (isText || typeof value === "number") && name !== "unit_price" && !isWord)
          for (const operator of ["+gt", "+gte", "+lt", "+lte"]) await check({ [name]: { [operator]: value } });
      }
      await check({ [name]: null });
      await check({ [name]: { "+neq": null } });
    }
  });
});

/** The values of a field in the items; those of lists one by one. */
function valuesOf(items: readonly object[], name: string): Scalar[] {
  return [...new Set(items.flatMap((item) => at(item, name) as Scalar | Scalar[]))].filter(
    (value) => value !== null && value !== undefined,
  );
}

function at(item: object, name: string): unknown {
  return name.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], item);
}

describe("what clients ask for", () => {
  const find = async (path: string, filter: object) =>
    (await api.call("GET", path, undefined, { "X-Filter": JSON.stringify(filter) })).body.results;

  test("images by their vendor, as the set-up of Terraform's tests does", async () => {
    expect(await find("/images", { vendor: "Debian", deprecated: false, is_public: true })).toBe(3);
  });

  test("volumes without a node, in either spelling", async () => {
    expect(await find("/volumes", { linode_id: null })).toBe(1);
    expect(await find("/volumes", { node_id: null })).toBe(1);
  });

  test("sums of invoices in dollars", async () => {
    expect(await find("/account/invoices", { total: { "+gt": 12.33 } })).toBe(1);
    expect(await find("/account/invoices", { total: 0.07 })).toBe(1);
  });
});
