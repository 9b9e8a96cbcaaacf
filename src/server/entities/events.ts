import { sql } from "kysely";
import type { Entity, EventAction } from "../../contract/resources/event.ts";
import { timestamp } from "../kit/timestamp.ts";
import { splitByLength, statement } from "../store/language.ts";
import type { Database, EventRow, NewEventRow } from "../store/tables.ts";
import type { Actor } from "./context.ts";

/** Retention of events and logins, in milliseconds: 90 days (decisions/documents#events). */
const retention = 90 * 24 * 60 * 60 * 1000;

/** Timestamp of the oldest event or login that is still shown. */
export function oldestShown(now: Date): string {
  return timestamp(new Date(now.getTime() - retention));
}

/** The subject and the details of an event. */
export interface EventDetails {
  readonly entity: Entity;
  readonly secondary?: Entity;
  readonly message?: string | null;
  /** The rest of the message, which restricted users may not see. */
  readonly remark?: string | null;
  /** The moments of a job; without it the event is a notification. */
  readonly job?: { readonly starts: string; readonly ends: string };
}

/**
 * Writes an event in the transaction of the change and returns its id.
 */
export function addEvent(db: Database, cause: Cause, action: EventAction, details: EventDetails): Promise<number> {
  return insertEventRow(db, eventRow(cause, action, details), oldestShown(cause.now));
}

/** Writes several events, in this order. */
export async function addEvents(
  db: Database,
  all: readonly (Cause & { readonly action: EventAction; readonly details: EventDetails })[],
): Promise<void> {
  const [first] = all;
  const rows = all.map(({ action, details, ...cause }) => eventRow(cause, action, details));
  if (first) await insertEventRows(db, rows, oldestShown(first.now));
}

/** The user who causes an event, and its moment. */
interface Cause {
  readonly caller: Actor;
  readonly now: Date;
}

function eventRow(
  { caller, now }: Cause,
  action: EventAction,
  { entity, secondary, message = null, remark = null, job }: EventDetails,
): NewEventRow {
  return {
    account_id: caller.accountId,
    user_id: caller.userId,
    username: caller.username,
    action,
    entity_id: typeof entity.id === "number" ? entity.id : null,
    entity_key: typeof entity.id === "string" ? entity.id : null,
    entity_type: entity.type,
    entity_label: entity.label,
    entity_url: entity.url,
    secondary_entity: secondary === undefined ? null : JSON.stringify(secondary),
    message,
    remark,
    created: timestamp(now),
    read: 0,
    seen: 0,
    ...(job && { status: "started" as const, ...job }),
  };
}

export async function markEventsRead(db: Database, id: number): Promise<void> {
  await db.updateTable("events").set({ read: 1 }).where("id", "=", id).execute();
}

/** Expired events are deleted once in this many inserts. */
const sweep = 100;

/** Writes an event and returns its id; now and then deletes the account's expired ones. */
async function insertEventRow(db: Database, row: NewEventRow, since: string): Promise<number> {
  const { id } = await insertion.only(db, row);
  if (id % sweep === 0) await removeExpired(db, row.account_id, since);
  return id;
}

const insertion = statement((db, row: NewEventRow) => db.insertInto("events").values(row).returning("id"));

/** Writes events in the same way. */
async function insertEventRows(db: Database, rows: readonly NewEventRow[], since: string): Promise<void> {
  for (const part of splitByLength(rows)) {
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
export async function updateEventRow(
  db: Database,
  id: number,
  changes: Partial<Pick<EventRow, "message" | "remark" | "ends">> & { readonly status?: "finished" | "failed" },
): Promise<void> {
  await db.updateTable("events").set(changes).where("id", "=", id).execute();
}

/** The number of an entity's events of these actions since a moment. */
export async function countEventsOf(
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

/** The user who caused an event, as the cause of its consequences. */
export function findEventActor(db: Database, id: number): Promise<Pick<EventRow, "user_id" | "username"> | undefined> {
  return db.selectFrom("events").select(["user_id", "username"]).where("id", "=", id).executeTakeFirst();
}

/** The id of the entity as a text, as the index of entities has it. */
export const entityIdText = sql<string>`coalesce(${sql.ref("events.entity_key")}, cast(${sql.ref("events.entity_id")} as text))`;

/** Jobs that copy a node's disks to another host, and so have a rate. */
export const moves: readonly string[] = ["node_resize", "node_migrate", "node_migrate_datacenter"];
export const movingRate = "464.00 MB/s";
