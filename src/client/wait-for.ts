import { setTimeout as delay } from "node:timers/promises";
import type { ApiEvent } from "../contract/resources/event.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import type { CallOptions, Client } from "./client.ts";
import { ClientError } from "./client-error.ts";
import { all } from "./pages.ts";

/** Waits between two looks, in milliseconds: the last one repeats. */
const pausesMs = [1_000, 1_000, 2_000, 5_000];

export interface WaitOptions<T> extends CallOptions {
  /** Time limit, in milliseconds; default ten minutes. The request that is in progress then is still awaited. */
  timeoutMs?: number;
  /** Called with each value that was read too early. */
  onLook?: ((value: T) => void) | undefined;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Waits; may end early, or reject, when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** The jobs of nodes whose events are newer than the one with the id `since`. */
export interface JobsOfNodes {
  readonly nodeIds: readonly number[];
  readonly since: number;
}

/** The service did not reach the awaited state within the time limit. */
export class WaitTimeoutError extends ClientError {
  /** @internal */
  constructor(state: string, timeoutMs: number) {
    const fix = "Check the state at the service, or wait longer with `timeoutMs`.";
    super("client/wait-timeout", `${state} after ${timeoutMs / 1000} s`, fix);
    this.name = "WaitTimeoutError";
  }
}

/** A job that was awaited failed, as its event says. */
export class JobFailedError extends ClientError {
  readonly event: ApiEvent;

  /** @internal */
  constructor(event: ApiEvent) {
    const reason = event.message ? `: ${escapeControl(event.message)}` : "";
    const fix = `Event ${event.id} has the details.`;
    super("job-failed", `${jobText(event)} failed${reason}`, fix);
    this.name = "JobFailedError";
    this.event = event;
  }
}

/** The service shows no event of the jobs that were awaited. */
export class JobUnknownError extends ClientError {
  /** @internal */
  constructor() {
    const fix = "The events of the account show whether the job has ended.";
    super("job-unknown", "the service shows no event of the request", fix);
    this.name = "JobUnknownError";
  }
}

/**
 * Reads until `isDone` accepts the value, and returns it: every second at first, then every five seconds, and no faster
 * than the service's rate limit allows. `read` passes its options on to the client. @throws {WaitTimeoutError}, the
 * errors of `read`, and the reason of an abort.
 */
export function waitFor<T>(
  read: (options: CallOptions) => Promise<T>,
  isDone: (value: T) => boolean,
  options: WaitOptions<T> = {},
): Promise<T> {
  return poll(read, isDone, () => "the awaited state was not reached", options);
}

/**
 * Waits until the job of an event has ended, or until it has `started`. A notification has ended. @throws
 * {JobFailedError}, and the errors of `waitFor`.
 */
export function waitForEvent(
  client: Pick<Client, "getEvent">,
  eventId: number,
  { until = "finished", ...options }: WaitOptions<ApiEvent> & { readonly until?: "started" | "finished" } = {},
): Promise<ApiEvent> {
  const isDone = (event: ApiEvent) => !isOpen(notFailed(event)) || event.status === until;
  return poll((call) => client.getEvent({ eventId }, call), isDone, openText, options);
}

/** The id of the newest event; 0 without events. Read before a request, it is `since` for the jobs that this begins. */
export async function newestEvent(client: Pick<Client, "listEvents">, options?: CallOptions): Promise<number> {
  const filter = { "+order_by": "id", "+order": "desc" } as const;
  const { data } = await client.listEvents({ filter, query: { page_size: 25 } }, options);
  return Math.max(0, ...data.map(({ id }) => id));
}

/**
 * Waits until the jobs of nodes have ended, and returns their events, oldest first. A job that follows on another, such
 * as the boot of a new node, is awaited too. @throws {JobFailedError}, {JobUnknownError} without any event, and the
 * errors of `waitFor`.
 */
export function waitForJobs(
  client: Pick<Client, "listEvents">,
  { nodeIds, since }: JobsOfNodes,
  options: WaitOptions<readonly ApiEvent[]> = {},
): Promise<readonly ApiEvent[]> {
  const filter = {
    "+and": [{ id: { "+gt": since } }, { "+or": nodeIds.map((id) => ({ "entity.id": id })) }],
    "+order_by": "id" as const,
    "+order": "asc" as const,
  };
  const read = async (call: CallOptions): Promise<readonly ApiEvent[]> => {
    const events = (await all(client.listEvents, { filter }, call)).filter(({ entity }) => entity?.type === "node");
    if (events.length === 0) throw new JobUnknownError();
    return events.map(notFailed);
  };
  return poll(
    read,
    (events) => !events.some(isOpen),
    (events) => events.filter(isOpen).map(openText).join(", "),
    options,
  );
}

/** A job with its node: `node_boot of web-1`. */
export function jobText({ action, entity }: ApiEvent): string {
  return escapeControl(entity === null ? action : `${action} of ${entity.label}`);
}

/** Whether the job of an event has not ended. */
export function isOpen({ status }: ApiEvent): boolean {
  return status === "scheduled" || status === "started";
}

function openText(event: ApiEvent): string {
  return `${jobText(event)} is still ${event.status}`;
}

function notFailed(event: ApiEvent): ApiEvent {
  if (event.status === "failed") throw new JobFailedError(event);
  return event;
}

async function poll<T>(
  read: (options: CallOptions) => Promise<T>,
  isDone: (value: T) => boolean,
  describe: (value: T) => string,
  { timeoutMs = 600_000, onLook, now = Date.now, sleep = wait, ...call }: WaitOptions<T>,
): Promise<T> {
  const { signal } = call;
  const end = now() + timeoutMs;
  try {
    for (let look = 0; ; look++) {
      signal?.throwIfAborted();
      const value = await read(call);
      if (isDone(value)) return value;
      onLook?.(value);
      const left = end - now();
      if (left <= 0) throw new WaitTimeoutError(describe(value), timeoutMs);
      await sleep(Math.min(left, pausesMs[look] ?? pausesMs.at(-1) ?? 0), signal);
    }
  } catch (error) {
    signal?.throwIfAborted(); // its reason, instead of the error of the request or the timer
    throw error;
  }
}

function wait(ms: number, signal?: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, signal && { signal });
}
