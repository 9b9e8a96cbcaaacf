import { expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { entityIdText, moves, movingRate } from "../../entities/events.ts";
import {
  type Attribute,
  type Attributes,
  boolean,
  caseInsensitive,
  indexAttribute,
  number,
  numberOrNull,
  numberOrText,
  textAttribute,
} from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, EventRow, Tables } from "../../store/tables.ts";
import { isTicketVisibleTo } from "../support/rows/tickets.ts";

const eb = expressionBuilder<Tables, "events">();

/**
 * The events of an account since a moment; `grantee` sees those of entities with a grant and of tickets that are
 * visible to them, and their own.
 */
export interface VisibleEvents {
  readonly account_id: number;
  readonly since: string;
  readonly grantee: number | undefined;
  /** With milliseconds. */
  readonly now: string;
}

export function listEventRows(db: Database, visible: VisibleEvents, wanted: Slice): Promise<Rows<EventRow>> {
  const rows = db.selectFrom("events").where(isKept(visible));
  const granted = visible.grantee === undefined ? {} : { condition: isGranted(visible.grantee), nanoseconds: 1500 };
  return slice(db, { rows, ...granted }, attributesAt(visible), { ...wanted, newestFirst: true });
}

export function findEventRow(db: Database, visible: VisibleEvents, id: number): Promise<EventRow | undefined> {
  return db.selectFrom("events").selectAll().where("id", "=", id).where(isVisible(visible)).executeTakeFirst();
}

/** Marks all visible events up to this one. */
export async function markEventRowsSeen(db: Database, visible: VisibleEvents, id: number): Promise<void> {
  await db
    .updateTable("events")
    .set({ seen: 1 })
    .where("id", "<=", id)
    .where("seen", "=", eb.lit(0)) // a parameter would not match the partial index
    .where(isVisible(visible))
    .execute();
}

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
    .where(isTicketVisibleTo(grantee));
  return eb.or([
    eb("events.user_id", "=", grantee),
    eb.exists(granted),
    eb.and([eb("events.entity_type", "=", "ticket"), eb.exists(ofTicket)]),
  ]);
}

function twoDigits(number: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when ${number} < 10 then '0' else '' end || cast(${number} as text)`;
}

/** An attribute whose expression costs more than a column. */
function costly(column: RawBuilder<string | null>): Attribute {
  return { ...textAttribute(column), cost: 5000 };
}

/** Milliseconds since midnight of a moment with seconds or milliseconds. */
function sinceMidnight(moment: RawBuilder<unknown>): RawBuilder<number> {
  const part = (from: number, length: number) =>
    sql`cast(coalesce(nullif(substr(${moment}, ${sql.lit(from)}, ${sql.lit(length)}), ''), '0') as integer)`;
  return sql`(((${part(12, 2)} * 60 + ${part(15, 2)}) * 60 + ${part(18, 2)}) * 1000 + ${part(21, 3)})`;
}

/** Milliseconds from one moment to another, less than a day later. */
function between(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> {
  return sql`((${sinceMidnight(to)} - ${sinceMidnight(from)} + 86400000) % 86400000)`;
}

/** The entity of events about disks is their node; clients also find them by `disk`. */
const entityType: Attribute = {
  ...textAttribute(sql.ref("events.entity_type")),
  compare(operator, value) {
    const matches = textAttribute(sql.ref("events.entity_type")).compare(operator, value);
    if (value !== "disk" || (operator !== "=" && operator !== "+neq")) return matches;
    const isOfDisk = sql<SqlBool>`substr(events.action, 1, 5) = 'disk_'`;
    return operator === "=" ? eb.or([matches, isOfDisk]) : eb.and([matches, eb.not(isOfDisk)]);
  },
};

/** The attributes of events at this moment, with the progress of jobs as replies show it (`progressOf`). */
function attributesAt({ now, grantee }: VisibleEvents): Attributes {
  const [starts, ends, moment] = [sql.ref("events.starts"), sql.ref("events.ends"), sql`cast(${now} as text)`];
  const isJob = sql<SqlBool>`(events.starts is not null and events.ends is not null)`;
  const isRunning = sql<SqlBool>`(${isJob} and events.status = 'started')`;
  const elapsed = sql<number>`case when ${moment} <= ${starts} then 0 else ${between(starts, moment)} end`;
  const isScheduled = sql<SqlBool>`(${isRunning} and ${elapsed} < 1000)`;
  const whole = between(starts, ends);
  const isMoving = sql<SqlBool>`(${isRunning} and ${elapsed} >= 1000 and events.action in (${sql.join(moves)}))`;
  const left = sql<number>`((case when ${whole} > ${elapsed} then ${whole} - ${elapsed} else 0 end + 999) / 1000)`;
  return {
    id: indexAttribute(number(eb.ref("events.id")), "from"),
    action: indexAttribute(textAttribute(eb.ref("events.action")), "one"),
    created: indexAttribute(textAttribute(eb.ref("events.created")), "from"),
    duration: {
      ...numberOrNull(sql`case when ${isScheduled} or not ${isJob} then null
      when ${isRunning} then ${elapsed} / 1000 else (${whole} + 500) / 1000 end`),
      cost: 5000,
    },
    "entity.label": caseInsensitive(eb.fn<string>("lower", ["events.entity_label"])),
    "entity.id": numberOrText(eb.ref("events.entity_id"), eb.ref("events.entity_key"), entityIdText),
    "entity.type": entityType,
    "entity.url": textAttribute(eb.ref("events.entity_url")),
    message: textAttribute(
      sql`coalesce(events.message, '') || ${grantee === undefined ? sql`coalesce(events.remark, '')` : sql`''`}`,
    ),
    percent_complete: {
      ...numberOrNull(sql`case when not ${isJob} then null when not ${isRunning} then 100
      when ${isScheduled} then 0 when ${whole} <= ${elapsed} then 99 else 100 * ${elapsed} / ${whole} end`),
      cost: 5000,
    },
    rate: costly(sql`case when ${isMoving} then cast(${movingRate} as text) end`),
    read: boolean(eb.ref("events.read")),
    seen: boolean(eb.ref("events.seen")),
    status: costly(sql`case when ${isScheduled} then 'scheduled' else events.status end`),
    time_remaining: costly(sql`case when ${isMoving} then cast(${left} / 3600 as text)
      || ':' || ${twoDigits(sql`${left} / 60 % 60`)} || ':' || ${twoDigits(sql`${left} % 60`)} end`),
    username: textAttribute(sql`nullif(events.username, '')`),
  };
}
