// @suite postgres

import * as fc from "fast-check";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { newRecord } from "../../src/contract/resources/record.ts";
import { createRecord } from "../../src/server/areas/domains/records-handlers.ts";
import { hashSecret } from "../../src/server/areas/users/tokens-rows.ts";
import { findAliasesAmong, findConflicts, insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import type { Caller } from "../../src/server/entities/context.ts";
import { TokenOwners } from "../../src/server/http/auth.ts";
import { Refusal } from "../../src/server/kit/api-error.ts";
import { readServerSettings } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Tables } from "../../src/server/store/tables.ts";
import { samples } from "../properties.ts";
import { refused, start } from "./start.ts";
import { emptyStore, withEmptyStore } from "./stores.ts";

/** The SQL of what some work asks a database that finds nothing. */
async function queriesOf(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = [];
  const connection: DatabaseConnection = {
    executeQuery: async (query) => {
      queries.push(query);
      return { rows: [] };
    },
    streamQuery: () => expect.fail(),
  };
  const done = async () => {};
  const driver: Driver = {
    init: done,
    acquireConnection: async () => connection,
    beginTransaction: done,
    commitTransaction: done,
    rollbackTransaction: done,
    releaseConnection: done,
    destroy: done,
  };
  const dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<Tables>) => new SqliteIntrospector(db),
  };
  await work(new Kysely<Tables>({ dialect }));
  return queries;
}

/** How SQLite carries out queries. */
function plansOf(store: Store, queries: readonly CompiledQuery[]): Promise<string[]> {
  return store.read(async (db) => {
    const details = [];
    for (const { sql: text, parameters } of queries) {
      const plan = await db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
      );
      details.push(plan.rows.map(({ detail }) => detail).join("; "));
    }
    return details;
  });
}

const atType = "SEARCH records USING INDEX records_of_type_at_name (domain_id=? AND name_key=? AND type=?)";
const atName = "SEARCH records USING INDEX records_of_type_at_name (domain_id=? AND name_key=?)";
const nulls = "SEARCH records USING INDEX null_records_at_name (domain_id=? AND name_key=? AND type=?)";

/** Each stops at the first record that it finds, and none reads records that it does not need. */
if (inject("postgres") === undefined)
  describe("queries of a create for the records at its name", () => {
    test("of creates at once, by all of their names", async () => {
      const { store } = await start();
      const places = Array.from({ length: 20 }, (_, index) => ({ domain_id: 1, name_key: `h${index}` }));
      const asked = await queriesOf((db) => findAliasesAmong(db, places));
      const plans = await plansOf(store, asked);
      expect(plans.map((plan) => plan.split("; ").at(-1))).toEqual([atType.replace("INDEX", "COVERING INDEX")]);
    });

    test.each([
      ["A", "192.0.2.1", [atType]],
      ["CNAME", "example.org", [atName]],
      ["MX", "mail.example.org", [atType, nulls, atType]],
      ["MX", "", [atType, nulls, atType]],
    ])("%s %s", async (type, target, plans) => {
      const { store } = await start();
      const asked = await queriesOf((db) => findConflicts(db, 1, { type, name: "www", target }));
      expect(asked.filter(({ sql }) => !sql.endsWith(" limit ?"))).toEqual([]);
      expect(await plansOf(store, asked)).toEqual(plans);
    });
  });

/** Makes the database refuse events with this message. Returns how to end that. */
async function refuseEvents(store: Store, message: string): Promise<() => Promise<void>> {
  const isPostgres = inject("postgres") !== undefined;
  const when = `for each row when (new.message = '${message}')`;
  const refuse = isPostgres
    ? [
        `create function refuse() returns trigger language plpgsql as
          $$ begin raise exception 'refused by the test'; end $$`,
        `create trigger refuse before insert on events ${when} execute function refuse()`,
      ]
    : [`create trigger refuse before insert on events ${when} begin select raise(abort, 'refused by the test'); end`];
  const end = isPostgres ? ["drop function refuse cascade"] : ["drop trigger refuse"];
  const run = (statements: readonly string[]) => async () => {
    await store.write(async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    });
  };
  await run(refuse)();
  return run(end);
}

