import * as z from "zod";
import { annotate } from "../meta.ts";

export const labelText = "Name of the node, unique in the account without regard to letter case";

/** A node with its addresses: the fields of a node that a snapshot has. */
export const snapshotNode = z.object({
  id: z.int().describe("Id of the node"),
  label: annotate(z.string().describe(labelText), { minLength: 3, maxLength: 64 }),
  ipv4: z.array(z.string()).describe("IPv4 addresses, the public ones first"),
  ipv6: z.string().nullable().describe("IPv6 address with its prefix length, 128"),
});
