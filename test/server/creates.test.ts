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
import { describe, expect, inject, test } from "vitest";
import * as records from "../../src/server/store/records.ts";
import type { Tables } from "../../src/server/store/tables.ts";
import { refused, start } from "./start.ts";

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

const atType = "SEARCH records USING INDEX records_of_type_at_name (domain_id=? AND name_key=? AND type=?)";
const atName = "SEARCH records USING INDEX records_of_type_at_name (domain_id=? AND name_key=?)";
const nulls = "SEARCH records USING INDEX null_records_at_name (domain_id=? AND name_key=? AND type=?)";

/** Each stops at the first record that it finds, and none reads records that it does not need. */
if (inject("postgres") === undefined)
  describe("queries of a create for the records at its name", () => {
    test.each([
      ["A", "192.0.2.1", [atType]],
      ["CNAME", "example.org", [atName]],
      ["MX", "mail.example.org", [atType, nulls, atType]],
      ["MX", "", [atType, nulls, atType]],
    ])("%s %s", async (type, target, plans) => {
      const { store } = await start();
      const asked = await queriesOf((db) => records.conflicting(db, 1, { type, name: "www", target }));
      expect(asked.filter(({ sql }) => !sql.endsWith(" limit ?"))).toEqual([]);
      const found = await store.read(async (db) => {
        const details = [];
        for (const { sql: text, parameters } of asked) {
          const plan = await db.executeQuery<{ detail: string }>(
            CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
          );
          details.push(plan.rows.map(({ detail }) => detail).join("; "));
        }
        return details;
      });
      expect(found).toEqual(plans);
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
    await store.write((db) => records.insertAll(db, rows));
    expect(await call("POST", `/domains/${id}/records`, { type, name: "www", target })).toMatchObject(expected);
    const ids = await store.read((db) => sql<{ id: number }>`select id from records`.execute(db));
    expect(ids.rows.length).toBe(2000 + ("status" in expected && expected.status === 200 ? 1 : 0));
  });
});
