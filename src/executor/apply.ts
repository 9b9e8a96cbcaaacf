import pMap from "p-map";
import type { Client } from "../client/client.ts";
import type { Plan } from "../planner/change.ts";
import type { ApplyEvent } from "./event.ts";
import { Queue } from "./queue.ts";
import { ZoneRun } from "./zone-run.ts";

const zonesAtOnce = 4;

/**
 * Carries out a plan and yields what happens. Zones run side by side, the writes of one zone in the plan's order. A write
 * that fails stops its zone, never the others. At its end each zone is read again and compared with what was desired.
 * When `signal` aborts, or the reader leaves, what is under way is finished and nothing new is begun.
 */
export async function* apply(plan: Plan, client: Client, signal?: AbortSignal): AsyncGenerator<ApplyEvent, void> {
  const events = new Queue<ApplyEvent>();
  const left = new AbortController();
  const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const work = pMap(plan.zones, (zone) => new ZoneRun(zone, client, (event) => events.push(event), stop).run(), {
    concurrency: zonesAtOnce,
  });
  const ended = work.then(
    () => events.end(),
    (error) => events.fail(error),
  );
  try {
    yield* events;
  } finally {
    left.abort();
    await ended;
  }
}
