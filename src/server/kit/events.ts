import type { DomainAction } from "../../contract/resources/event.ts";
import * as events from "../store/events.ts";
import type { Database, EventRow } from "../store/tables.ts";
import { notFound } from "./api-error.ts";
import type { Context } from "./context.ts";
import { timestamp } from "./timestamp.ts";

/** Retention of events, in milliseconds: 90 days (first document, Limits). */
const retention = 90 * 24 * 60 * 60 * 1000;

/** Timestamp of the oldest event that is still shown. */
function oldestShown(now: Date): string {
  return timestamp(new Date(now.getTime() - retention));
}

/** The events that the caller may see. */
export function visibleTo({ caller, now }: Context): events.VisibleEvents {
  const grantee = caller.isRestricted ? caller.userId : undefined;
  return { account_id: caller.accountId, since: oldestShown(now), grantee };
}

/** @throws {ApiError} 404 unless the caller may see an event of this id. */
export async function findEvent(db: Database, id: number, context: Context): Promise<EventRow> {
  const event = await events.find(db, visibleTo(context), id);
  if (event === undefined) throw notFound();
  return event;
}

/** The domain that an event is about. */
interface Subject {
  readonly id: number;
  readonly domain: string;
}

/** Writes an event about a domain, in the transaction of the change (service: Events of the DNS part). */
export function addEvent(
  db: Database,
  { caller, now }: Context,
  action: DomainAction,
  { id, domain, message = null }: Subject & { readonly message?: string | null },
): Promise<void> {
  const { accountId, userId, username } = caller;
  const user = { account_id: accountId, user_id: userId, username };
  const entity = { entity_id: id, entity_type: "domain", entity_label: domain };
  const row = { ...user, ...entity, action, message, created: timestamp(now), read: 0, seen: 0 };
  return events.insert(db, row, oldestShown(now));
}

/** Type and full name of a record, as events name it. */
export function recordLabel({ type, name }: { type: string; name: string }, { domain }: Subject): string {
  return `${type} ${name === "" ? domain : `${name}.${domain}`}`;
}
