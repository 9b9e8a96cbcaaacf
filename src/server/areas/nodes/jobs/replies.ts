import type { Node } from "../../../../contract/resources/node.ts";
import type { Context, Settings } from "../../../entities/context.ts";
import { tagsOf } from "../../../entities/tags-rows.ts";
import type { AddressRow, Database, NodeRow } from "../../../store/tables.ts";
import { listAddressesByNode } from "../addresses/addresses-rows.ts";
import { findNodeRow, hostUuid, maintenancePolicy } from "../rows/nodes.ts";

/** Stored nodes as replies show them. */
export async function nodeReplies(
  db: Database,
  rows: readonly NodeRow[],
  settings: Pick<Settings, "profile" | "catalog">,
): Promise<Node[]> {
  const ids = rows.map(({ id }) => id);
  const [tags, ofNodes] = [await tagsOf(db, "node", ids), await listAddressesByNode(db, ids)];
  return rows.map((row) => {
    const reply = nodeReply(row, tags.get(row.id) ?? [], ofNodes.get(row.id) ?? []);
    return settings.profile === "live" ? withLiveKeys(reply, row, settings) : reply;
  });
}

/** A node that was written in this transaction, as the reply shows it. */
export async function readNodeReply(db: Database, id: number, context: Context): Promise<Node> {
  const node = await findNodeRow(db, context.caller.accountId, id);
  const [reply] = node === undefined ? [] : await nodeReplies(db, [node], context);
  if (reply === undefined) throw new Error("a node that was written exists");
  return reply;
}

/** A stored node as a reply shows it (decisions/nodes#node-fields, decisions/service#order-of-keys). */
function nodeReply(row: NodeRow, tags: string[], own: readonly AddressRow[]): Node {
  const of = (wanted: AddressRow["type"]) => own.filter(({ type }) => type === wanted).map(({ address }) => address);
  const [slaac] = of("ipv6");
  return {
    id: row.id,
    label: row.label,
    group: row.group,
    status: row.status,
    created: row.created,
    updated: row.updated,
    type: row.type,
    ipv4: of("ipv4"),
    ipv6: slaac === undefined ? null : `${slaac}/128`,
    image: row.image,
    region: row.region,
    specs: { disk: row.disk, memory: row.memory, vcpus: row.vcpus, transfer: row.transfer },
    alerts: JSON.parse(row.alerts),
    backups: {
      enabled: row.backups_enabled === 1,
      schedule: { day: row.backup_day, window: row.backup_window },
      last_successful: row.backup_successful,
    },
    hypervisor: "kvm",
    watchdog_enabled: row.watchdog_enabled === 1,
    tags,
  };
}

/** The keys of the hosted service that the documents do not name. The simulated driver has one host. */
function withLiveKeys(reply: Node, { type }: NodeRow, { catalog }: Pick<Settings, "catalog">): Node {
  const gpus = catalog.types.find(({ id }) => id === type)?.gpus ?? 0;
  const { specs, backups } = reply;
  return {
    ...reply,
    specs: { ...specs, gpus, accelerated_devices: 0 },
    backups: { ...backups, available: backups.last_successful !== null },
    site_type: "core",
    host_uuid: hostUuid,
    has_user_data: false,
    placement_group: null,
    disk_encryption: "enabled",
    k8s_cluster_id: null,
    capabilities: [],
    interface_generation: "legacy_config",
    maintenance_policy: maintenancePolicy,
  };
}
