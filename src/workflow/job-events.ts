import type { ReadingClient } from "../client/client.ts";
import type { Filter } from "../contract/filter.ts";
import type { ApiEvent } from "../contract/resources/event.ts";
import { node } from "../contract/resources/node.ts";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { OperationCall } from "./call-operation.ts";
import type { RunContext } from "./run-context.ts";

/** Waits between two looks at the events, in milliseconds: the last one repeats. */
const pausesMs = [1_000, 1_000, 2_000, 5_000];

/** The id of the newest event; 0 without events. */
export async function newestEvent(client: ReadingClient, signal: AbortSignal): Promise<number> {
  const filter: Filter = { "+order_by": "id", "+order": "desc" };
  const { data } = await client.listEvents({ filter, query: { page_size: 25 } }, { signal });
  return Math.max(0, ...data.map(({ id }) => id));
}

/**
 * Waits until the jobs of a request have ended: the events of its nodes that are newer than `since`. A job that follows
 * on another, such as the boot of a new node, is awaited too. Returns the events, oldest first.
 * @throws {ProblemError} `job-failed`, and `job-unknown` if there is no event
 */
export async function awaitJobs(
  { sleep, signal, onProgress }: Pick<RunContext, "sleep" | "signal" | "onProgress">,
  client: ReadingClient,
  since: number,
  nodes: readonly number[],
): Promise<readonly ApiEvent[]> {
  for (let look = 0; ; look++) {
    signal.throwIfAborted();
    const events = await eventsSince(client, since, nodes, signal);
    if (events.length === 0) throw unknownJob();
    const failed = events.find(({ status }) => status === "failed");
    if (failed) throw jobFailed(failed);
    const open = events.find(({ status }) => status === "scheduled" || status === "started");
    if (open === undefined) return events;
    const details = open.percent_complete === null ? [] : [`${open.percent_complete} %`];
    onProgress?.({ task: jobText(open), unit: "job", done: 0, total: 0, details });
    await sleep(pausesMs[look] ?? pausesMs.at(-1) ?? 0, signal);
  }
}

async function eventsSince(
  client: ReadingClient,
  since: number,
  nodes: readonly number[],
  signal: AbortSignal,
): Promise<readonly ApiEvent[]> {
  const filter: Filter = {
    "+and": [{ id: { "+gt": since } }, { "+or": nodes.map((id) => ({ "entity.id": id })) }],
    "+order_by": "id",
    "+order": "asc",
  };
  const { data } = await client.listEvents({ filter, query: { page_size: 100 } }, { signal });
  return data.filter(({ entity }) => entity?.type === "node");
}

/** The nodes that a call is about: that of its path, that which its body names, and one in its reply. */
export function nodesOf({ endpoint, params, body }: OperationCall, reply: unknown): number[] {
  const made = endpoint.reply === node ? fieldOf(reply, "id") : undefined;
  const ids = [params.nodeId, fieldOf(body, "node_id"), made];
  return [...new Set(ids.filter((id) => typeof id === "number"))];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

/** A job with its node: `node_boot of web-1`. */
export function jobText({ action, entity }: ApiEvent): string {
  return plain(entity === null ? action : `${action} of ${entity.label}`);
}

function jobFailed(event: ApiEvent): ProblemError {
  const reason = event.message ? `: ${plain(event.message)}` : "";
  const fix = `\`zonewright api get-event ${event.id}\` shows the event.`;
  return new ProblemError(problem("job-failed", `${jobText(event)} failed${reason}`, { fix }));
}

function unknownJob(): ProblemError {
  const fix = "`zonewright api list-events` shows whether the job has ended.";
  return new ProblemError(problem("job-unknown", "the service shows no event of the request", { fix }));
}
