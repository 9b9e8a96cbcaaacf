import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { LiveZone } from "../dns/desired-live.ts";
import type { Plan } from "../planner/change.ts";
import type { ApplyContext } from "./apply-context.ts";
import type { ApplyEvent } from "./event.ts";
import { type Journal, noJournal } from "./journal.ts";
import { Queue } from "./queue.ts";
import { run } from "./run.ts";

export interface ApplyOptions {
  /** Aborted, what is under way is finished and nothing new is begun. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of each write before it is sent and after; none unless given. */
  readonly journal?: Journal;
  /** Keeps a zone as it was before the first write to it. */
  readonly backup?: (zone: LiveZone) => Promise<void>;
  /** Number of concurrent steps over all zones; default 8. The client limits its requests itself. */
  readonly atOnce?: number;
  /** The time of this machine unless given. */
  readonly clock?: Clock;
}

const ownClock: Clock = { now: Date.now, sleep: (ms) => delay(ms) };

/**
 * Carries out a plan and yields what happens. Zones run side by side, and so do the steps of a zone that need nothing
 * of each other. A write that fails stops its zone, and what needs its steps; never the others. A zone is read and
 * compared with its plan before its first write, and with what was desired after its last one. Domains are deleted
 * last. When the signal aborts, or the reader leaves, what is under way is finished and nothing new is begun.
 */
export async function* apply(
  plan: Plan,
  target: ApplyContext["target"],
  options: ApplyOptions = {},
): AsyncGenerator<ApplyEvent, void> {
  const { signal, journal = noJournal, backup = async () => undefined, clock = ownClock, atOnce = 8 } = options;
  const events = new Queue<ApplyEvent>();
  const left = new AbortController();
  const isInterrupted = () => left.signal.aborted || signal?.aborted === true;
  const emit = (event: ApplyEvent) => events.push(event);
  const context: ApplyContext = { target, clock, backup, journal, emit, isInterrupted, atOnce };
  const ended = run(plan, context).then(
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
