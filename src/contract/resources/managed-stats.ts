import * as z from "zod";

const series = (what: string) =>
  z
    .array(z.object({ x: z.number().describe("Milliseconds since 1970"), y: z.number().describe("The sum") }))
    .describe(`${what}, in means of five minutes`);

/**
 * The sums of all nodes in the last 24 hours (decisions/documents#managed-monitoring). Profile live has a sentence
 * instead if none ever ran.
 */
export const managedStats = z.object({
  data: z.union([
    z.object({
      cpu: series("Percent of a virtual CPU"),
      disk: series("Blocks that the disks read and wrote in a second"),
      net_in: series("Public traffic in, in bit/s"),
      net_out: series("Public traffic out, in bit/s"),
      swap: series("Blocks that swap disks read and wrote in a second"),
    }),
    z.array(z.string()),
  ]),
});

export type ManagedStats = z.output<typeof managedStats>;
