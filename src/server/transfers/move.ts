import { chargeNode, type Pricing } from "../billing/charges.ts";
import type { Actor } from "../kit/context.ts";
import { makeWorkDue } from "../kit/due-work.ts";
import { tagEntity } from "../kit/entities.ts";
import { addEvent } from "../kit/events.ts";
import { moment } from "../kit/timestamp.ts";
import * as domains from "../store/domains.ts";
import * as firewalls from "../store/firewalls.ts";
import { withdrawAll } from "../store/grants.ts";
import * as managedNodeSettings from "../store/managed-node-settings.ts";
import * as nodes from "../store/nodes.ts";
import type { Database, DomainRow, NodeRow, TransferredType } from "../store/tables.ts";
import { setTags, tagsOf } from "../store/tags.ts";

/** The account that receives, as the user who accepted. */
export interface Receiver extends Pricing {
  readonly caller: Actor;
}

/** Moves a domain with its records, its zone and its serial, which nothing of this changes. */
export async function moveDomain(db: Database, { id }: DomainRow, receiver: Receiver): Promise<void> {
  await domains.update(db, id, { account_id: receiver.caller.accountId });
  await moveReferences(db, "domain", id, receiver);
}

/**
 * Moves a node with all that is on it. Its firewalls stay, because they belong to the account that sent it, and its
 * settings of managed monitoring end, because they are what that account allowed.
 */
export async function moveNode(db: Database, { id, backup_next }: NodeRow, receiver: Receiver): Promise<void> {
  const { accountId } = receiver.caller;
  const moved = await nodes.update(db, id, { account_id: accountId });
  await firewalls.removeDevicesOf(db, id);
  await managedNodeSettings.removeOf(db, id);
  await moveReferences(db, "node", id, receiver);
  await chargeNode(db, moved, receiver);
  if (backup_next !== null) await makeWorkDue(db, accountId, moment(backup_next));
}

/** Ends the grants on an entity, and gives it the same tags of the account that receives it. */
async function moveReferences(
  db: Database,
  entity_type: TransferredType,
  entity_id: number,
  receiver: Receiver,
): Promise<void> {
  const entity = { entity_type, entity_id };
  await withdrawAll(db, entity);
  const labels = (await tagsOf(db, entity_type, [entity_id])).get(entity_id) ?? [];
  for (const label of await setTags(db, receiver.caller.accountId, entity, labels))
    await addEvent(db, receiver, "tag_create", { entity: tagEntity(label) });
}
