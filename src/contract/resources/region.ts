import * as z from "zod";
import { openEnum, sent, word } from "../meta.ts";

export const regionStatuses = ["ok", "outage"] as const;

/** A region in replies of the API (decisions/documents#regions). */
export const region = z.object({
  id: z.string().describe("Id of the region"),
  country: z.string().describe("Two-letter ISO 3166 code, in lower case"),
  capabilities: z.array(word("capability", z.string())).describe("Services of the region"),
  status: openEnum(regionStatuses),
  resolvers: z
    .object({
      ipv4: z.string().describe("IPv4 addresses, separated by commas"),
      ipv6: z.string().describe("IPv6 addresses, separated by commas"),
    })
    .describe("Resolvers of the region; empty if it has none"),
  label: sent(z.string().describe("Name of the region"), "live"),
  site_type: sent(z.string().describe("Always core"), "live"),
  monitors: sent(
    z.object({ alerts: z.array(word("capability", z.string())) }).describe("Services of the region that have alerts"),
    "live",
  ),
  placement_group_limits: sent(
    z
      .object({
        maximum_pgs_per_customer: z.int().nullable(),
        maximum_nodes_per_pg: z.int(),
        maximum_nodes_per_flexible_pg: z.int(),
      })
      .describe("Limits of placement groups, which the service does not have"),
    "live",
  ),
});

export type Region = z.output<typeof region>;

/** Attributes of a region that `X-Filter` supports. */
export const regionFilterable = ["id", "country", "capabilities", "status"] as const;

/** The columns that a table of regions begins with. */
export const regionColumns = ["id", "label", "country", "status"] as const;
