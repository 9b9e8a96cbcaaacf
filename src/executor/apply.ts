import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { LiveZone } from "../dns/zone/desired-live.ts";
import type { Plan } from "../planner/changes/change.ts";
import type { ApplyContext } from "./journal/apply-context.ts";
import type { ApplyEvent } from "./journal/event.ts";
import { type Journal, noJournal } from "./journal/journal.ts";
import { run } from "./write/run.ts";

interface ApplyOptions {
  /** On abort, writes in progress are finished and no new ones are started. */
  readonly signal?: AbortSignal | undefined;
  /** Records each write before and after it is sent; none by default. */
  readonly journal?: Journal;
  /** Backs up a zone before the first write to it; `stored`: before its deletion, all that the service has of it. */
  readonly backup?: (zone: LiveZone, stored?: string) => Promise<void>;
  /** Saves a zone as the run left it; not done by default. */
  readonly saveAfter?: ((zone: LiveZone) => Promise<void>) | undefined;
  /** Number of concurrent steps over all zones; default 8. The client limits its requests itself. */
  readonly atOnce?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

const ownClock: Clock = { now: Date.now, sleep: (ms) => delay(ms) };

/**
 * Applies a plan and yields its events. Zones run concurrently, and so do independent steps of a zone. A failed write
 * stops its zone and the steps that depend on it, but no others. A zone is compared with its plan before its first
 * write, and with the desired zone after its last one. Domains are deleted last. On abort, or if the reader stops,
 * writes in progress are finished and no new ones are started.
 */
export async function* executePlan(
  plan: Plan,
  target: ApplyContext["target"],
  options: ApplyOptions = {},
): AsyncGenerator<ApplyEvent, void> {
  const { signal, journal = noJournal, backup = async () => undefined, clock = ownClock, atOnce = 8 } = options;
  const { saveAfter } = options;
  const events = new Queue<ApplyEvent>();
  const left = new AbortController();
  const isInterrupted = () => left.signal.aborted || signal?.aborted === true;
  const emit = (event: ApplyEvent) => events.push(event);
  const context: ApplyContext = { target, clock, backup, saveAfter, journal, emit, isInterrupted, atOnce };
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

/** A queue with any number of writers and one reader. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #end: { error?: unknown } | undefined;
  #wake: () => void = () => {};

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  end(): void {
    this.#end = {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end = { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const values = this.#values.splice(0);
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#end) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
