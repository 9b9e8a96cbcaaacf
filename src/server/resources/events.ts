import type { ApiEvent } from "../../contract/resources/event.ts";
import { notFound } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { envelope } from "../kit/envelope.ts";
import { horizon } from "../kit/events.ts";
import * as events from "../store/events.ts";
import type { Database } from "../store/store.ts";
import type { EventRow } from "../store/tables.ts";

export const listEvents: Handler<"listEvents"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const { rows, results } = await events.list(db, visibleTo(context), { filter, ...query });
    return envelope(rows.map(replyOf), results, query);
  });

export const getEvent: Handler<"getEvent"> = ({ eventId }, context) =>
  context.store.read(async (db) => replyOf(await ownEvent(db, eventId, context)));

export const markEventRead: Handler<"markEventRead"> = ({ eventId }, context) =>
  context.store.write(async (db) => {
    await events.markRead(db, (await ownEvent(db, eventId, context)).id);
    return {};
  });

export const markEventsSeen: Handler<"markEventsSeen"> = ({ eventId }, context) =>
  context.store.write(async (db) => {
    await events.markSeen(db, visibleTo(context), (await ownEvent(db, eventId, context)).id);
    return {};
  });

function visibleTo({ caller, now }: Context): events.Visible {
  const grantee = caller.isRestricted ? caller.userId : undefined;
  return { account_id: caller.accountId, since: horizon(now), grantee };
}

async function ownEvent(db: Database, id: number, context: Context): Promise<EventRow> {
  const event = await events.find(db, visibleTo(context), id);
  if (event === undefined) throw notFound();
  return event;
}

/** Nothing here takes long enough to have progress (service: Events of the DNS part). */
function replyOf(row: EventRow): ApiEvent {
  const { entity_id: id, entity_type: type, entity_label: label } = row;
  return {
    id: row.id,
    action: row.action,
    created: row.created,
    duration: null,
    entity: { label, id, type, url: `/v4/${type}s/${id}` },
    secondary_entity: null,
    message: row.message,
    percent_complete: null,
    rate: null,
    read: row.read === 1,
    seen: row.seen === 1,
    status: "notification",
    time_remaining: null,
    username: row.username,
  };
}
