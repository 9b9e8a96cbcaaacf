import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import type { Database } from "../../store/tables.ts";
import { listSamples } from "./node-samples-rows.ts";

/** Milliseconds of a sample. */
export const sampleTime = 5 * 60 * 1000;

/** Octets in a GB. */
export const gigabyte = 1_000_000_000;

/** A span of time, in milliseconds since 1970: from its first until before its last. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** The month of a moment, in UTC. */
export function monthOf(now: Date): TimeSpan {
  return {
    from: Date.UTC(now.getUTCFullYear(), now.getUTCMonth()),
    until: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1),
  };
}

/** Octets that a node received and sent in a span, by its public addresses. */
export async function readTraffic(db: Database, node_id: number, { from, until }: TimeSpan) {
  const samples = await listSamples(db, node_id, timestamp(new Date(from)), timestamp(new Date(until)));
  const octets = (bits: number) => (bits * (sampleTime / 1000)) / 8;
  const sum = (key: "in" | "out") =>
    Math.round(samples.reduce((all, one) => all + octets(one[`netv4_${key}`] + one[`netv6_${key}`]), 0));
  return { bytes_in: sum("in"), bytes_out: sum("out") };
}

/** The GB that a node adds to the pool of a month: those of its type, for the part of the month since its creation. */
export function quotaOf(
  { transfer, created }: { readonly transfer: number; readonly created: string },
  month: TimeSpan,
): number {
  return quotaIn(
    { from: Math.max(month.from, parseTimestamp(created).getTime()), until: month.until },
    transfer,
    month,
  );
}

/** The GB of a type with this transfer for a span of a month. */
export function quotaIn({ from, until }: TimeSpan, transfer: number, month: TimeSpan): number {
  return Math.round((transfer * (until - from)) / (month.until - month.from));
}
