import * as z from "zod";

/** A type of compute node of the hosted service. This service has none. */
export const nodeType = z.object({
  id: z.string(),
  label: z.string(),
  class: z.string(),
  disk: z.int().describe("MB"),
  memory: z.int().describe("MB"),
  vcpus: z.int(),
  gpus: z.int(),
  transfer: z.int().describe("GB a month"),
  network_out: z.int().describe("Mbit/s"),
});

/** Attributes of a type that `X-Filter` supports. */
export const nodeTypeFilterable = Object.keys(nodeType.shape);
