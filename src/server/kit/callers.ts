import { parseScopes } from "../../contract/scopes.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import type { Owner } from "../store/owners.ts";
import type { Caller, Settings } from "./context.ts";
import { settle } from "./jobs.ts";
import { timestamp } from "./timestamp.ts";

/**
 * The owner of a token or a session as a caller; undefined if their account is closed. What has become due in the
 * account is settled first, because nothing waits for a timer.
 */
export async function admitOwner(
  settings: Pick<Settings, "store" | "jobKinds" | "dueWork">,
  owner: Owner,
  scopes: string,
  now: Date,
): Promise<Caller | undefined> {
  if (owner.closed !== null) return undefined;
  if (owner.due !== null && owner.due <= timestamp(now)) await settleAccount(settings, owner.account_id, now);
  return {
    userId: owner.id,
    accountId: owner.account_id,
    username: owner.username,
    isRestricted: owner.restricted === 1,
    addsDomains: owner.restricted === 0 || owner.add_domains === 1,
    addsNodes: owner.restricted === 0 || owner.add_nodes === 1,
    accountAccess: owner.account_access,
    scopes: parseScopes(scopes),
  };
}

/** Settles in several transactions, so that others do not wait for all of it. */
async function settleAccount(settings: Pick<Settings, "store" | "jobKinds" | "dueWork">, id: number, now: Date) {
  while (await settings.store.write((db) => settle(db, id, now, settings))) await yieldToEventLoop();
}
