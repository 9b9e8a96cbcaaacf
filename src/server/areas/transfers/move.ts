import type { Actor } from "../../entities/context.ts";
import { makeWorkDue } from "../../entities/due-work.ts";
import { tagEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { moveTags, tagsOf } from "../../entities/tags-rows.ts";
import { parseTimestamp } from "../../kit/timestamp.ts";
import { removeRows } from "../../store/rows.ts";
import type { Database, DomainRow, NodeRow, TransferredType } from "../../store/tables.ts";
import { chargeNodes, type Pricing } from "../billing/charges.ts";
import { moveDomainRows } from "../domains/domains-rows.ts";

import { removeVlans } from "../nodes/jobs/backups.ts";

import { moveNodeRows } from "../nodes/rows/nodes.ts";

/** The account that receives, as the user who accepted. */
export interface Receiver extends Pricing {
  readonly caller: Actor;
}

/** Moves domains with their records, their zones and their serials, which nothing of this changes. */
export async function moveDomains(db: Database, rows: readonly DomainRow[], receiver: Receiver): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await moveDomainRows(db, ids, receiver.caller.accountId);
  await moveReferences(db, "domain", ids, receiver);
}

/**
 * Moves nodes with all that is on them. Their firewalls and the VLANs of their backups stay, because they belong to the
 * account that sent the nodes. Their settings of managed monitoring end, because they are what that account allowed.
 */
export async function moveNodes(db: Database, rows: readonly NodeRow[], receiver: Receiver): Promise<void> {
  if (rows.length === 0) return;
  const { accountId } = receiver.caller;
  const ids = rows.map(({ id }) => id);
  const moved = await moveNodeRows(db, ids, accountId);
  await removeRows(db, "firewall_devices", { node_id: ids });
  await removeRows(db, "managed_node_settings", { node_id: ids });
  await removeVlans(db, ids);
  await moveReferences(db, "node", ids, receiver);
  await chargeNodes(db, moved, receiver);
  const [next] = moved.flatMap(({ backup_next }) => backup_next ?? []).sort();
  if (next !== undefined) await makeWorkDue(db, accountId, parseTimestamp(next));
}

/** Ends the grants on entities, and gives them the same tags of the account that receives them. */
async function moveReferences(
  db: Database,
  type: TransferredType,
  ids: readonly number[],
  receiver: Receiver,
): Promise<void> {
  await removeRows(db, "grants", { entity_type: type, entity_id: ids });
  const labels = await tagsOf(db, type, ids);
  for (const label of await moveTags(db, receiver.caller.accountId, type, labels))
    await addEvent(db, receiver, "tag_create", { entity: tagEntity(label) });
}
