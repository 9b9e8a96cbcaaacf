import type { ApiEvent } from "../../contract/resources/event.ts";
import type { Handler } from "../kit/context.ts";
import { envelope } from "../kit/envelope.ts";
import { findEvent, visibleTo } from "../kit/events.ts";
import * as events from "../store/events.ts";
import type { EventRow } from "../store/tables.ts";

export const listEvents: Handler<"listEvents"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const { rows, results } = await events.list(db, visibleTo(context), { filter, ...query });
    return envelope(rows.map(eventReply), results, query);
  });

export const getEvent: Handler<"getEvent"> = ({ eventId }, context) =>
  context.store.read(async (db) => eventReply(await findEvent(db, eventId, context)));

/** A stored event as a reply shows it. None takes long enough to have progress (service: Events of the DNS part). */
function eventReply(row: EventRow): ApiEvent {
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
