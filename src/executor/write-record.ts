import { ApiError } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { TransportError } from "../client/transport-error.ts";
import type { RecordChange } from "../planner/change.ts";
import { toApi } from "../provider/mapping.ts";
import type { Name } from "../zone/name.ts";

/** How often a DELETE is sent whose outcome nobody knows. To delete twice does no harm; half a swap would. */
const deleteAttempts = 3;

/**
 * Carries out one write in the domain of this id, whose name is `zone`, and gives the write that would undo it; undefined
 * when there is nothing to undo, because what was to be deleted was gone already. Rejects as the client's methods do.
 */
export async function writeRecord(
  client: Client,
  domainId: number,
  zone: Name,
  change: RecordChange,
): Promise<RecordChange | undefined> {
  switch (change.kind) {
    case "create": {
      const { id } = await client.createRecord({ domainId, body: toApi(change.after, zone) });
      return { kind: "delete", before: { ...change.after, id } };
    }
    case "update": {
      const { id } = change.before;
      await client.updateRecord({ domainId, recordId: id, body: toApi(change.after, zone) });
      return { kind: "update", before: { ...change.after, id }, after: change.before };
    }
    case "delete": {
      const isDone = await deleteRecord(client, domainId, change.before.id);
      return isDone ? { kind: "create", after: change.before } : undefined;
    }
  }
}

/** False when the record was gone already. */
async function deleteRecord(client: Client, domainId: number, recordId: number): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.deleteRecord({ domainId, recordId });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return attempt > 1;
      if (attempt === deleteAttempts || !isAmbiguous(error)) throw error;
    }
  }
}

function isAmbiguous(error: unknown): boolean {
  return (error instanceof ApiError || error instanceof TransportError) && error.outcome === "ambiguous";
}
