import type { Entity, EventAction } from "../../contract/resources/event.ts";
import * as events from "../store/events.ts";
import type { Database, EventRow, NewEventRow } from "../store/tables.ts";
import { notFound } from "./api-error.ts";
import type { Actor, Context } from "./context.ts";
import { exactTimestamp, timestamp } from "./timestamp.ts";

/** Retention of events and logins, in milliseconds: 90 days (decisions/documents#events). */
const retention = 90 * 24 * 60 * 60 * 1000;

/** Timestamp of the oldest event or login that is still shown. */
export function oldestShown(now: Date): string {
  return timestamp(new Date(now.getTime() - retention));
}

/** The events that the caller may see. */
export function visibleTo({ caller, now }: Context): events.VisibleEvents {
  const grantee = caller.isRestricted ? caller.userId : undefined;
  return { account_id: caller.accountId, since: oldestShown(now), grantee, now: exactTimestamp(now) };
}

/** @throws {ApiError} 404 unless the caller may see an event of this id. */
export async function findEvent(db: Database, id: number, context: Context): Promise<EventRow> {
  const event = await events.find(db, visibleTo(context), id);
  if (event === undefined) throw notFound();
  return event;
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
  return events.insert(db, eventRow(cause, action, details), oldestShown(cause.now));
}

/** Writes several events, in this order. */
export async function addEvents(
  db: Database,
  all: readonly (Cause & { readonly action: EventAction; readonly details: EventDetails })[],
): Promise<void> {
  const [first] = all;
  const rows = all.map(({ action, details, ...cause }) => eventRow(cause, action, details));
  if (first) await events.insertEach(db, rows, oldestShown(first.now));
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
