import { advise } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import type { Driver } from "./driver.ts";
import { createAll, firstMigration, migrations } from "./migrations.ts";
import type { Database } from "./tables.ts";

/** The first migration of the builds before the first release, whose databases have other tables. */
const earlyMigration = "0001-accounts";

/**
 * Creates the tables of a new database, or runs the pending migrations, in a transaction during which no other process
 * migrates.
 * @throws {ProblemError} `store-newer` if the database has a migration that is unknown here, `store-early` if a build
 * before the first release wrote it.
 */
export async function migrateStore(db: Database, { columns, place }: Pick<Driver, "columns" | "place">): Promise<void> {
  const log = db.withTables<{ migrations: { name: string } }>();
  const table = log.schema.createTable("migrations").ifNotExists();
  await table.addColumn("name", columns.text, (column) => column.primaryKey()).execute();
  const note = (...names: string[]) =>
    log
      .insertInto("migrations")
      .values(names.map((name) => ({ name })))
      .execute();
  const done = new Set((await log.selectFrom("migrations").select("name").execute()).map(({ name }) => name));
  if (done.size === 0) {
    await createAll(db, columns);
    await note(firstMigration, ...migrations.map(({ name }) => name));
    return;
  }
  if (done.has(earlyMigration))
    throw problemError(
      "store-early",
      `the database ${place} was written by a build of zonewright before version 0.2.0`,
      {
        fix: advise`Move its zones to a new database: see ${{ run: "help", args: ["operate"] }}, Databases of early builds.`,
      },
    );
  done.delete(firstMigration);
  for (const { name, up } of migrations) {
    if (done.delete(name)) continue;
    await up(db, columns);
    await note(name);
  }
  if (done.size === 0) return;
  throw problemError("store-newer", `the database ${place} was written by a newer zonewright`, {
    detail: `This version does not know the migration ${[...done].join(", ")}.`,
    fix: "Start the newer version, or name another database.",
  });
}
