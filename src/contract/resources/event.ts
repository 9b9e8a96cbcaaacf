import * as z from "zod";
import { moment, openEnum, word } from "../meta.ts";

/** Actions of events (decisions/documents#events). */
export const eventActions = [
  "account_update",
  "account_settings_update",
  "backups_enable",
  "backups_cancel",
  "backups_restore",
  "community_question_reply",
  "community_like",
  "credit_card_updated",
  "disk_create",
  "disk_delete",
  "disk_update",
  "disk_duplicate",
  "disk_imagize",
  "disk_resize",
  "dns_record_create",
  "dns_record_delete",
  "dns_record_update",
  "dns_zone_create",
  "dns_zone_delete",
  "dns_zone_import",
  "dns_zone_update",
  "entity_transfer_accept",
  "entity_transfer_cancel",
  "entity_transfer_create",
  "entity_transfer_fail",
  "entity_transfer_stale",
  "firewall_create",
  "firewall_delete",
  "firewall_disable",
  "firewall_enable",
  "firewall_update",
  "firewall_device_add",
  "firewall_device_remove",
  "host_reboot",
  "image_delete",
  "image_update",
  "image_upload",
  "ipaddress_update",
  "watchdog_reboot",
  "console_boot",
  "node_addip",
  "node_boot",
  "node_clone",
  "node_create",
  "node_delete",
  "node_update",
  "node_deleteip",
  "node_migrate",
  "node_migrate_datacenter",
  "node_migrate_datacenter_create",
  "node_mutate",
  "node_mutate_create",
  "node_reboot",
  "node_rebuild",
  "node_resize",
  "node_resize_create",
  "node_shutdown",
  "node_snapshot",
  "node_config_create",
  "node_config_delete",
  "node_config_update",
  "k8s_node_create",
  "metricsclient_create",
  "metricsclient_delete",
  "metricsclient_update",
  "managed_disabled",
  "managed_enabled",
  "managed_service_create",
  "managed_service_delete",
  "balancer_create",
  "balancer_delete",
  "balancer_update",
  "balancer_config_create",
  "balancer_config_delete",
  "balancer_config_update",
  "balancer_node_create",
  "balancer_node_delete",
  "balancer_node_update",
  "oauth_client_create",
  "oauth_client_delete",
  "oauth_client_secret_reset",
  "oauth_client_update",
  "password_reset",
  "payment_method_add",
  "payment_submitted",
  "profile_update",
  "deployscript_create",
  "deployscript_delete",
  "deployscript_update",
  "deployscript_publicize",
  "deployscript_revise",
  "tag_create",
  "tag_delete",
  "tfa_disabled",
  "tfa_enabled",
  "ticket_attachment_upload",
  "ticket_create",
  "ticket_update",
  "token_create",
  "token_delete",
  "token_update",
  "user_create",
  "user_update",
  "user_delete",
  "user_ssh_key_add",
  "user_ssh_key_delete",
  "user_ssh_key_update",
  "vlan_attach",
  "vlan_detach",
  "volume_attach",
  "volume_clone",
  "volume_create",
  "volume_delete",
  "volume_update",
  "volume_detach",
  "volume_resize",
] as const;
export type EventAction = (typeof eventActions)[number];

/** The statuses of an event; one that is not about a job is a notification. */
const eventStatuses = ["notification", "scheduled", "started", "finished", "failed"] as const;

/** The types of entities of this service. */
const entityTypes = [
  "account",
  "disk",
  "domain",
  "entity_transfer",
  "firewall",
  "image",
  "managed_service",
  "node",
  "node_config",
  "oauth_client",
  "region",
  "tag",
  "ticket",
  "token",
  "user",
  "user_ssh_key",
  "vlan",
  "volume",
] as const;

/** The subject of an event. */
export const entity = z.object({
  label: z.string().describe("Name of the entity when the event happened"),
  id: word("entityId", z.union([z.int(), z.string()]))
    .optional()
    .describe("Id of the entity; absent for the account, for a VLAN and for a transfer that is offered"),
  type: word("entity", openEnum(entityTypes)),
  url: word(
    "path",
    z
      .string()
      .describe("Path of the entity; for a VLAN that of its region, for a transfer that is offered that of all"),
  ),
});

/** An event in replies of the API (decisions/documents#events). The service may add values to its enumerations. */
export const event = z.object({
  id: z.int().describe("Id of the event"),
  action: word("action", openEnum(eventActions)),
  created: moment("When it happened"),
  duration: z.number().nullable().describe("Seconds that the job took; null for a notification"),
  entity: entity.nullable().describe("Subject of the event"),
  secondary_entity: entity.nullable().describe("Further entity that the action involves"),
  message: z.string().nullable().describe("Details, such as type and name of a record, or why a job failed"),
  percent_complete: z.int().nullable().describe("Progress of a job; null for a notification"),
  rate: z.string().nullable().describe("Rate of some jobs"),
  read: z.boolean().describe("Whether it was marked as read"),
  seen: z.boolean().describe("Whether it was marked as seen"),
  status: openEnum(eventStatuses).nullable(),
  time_remaining: z.string().nullable().describe("Time until the end of some jobs, as H:M:S"),
  username: z.string().nullable().describe("User who caused it; if none did, empty, and in profile live null"),
});

export type Entity = z.output<typeof entity>;
export type ApiEvent = z.output<typeof event>;

/** Attributes of an event that `X-Filter` supports; clients filter by entity. */
export const eventFilterable = ["action", "created", "id", "entity.id", "entity.type"] as const;

/** Attributes that profile live can order a list of events by: all, with dotted names for those of the entity. */
export const eventOrderable = [
  ...event.omit({ entity: true, secondary_entity: true }).keyof().options,
  ...entity.keyof().options.map((key) => `entity.${key}` as const),
] as const;

/** The columns that a table of events begins with. */
export const eventColumns = ["id", "created", "action", "entity.label", "username"] as const;
