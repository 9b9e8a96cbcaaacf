import type { DomainAction } from "../../contract/resources/event.ts";
import * as events from "../store/events.ts";
import type { Database } from "../store/store.ts";
import type { Context } from "./context.ts";
import { timestamp } from "./timestamp.ts";

/** How long an event is kept, in milliseconds: 90 days (first document, Limits). */
const kept = 90 * 24 * 60 * 60 * 1000;

/** Since when events are shown. */
export function horizon(now: Date): string {
  return timestamp(new Date(now.getTime() - kept));
}

/** What an event says of its domain. */
interface Subject {
  readonly id: number;
  readonly domain: string;
}

/** Notes what the caller does to a domain, in the transaction that does it (service: Events of the DNS part). */
export function note(
  db: Database,
  { caller, now }: Context,
  action: DomainAction,
  { id, domain }: Subject,
  message: string | null = null,
): Promise<void> {
  const { accountId, userId, username } = caller;
  const who = { account_id: accountId, user_id: userId, username };
  const entity = { entity_id: id, entity_type: "domain", entity_label: domain };
  const row = { ...who, ...entity, action, message, created: timestamp(now), read: 0, seen: 0 };
  return events.insert(db, row, horizon(now));
}

/** A record as an event names it: its type and its full name. */
export function nameOf({ type, name }: { type: string; name: string }, { domain }: Subject): string {
  return `${type} ${name === "" ? domain : `${name}.${domain}`}`;
}
