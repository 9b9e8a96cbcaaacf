// @suite postgres

import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { advise } from "../../src/diagnostics/advice.ts";
import { migrations } from "../../src/server/store/migrations.ts";
import { postgres } from "../../src/server/store/postgres/postgres.ts";
import { sqlite } from "../../src/server/store/sqlite/sqlite.ts";
import { isUrl, openStore } from "../../src/server/store/store.ts";
import { emptyPlace, isPostgres } from "./stores.ts";

/** The statements that made the tables of the first release in SQLite. This file never changes again. */
const first = new URL("../cases/store/0001-tables.sql", import.meta.url);

/** A new database with these statements. */
async function databaseOf(statements: readonly string[]): Promise<string> {
  const place = await emptyPlace();
  if (!isUrl(place)) mkdirSync(dirname(place), { recursive: true });
  const driver = isUrl(place) ? postgres(place) : sqlite(place);
  await driver.write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
  await driver.close();
  return place;
}

/** The statements of a SQLite database: tables with their columns in alphabetical order, indexes, triggers. */
async function schemaOf(place: string): Promise<string[]> {
  const store = await openStore(place);
  const { rows } = await store.read((db) =>
    sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by name
    `.execute(db),
  );
  await store.close();
  return rows.map(({ sql: statement }) => {
    const [, head, columns] = /^(create table "\w+" \()(.*)\)$/is.exec(statement) ?? [];
    if (head === undefined || columns === undefined) return statement;
    const parts = columns.split(/, (?="\w+" |constraint )/);
    return `${head}\n${parts.sort().join("\n")})`;
  });
}

test.skipIf(isPostgres())("a database of the first release has the described tables after all migrations", async () => {
  const statements = readFileSync(first, "utf8").split(";\n\n").filter(Boolean);
  const old = await databaseOf([...statements, "insert into migrations (name) values ('0001-tables')"]);
  // If only the description was changed: write a migration that changes the tables in the same way.
  expect(await schemaOf(old)).toEqual(await schemaOf(await emptyPlace()));
});

test("a new database needs no migration, and one is run once", async () => {
  const store = await openStore(await emptyPlace());
  const { rows } = await store.read((db) =>
    sql<{ name: string }>`select name from migrations order by name`.execute(db),
  );
  expect(rows.map(({ name }) => name)).toEqual(["0001-tables", ...migrations.map(({ name }) => name)]);
  await store.close();
});

test("a database of a build before the first release is refused, and not changed", async () => {
  const statements = [
    "create table migrations (name text primary key)",
    "create table accounts (id integer primary key)",
    "insert into migrations (name) values ('0001-accounts'), ('0002-domains')",
  ];
  const place = await databaseOf(statements);
  await expect(openStore(place)).rejects.toMatchObject({
    problems: [
      {
        id: "store-early",
        kind: "failed",
        severity: "error",
        summary: expect.stringMatching(/^the database .* was written by a build of zonewright before version 0\.2\.0$/),
        fix: advise`Move its zones to a new database: see ${{ run: "help", args: ["operate"] }}, Databases of early builds.`,
      },
    ],
  });
  const driver = isUrl(place) ? postgres(place) : sqlite(place);
  const { rows } = await driver.write((db) => sql`select * from accounts`.execute(db));
  expect(rows).toEqual([]);
  await driver.close();
});
