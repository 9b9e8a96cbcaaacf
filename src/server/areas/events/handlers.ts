import { reasons } from "../../../contract/errors.ts";
import { FilterError, type FilterNode } from "../../../contract/filter.ts";
import { type ApiEvent, type Entity, entityTypes } from "../../../contract/resources/event.ts";
import { spell } from "../../../contract/words.ts";
import type { Context, Handler, Profile } from "../../entities/context.ts";
import { markEventsRead, oldestShown } from "../../entities/events.ts";
import { operatorId } from "../../entities/operator-rows.ts";
import { progressOf } from "../../entities/progress.ts";
import { notFound } from "../../kit/api-error.ts";
import { envelope } from "../../kit/envelope.ts";
import { exactTimestamp } from "../../kit/timestamp.ts";
import type { Database, EventRow } from "../../store/tables.ts";
import { findEventRow, listEventRows, markEventRowsSeen, type VisibleEvents } from "./rows.ts";

export const listEvents: Handler<"listEvents"> = ({ query, filter }, context) =>
  context.store.read(async (db) => {
    const known = { ...filter, where: keepKnownTypes(filter.where, context.profile) };
    const { rows, results } = await listEventRows(db, visibleTo(context), { filter: known, ...query });
    return envelope(
      rows.map((row) => eventReply(row, context)),
      results,
      query,
    );
  });

/** The events that the caller may see. */
function visibleTo({ caller, now }: Context): VisibleEvents {
  const grantee = caller.isRestricted ? caller.userId : undefined;
  return { account_id: caller.accountId, since: oldestShown(now), grantee, now: exactTimestamp(now) };
}

/** @throws {ApiError} 404 unless the caller may see an event of this id. */
async function findEvent(db: Database, id: number, context: Context): Promise<EventRow> {
  const event = await findEventRow(db, visibleTo(context), id);
  if (event === undefined) throw notFound();
  return event;
}

export const getEvent: Handler<"getEvent"> = ({ eventId }, context) =>
  context.store.read(async (db) => eventReply(await findEvent(db, eventId, context), context));

export const markEventRead: Handler<"markEventRead"> = ({ eventId }, context) =>
  context.store.write(async (db) => {
    await markEventsRead(db, (await findEvent(db, eventId, context)).id);
    return {};
  });

export const markEventsSeen: Handler<"markEventsSeen"> = ({ eventId }, context) =>
  context.store.write(async (db) => {
    await markEventRowsSeen(db, visibleTo(context), (await findEvent(db, eventId, context)).id);
    return {};
  });

/**
 * A filter with the types of entities as events have them. Clients wait for events by other words, such as `linodes`
 * and `disks`.
 * @throws {FilterError} for a type that no event has: a client would wait for it for ever.
 */
function keepKnownTypes(node: FilterNode, profile: Profile): FilterNode {
  if (node.kind !== "compare") return { ...node, parts: node.parts.map((part) => keepKnownTypes(part, profile)) };
  const { attribute, operator, value } = node;
  if (attribute !== "entity.type" || typeof value !== "string" || (operator !== "=" && operator !== "+neq"))
    return node;
  const type = typeNamed(value, profile);
  if (type === undefined) throw new FilterError(reasons.noEntityType(value));
  return { ...node, value: type };
}

function typeNamed(text: string, profile: Profile): string | undefined {
  const name = text.toLowerCase().replaceAll("-", "_");
  const names = [name, name.replace(/s$/, "")].map((one) =>
    profile === "live" ? spell("entity", one, "documented") : one,
  );
  return names.map((one) => otherTypes[one] ?? one).find((one) => entityTypes.some((known) => known === one));
}

/** Words for types in paths and in other clients. */
const otherTypes: Readonly<Record<string, string>> = {
  instance: "node",
  config: "node_config",
  service_transfer: "entity_transfer",
  ssh_key: "user_ssh_key",
  sshkey: "user_ssh_key",
  support_ticket: "ticket",
  client: "oauth_client",
};

/** The user of an event; if none caused it, empty, and null in profile live, which also names the operator. */
function usernameIn({ username, user_id }: EventRow, profile: Profile): string | null {
  if (profile === "live") return username === "" ? null : username;
  return user_id === operatorId ? "" : username;
}

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
    username: usernameIn(row, profile),
    entity: { label, ...(id !== null && { id }), type, url },
    status: progress.status,
    secondary_entity: row.secondary_entity === null ? null : (JSON.parse(row.secondary_entity) as Entity),
    message: `${row.message ?? ""}${caller.isRestricted ? "" : (row.remark ?? "")}`,
  };
}
