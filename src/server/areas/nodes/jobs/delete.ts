import type { Context } from "../../../entities/context.ts";
import { firewallEntity, volumeEntity } from "../../../entities/entities.ts";
import { removeReferences } from "../../../entities/entities-rows.ts";
import { addEvent } from "../../../entities/events.ts";
import { applyDueWork, tellJob } from "../../../entities/jobs.ts";
import { findJobOf } from "../../../entities/jobs-rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { chargeNode, endVolume } from "../../billing/charges.ts";
import { freeAddresses } from "../addresses/addresses.ts";
import { listAddressesByNode } from "../addresses/addresses-rows.ts";
import { removeDisksOf } from "../rows/disks.ts";
import { listAllFirewalls, removeFirewallDevicesOf, removeFirewallRow } from "../rows/firewalls.ts";
import { removeMaintenanceOf } from "../rows/maintenance.ts";
import { removeNodeConfigsOf } from "../rows/node-configs.ts";
import { listAllNodes } from "../rows/nodes.ts";
import { listAllVolumes, listVolumesOfNode, removeVolumeRow } from "../rows/volumes.ts";
import { endBackups } from "./backups.ts";
import { describeFreed } from "./freed.ts";
import { failJob, startNodeJob } from "./jobs.ts";
import { detach, volumeDeleted } from "./volumes.ts";

/** Frees what a node has at once; it is gone when the job ends that this starts (decisions/nodes#deletion). */
export async function startDeletion(db: Database, node: NodeRow, context: Context): Promise<void> {
  await failJob(db, "node", node, context.now, `"${node.label}" was deleted.`);
  const freed = (await listAddressesByNode(db, [node.id])).get(node.id) ?? [];
  await freeAddresses(db, freed, context);
  for (const volume of await listVolumesOfNode(db, node.id)) await detach(db, volume, node, context);
  await removeFirewallDevicesOf(db, [node.id]);
  await removeDisksOf(db, node.id);
  await removeNodeConfigsOf(db, node.id);
  await removeReferences(db, "node", node.id);
  await removeMaintenanceOf(db, node.id);
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
  for (const node of await listAllNodes(db, accountId)) {
    if (node.status !== "deleting") await startDeletion(db, node, context);
    const job = await findJobOf(db, "node", node.id);
    if (job) await tellJob(db, job, context.now);
    await applyDueWork(db, { accountId, nodeId: node.id }, context.now, context);
  }
  for (const volume of await listAllVolumes(db, accountId)) {
    await failJob(db, "volume", volume, context.now, volumeDeleted);
    await endVolume(db, volume, context);
    await removeVolumeRow(db, volume.id);
    await addEvent(db, context, "volume_delete", { entity: volumeEntity(volume) });
  }
  for (const firewall of await listAllFirewalls(db, accountId)) {
    await removeFirewallRow(db, firewall.id);
    await addEvent(db, context, "firewall_delete", { entity: firewallEntity(firewall) });
  }
}
