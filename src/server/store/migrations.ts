import { type Kysely, sql } from "kysely";
import { createAliasTriggers } from "./alias-triggers.ts";
import { type CreateTrigger, createJournal } from "./journal-triggers.ts";
import { type ColumnTypes, createTables } from "./table.ts";
import { type Tables, tables } from "./tables.ts";

/** A database's forms of what the tables need. */
export interface Columns extends ColumnTypes {
  /**
   * Tells a planner that has no statistics of its own how selective the indexes of a table are: the rows, then the rows
   * that have the same first column, the same two first columns, and so on.
   */
  readonly estimate?: (db: Kysely<Tables>, table: string, indexes: Readonly<Record<string, string>>) => Promise<void>;
  /** Creates, or replaces, triggers that count inserted and deleted records of the API in `domains.records`. */
  readonly countRecords: (db: Kysely<Tables>) => Promise<void>;
  readonly createTrigger: CreateTrigger;
}

interface Migration {
  readonly name: string;
  up(db: Kysely<Tables>, columns: Columns): Promise<void>;
}

/** The tables of the first release, which later migrations change. */
export const firstMigration = "0001-tables";

/**
 * The changes of the tables since the first release, in the order in which they run. A new database is made from
 * `tables.ts` and needs none of them; `test/server/migrations.test.ts` compares both ways. A released one is never
 * edited.
 */
export const migrations: readonly Migration[] = [
  {
    name: "0002-open-records",
    async up(db, columns) {
      for (const table of ["records", "zone_changes"] as const) {
        await db.schema.alterTable(table).addColumn("rdata", columns.text).execute();
        await db.schema.alterTable(table).addColumn("alias_id", "bigint").execute();
      }
      const isAddress = sql<boolean>`(alias_id is not null)`;
      await db.schema.createIndex("addresses_of_alias").on("records").column("alias_id").where(isAddress).execute();
      const { alias_lookups, alias_sources } = tables;
      await createTables(db, { alias_lookups, alias_sources }, columns);
      await createTriggers(db, columns);
    },
  },
];

/** Creates the triggers, or replaces them. */
async function createTriggers(db: Kysely<Tables>, columns: Columns): Promise<void> {
  await columns.countRecords(db);
  await createJournal(db, columns.createTrigger);
  await createAliasTriggers(db, columns.createTrigger);
}

/** Creates all tables as they are described, with their triggers. */
export async function createAll(db: Kysely<Tables>, columns: Columns): Promise<void> {
  await createTables(db, tables, columns);
  await createTriggers(db, columns);
  // An entity has fewer events than an action, and an action fewer than the last days.
  await columns.estimate?.(db, "events", {
    events_of_account: "1000000 100000 1 1",
    events_since: "1000000 100000 2 1",
    events_of_action: "1000000 100000 5000 2 1",
    events_of_entity: "1000000 100000 20 5 1",
    unseen_events: "10000 1000 1",
  });
}
