import * as z from "zod";
import { moment, openEnum } from "../meta.ts";
import { entity } from "./event.ts";

/** The causes of notifications in this service. */
const notificationTypes = [
  "payment_due",
  "ticket_important",
  "reboot_scheduled",
  "migration_scheduled",
  "outage",
  "notice",
] as const;

const severities = ["critical", "major", "minor"] as const;

/**
 * A matter that needs attention (decisions/documents#maintenance-and-notifications). It disappears when its cause does.
 */
export const notification = z.object({
  label: z.string().describe("Short description"),
  message: z.string().describe("Description for people"),
  body: z.string().nullable().describe("Further text"),
  type: openEnum(notificationTypes),
  severity: openEnum(severities),
  when: moment("When the announced event will happen").nullable(),
  until: moment("When it disappears").nullable(),
  entity: entity.describe("Subject of the notification; the account if it has no other"),
});

export type Notification = z.output<typeof notification>;

/** The columns that a table of notifications begins with. */
export const notificationColumns = ["severity", "label", "type", "entity.label"] as const;
