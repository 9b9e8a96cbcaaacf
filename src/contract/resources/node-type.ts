import * as z from "zod";
import { openEnum } from "../meta.ts";

export const nodeClasses = ["nanode", "standard", "dedicated", "premium", "highmem", "gpu"] as const;

const price = z.object({
  hourly: z.number().describe("US dollars an hour"),
  monthly: z.number().describe("US dollars a month, at most"),
});
const regionPrices = z
  .array(price.extend({ id: z.string().describe("Id of the region") }))
  .describe("Prices of regions that differ");

/** A type of compute node, with the field names of the hosted service. */
export const nodeType = z.object({
  id: z.string().describe("Id of the type"),
  label: z.string().describe("Name of the type"),
  price: price.describe("Price of a node"),
  region_prices: regionPrices,
  addons: z.object({
    backups: z.object({ price: price.describe("Price of the backups of a node"), region_prices: regionPrices }),
  }),
  memory: z.int().describe("MB"),
  disk: z.int().describe("MB"),
  transfer: z.int().describe("GB a month"),
  vcpus: z.int().describe("Number of virtual CPUs"),
  gpus: z.int().describe("Number of GPUs"),
  network_out: z.int().describe("Mbit/s"),
  accelerated_devices: z.int().describe("Always 0"),
  class: openEnum(nodeClasses),
  successor: z.string().nullable().describe("Id of the type that follows this one"),
});

export type NodeType = z.output<typeof nodeType>;

/** The columns that a table of types begins with. */
export const nodeTypeColumns = ["id", "label", "class", "vcpus", "memory", "disk", "price.monthly"] as const;
