import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { repairTreeKeys } from "./domains.ts";
import type { Driver } from "./driver.ts";
import { migrations } from "./migrations.ts";
import type { Database } from "./tables.ts";

/**
 * Runs pending migrations, in a transaction during which no other process migrates, and repairs rows that older servers
 * have written meanwhile.
 * @throws {ProblemError} `store-newer` if the database has a migration that is unknown here.
 */
export async function migrate(db: Database, { columns, place }: Pick<Driver, "columns" | "place">): Promise<void> {
  const log = db.withTables<{ migrations: { name: string } }>();
  const table = log.schema.createTable("migrations").ifNotExists();
  await table.addColumn("name", columns.text, (column) => column.primaryKey()).execute();
  const done = new Set((await log.selectFrom("migrations").select("name").execute()).map(({ name }) => name));
  for (const { name, up } of migrations) {
    if (done.delete(name)) continue;
    await up(db, columns);
    await log.insertInto("migrations").values({ name }).execute();
  }
  if (done.size === 0) return repairTreeKeys(db);
  throw new ProblemError(
    problem("store-newer", `the database ${place} was written by a newer zonewright`, {
      detail: `This version does not know the migration ${[...done].join(", ")}.`,
      fix: "Start the newer version, or name another database.",
    }),
  );
}
