import { expressionBuilder, sql } from "kysely";
import { type Attributes, caseInsensitive, constant, indexed, number, numberOrText, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import { partsOf, statement } from "./statement.ts";
import type { Database, EventRow, NewEventRow, Tables } from "./tables.ts";
import * as tickets from "./tickets.ts";

/**
 * The events of an account since a moment; `grantee` sees those of entities with a grant and of tickets that are
 * visible to them, and their own.
 */
export interface VisibleEvents {
  readonly account_id: number;
  readonly since: string;
  readonly grantee: number | undefined;
}

export function list(db: Database, visible: VisibleEvents, wanted: Slice): Promise<Rows<EventRow>> {
  const rows = db.selectFrom("events").where(isKept(visible));
  const granted = visible.grantee === undefined ? {} : { condition: isGranted(visible.grantee), nanoseconds: 1500 };
  return slice(db, { rows, ...granted }, attributes, { ...wanted, newestFirst: true });
}

export function find(db: Database, visible: VisibleEvents, id: number): Promise<EventRow | undefined> {
  return db.selectFrom("events").selectAll().where("id", "=", id).where(isVisible(visible)).executeTakeFirst();
}

export async function markRead(db: Database, id: number): Promise<void> {
  await db.updateTable("events").set({ read: 1 }).where("id", "=", id).execute();
}

/** Marks all visible events up to this one. */
export async function markSeen(db: Database, visible: VisibleEvents, id: number): Promise<void> {
  await db
    .updateTable("events")
    .set({ seen: 1 })
    .where("id", "<=", id)
    .where("seen", "=", eb.lit(0)) // a parameter would not match the partial index
    .where(isVisible(visible))
    .execute();
}

/** Expired events are deleted once in this many inserts. */
const sweep = 100;

/** Writes an event and returns its id; now and then deletes the account's expired ones. */
export async function insert(db: Database, row: NewEventRow, since: string): Promise<number> {
  const { id } = await insertion.only(db, row);
  if (id % sweep === 0) await removeExpired(db, row.account_id, since);
  return id;
}

const insertion = statement((db, row: NewEventRow) => db.insertInto("events").values(row).returning("id"));

/** Writes events in the same way. */
export async function insertEach(db: Database, rows: readonly NewEventRow[], since: string): Promise<void> {
  for (const part of partsOf(rows)) {
    const inserted = await insertions.all(db, ...part);
    const sweeping = inserted.filter(({ id }) => id % sweep === 0).map(({ account_id }) => account_id);
    for (const account_id of new Set(sweeping)) await removeExpired(db, account_id, since);
  }
}

const insertions = statement((db, ...rows: readonly NewEventRow[]) =>
  db.insertInto("events").values(rows).returning(["id", "account_id"]),
);

async function removeExpired(db: Database, account_id: number | null, since: string): Promise<void> {
  await db.deleteFrom("events").where("account_id", "=", account_id).where("created", "<", since).execute();
}

/** Changes the event of a job: its outcome, and when it ends. */
export async function update(
  db: Database,
  id: number,
  changes: Partial<Pick<EventRow, "message" | "remark" | "ends">> & { readonly status?: "finished" | "failed" },
): Promise<void> {
  await db.updateTable("events").set(changes).where("id", "=", id).execute();
}

/** The number of an entity's events of these actions since a moment. */
export async function countOf(
  db: Database,
  account_id: number,
  entity_type: string,
  entity_id: number,
  actions: readonly string[],
  since: string,
): Promise<number> {
  const { count } = await db
    .selectFrom("events")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", account_id)
    .where("entity_type", "=", entity_type)
    .where(entityIdText, "=", String(entity_id))
    .where("action", "in", actions)
    .where("created", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The event of a job. */
export function findOfJob(db: Database, id: number): Promise<EventRow | undefined> {
  return db.selectFrom("events").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The user who caused an event, as the cause of its consequences. */
export function actorOf(db: Database, id: number): Promise<Pick<EventRow, "user_id" | "username"> | undefined> {
  return db.selectFrom("events").select(["user_id", "username"]).where("id", "=", id).executeTakeFirst();
}

const eb = expressionBuilder<Tables, "events">();

/** The id of the entity as a text, as the index of entities has it. */
const entityIdText = sql<string>`coalesce(${sql.ref("events.entity_key")}, cast(${sql.ref("events.entity_id")} as text))`;

function isVisible(visible: VisibleEvents) {
  return visible.grantee === undefined ? isKept(visible) : eb.and([isKept(visible), isGranted(visible.grantee)]);
}

function isKept({ account_id, since }: VisibleEvents) {
  // An expression, because most events are younger: an index of moments would find them in another order than by id.
  return eb.and([
    eb("events.account_id", "=", account_id),
    eb(eb.fn.coalesce("events.created", eb.val("")), ">=", since),
  ]);
}

function isGranted(grantee: number) {
  const granted = eb
    .selectFrom("grants")
    .select("grants.entity_id")
    .where("grants.user_id", "=", grantee)
    .whereRef("grants.entity_type", "=", "events.entity_type")
    .whereRef("grants.entity_id", "=", "events.entity_id");
  const ofTicket = eb
    .selectFrom("tickets")
    .select("tickets.id")
    .whereRef("tickets.id", "=", "events.entity_id")
    .where(tickets.isVisibleTo(grantee));
  return eb.or([
    eb("events.user_id", "=", grantee),
    eb.exists(granted),
    eb.and([eb("events.entity_type", "=", "ticket"), eb.exists(ofTicket)]),
  ]);
}

const attributes: Attributes = {
  id: indexed(number(eb.ref("events.id")), "from"),
  action: indexed(text(eb.ref("events.action")), "one"),
  created: indexed(text(eb.ref("events.created")), "from"),
  duration: constant,
  "entity.label": caseInsensitive(eb.fn<string>("lower", ["events.entity_label"])),
  "entity.id": numberOrText(eb.ref("events.entity_id"), eb.ref("events.entity_key"), entityIdText),
  "entity.type": text(eb.ref("events.entity_type")),
  "entity.url": text(eb.ref("events.entity_url")),
  message: text(eb.ref("events.message")),
  percent_complete: constant,
  rate: constant,
  read: number(eb.ref("events.read")),
  seen: number(eb.ref("events.seen")),
  status: text(eb.ref("events.status")),
  time_remaining: constant,
  username: text(eb.ref("events.username")),
};
