import { noon } from "../start.ts";
import {
  type ApiRequest,
  by,
  days,
  filter,
  notFound,
  ok,
  page,
  type Sections,
  type Sentence,
  unfilterable,
} from "./kit.ts";

/** Event 1, the creation of domain 1, but for these. */
const created = (fields: object = {}) => ({
  id: 1,
  action: "dns_zone_create",
  created: noon,
  duration: null,
  entity: { label: "example.com", id: 1, type: "domain", url: "/v4/domains/1" },
  secondary_entity: null,
  message: "",
  percent_complete: null,
  rate: null,
  read: false,
  seen: false,
  status: "notification",
  time_remaining: null,
  username: "admin",
  ...fields,
});
/** Event 2, the creation of record 1, but for these. */
const recordCreated = (fields: object = {}) =>
  created({ id: 2, action: "dns_record_create", message: "A www.example.com", ...fields });
const both = [recordCreated(), created()];
const list: ApiRequest = ["GET", "/account/events"];
const filtered = (value: object): Sentence[1] => [["GET", "/account/events", undefined, filter(value)]];

/**
 * The fields of an event, one row for each (decisions/documents#events). Progress is that of jobs, which domains have
 * none of.
 */
const event: readonly Sentence[] = [
  ["action: filterable", filtered({ action: "dns_record_create" }), ok(page([recordCreated()]))],
  ["created: date-time, filterable", filtered({ created: noon }), ok(page(both))],
  ["duration: not filterable", filtered({ duration: 1 }), unfilterable("duration")],
  ["entity: id, label, type, url", [["GET", "/account/events/1"]], ok(created())],
  ["entity: its id and type are filterable", filtered({ "entity.id": 1, "entity.type": "domain" }), ok(page(both))],
  ["id: integer, filterable", filtered({ id: 1 }), ok(page([created()]))],
  ["message: string or null", [["GET", "/account/events/2"]], ok(recordCreated())],
  ["message: not filterable", filtered({ message: "x" }), unfilterable("message")],
  ["percent_complete: not filterable", filtered({ percent_complete: 1 }), unfilterable("percent_complete")],
  ["rate: not filterable", filtered({ rate: "x" }), unfilterable("rate")],
  ["read: not filterable", filtered({ read: true }), unfilterable("read")],
  ["secondary_entity: not filterable", filtered({ "secondary_entity.id": 1 }), unfilterable("secondary_entity.id")],
  ["seen: not filterable", filtered({ seen: true }), unfilterable("seen")],
  ["status: not filterable", filtered({ status: "notification" }), unfilterable("status")],
  ["time_remaining: not filterable", filtered({ time_remaining: "x" }), unfilterable("time_remaining")],
  ["username: not filterable", filtered({ username: "admin" }), unfilterable("username")],
  [
    "username: the user who caused the event",
    [by("colleague", ["POST", "/domains/1/records", { type: "A", target: "192.0.2.1" }]), ["GET", "/account/events/5"]],
    ok(recordCreated({ id: 5, message: "A example.com", username: "colleague" })),
  ],
];

/** The endpoints of events (decisions/documents#events). */
const endpoints: readonly Sentence[] = [
  ["GET /account/events", [["GET", "/account/events?page=1&page_size=25"]], ok(page(both))],
  ["GET /account/events: the last 90 days", [days(90), list], ok(page(both))],
  ["GET /account/events: not before", [days(91), list], ok(page([]))],
  ["GET /account/events: without a grant", [by("restricted", list)], ok(page([]))],
  ["GET /account/events: depends on the caller's grants", [by("read_only", list)], ok(page(both))],
  ["GET /account/events: of the account", [by("stranger", list)], ok(page([]))],
  ["GET /account/events/{eventId}: integer", [["GET", "/account/events/one"]], notFound],
  ["GET /account/events/{eventId}: of the last 90 days", [days(91), ["GET", "/account/events/1"]], notFound],
  ["POST /account/events/{eventId}/read: {}", [["POST", "/account/events/1/read"]], ok({})],
  [
    "read marks that single event",
    [["POST", "/account/events/2/read"], list],
    ok(page([recordCreated({ read: true }), created()])),
  ],
  ["POST /account/events/{eventId}/seen: {}", [["POST", "/account/events/1/seen"]], ok({})],
  [
    "seen marks all events up to this id",
    [["POST", "/account/events/2/seen"], list],
    ok(page([recordCreated({ seen: true }), created({ seen: true })])),
  ],
  [
    "seen marks none after this id",
    [["POST", "/account/events/1/seen"], list],
    ok(page([recordCreated(), created({ seen: true })])),
  ],
];

export const eventSections: Sections = {
  "decisions/documents#events: fields": event,
  "decisions/documents#events: endpoints": endpoints,
};
