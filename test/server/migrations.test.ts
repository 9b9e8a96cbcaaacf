import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createToken } from "../../src/server/operator/tokens.ts";
import { migrations } from "../../src/server/store/migrations.ts";
import { postgres } from "../../src/server/store/postgres.ts";
import { sqlite } from "../../src/server/store/sqlite.ts";
import { isUrl, openStore } from "../../src/server/store/store.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

/** A database as the version before the migration of this name left it, filled by these statements. */
async function databaseBefore(name: string, statements: readonly string[]): Promise<string> {
  const place = await emptyPlace();
  if (!isUrl(place)) mkdirSync(dirname(place), { recursive: true });
  const driver = isUrl(place) ? postgres(place) : sqlite(place);
  const known = migrations.slice(
    0,
    migrations.findIndex((migration) => migration.name === name),
  );
  await driver.write(async (db) => {
    await sql`create table migrations (name text primary key)`.execute(db);
    for (const { name, up } of known) {
      await up(db, driver.columns);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
  await driver.close();
  return place;
}

const moment = "2026-03-04T11:00:00";
const insert = (table: string, row: Record<string, string | number | null>) => {
  const values = Object.values(row).map((value) => (typeof value === "string" ? `'${value}'` : String(value)));
  const columns = Object.keys(row).map((name) => `"${name}"`);
  return `insert into ${table} (${columns.join(", ")}) values (${values.join(", ")})`;
};
const domain = (name: string) =>
  insert("domains", {
    account_id: 1,
    domain: name,
    domain_key: name,
    tree_key: `${name.split(".").reverse().join(".")}.`,
    type: "master",
    status: "active",
    description: "",
    group: "",
    soa_email: `hostmaster@${name}`,
    ttl_sec: 0,
    refresh_sec: 0,
    retry_sec: 0,
    expire_sec: 0,
    master_ips: "[]",
    axfr_ips: "[]",
    created: moment,
    updated: moment,
    changed: null,
  });

test("0012-account-ground keeps grants, tags and events", async () => {
  const place = await databaseBefore("0012-account-ground", [
    insert("accounts", { name: "example", created: moment, euuid: "one" }),
    insert("users", { account_id: 1, username: "admin", created: moment, restricted: 0, add_domains: 0 }),
    insert("users", { account_id: 1, username: "ci", created: moment, restricted: 1, add_domains: 0 }),
    domain("example.com"),
    domain("example.net"),
    insert("grants", { user_id: 2, domain_id: 2, permissions: "read_only" }),
    insert("tags", { account_id: 1, label: "Web", label_key: "web" }),
    insert("tags", { account_id: 1, label: "mail", label_key: "mail" }),
    insert("domain_tags", { domain_id: 1, tag_id: 2, position: 0 }),
    insert("domain_tags", { domain_id: 1, tag_id: 1, position: 1 }),
    ...[1, 2].map((entity_id) =>
      insert("events", {
        account_id: 1,
        user_id: 1,
        username: "admin",
        action: "dns_zone_create",
        entity_id,
        entity_type: "domain",
        entity_label: entity_id === 1 ? "example.com" : "example.net",
        message: null,
        read: 0,
        seen: 0,
        created: moment,
      }),
    ),
  ]);
  const store = await openStore(place);
  const api = await start({ store });
  const as = await createToken(store, { username: "ci", now: api.clock.now });
  const asAdmin = await createToken(store, { username: "admin", account: "example", now: api.clock.now });
  const get = async (path: string, token: string, filter = "{}") =>
    (await api.call("GET", path, undefined, { as: token, "X-Filter": filter })).body;
  expect((await get("/domains/1", asAdmin)).tags).toEqual(["mail", "Web"]);
  expect((await get("/domains", as)).data.map(({ id }: { id: number }) => id)).toEqual([2]);
  expect((await get("/account", asAdmin)).company).toBe("example");
  const entity = { label: "example.net", id: 2, type: "domain", url: "/v4/domains/2" };
  expect((await get("/account/events", as)).data).toEqual([
    {
      id: 2,
      created: moment,
      seen: false,
      read: false,
      percent_complete: null,
      time_remaining: null,
      rate: null,
      duration: null,
      action: "dns_zone_create",
      username: "admin",
      entity,
      status: "notification",
      secondary_entity: null,
      message: "",
    },
  ]);
  const found = await get("/account/events", asAdmin, '{"entity.id":1,"entity.type":"domain"}');
  expect(found.data.map(({ id }: { id: number }) => id)).toEqual([1]);
  await store.close();
});

test("0035-record-counts counts the records that domains have, and those after it", async () => {
  const record = (domain_id: number) => {
    const rest = { priority: 0, weight: 0, port: 0, ttl_sec: 0, created: moment, updated: moment };
    return insert("records", { domain_id, type: "A", name: "", name_key: "", target: "192.0.2.1", ...rest });
  };
  const place = await databaseBefore("0035-record-counts", [
    insert("accounts", { name: "example", created: moment, euuid: "one" }),
    domain("example.com"),
    domain("example.net"),
    domain("example.org"),
    ...[1, 1, 3].map(record),
  ]);
  const store = await openStore(place);
  const counts = () => store.read((db) => db.selectFrom("domains").select("records").orderBy("id").execute());
  expect(await counts()).toEqual([{ records: 2 }, { records: 0 }, { records: 1 }]);
  await store.write((db) => sql.raw(record(2)).execute(db));
  await store.write((db) => db.deleteFrom("records").where("domain_id", "=", 1).execute());
  expect(await counts()).toEqual([{ records: 0 }, { records: 1 }, { records: 1 }]);
  await store.close();
});

test("0025-reverse-zones serves the names of the addresses that nodes have", async () => {
  const address = (fields: object) =>
    insert("addresses", {
      type: "ipv4",
      public: 1,
      network: "198.18.0.0/15",
      region: "us-east",
      node_id: null,
      rdns: null,
      freed: null,
      ...fields,
    });
  const slaac = { type: "ipv6", network: "2001:db8::/32" };
  const place = await databaseBefore("0025-reverse-zones", [
    address({ address: "198.18.0.2", freed: moment }),
    address({ address: "198.18.1.2", rdns: "mail.example.net" }),
    address({ address: "192.168.128.2", public: 0, network: "192.168.128.0/17" }),
    address({ address: "2001:db8::f03c:91ff:fe00:1", ...slaac }),
    address({ address: "2001:db8:0:1:f03c:91ff:fe00:1", ...slaac, rdns: "mail.example.net" }),
  ]);
  const store = await openStore(place);
  const read = await store.read(async (db) => ({
    zones: await db.selectFrom("reverse_zones").selectAll().orderBy("name").execute(),
    addresses: await db.selectFrom("addresses").select("reverse_zone").orderBy("id").execute(),
  }));
  const below = (zone: string) => `${zone}.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa`;
  expect(read.zones.map(({ name, serial }) => `${name} ${serial}`)).toEqual([
    "0.18.198.in-addr.arpa 1",
    "1.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa 1",
    "1.18.198.in-addr.arpa 1",
  ]);
  expect(read.addresses.map(({ reverse_zone }) => reverse_zone)).toEqual([
    "0.18.198.in-addr.arpa",
    "1.18.198.in-addr.arpa",
    null,
    below("0"),
    below("1"),
  ]);
  await store.close();
});
