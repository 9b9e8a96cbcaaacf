import type { Statistics } from "../../../../contract/resources/node-stats.ts";
import { groupBy } from "../../../../group-by.ts";
import { parseTimestamp, timestamp } from "../../../kit/timestamp.ts";
import type { Database } from "../../../store/tables.ts";
import { listNodeRuns, listSamples, type Measures, measuresBy, type NodeRun } from "../../billing/node-samples-rows.ts";
import { sampleTime, type TimeSpan } from "../../billing/traffic.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** The last 24 hours in means of five minutes. */
export function lastDay(now: Date): TimeSpan {
  const until = Math.floor(now.getTime() / sampleTime) * sampleTime;
  return { from: until - day, until };
}

/** A month, or of the current one the last 30 days, in means of two hours. */
export function monthOfStats({ from, until }: TimeSpan, now: Date): TimeSpan {
  if (now.getTime() >= until) return { from, until };
  const end = Math.floor(now.getTime() / (2 * hour)) * 2 * hour;
  return { from: end - 30 * day, until: end };
}

const idle = measuresBy(() => 0);

interface Point extends Measures {
  readonly at: number;
}

/** A node's samples, and zeros for the times without one in which it ran: a simulated node idles. */
async function pointsOf(db: Database, node_id: number, { from, until }: TimeSpan): Promise<Point[]> {
  const [start, end] = [timestamp(new Date(from)), timestamp(new Date(until))];
  const samples = new Map(
    (await listSamples(db, node_id, start, end)).map(({ at, ...rest }) => [parseTimestamp(at).getTime(), rest]),
  );
  const runs = await listNodeRuns(db, node_id, start);
  const points: Point[] = [];
  for (let at = from; at < until; at += sampleTime) {
    const measures = samples.get(at) ?? (runs.some((run) => covers(run, at)) ? idle : undefined);
    if (measures !== undefined) points.push({ at, ...measures });
  }
  return points;
}

function covers({ started, ended }: NodeRun, at: number): boolean {
  return (
    parseTimestamp(started).getTime() <= at && (ended === null || parseTimestamp(ended).getTime() >= at + sampleTime)
  );
}

/** Means of `step` milliseconds; a step without a point is left out. */
function means(points: readonly Point[], step: number): Point[] {
  return [...groupBy(points, ({ at }) => Math.floor(at / step) * step)].map(([at, group]) => {
    const mean = (key: keyof Measures) => group.reduce((sum, point) => sum + point[key], 0) / group.length;
    return { at, ...measuresBy(mean) };
  });
}

/** The statistics of a node in a span, in means of `step` milliseconds. */
export async function readStatistics(db: Database, node_id: number, span: TimeSpan, step: number): Promise<Statistics> {
  const points = means(await pointsOf(db, node_id, span), step);
  const series = (key: keyof Measures) => points.map((point) => [point.at, Math.round(point[key] * 100) / 100]);
  const traffic = (family: "netv4" | "netv6") => ({
    in: series(`${family}_in`),
    out: series(`${family}_out`),
    private_in: series(`${family}_private_in`),
    private_out: series(`${family}_private_out`),
  });
  return {
    cpu: series("cpu"),
    io: { io: series("io"), swap: series("swap") },
    netv4: traffic("netv4"),
    netv6: traffic("netv6"),
  };
}
