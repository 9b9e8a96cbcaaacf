import { ApiError } from "../../client/api-error.ts";
import type { Client } from "../../client/client.ts";
import { ClientError } from "../../client/client-error.ts";
import { isAborted } from "../../client/transport-error.ts";
import { asId } from "../../dns/zone/desired-live.ts";
import type { TargetReads } from "../target.ts";
import { readEvents } from "./events.ts";

/** Reads account data, as far as the token may access it. */
export function accountReads(
  client: Pick<Client, "getAccount" | "getProfile" | "listEvents">,
): Pick<TargetReads, "readAccount" | "readUsername" | "readLastEvent" | "readEvents"> {
  return {
    readAccount: (options) => readUnlessHidden(async () => (await client.getAccount({}, options)).euuid, null),
    readUsername: (options) => readUnlessHidden(async () => (await client.getProfile({}, options)).username, undefined),
    readLastEvent: (options) =>
      readUnlessHidden(async () => {
        const { data } = await client.listEvents({ query: { page: 1, page_size: 25 } }, options);
        return asId(data[0]?.id ?? 0);
      }, undefined),
    readEvents: async (start, options) => {
      try {
        return await readEvents(client, start, options);
      } catch (error) {
        if (isHidden(error)) return { unknown: "this token cannot read events (scope events:read_only)" };
        if (!(error instanceof ClientError) || isAborted(error)) throw error;
        return { unknown: `the event log cannot be read: ${error.problems[0]?.summary}` };
      }
    },
  };
}

async function readUnlessHidden<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isHidden(error)) return otherwise;
    throw error;
  }
}

/** Whether the token lacks access to the requested object. */
function isHidden(error: unknown): boolean {
  return error instanceof ApiError && ["scope", "grant", "not-found"].includes(error.kind);
}
