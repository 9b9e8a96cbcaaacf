import type { Expression, ExpressionBuilder, Insertable, Kysely, Selectable, SqlBool, Updateable } from "kysely";
import type { Database, Tables } from "./tables.ts";

type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;

/** Values of columns; a column with a list has any of them. */
type Where<Name extends keyof Tables> = {
  readonly [Column in keyof Row<Name>]?: NonNullable<Row<Name>[Column]> | readonly NonNullable<Row<Name>[Column]>[];
};

/** A table that stands for each of them: Kysely compiles statements of known tables only. */
interface AnyTable {
  readonly any: Record<string, unknown>;
}

/** Rows with these values, by id. */
export async function listRows<Name extends keyof Tables>(
  db: Database,
  name: Name,
  where: Where<Name>,
): Promise<Row<Name>[]> {
  if (Object.values(where).some((value) => Array.isArray(value) && value.length === 0)) return [];
  const rows = await untyped(db).selectFrom(anyTable(name)).selectAll().where(matching(where)).orderBy("id").execute();
  return rows as Row<Name>[];
}

/** The row with these values, which identify it. */
export async function findRow<Name extends keyof Tables>(
  db: Database,
  name: Name,
  where: Where<Name>,
): Promise<Row<Name> | undefined> {
  const row = await untyped(db).selectFrom(anyTable(name)).selectAll().where(matching(where)).executeTakeFirst();
  return row as Row<Name> | undefined;
}

/** Whether a row has these values, beside the one of the id `except`. */
export async function hasRow<Name extends keyof Tables>(
  db: Database,
  name: Name,
  where: Where<Name>,
  except = 0,
): Promise<boolean> {
  const rows = untyped(db).selectFrom(anyTable(name)).select("id").where(matching(where)).where("id", "!=", except);
  return (await rows.limit(1).executeTakeFirst()) !== undefined;
}

export async function countRows<Name extends keyof Tables>(
  db: Database,
  name: Name,
  where: Where<Name>,
): Promise<number> {
  const rows = untyped(db).selectFrom(anyTable(name)).where(matching(where));
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertRow<Name extends keyof Tables>(
  db: Database,
  name: Name,
  row: Insertable<Tables[Name]>,
): Promise<Row<Name>> {
  return (await untyped(db)
    .insertInto(anyTable(name))
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()) as Row<Name>;
}

/** Changes the row of an id, which exists. */
export async function updateRow<Name extends keyof Tables>(
  db: Database,
  name: Name,
  id: number,
  changes: Updateable<Tables[Name]>,
): Promise<Row<Name>> {
  const rows = untyped(db).updateTable(anyTable(name)).set(changes).where("id", "=", id);
  return (await rows.returningAll().executeTakeFirstOrThrow()) as Row<Name>;
}

/** Changes the rows with these values, if there are any. */
export async function updateRows<Name extends keyof Tables>(
  db: Database,
  name: Name,
  where: Where<Name>,
  changes: Updateable<Tables[Name]>,
): Promise<void> {
  await untyped(db).updateTable(anyTable(name)).set(changes).where(matching(where)).execute();
}

export async function removeRows<Name extends keyof Tables>(
  db: Database,
  name: Name,
  where: Where<Name>,
): Promise<void> {
  await untyped(db).deleteFrom(anyTable(name)).where(matching(where)).execute();
}

/** Writes of the rows of a table, for a resource that has nothing else to do. */
export function makeWrites<Name extends keyof Tables>(name: Name) {
  return {
    insert: (db: Database, row: Insertable<Tables[Name]>) => insertRow(db, name, row),
    update: (db: Database, id: number, changes: Updateable<Tables[Name]>) => updateRow(db, name, id, changes),
    remove: (db: Database, id: number) => removeRows(db, name, { id } as Where<Name>),
  };
}

function untyped(db: Database): Kysely<AnyTable> {
  return db as unknown as Kysely<AnyTable>;
}

function anyTable(name: string): "any" {
  return name as "any";
}

function matching(where: Readonly<Record<string, unknown>>) {
  return (eb: ExpressionBuilder<AnyTable, "any">): Expression<SqlBool> =>
    eb.and(Object.entries(where).map(([column, value]) => eb(column, Array.isArray(value) ? "in" : "=", value)));
}
