import type { Context } from "../../../entities/context.ts";
import { firewallEntity, volumeEntity } from "../../../entities/entities.ts";
import { removeReferences } from "../../../entities/entities-rows.ts";
import { addEvent } from "../../../entities/events.ts";
import { settle, tellJob } from "../../../entities/jobs.ts";
import * as jobs from "../../../entities/jobs-rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { chargeNode, endVolume } from "../../billing/charges.ts";
import { freeAddresses } from "../addresses/addresses.ts";
import * as addresses from "../addresses/addresses-rows.ts";
import * as disks from "../rows/disks.ts";
import * as firewalls from "../rows/firewalls.ts";
import * as maintenance from "../rows/maintenance.ts";
import * as nodeConfigs from "../rows/node-configs.ts";
import * as nodes from "../rows/nodes.ts";
import * as volumes from "../rows/volumes.ts";
import { endBackups } from "./backups.ts";
import { describeFreed } from "./freed.ts";
import { failJob, startNodeJob } from "./jobs.ts";
import { detach, volumeDeleted } from "./volumes.ts";

/** Frees what a node has at once; it is gone when the job ends that this starts (decisions/nodes#deletion). */
export async function startDeletion(db: Database, node: NodeRow, context: Context): Promise<void> {
  await failJob(db, "node", node, context.now, "The node was deleted.");
  const freed = (await addresses.listByNode(db, [node.id])).get(node.id) ?? [];
  await freeAddresses(db, freed, context);
  for (const volume of await volumes.listOfNode(db, node.id)) await detach(db, volume, node, context);
  await firewalls.removeDevicesOf(db, [node.id]);
  await disks.removeAll(db, node.id);
  await nodeConfigs.removeAll(db, node.id);
  await removeReferences(db, "node", node.id);
  await maintenance.removeOf(db, node.id);
  await endBackups(db, node);
  // Later no list has these addresses any more, but records may.
  const told = await describeFreed(db, node.account_id, freed);
  await chargeNode(db, await startNodeJob(db, context, node, "delete", told), context);
}

/**
 * Deletes all nodes, volumes and firewalls of an account that is closed, without a wait for jobs
 * (decisions/account#cancellation).
 */
export async function deleteAll(db: Database, context: Context): Promise<void> {
  const { accountId } = context.caller;
  for (const node of await nodes.listAll(db, accountId)) {
    if (node.status !== "deleting") await startDeletion(db, node, context);
    const job = await jobs.findOf(db, "node", node.id);
    if (job) await tellJob(db, job, context.now);
    await settle(db, { accountId, nodeId: node.id }, context.now, context);
  }
  for (const volume of await volumes.listAll(db, accountId)) {
    await failJob(db, "volume", volume, context.now, volumeDeleted);
    await endVolume(db, volume, context);
    await volumes.remove(db, volume.id);
    await addEvent(db, context, "volume_delete", { entity: volumeEntity(volume) });
  }
  for (const firewall of await firewalls.listAll(db, accountId)) {
    await firewalls.remove(db, firewall.id);
    await addEvent(db, context, "firewall_delete", { entity: firewallEntity(firewall) });
  }
}
