import type { Entity, EventAction } from "../../contract/resources/event.ts";
import { timestamp } from "../kit/timestamp.ts";
import type { Database, NewEventRow } from "../store/tables.ts";
import type { Actor } from "./context.ts";
import { insertEventRow, insertEventRows } from "./events-rows.ts";

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
