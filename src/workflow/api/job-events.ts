import type { ReadingClient } from "../../client/client.ts";
import { isOpen, type JobsOfNodes, jobText, waitForJobs } from "../../client/wait-for.ts";
import type { ApiEvent } from "../../contract/resources/event.ts";
import { node } from "../../contract/resources/node.ts";
import type { RunContext } from "../project/run-context.ts";
import type { OperationCall } from "./call-operation.ts";

/** Waits as `waitForJobs` does, as long as it takes, and reports the progress of the oldest job. */
export function awaitJobs(
  { sleep, signal, onProgress }: Pick<RunContext, "sleep" | "signal" | "onProgress">,
  client: ReadingClient,
  jobs: JobsOfNodes,
): Promise<readonly ApiEvent[]> {
  const onLook = (events: readonly ApiEvent[]) => {
    const open = events.find(isOpen);
    if (open === undefined) return;
    const details = open.percent_complete === null ? [] : [`${open.percent_complete} %`];
    onProgress?.({ task: jobText(open), unit: "job", done: 0, total: 0, details });
  };
  return waitForJobs(client, jobs, { signal, sleep, onLook, timeoutMs: Number.POSITIVE_INFINITY });
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
