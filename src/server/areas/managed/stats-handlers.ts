import type { Statistics } from "../../../contract/resources/node-stats.ts";
import type { Handler } from "../../entities/context.ts";
import { yieldToEventLoop } from "../../store/event-loop.ts";
import { listRows } from "../../store/rows.ts";
import { hasSamples } from "../billing/node-samples-rows.ts";
import { sampleTime } from "../billing/traffic.ts";
import { lastDay, readStatistics } from "../nodes/jobs/stats.ts";

import { findManagedAccount } from "./find.ts";

/** Sums by the moment, in milliseconds since 1970. */
type Sums = Map<number, number>;

/** The sums of all nodes; traffic is that of their public addresses. */
export const getManagedStats: Handler<"getManagedStats"> = (_, context) =>
  context.store.read(async (db) => {
    const account = await findManagedAccount(db, {}, context, "read_only");
    const span = lastDay(context.now);
    const sums = {
      cpu: new Map(),
      disk: new Map(),
      net_in: new Map(),
      net_out: new Map(),
      swap: new Map(),
    } satisfies Record<string, Sums>;
    let hasRun = false;
    for (const { id } of await listRows(db, "nodes", { account_id: account.id })) {
      if (!(await hasSamples(db, id))) continue;
      hasRun = true;
      const statistics = await readStatistics(db, id, span, sampleTime);
      for (const [key, series] of seriesOf(statistics)) for (const point of series) addTo(sums[key], point);
      await yieldToEventLoop();
    }
    if (!hasRun && context.profile === "live") return { data: ["Graphs are not yet available."] };
    return {
      data: {
        cpu: pointsOf(sums.cpu),
        disk: pointsOf(sums.disk),
        net_in: pointsOf(sums.net_in),
        net_out: pointsOf(sums.net_out),
        swap: pointsOf(sums.swap),
      },
    };
  });

function seriesOf({ cpu, io, netv4, netv6 }: Statistics) {
  return [
    ["cpu", cpu],
    ["disk", io.io],
    ["swap", io.swap],
    ["net_in", [...netv4.in, ...netv6.in]],
    ["net_out", [...netv4.out, ...netv6.out]],
  ] as const;
}

function addTo(sums: Sums, [at = 0, value = 0]: readonly number[]): void {
  sums.set(at, (sums.get(at) ?? 0) + value);
}

function pointsOf(sums: Sums): { x: number; y: number }[] {
  return [...sums].sort(([a], [b]) => a - b).map(([x, y]) => ({ x, y: Math.round(y * 100) / 100 }));
}
