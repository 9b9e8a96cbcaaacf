import type { ReadingClient } from "../client/client.ts";
import type { Filter } from "../contract/filter.ts";
import type { ApiEvent } from "../contract/resources/event.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { RunContext } from "./run-context.ts";

/** The object that a request is about, for the events that follow it. */
export interface JobSubject {
  /** The path of the request with its parameters, such as `/domains/12/clone`. */
  readonly path: string;
  /** The id in the reply, if it has one. */
  readonly id: string | number | undefined;
}

/** Waits between two looks at the events, in milliseconds: the last one repeats. */
const pausesMs = [1_000, 1_000, 2_000, 5_000];
/** The service may record an event a little later than it replies. */
const looksForFirst = 3;
/** The page size that every list of events accepts. */
const pageSize = 100;

/** The id of the newest event; 0 without events. */
export async function newestEvent(client: ReadingClient, signal: AbortSignal): Promise<number> {
  const { data } = await client.listEvents({ query: { page_size: 25 } }, { signal });
  return Math.max(0, ...data.map(({ id }) => id));
}

/**
 * Waits until the events of a request have ended: those of its object that are newer than `since`. A job that follows
 * on another, such as the boot of a new node, is awaited too. Returns the events, oldest first; none if the service
 * records none.
 * @throws {ProblemError} `job-failed`
 */
export async function awaitEvents(
  { sleep, signal, onProgress }: Pick<RunContext, "sleep" | "signal" | "onProgress">,
  client: ReadingClient,
  since: number,
  subject: JobSubject,
): Promise<readonly ApiEvent[]> {
  for (let look = 1; ; look++) {
    signal.throwIfAborted();
    const events = await eventsSince(client, since, subject, signal);
    const open = events.find(({ status }) => status === "scheduled" || status === "started");
    if (open === undefined && (events.length > 0 || look === looksForFirst)) {
      const failed = events.find(({ status }) => status === "failed");
      if (failed) throw jobFailed(failed);
      return events;
    }
    const details = typeof open?.percent_complete === "number" ? [`${open.percent_complete} %`] : [];
    onProgress?.({ task: open?.action ?? "waiting for the event", unit: "event", done: 0, total: 0, details });
    await sleep(pausesMs[Math.min(look, pausesMs.length) - 1] ?? 0, signal);
  }
}

async function eventsSince(
  client: ReadingClient,
  since: number,
  subject: JobSubject,
  signal: AbortSignal,
): Promise<ApiEvent[]> {
  const filter: Filter = { id: { "+gt": since }, "+order_by": "id", "+order": "asc" };
  const { data } = await client.listEvents({ filter, query: { page_size: pageSize } }, { signal });
  return data.filter((event) => isAbout(event, subject));
}

/** Whether the entity of an event is what the request changes, contains the changed object, or was made by it. */
function isAbout({ entity }: ApiEvent, { path, id }: JobSubject): boolean {
  const own = entity?.url.replace(/^\/v4(?:beta)?(?=\/)/, "");
  if (own === undefined || own === null) return false;
  const collection = own.slice(0, own.lastIndexOf("/"));
  const isMade = id !== undefined && String(entity?.id) === String(id) && isWithin(path, collection);
  return isMade || isWithin(path, own);
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

function jobFailed({ id, action, entity, message }: ApiEvent): ProblemError {
  const of = entity === null ? "" : ` of ${entity.label}`;
  const reason = message ? `: ${message}` : "";
  const fix = `\`zonewright api get-event ${id}\` shows the event.`;
  return new ProblemError(problem("job-failed", `${action}${of} failed${reason}`, { fix }));
}
