import type { ApiEvent, Entity } from "../../contract/resources/event.ts";
import type { Context, Handler } from "../kit/context.ts";
import { envelope } from "../kit/envelope.ts";
import { findEvent, visibleTo } from "../kit/events.ts";
import { progressOf } from "../kit/progress.ts";
import * as events from "../store/events.ts";
import type { EventRow } from "../store/tables.ts";

export const listEvents: Handler<"listEvents"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const { rows, results } = await events.list(db, visibleTo(context), { filter, ...query });
    return envelope(
      rows.map((row) => eventReply(row, context)),
      results,
      query,
    );
  });

export const getEvent: Handler<"getEvent"> = ({ eventId }, context) =>
  context.store.read(async (db) => eventReply(await findEvent(db, eventId, context), context));

/** A stored event as a reply shows it: a notification, or the progress of a job at this moment. */
function eventReply(row: EventRow, { now, profile, caller }: Context): ApiEvent {
  const { entity_type: type, entity_label: label, entity_url: url, entity_key } = row;
  const id = entity_key ?? row.entity_id;
  const progress = progressOf(row, now);
  return {
    id: row.id,
    created: row.created,
    seen: row.seen === 1,
    read: row.read === 1,
    percent_complete: progress.percent_complete,
    time_remaining: progress.time_remaining,
    rate: progress.rate,
    duration: progress.duration,
    action: row.action,
    username: row.username === "" && profile === "live" ? null : row.username,
    entity: { label, ...(id !== null && { id }), type, url },
    status: progress.status,
    secondary_entity: row.secondary_entity === null ? null : (JSON.parse(row.secondary_entity) as Entity),
    message: `${row.message ?? ""}${caller.isRestricted ? "" : (row.remark ?? "")}`,
  };
}
