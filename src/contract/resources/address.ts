import * as z from "zod";
import { openEnum, sent } from "../meta.ts";

/** An IP address of a node in replies of the API (decisions/documents#addresses). */
export const address = z.object({
  address: z.string().describe("IPv4 or IPv6 address"),
  gateway: z.string().nullable().describe("Address of the router; null for a private address"),
  subnet_mask: z.string().describe("Mask of the subnet"),
  prefix: z.int().describe("Length of the subnet's prefix"),
  type: openEnum(["ipv4", "ipv6"]),
  public: z.boolean().describe("Whether it is a public address"),
  rdns: z.string().nullable().describe("Name of the address in reverse DNS"),
  node_id: z.int().describe("Id of the node"),
  region: z.string().describe("Id of the region"),
});

/** Attributes of an address that `X-Filter` supports. */
export const addressFilterable = ["address", "node_id", "public", "region", "type"] as const;

/** The columns that a table of addresses begins with. */
export const addressColumns = ["address", "rdns", "node_id", "public", "region"] as const;

const range = z.object({
  prefix: z.int().describe("Length of the range's prefix"),
  range: z.string().describe("First address of the range"),
  region: z.string().describe("Id of the region"),
  route_target: z.string().describe("Address that the range is routed to"),
});

const addresses = (what: string) => z.array(address).describe(what);
const vpc = sent(addresses("Addresses in private networks (VPC); always empty"), "live");

/** The addresses of a node (decisions/documents#addresses). */
export const nodeAddresses = z.object({
  ipv4: z.object({
    public: addresses("Public addresses"),
    private: addresses("The private address, if there is one"),
    shared: addresses("Addresses shared with other nodes; always empty"),
    reserved: addresses("Reserved addresses; always empty"),
    vpc,
  }),
  ipv6: z.object({
    slaac: address.nullable().describe("Address that the node configures by itself; null while it is deleted"),
    link_local: address.describe("Address on the link"),
    global: z
      .union([range, z.array(range)])
      .nullable()
      .describe("Routed range; always null, and in profile live an empty list"),
    vpc,
  }),
});

/** `POST /node/instances/{nodeId}/ips`. */
export const newAddress = z.object({
  type: z
    .string({ error: (issue) => (issue.input == null ? "type is required" : "Must be of type String") })
    .describe("ipv4"),
  public: z
    .boolean({ error: (issue) => (issue.input == null ? "public is required" : "Must be of type Boolean") })
    .describe("Whether the address is public; a node has at most one private address"),
});

/** `PUT /node/instances/{nodeId}/ips/{address}`. */
export const addressUpdate = z.object({
  rdns: z
    .string()
    .nullable()
    .optional()
    .describe("Name of the address in reverse DNS; null for the default, absent for no change"),
});

export type Address = z.output<typeof address>;
export type NodeAddresses = z.output<typeof nodeAddresses>;
export type NewAddress = z.input<typeof newAddress>;
export type AddressUpdate = z.input<typeof addressUpdate>;
