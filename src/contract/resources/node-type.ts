import * as z from "zod";

/** A size of compute nodes, in the hosted service's words. There are none yet. */
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

/** Attributes that `X-Filter` may name on a list of types. */
export const nodeTypeFilterable = Object.keys(nodeType.shape);
