// @suite postgres

import {
  CompiledQuery,
  createQueryId,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type RootOperationNode,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { expect, inject, test } from "vitest";
import type { Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { addManyNodes } from "./many-nodes.ts";
import { noon, start } from "./start.ts";
import { emptyStore } from "./stores.ts";

const isPostgres = inject("postgres") !== undefined;
const newest = { "+order_by": "created", "+order": "desc" };
const since = { created: { "+gte": "2026-03-04T12:00:01" } };
const ofNode = { "entity.id": 7, "entity.type": "node" };

/** The filters of clients that wait for events, and the index that finds the events, or one of two that find none. */
const polls: [filter: object, results: number, index: string][] = [
  [{ "entity.id": 7 }, 5, "events_of_entity"],
  [ofNode, 5, "events_of_entity"],
  [{ ...ofNode, action: "node_shutdown", ...newest }, 5, "events_of_entity"],
  [{ ...ofNode, action: "node_shutdown", ...since, ...newest }, 0, "events_of_(?:entity|action)"],
  [{ "+and": [{ "entity.id": 7 }, { "+and": [{ action: "node_shutdown" }] }] }, 5, "events_of_entity"],
  [{ "entity.id": "7" }, 0, "events_of_entity"],
  [{ action: "node_boot" }, 0, "events_of_action"],
  [{ action: "node_boot", ...newest }, 0, "events_of_action"],
  [since, 0, "events_since"],
  [{ id: { "+gt": 3990 } }, 10, "events_(?:of_account|pkey)"],
];

test("an index finds the events that clients wait for, however many there are", async () => {
  const store = await emptyStore();
  const noted: RootOperationNode[] = [];
  const noting: KyselyPlugin = {
    transformQuery({ node }) {
      noted.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const withNotes: Store = {
    ...store,
    read: (work) => store.read((db) => work(db.withPlugin(noting))),
    write: (work) => store.write((db) => work(db.withPlugin(noting))),
  };
  const { call } = await start({ store: withNotes });
  const now = new Date(`${noon}Z`);
  await addManyNodes(store, 800, { now, ends: new Date(now.getTime() + 60_000) });
  if (isPostgres) await store.write((db) => sql`analyze events`.execute(db));
  const expectIndex = async (what: string, index: string) => {
    const statements = noted.splice(0).filter(isAboutEvents);
    expect(statements.length, what).toBeGreaterThan(0);
    for (const statement of statements) {
      const plan = await store.read((db) => planOf(db, statement));
      expect(plan, what).toMatch(new RegExp(`\\b${index}\\b`));
    }
  };
  for (const [filter, results, index] of polls) {
    noted.length = 0;
    const { body } = await call("GET", "/account/events", undefined, { "X-Filter": JSON.stringify(filter) });
    expect([filter, body.results]).toEqual([filter, results]);
    await expectIndex(JSON.stringify(filter), index);
  }
  await call("POST", "/account/events/3999/seen");
  if (isPostgres) await store.write((db) => sql`analyze events`.execute(db));
  noted.length = 0;
  await call("POST", "/account/events/3999/seen");
  noted.splice(0, noted.length, ...noted.filter(({ kind }) => kind === "UpdateQueryNode"));
  await expectIndex("seen", "unseen_events");
});

const compiler = isPostgres ? new PostgresQueryCompiler() : new SqliteQueryCompiler();

/** Queries and changes of events, except those of one by its id. */
function isAboutEvents(node: RootOperationNode): boolean {
  const text = compiler.compileQuery(node, createQueryId()).sql;
  return text.includes('"events"') && !/where "id" = /.test(text);
}

/** How the database finds the rows of a statement. */
async function planOf(db: Database, node: RootOperationNode): Promise<string> {
  const { sql: text, parameters } = compiler.compileQuery(node, createQueryId());
  // A connection that reads cannot explain changes.
  const [, condition] = /^update "events" set .*? where (.*)$/.exec(text) ?? [];
  const first = condition === undefined ? 0 : text.slice(0, text.indexOf(" where ")).split(/[?]|\$\d+/).length - 1;
  const asked = condition === undefined ? text : `select id from events where ${renumbered(condition, first)}`;
  const explain = isPostgres ? "explain" : "explain query plan";
  const { rows } = await db.executeQuery<Record<string, string>>(
    CompiledQuery.raw(`${explain} ${asked}`, parameters.slice(first)),
  );
  return rows.map((row) => row["QUERY PLAN"] ?? row.detail).join("\n");
}

function renumbered(condition: string, first: number): string {
  return condition.replace(/\$(\d+)/g, (_, number) => `$${Number(number) - first}`);
}
