import * as z from "zod";

/** Pairs of a moment, in milliseconds since 1970, and a number. */
const series = (what: string) => z.array(z.array(z.number())).describe(`${what}, as pairs of milliseconds and number`);

const traffic = z.object({
  in: series("Public traffic in, in bit/s"),
  out: series("Public traffic out, in bit/s"),
  private_in: series("Private traffic in, in bit/s"),
  private_out: series("Private traffic out, in bit/s"),
});

const statistics = {
  cpu: series("Percent of a virtual CPU"),
  io: z.object({
    io: series("Blocks that the disks read and wrote in a second"),
    swap: series("Blocks that swap disks read and wrote in a second"),
  }),
  netv4: traffic.describe("Traffic by IPv4"),
  netv6: traffic.describe("Traffic by IPv6"),
};

const title = z.string().describe("Name of the node");

/** Statistics of a node (decisions/documents#statistics-and-transfer). Profile live has the series below `data`. */
export const nodeStats = z.union([z.object({ title, ...statistics }), z.object({ title, data: z.object(statistics) })]);

/** Outgoing traffic of a node in this month (decisions/documents#statistics-and-transfer). */
export const transferPool = z.object({
  used: z.int().describe("Octets sent"),
  quota: z.int().describe("GB that the node adds to the month's pool"),
  billable: z.int().describe("GB sent beyond the quota"),
});

/** Traffic of a node in a month (decisions/documents#statistics-and-transfer). */
export const monthTransfer = z.object({
  bytes_in: z.int().describe("Octets received"),
  bytes_out: z.int().describe("Octets sent"),
  bytes_total: z.int().describe("Both together"),
});

export type NodeStats = z.output<typeof nodeStats>;
export type Statistics = z.output<z.ZodObject<typeof statistics>>;
export type TransferPool = z.output<typeof transferPool>;
export type MonthTransfer = z.output<typeof monthTransfer>;
