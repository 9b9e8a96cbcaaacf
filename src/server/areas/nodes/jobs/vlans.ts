import { nodeConfigEntity, nodeEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { findRow } from "../../../store/rows.ts";

import { updateNodeRow } from "../rows/nodes.ts";
import type { StoredInterface } from "../rules/interfaces.ts";
import { type Ending, findJobActor } from "./ending.ts";

/**
 * Attaches a node to the VLANs of the configuration profile that a boot has started, and detaches it from the others:
 * interfaces take effect at a boot (decisions/documents#interfaces). The label of a VLAN is the message of its event.
 */
export async function joinVlans(ending: Ending): Promise<void> {
  const { db, node, data, now } = ending;
  const config = await findRow(db, "node_configs", { id: data.config ?? 0, node_id: node.id });
  const interfaces: StoredInterface[] = JSON.parse(config?.interfaces ?? "[]");
  const wanted = interfaces.flatMap(({ purpose, label }) => (purpose === "vlan" && label !== null ? [label] : []));
  const attached: string[] = JSON.parse(node.vlans);
  const changes = [
    ...attached.filter((label) => !wanted.includes(label)).map((label) => ["vlan_detach", label] as const),
    ...wanted.filter((label) => !attached.includes(label)).map((label) => ["vlan_attach", label] as const),
  ];
  if (changes.length === 0) return;
  await updateNodeRow(db, node.id, { vlans: JSON.stringify(wanted) });
  const context = { caller: await findJobActor(ending), now };
  const subjects = { entity: nodeEntity(node), ...(config && { secondary: nodeConfigEntity(config) }) };
  for (const [action, message] of changes) await addEvent(db, context, action, { ...subjects, message });
}
