import type { Context } from "../../../entities/context.ts";
import { firewallEntity, volumeEntity } from "../../../entities/entities.ts";
import { removeReferences } from "../../../entities/entities-rows.ts";
import { addEvent } from "../../../entities/events.ts";
import { applyDueWork, tellJob } from "../../../entities/jobs.ts";
import { findRow, listRows, removeRows } from "../../../store/rows.ts";

import type { Database, NodeRow } from "../../../store/tables.ts";
import { chargeNode, endVolume } from "../../billing/charges.ts";
import { freeAddresses } from "../addresses/addresses.ts";
import { listAddressesByNode } from "../addresses/addresses-rows.ts";

import { removeFirewallRow } from "../rows/firewalls.ts";

import { removeVolumeRow } from "../rows/volumes.ts";
import { endBackups } from "./backups.ts";
import { describeFreed } from "./freed.ts";
import { failJob, startNodeJob } from "./jobs.ts";
import { detach, volumeDeleted } from "./volumes.ts";

/** Frees what a node has at once; it is gone when the job ends that this starts (decisions/nodes#deletion). */
export async function startDeletion(db: Database, node: NodeRow, context: Context): Promise<void> {
  await failJob(db, "node", node, context.now, `"${node.label}" was deleted.`);
  const freed = (await listAddressesByNode(db, [node.id])).get(node.id) ?? [];
  await freeAddresses(db, freed, context);
  for (const volume of await listRows(db, "volumes", { node_id: node.id })) await detach(db, volume, node, context);
  await removeRows(db, "firewall_devices", { node_id: [node.id] });
  await removeRows(db, "disks", { node_id: node.id });
  await removeRows(db, "node_configs", { node_id: node.id });
  await removeReferences(db, "node", node.id);
  await removeRows(db, "maintenance", { node_id: node.id });
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
  for (const node of await listRows(db, "nodes", { account_id: accountId })) {
    if (node.status !== "deleting") await startDeletion(db, node, context);
    const job = await findRow(db, "jobs", { entity_type: "node", entity_id: node.id });
    if (job) await tellJob(db, job, context.now);
    await applyDueWork(db, { accountId, nodeId: node.id }, context.now, context);
  }
  for (const volume of await listRows(db, "volumes", { account_id: accountId })) {
    await failJob(db, "volume", volume, context.now, volumeDeleted);
    await endVolume(db, volume, context);
    await removeVolumeRow(db, volume.id);
    await addEvent(db, context, "volume_delete", { entity: volumeEntity(volume) });
  }
  for (const firewall of await listRows(db, "firewalls", { account_id: accountId })) {
    await removeFirewallRow(db, firewall.id);
    await addEvent(db, context, "firewall_delete", { entity: firewallEntity(firewall) });
  }
}
