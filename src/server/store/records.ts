import { expressionBuilder, sql } from "kysely";
import { nextTurn } from "../turns.ts";
import { type Attributes, caseBlind, either, number, text } from "./filter.ts";
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
  return slice({ rows: db.selectFrom("records").where("domain_id", "=", domain_id) }, attributes, wanted);
}

/** All records of the domain, oldest first. */
export function all(db: Database, domain_id: number): Promise<RecordRow[]> {
  return ofDomain(db, domain_id).selectAll().orderBy("id").execute();
}

/** The same in parts of so many that one takes a few milliseconds. */
export async function* inParts(db: Database, domain_id: number): AsyncGenerator<RecordRow[]> {
  for (let last = 0; ; ) {
    const rows = await ofDomain(db, domain_id).selectAll().where("id", ">", last).orderBy("id").limit(part).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < part) return;
    last = rows[rows.length - 1]?.id ?? last;
  }
}

/** How many records are read or written in one step. */
const part = 500;

/** The last ids of parts of the domain's records. After each the event loop turns: other requests are answered meanwhile. */
async function* parts(db: Database, domain_id: number): AsyncGenerator<{ from: number; to: number }> {
  for (let from = 0; ; ) {
    const row = await ofDomain(db, domain_id)
      .select(({ fn }) => [fn.max<number | null>("id").as("to"), fn.countAll<number>().as("count")])
      .where("id", "in", (eb) =>
        eb
          .selectFrom("records")
          .select("id")
          .where("domain_id", "=", domain_id)
          .where("id", ">", from)
          .orderBy("id")
          .limit(part),
      )
      .executeTakeFirstOrThrow();
    if (row.to === null) return;
    yield { from, to: row.to };
    if (Number(row.count) < part) return;
    from = row.to;
    await nextTurn();
  }
}

function ofDomain(db: Database, domain_id: number) {
  return db.selectFrom("records").where("domain_id", "=", domain_id);
}

/** A record, as far as it matters to others at its name. */
export type Placed = Pick<RecordRow, "type" | "name" | "target">;

/**
 * Those records at the same name, letter case aside, that may conflict with this one: at most one for each reason, each found
 * by an index, so that it does not matter how many records the name has. The record `except` is not among them.
 */
export async function conflicting(db: Database, domain_id: number, record: Placed, except = 0): Promise<Placed[]> {
  const at = db
    .selectFrom("records")
    .select(["type", "name", "target"])
    .where("domain_id", "=", domain_id)
    .where("name_key", "=", record.name.toLowerCase())
    .where("id", "!=", except)
    .limit(1);
  if (record.type === "CNAME") return at.execute();
  const aliases = await at.where("type", "=", "CNAME").execute();
  if (record.type !== "MX") return aliases;
  const exchanges = at.where("type", "=", "MX");
  // A literal, not a value: that is how a partial index is found.
  const nulls = await exchanges.where("target", "=", sql<string>`''`).execute();
  // At most one null MX is beside these.
  return [...aliases, ...nulls, ...(await exchanges.where("target", "!=", sql<string>`''`).execute())];
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

export async function insertAll(db: Database, rows: readonly NewRecordRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += part) {
    if (at > 0) await nextTurn();
    await db
      .insertInto("records")
      .values(rows.slice(at, at + part))
      .execute();
  }
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
  for await (const ids of parts(db, from)) {
    await db
      .insertInto("records")
      .columns(["domain_id", ...kept, "created", "updated"])
      .expression((eb) =>
        eb
          .selectFrom("records")
          .select(({ val }) => [val(to).as("domain_id"), ...kept, val(now).as("created"), val(now).as("updated")])
          .where("domain_id", "=", from)
          .where("id", ">", ids.from)
          .where("id", "<=", ids.to)
          .orderBy("id"),
      )
      .execute();
  }
}

/** Removes all records of the domain. */
export async function removeAll(db: Database, domain_id: number): Promise<void> {
  for await (const { to } of parts(db, domain_id))
    await db.deleteFrom("records").where("domain_id", "=", domain_id).where("id", "<=", to).execute();
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

/** The target is a name or an address, but for texts and the URL of a CAA record, where letter case counts. */
const hasName = eb.not(
  eb.or([eb("records.type", "=", "TXT"), eb(eb.fn.coalesce("records.tag", eb.val("")), "=", "iodef")]),
);

const attributes: Attributes = {
  id: number(eb.ref("records.id")),
  type: text(eb.ref("records.type")),
  name: caseBlind(eb.ref("records.name_key")),
  target: {
    ...either(hasName, caseBlind(eb.fn<string>("lower", ["records.target"])), text(eb.ref("records.target"))),
    cost: 600,
    octets: eb.fn<number>("octet_length", ["records.target"]),
  },
  priority: number(eb.ref("records.priority")),
  weight: number(eb.ref("records.weight")),
  port: number(eb.ref("records.port")),
  service: text(eb.ref("records.service")),
  protocol: text(eb.ref("records.protocol")),
  ttl_sec: number(eb.ref("records.ttl_sec")),
  tag: text(eb.ref("records.tag")),
  created: text(eb.ref("records.created")),
  updated: text(eb.ref("records.updated")),
};
