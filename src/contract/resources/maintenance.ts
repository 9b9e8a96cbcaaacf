import * as z from "zod";
import { moment, openEnum } from "../meta.ts";
import { entity } from "./event.ts";

export const maintenanceTypes = ["reboot", "cold_migration", "live_migration"] as const;
export type MaintenanceType = (typeof maintenanceTypes)[number];

export const maintenanceStatuses = ["pending", "started"] as const;

/**
 * Work of the operator on the host of a node (decisions/documents#maintenance-and-notifications). It disappears when it
 * has ended.
 */
export const maintenance = z.object({
  type: openEnum(maintenanceTypes),
  status: openEnum(maintenanceStatuses),
  reason: z.string().describe("Why the maintenance is needed"),
  when: moment("When the maintenance begins"),
  entity: entity.describe("Node that it concerns"),
});

export type Maintenance = z.output<typeof maintenance>;

export const maintenanceFilterable = ["type", "status", "when"] as const;

/** The columns that a table of maintenance begins with. */
export const maintenanceColumns = ["when", "type", "status", "entity.label", "reason"] as const;
