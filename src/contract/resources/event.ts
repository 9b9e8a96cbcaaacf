import * as z from "zod";
import { moment, openEnum } from "../meta.ts";

/** Actions that are recorded as events (first document, Event, action). */
export const domainActions = [
  "dns_zone_create",
  "dns_zone_update",
  "dns_zone_delete",
  "dns_zone_import",
  "dns_record_create",
  "dns_record_update",
  "dns_record_delete",
] as const;
export type DomainAction = (typeof domainActions)[number];

/** The subject of an event. */
export const entity = z.object({
  label: z.string().describe("Name of the entity when the event happened"),
  id: z.union([z.int(), z.string()]).describe("Id of the entity"),
  type: openEnum(["domain"]),
  url: z.string().describe("Path of the entity"),
});

/** An event in replies of the API (first document, Event). The service may add values to its enumerations. */
export const event = z.object({
  id: z.int().describe("Id of the event"),
  action: openEnum(domainActions),
  created: moment("When it happened"),
  duration: z.number().nullable().describe("Always null"),
  entity: entity.nullable().describe("Subject of the event"),
  secondary_entity: entity.nullable().describe("Always null"),
  message: z.string().nullable().describe("Type and name of a record, or the origin of a clone or an import"),
  percent_complete: z.int().nullable().describe("Always null"),
  rate: z.string().nullable().describe("Always null"),
  read: z.boolean().describe("Whether it was marked as read"),
  seen: z.boolean().describe("Whether it was marked as seen"),
  status: openEnum(["notification"]).nullable().describe("Always notification"),
  time_remaining: z.string().nullable().describe("Always null"),
  username: z.string().describe("User who caused it"),
});

export type ApiEvent = z.output<typeof event>;

/** Attributes of an event that `X-Filter` supports; clients filter by entity. */
export const eventFilterable = ["action", "created", "id", "entity.id", "entity.type"] as const;

/** Attributes that profile live can order a list of events by: all, with dotted names for those of the entity. */
export const eventOrderable = Object.keys(event.shape)
  .filter((key) => key !== "entity" && key !== "secondary_entity")
  .concat(Object.keys(entity.shape).map((key) => `entity.${key}`));
