import { readAccount } from "../../../entities/account.ts";
import type { Context } from "../../../entities/context.ts";
import { requireGrant } from "../../../entities/entities.ts";
import type { Find } from "../../../entities/resource.ts";
import { errorEntry, notFound, Refusal, unauthorized } from "../../../kit/api-error.ts";
import type { Database, NodeRow, Permissions } from "../../../store/tables.ts";
import { findNodeRow } from "../rows/nodes.ts";
import { requireIdle } from "./jobs.ts";

/**
 * The caller's node of this id. To change it, its account is locked first, as `settle` does.
 * @throws {Refusal} 404 if it does not exist or belongs to another account; 403 for a restricted user whose grant on
 * it is less than `needed`.
 */
export async function findCallersNode(
  db: Database,
  id: number,
  context: Context,
  needed: Permissions = "read_only",
): Promise<NodeRow> {
  if (needed === "read_write") await readAccount(db, context.caller);
  const node = await findNodeRow(db, context.caller.accountId, id);
  if (node === undefined) throw notFound();
  await requireGrant(db, context, { entity_type: "node", entity_id: id }, needed);
  return node;
}

/**
 * The caller's node that a path names, as `findNode` finds it.
 * @throws {Refusal} also 400 to change it, or what belongs to it, while it is being deleted.
 */
export const findKeptNode: Find<{ readonly nodeId: number }, NodeRow> = async (db, { nodeId }, context, needed) => {
  const node = await findCallersNode(db, nodeId, context, needed);
  if (needed === "read_write" && node.status === "deleting") await requireIdle(db, node, context.profile);
  return node;
};

/**
 * The caller's node that a body names as the one to change; its account is locked already.
 * @throws {Refusal} 400 if it does not exist or belongs to another account; 403 for a restricted user without
 * read_write on it.
 */
export async function findTarget(db: Database, id: number, context: Context): Promise<NodeRow> {
  const node = await findNodeRow(db, context.caller.accountId, id);
  if (node === undefined) throw new Refusal(400, [errorEntry("node_id", "node_id is not valid")]);
  await requireGrant(db, context, { entity_type: "node", entity_id: id }, "read_write");
  return node;
}

/** @throws {Refusal} 403 for a restricted user: only others may create volumes and firewalls. */
export function requireUnrestricted({ caller }: Context): void {
  if (caller.isRestricted) throw unauthorized();
}

/** @throws {Refusal} 403 for a restricted user who may not create nodes. */
export function requireAddNodes({ caller }: Context): void {
  if (!caller.addsNodes) throw unauthorized();
}
