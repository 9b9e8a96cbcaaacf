import * as z from "zod";

/** What happens to domains and records leaves one of these behind (first document, Event, action). */
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

const entity = z.object({
  label: z.string(),
  id: z.union([z.int(), z.string()]),
  type: z.string(),
  url: z.string(),
});

/** An event as the API answers with it (first document, Event). Enumerations stay open: values may be added. */
export const event = z.object({
  id: z.int(),
  action: z.string(),
  created: z.string(),
  duration: z.number().nullable(),
  entity: entity.nullable(),
  secondary_entity: entity.nullable(),
  message: z.string().nullable(),
  percent_complete: z.int().nullable(),
  rate: z.string().nullable(),
  read: z.boolean(),
  seen: z.boolean(),
  status: z.string().nullable(),
  time_remaining: z.string().nullable(),
  username: z.string(),
});

export type ApiEvent = z.output<typeof event>;

/** What `X-Filter` may name on a list of events; clients ask for what happened to one entity. */
export const eventFilterable = ["action", "created", "id", "entity.id", "entity.type"] as const;