/** Requests to create records in four domains, of which one is a slave and one of another account. */
describe("creates at once", () => {
  const request = fc.record({
    domain: fc.constantFrom("example.com", "example.com", "example.net", "slave.example", "foreign.example", "none"),
    name: fc.constantFrom("www", "WWW", "a", "www.example.com", "", "a..b"),
    record: fc.constantFrom(
      ...[
        { type: "A", target: "192.0.2.1" },
        { type: "A", target: "192.0.2.2" },
        { type: "CNAME", target: "example.org" },
        { type: "MX", target: "mail.example.org" },
        { type: "MX", target: "" },
        { type: "TXT", target: "x".repeat(300) },
        { type: "A", target: "no address" },
        { type: "A" },
      ],
    ),
    as: fc.constantFrom("admin", "admin", "reader", "writer", "other"),
  });
  type Wanted = typeof request extends fc.Arbitrary<infer T> ? T : never;

  /** The outcomes of requests, and the records, events and counts afterwards. */
  async function outcomesOf(wanted: readonly Wanted[], isAtOnce: boolean) {
    return withEmptyStore(async (store) => {
      const { call, domain, mint, token, clock } = await start({ store });
      const tokens = { admin: token, other: await mint({ username: "other" }), reader: "", writer: "" };
      const ids: Record<string, number> = { none: 999_999 };
      for (const name of ["example.com", "example.net"]) ids[name] = await domain(name);
      const others = [
        ["slave.example", { type: "slave", master_ips: ["192.0.2.9"] }, "admin"],
        ["foreign.example", { type: "master", soa_email: "a@b.example" }, "other"],
      ] as const;
      for (const [name, body, as] of others)
        ids[name] = (await call("POST", "/domains", { domain: name, ...body }, { as: tokens[as] })).body.id;
      for (const [username, permissions] of [
        ["reader", "read_only"],
        ["writer", "read_write"],
      ] as const) {
        tokens[username] = await mint({ username, account: "admin" });
        await call("PUT", `/account/users/${username}`, { restricted: true });
        await call("PUT", `/account/users/${username}/grants`, { domain: [{ id: ids["example.com"], permissions }] });
      }
      const settings = readServerSettings({ store, clock: () => clock.now, textRoom: 1000 });
      const owners = new TokenOwners(settings);
      const callers: Record<string, Caller> = {};
      for (const [name, token] of Object.entries(tokens))
        callers[name] = (await owners.identify(hashSecret(token), clock.now)) ?? expect.fail("a token without owner");
      const send = async ({ domain, name, record, as }: Wanted): Promise<object> => {
        const input = { domainId: ids[domain] as number, body: newRecord.parse({ name, ...record }) };
        const context = { ...settings, now: clock.now, caller: callers[as] as Caller };
        return createRecord(input, context).catch((error) =>
          error instanceof Refusal ? { status: error.status, errors: error.errors } : Promise.reject(error),
        );
      };
      const outcomes: object[] = [];
      if (isAtOnce) outcomes.push(...(await Promise.all(wanted.map(send))));
      else for (const one of wanted) outcomes.push(await send(one));
      const stored = await store.read(async (db) => ({
        records: await db.selectFrom("records").selectAll().orderBy("id").execute(),
        events: await db.selectFrom("events").select(["username", "action", "message"]).orderBy("id").execute(),
        counts: await db.selectFrom("domains").select(["domain", "records"]).orderBy("id").execute(),
      }));
      // The ids of two stores differ.
      return JSON.parse(JSON.stringify({ outcomes, stored }).replaceAll(/"(id|domain_id)":\d+/g, '"$1":0'));
    });
  }

  test("end, are stored and are noted as one after another", async () => {
    const counts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 40, maxLength: 90 }), async (wanted) => {
        const expected = await outcomesOf(wanted, false);
        for (const outcome of expected.outcomes) counts["errors" in outcome ? "refused" : "accepted"]++;
        expect(await outcomesOf(wanted, true)).toEqual(expected);
      }),
      samples(12),
    );
    expect(counts.accepted).toBeGreaterThan(20);
    expect(counts.refused).toBeGreaterThan(20);
  });

  test("leave no trace of one that fails after its first write, and the others are stored", async () => {
    const store = await emptyStore();
    const failures: unknown[] = [];
    const { call, domain } = await start({ store, onError: (error) => failures.push(error) });
    const id = await domain("example.com");
    onTestFinished(await refuseEvents(store, "A bad.example.com"));
    const names = [...Array.from({ length: 20 }, (_, index) => `h${index}`), "bad", "last"];
    const answers = await Promise.all(
      names.map((name) => call("POST", `/domains/${id}/records`, { type: "A", name, target: "192.0.2.1" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map((name) => (name === "bad" ? 500 : 200)));
    expect(failures.map(String)).toEqual([expect.stringContaining("refused by the test")]);
    const others = names.filter((name) => name !== "bad").sort();
    const stored = await store.read(async (db) => ({
      records: (await db.selectFrom("records").select("name").orderBy("name").execute()).map(({ name }) => name),
      counts: await db.selectFrom("domains").select("records").execute(),
      events: (await db.selectFrom("events").select("message").where("action", "=", "dns_record_create").execute())
        .map(({ message }) => message)
        .sort(),
    }));
    expect(stored).toEqual({
      records: others,
      counts: [{ records: others.length }],
      events: others.map((name) => `A ${name}.example.com`),
    });
  });
});

/** Many records at one name, as each type of conflict finds them. */
describe("conflicts at a name of 2,000 records", () => {
  const cname = refused(["Record conflict - CNAMES must be unique", "name"]);
  const nullMx = refused(["Cannot add a null MX record for a domain that has other MX records.", "type"]);
  const besideNull = refused([
    "Cannot add a new MX record for a domain that already advertises a null MX record.",
    "type",
  ]);
  test.each<[string, string[], [type: string, target: string], object]>([
    ["A beside A and MX", ["A 192.0.2.1", "MX mail.example.org"], ["A", "192.0.2.2"], { status: 200 }],
    ["CNAME beside A", ["A 192.0.2.1"], ["CNAME", "example.org"], cname],
    ["A beside CNAME", ["CNAME example.org"], ["A", "192.0.2.1"], cname],
    ["MX beside MX", ["A 192.0.2.1", "MX mail.example.org"], ["MX", "mx.example.org"], { status: 200 }],
    ["null MX beside MX", ["A 192.0.2.1", "MX mail.example.org"], ["MX", ""], nullMx],
    ["null MX beside A", ["A 192.0.2.1"], ["MX", ""], { status: 200 }],
    ["MX beside null MX", ["A 192.0.2.1", "MX "], ["MX", "mail.example.org"], besideNull],
    ["null MX beside null MX", ["MX "], ["MX", ""], besideNull],
  ])("%s", async (_, there, [type, target], expected) => {
    const { store, call, domain } = await start();
    const id = await domain("example.com");
    const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
    const rows = Array.from({ length: 2000 }, (_, index) => {
      const [type = "", target = ""] = (there[index % there.length] ?? "").split(" ");
      return { domain_id: id, name: "WWW", name_key: "www", type, target, ...rest, created: "", updated: "" };
    });
    await store.write((db) => insertRecordRows(db, rows));
    expect(await call("POST", `/domains/${id}/records`, { type, name: "www", target })).toMatchObject(expected);
    const ids = await store.read((db) => sql<{ id: number }>`select id from records`.execute(db));
    expect(ids.rows.length).toBe(2000 + ("status" in expected && expected.status === 200 ? 1 : 0));
  });
});
