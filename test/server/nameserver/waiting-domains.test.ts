import { CompiledQuery, createQueryId, type RootOperationNode, SqliteQueryCompiler } from "kysely";
import { expect, inject, test } from "vitest";
import { listWaiting } from "../../../src/server/areas/domains/served-rows.ts";
import { emptyStore } from "../stores.ts";

test.skipIf(inject("postgres") !== undefined)(
  "the domains that wait to be rendered, which are listed each second, are found without the others",
  async () => {
    const store = await emptyStore();
    const nodes: RootOperationNode[] = [];
    const plan = await store.read(async (db) => {
      await listWaiting(
        db.withPlugin({
          transformQuery: ({ node }) => {
            nodes.push(node);
            return node;
          },
          transformResult: async ({ result }) => result,
        }),
      );
      const [node = expect.fail()] = nodes;
      const { sql } = new SqliteQueryCompiler().compileQuery(node, createQueryId());
      return db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`));
    });
    expect(plan.rows.map(({ detail }) => detail)).toEqual([expect.stringContaining("INDEX waiting_domains")]);
  },
);
