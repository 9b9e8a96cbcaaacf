import type { NodeStats } from "../../../../contract/resources/node-stats.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import { badRequest, errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { hasSamples } from "../../billing/node-samples-rows.ts";
import { gigabyte, monthOf, quotaOf, readTraffic, sampleTime, type TimeSpan } from "../../billing/traffic.ts";
import { findCallersNode } from "../jobs/find.ts";
import { lastDay, monthOfStats, readStatistics } from "../jobs/stats.ts";

/** Milliseconds of the means of a month. */
const twoHours = 2 * 60 * 60 * 1000;

export const getNodeStats: Handler<"getNodeStats"> = ({ nodeId }, context) =>
  statsOf(nodeId, lastDay, sampleTime, context);

export const getNodeMonthStats: Handler<"getNodeMonthStats"> = ({ nodeId, year, month }, context) =>
  statsOf(nodeId, (now) => monthOfStats(readMonth(year, month, now), now), twoHours, context);

/** @throws {ApiError} 400 in profile live for a node that never ran */
function statsOf(nodeId: number, spanAt: (now: Date) => TimeSpan, step: number, context: Context): Promise<NodeStats> {
  return context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    const span = spanAt(context.now);
    if (context.profile === "live" && !(await hasSamples(db, node.id)))
      throw badRequest("Stats are unavailable at this time.");
    const statistics = await readStatistics(db, node.id, span, step);
    return context.profile === "live" ? { title: node.label, data: statistics } : { title: node.label, ...statistics };
  });
}

export const getNodeTransfer: Handler<"getNodeTransfer"> = ({ nodeId }, context) =>
  context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    const month = monthOf(context.now);
    const { bytes_out: used } = await readTraffic(db, node.id, month);
    const quota = quotaOf(node, month);
    return { used, quota, billable: Math.max(0, Math.floor(used / gigabyte) - quota) };
  });

export const getNodeMonthTransfer: Handler<"getNodeMonthTransfer"> = ({ nodeId, year, month }, context) =>
  context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    const { bytes_in, bytes_out } = await readTraffic(db, node.id, readMonth(year, month, context.now));
    return { bytes_in, bytes_out, bytes_total: bytes_in + bytes_out };
  });

/** @throws {ApiError} 400 for no month from 2000 to 2037, and for a future one */
function readMonth(year: string, month: string, now: Date): TimeSpan {
  const isIn = (text: string, least: number, most: number) =>
    /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most;
  refuseIfAny([
    ...(isIn(year, 2000, 2037) ? [] : [errorEntry("year", "Must be 2000-2037")]),
    ...(isIn(month, 1, 12) ? [] : [errorEntry("month", "Must be 1-12")]),
  ]);
  const span = monthOf(new Date(Date.UTC(Number(year), Number(month) - 1)));
  if (span.from > now.getTime()) {
    const isFutureYear = Number(year) > now.getUTCFullYear();
    refuseIfAny([errorEntry(isFutureYear ? "year" : "month", "Must not be in the future")]);
  }
  return span;
}
