import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { event, eventColumns, eventFilterable } from "../resources/event.ts";
import { nothing } from "../resources/nothing.ts";

const ofEvent = z.object({ eventId: z.int().min(1).describe("Id of the event") });
const shared = { scope: "events:read_only", tag: "Events" } as const;

/** The event log (decisions/documents#events). */
export const eventEndpoints = {
  listEvents: {
    ...shared,
    method: "GET",
    path: "/account/events",
    summary: "List the events of the last 90 days, newest first",
    query: pageQuery,
    filterable: eventFilterable,
    columns: eventColumns,
    reply: pageOf(event),
  },
  getEvent: {
    ...shared,
    method: "GET",
    path: "/account/events/{eventId}",
    summary: "View an event",
    params: ofEvent,
    reply: event,
  },
  markEventRead: {
    ...shared,
    method: "POST",
    path: "/account/events/{eventId}/read",
    summary: "Mark one event as read",
    params: ofEvent,
    reply: nothing,
    done: "event {eventId} marked as read",
  },
  markEventsSeen: {
    ...shared,
    method: "POST",
    path: "/account/events/{eventId}/seen",
    summary: "Mark all events up to and including this one as seen",
    params: ofEvent,
    reply: nothing,
    done: "event {eventId} and all earlier ones marked as seen",
  },
} as const satisfies Endpoints;
