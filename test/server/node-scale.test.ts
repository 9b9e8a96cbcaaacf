import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, SqliteQueryCompiler } from "kysely";
import { expect, test } from "vitest";
import type { Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { addManyNodes } from "./many-nodes.ts";
import { noon, start } from "./start.ts";
import { emptyStore } from "./stores.ts";

/** A server with this many nodes, which notes the statements of its requests. */
async function begin(nodes: number) {
  const store = await emptyStore();
  const noted: RootOperationNode[] = [];
  const noting: KyselyPlugin = {
    transformQuery({ node }) {
      noted.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const withNotes =
    <T>(work: (db: Database) => Promise<T>) =>
    (db: Database) =>
      work(db.withPlugin(noting));
  const counted: Store = {
    ...store,
    read: (work) => store.read(withNotes(work)),
    write: (work) => store.write(withNotes(work)),
  };
  const api = await start({ store: counted });
  const now = new Date(`${noon}Z`);
  await addManyNodes(store, nodes, { now, ends: new Date(now.getTime() + 60_000) });
  /** The statements of a request that is answered with 200. */
  const statementsOf = async ([method, path, body, filter]: Call, as = api.token) => {
    noted.length = 0;
    const reply = await api.call(method, path, body, { as, ...(filter && { "X-Filter": JSON.stringify(filter) }) });
    expect([path, reply.status]).toEqual([path, 200]);
    return [...noted];
  };
  const passTime = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  return { ...api, store, statementsOf, passTime };
}

type Call = [method: string, path: string, body?: object | undefined, filter?: object];

const calls: Call[] = [
  ["GET", "/node/instances"],
  ["GET", "/node/instances?page_size=25&page=2"],
  ["GET", "/node/instances", undefined, { label: "web-7" }],
  ["GET", "/node/instances", undefined, { tags: "tag 1", region: "us-east" }],
  ["GET", "/node/instances", undefined, { ipv4: "10.0.0.7" }],
  ["GET", "/node/instances/7"],
  ["PUT", "/node/instances/7", { watchdog_enabled: false }],
  ["GET", "/node/instances/7/disks"],
  ["GET", "/node/instances/7/disks/31"],
  ["GET", "/node/instances/7/configs"],
  ["GET", "/node/instances/7/ips"],
  ["GET", "/node/instances/7/ips/10.0.0.35"],
  ["GET", "/node/instances/7/backups"],
  ["GET", "/node/instances/7/volumes"],
  ["GET", "/node/instances/7/firewalls"],
  ["GET", "/node/instances/7/stats"],
  ["GET", "/node/instances/7/transfer"],
  ["GET", "/networking/ips"],
  ["GET", "/networking/ips/10.0.0.35"],
  ["GET", "/volumes"],
  ["GET", "/networking/firewalls"],
  ["GET", "/tags/tag%201"],
  ["GET", "/account/events"],
  ["GET", "/account/events", undefined, { "entity.type": "node", "entity.id": 7 }],
  ["POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }],
  ["POST", "/node/instances/8/disks", { label: "more", size: 100 }],
  ["DELETE", "/node/instances/9"],
];

test("a request sends as many statements with many nodes as with few", async () => {
  const counts = [];
  for (const nodes of [30, 120]) {
    const { statementsOf, passTime } = await begin(nodes);
    const seen = [];
    passTime(60);
    await statementsOf(["GET", "/node/instances"]); // settles all jobs
    for (const call of calls) seen.push([...call, (await statementsOf(call)).length]);
    counts.push(seen);
  }
  expect(counts[1]).toEqual(counts[0]);
});

test("jobs are settled by as many statements each, and one request settles no more than ten", async () => {
  const counts = [];
  for (const nodes of [2, 4, 8, 10, 20, 40]) {
    const { statementsOf, passTime } = await begin(nodes);
    passTime(60);
    counts.push((await statementsOf(["GET", "/domains"])).length);
  }
  const [two = 0, four = 0, eight = 0, most = 0, twenty = 0, forty = 0] = counts;
  // A request that leaves jobs looks for due transfers in a transaction of its own, because no request may find
  // entities that have moved.
  const lookForTransfers = 2;
  expect([eight - four, twenty, forty]).toEqual([2 * (four - two), most + lookForTransfers, most + lookForTransfers]);
});

test("1,000 due jobs of an account cost a request of another one no statement", async () => {
  const { mint, store, statementsOf, passTime } = await begin(1000);
  const stranger = await mint({ username: "stranger" });
  await statementsOf(["GET", "/domains"], stranger); // the token is remembered
  const before = await statementsOf(["GET", "/domains"], stranger);
  passTime(60);
  expect((await statementsOf(["GET", "/domains"], stranger)).length).toBe(before.length);
  const left = await store.read((db) => db.selectFrom("jobs").selectAll().execute());
  expect(left.length).toBe(1000);
});

test("no request, and no end of a job, reads a whole table", async () => {
  const { store, statementsOf, passTime } = await begin(120);
  const compiler = new SqliteQueryCompiler();
  const scans: string[] = [];
  const note = async (what: string, statements: RootOperationNode[]) => {
    await store.read(async (db) => {
      for (const statement of statements) {
        const { sql, parameters } = asSelect(compiler.compileQuery(statement, createQueryId()));
        if (sql.startsWith("insert")) continue; // reads nothing
        const { rows } = await db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
        );
        // A part of a list is selected by an index before its rows are counted.
        for (const { detail } of rows) if (/^SCAN (?!part$)/.test(detail)) scans.push(`${what}: ${detail}: ${sql}`);
      }
    });
  };
  passTime(60);
  await note("settle", await statementsOf(["GET", "/node/instances"]));
  for (const call of calls) await note(call.slice(0, 2).join(" "), await statementsOf(call));
  expect(scans).toEqual([]);
});

/** A query that finds the rows that a change finds: a connection cannot explain changes. SQLite locks no rows. */
function asSelect({ sql: noted, parameters }: Pick<CompiledQuery, "sql" | "parameters">) {
  const sql = noted.replace(/ for (?:no key )?update$/, "");
  const [, table, condition = ""] = /^(?:update|delete from) (\S+).*? where (.*?)(?: returning \*)?$/.exec(sql) ?? [];
  if (table === undefined) return { sql, parameters };
  const count = condition.split("?").length - 1;
  return { sql: `select 1 from ${table} where ${condition}`, parameters: parameters.slice(parameters.length - count) };
}
