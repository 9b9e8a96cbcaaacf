import { expressionBuilder } from "kysely";
import { type Attributes, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import type { Database } from "./store.ts";
import type { NewRecordRow, RecordRow, Tables } from "./tables.ts";

export function find(db: Database, domain_id: number, id: number): Promise<RecordRow | undefined> {
  return db
    .selectFrom("records")
    .selectAll()
    .where("id", "=", id)
    .where("domain_id", "=", domain_id)
    .executeTakeFirst();
}

export function list(db: Database, domain_id: number, wanted: Slice): Promise<Rows<RecordRow>> {
  return slice(db.selectFrom("records").where("domain_id", "=", domain_id), attributes, wanted);
}

/** All records of the domain, oldest first. */
export function all(db: Database, domain_id: number): Promise<RecordRow[]> {
  return db.selectFrom("records").selectAll().where("domain_id", "=", domain_id).orderBy("id").execute();
}

/** The records at this name, letter case aside, other than the record `except`. */
export function at(db: Database, domain_id: number, name: string, except = 0): Promise<RecordRow[]> {
  return db
    .selectFrom("records")
    .selectAll()
    .where("domain_id", "=", domain_id)
    .where("name_key", "=", name.toLowerCase())
    .where("id", "!=", except)
    .execute();
}

export async function count(db: Database, domain_id: number): Promise<number> {
  const counted = await db
    .selectFrom("records")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("domain_id", "=", domain_id)
    .executeTakeFirstOrThrow();
  return Number(counted.count);
}

/** How many octets the targets of at least `long` have together, but for the record `except`. */
export async function textOf(db: Database, domain_id: number, long: number, except = 0): Promise<number> {
  const { octets } = await db
    .selectFrom("records")
    .select(({ fn }) => fn.sum<number | null>(fn("octet_length", ["target"])).as("octets"))
    .where("domain_id", "=", domain_id)
    .where((eb) => eb(eb.fn("octet_length", ["target"]), ">=", long))
    .where("id", "!=", except)
    .executeTakeFirstOrThrow();
  return Number(octets ?? 0);
}

export function insert(db: Database, row: NewRecordRow): Promise<RecordRow> {
  return db.insertInto("records").values(row).returningAll().executeTakeFirstOrThrow();
}

/** How many rows go into one statement: SQLite takes 32,766 values. */
const rowsAtOnce = 1000;

export async function insertAll(db: Database, rows: readonly NewRecordRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await db
      .insertInto("records")
      .values(rows.slice(at, at + rowsAtOnce))
      .execute();
}

export function update(db: Database, id: number, changes: Partial<NewRecordRow>): Promise<RecordRow> {
  return db.updateTable("records").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function remove(db: Database, id: number): Promise<void> {
  await db.deleteFrom("records").where("id", "=", id).execute();
}

/** Copies the records of one domain to another, in their order; `now` becomes both their moments. */
export async function copy(db: Database, from: number, to: number, now: string): Promise<void> {
  const kept = [
    "type",
    "name",
    "name_key",
    "target",
    "priority",
    "weight",
    "port",
    "service",
    "protocol",
    "ttl_sec",
    "tag",
  ] as const;
  await db
    .insertInto("records")
    .columns(["domain_id", ...kept, "created", "updated"])
    .expression((eb) =>
      eb
        .selectFrom("records")
        .select(({ val }) => [val(to).as("domain_id"), ...kept, val(now).as("created"), val(now).as("updated")])
        .where("domain_id", "=", from)
        .orderBy("id"),
    )
    .execute();
}

/** The length of the domain's longest record name, in characters. */
export async function longestName(db: Database, domain_id: number): Promise<number> {
  const { longest } = await db
    .selectFrom("records")
    .select(({ fn }) => fn.max<number | null>(fn("length", ["name"])).as("longest"))
    .where("domain_id", "=", domain_id)
    .executeTakeFirstOrThrow();
  return longest ?? 0;
}

const eb = expressionBuilder<Tables, "records">();

const attributes: Attributes = {
  name: text(eb.ref("records.name")),
  type: text(eb.ref("records.type")),
  target: text(eb.ref("records.target")),
  tag: text(eb.ref("records.tag")),
};
