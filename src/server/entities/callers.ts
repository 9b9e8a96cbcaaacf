import * as z from "zod";
import type { Endpoint } from "../../contract/endpoint.ts";
import { parseScopes } from "../../contract/scopes.ts";
import { exactTimestamp } from "../kit/timestamp.ts";
import { yieldToEventLoop } from "../store/event-loop.ts";
import { isAccountDue } from "./accounts-rows.ts";
import type { Caller, Settings } from "./context.ts";
import type { Part } from "./due-work.ts";
import { applyDueWork, isWorkDue } from "./jobs.ts";
import type { Owner } from "./owners-rows.ts";

type Settling = Pick<Settings, "store" | "jobKinds" | "dueWork">;

/** The owner of a token or a session as a caller in an account without due work. */
export function callerOf(owner: Owner, scopes: string): Caller {
  return {
    userId: owner.id,
    accountId: owner.account_id,
    username: owner.username,
    isRestricted: owner.restricted === 1,
    addsDomains: owner.restricted === 0 || owner.add_domains === 1,
    addsNodes: owner.restricted === 0 || owner.add_nodes === 1,
    accountAccess: owner.account_access,
    scopes: parseScopes(scopes),
    leavesWork: false,
  };
}

/**
 * Admits an owner as this caller; undefined if their account is closed. Due work of the account is settled first,
 * because nothing waits for a timer; if there is much, only the earliest part.
 */
export async function admitOwner(
  settings: Settling,
  { account_id, due, closed }: Owner,
  caller: Caller,
  now: Date,
): Promise<Caller | undefined> {
  if (closed !== null) return undefined;
  const hasDueWork = due !== null && due <= exactTimestamp(now);
  return hasDueWork && (await settleFirst(settings, account_id, now)) ? { ...caller, leavesWork: true } : caller;
}

/** Settles the earliest due work, and all up to the last move of entities. Returns whether more is due. */
async function settleFirst(settings: Settling, accountId: number, now: Date): Promise<boolean> {
  const moves = settings.dueWork.filter(({ movesEntities }) => movesEntities);
  for (;;) {
    if (!(await settlePart(settings, { accountId }, now))) return false;
    if (!(await settings.store.read((db) => isWorkDue(db, { accountId }, now, moves)))) return true;
    await yieldToEventLoop();
  }
}

/**
 * Settles what is left of the due work and concerns a request: that of the nodes it names, all of it for one about
 * more than domains and the catalogue. It does so in several transactions, so that others do not wait for all of it.
 */
export async function settleFor(
  settings: Settling,
  { accountId }: Caller,
  { scope }: Pick<Endpoint, "scope">,
  input: object,
  now: Date,
): Promise<void> {
  if (scope === null || scope.startsWith("domains:")) return;
  const named = nodesNamedIn(input).map((nodeId) => ({ accountId, nodeId }));
  for (const part of named.length > 0 ? named : [{ accountId }])
    while (await settlePart(settings, part, now)) await yieldToEventLoop();
}

/** Settles all due work of another account that a request is about. */
export async function settleAccount(settings: Settling, accountId: number, now: Date): Promise<void> {
  while (await settlePart(settings, { accountId }, now)) await yieldToEventLoop();
}

/** The accounts that each server of this process is settling; all its requests share its due work. */
const underWay = new WeakMap<Settling["dueWork"], Map<number, Promise<boolean>>>();

/**
 * Settles the earliest due work of a part of an account. Of many requests that find the same work due, one settles it
 * and the others wait: if each had a transaction, those would wait for the same rows one after another, and the last of
 * them for longer than a request waits for a row.
 */
async function settlePart(settings: Settling, part: Part, now: Date): Promise<boolean> {
  const { store, dueWork } = settings;
  const { accountId } = part;
  const settling = underWay.get(dueWork) ?? new Map<number, Promise<boolean>>();
  underWay.set(dueWork, settling);
  for (let other = settling.get(accountId); other !== undefined; other = settling.get(accountId)) {
    await other.catch(() => {}); // its request reports the failure; this one tries again
    if (!(await store.read((db) => isAccountDue(db, accountId, exactTimestamp(now))))) return false;
  }
  const own = store.write((db) => applyDueWork(db, part, now, settings));
  settling.set(accountId, own);
  try {
    return await own;
  } finally {
    settling.delete(accountId);
  }
}

/** Ids of nodes in the path and the body of a request. */
function nodesNamedIn(input: object): number[] {
  const { nodeId, body } = z.object({ nodeId: id, body: z.object({ node_id: id }).catch({}) }).parse(input);
  return [nodeId, body.node_id].filter((named) => named !== undefined);
}

const id = z.int().optional().catch(undefined);
