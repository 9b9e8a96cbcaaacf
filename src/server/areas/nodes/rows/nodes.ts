import { expressionBuilder, sql } from "kysely";
import { removeReferences } from "../../../entities/entities-rows.ts";
import { whereGranted } from "../../../entities/grants-rows.ts";
import { tagsAttribute } from "../../../entities/tags-rows.ts";
import {
  type Attributes,
  always,
  anyOf,
  boolean,
  caseBlind,
  constant,
  jsonList,
  neverTrue,
  number,
  textAttribute,
} from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, NewNodeRow, NodeRow, Tables } from "../../../store/tables.ts";

/** The account's node of this id. Writes lock its account before, so that a settled job and a request never meet. */
export function findNodeRow(db: Database, account_id: number, id: number): Promise<NodeRow | undefined> {
  return db
    .selectFrom("nodes")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .forUpdate()
    .executeTakeFirst();
}

/** The account that has the node of this id. */
export async function findNodeOwner(db: Database, id: number): Promise<number | undefined> {
  const row = await db.selectFrom("nodes").select("account_id").where("id", "=", id).executeTakeFirst();
  return row?.account_id;
}

/** All nodes of an account, the oldest first. */
export function listAllNodes(db: Database, account_id: number): Promise<NodeRow[]> {
  return db.selectFrom("nodes").selectAll().where("account_id", "=", account_id).orderBy("id").execute();
}

/** The account's nodes among these ids, by id. */
export async function listNodeRowsById(db: Database, account_id: number, ids: readonly number[]): Promise<NodeRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("nodes")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
}

/** The node whose automatic backup, or the choice of its schedule, is due first: of the account, or this one. */
export function findNextNodeBackup(
  db: Database,
  { accountId, nodeId }: { readonly accountId: number; readonly nodeId?: number },
): Promise<NodeRow | undefined> {
  return db
    .selectFrom("nodes")
    .selectAll()
    .where("account_id", "=", accountId)
    .$if(nodeId !== undefined, (nodes) => nodes.where("id", "=", nodeId ?? 0))
    .where("backup_next", "is not", null)
    .orderBy("backup_next")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** The account's nodes; with `grantee`, only those on which this user has a grant. */
export function listNodeRows(
  db: Database,
  account_id: number,
  grantee: number | undefined,
  wanted: Slice,
): Promise<Rows<NodeRow>> {
  const rows = db.selectFrom("nodes").where("account_id", "=", account_id);
  return slice(db, { rows, ...whereGranted(grantee, "node", eb.ref("nodes.id")) }, attributes, wanted);
}

/** Whether another node of the account has this label, in any letter case. */
export async function isNodeLabelTaken(
  db: Database,
  account_id: number,
  label: string,
  except?: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("nodes")
    .select("id")
    .where("account_id", "=", account_id)
    .where("label_key", "=", label.toLowerCase())
    .where("id", "!=", except ?? 0)
    .executeTakeFirst();
  return row !== undefined;
}

/** Selects the labels, in lower case, that nodes of the account have. */
export async function listTakenNodeLabels(
  db: Database,
  account_id: number,
  labels: readonly string[],
): Promise<Set<string>> {
  if (labels.length === 0) return new Set();
  const rows = await db
    .selectFrom("nodes")
    .select("label_key")
    .where("account_id", "=", account_id)
    .where("label_key", "in", labels)
    .execute();
  return new Set(rows.map(({ label_key }) => label_key));
}

/** Moves nodes to another account, and returns them as they are then, by id. */
export async function moveNodeRows(db: Database, ids: readonly number[], account_id: number): Promise<NodeRow[]> {
  if (ids.length === 0) return [];
  await db.updateTable("nodes").set({ account_id }).where("id", "in", ids).execute();
  return listNodeRowsById(db, account_id, ids);
}

/** Adds a node; one without a label is called by its id behind `prefix`, such as `node12`. */
export async function insertNodeRow(
  db: Database,
  { label, prefix, ...row }: Omit<NewNodeRow, "label" | "label_key"> & { label: string | undefined; prefix: string },
): Promise<NodeRow> {
  // No label has a blank.
  const named = { label: label ?? "", label_key: label?.toLowerCase() ?? " " };
  const node = await db
    .insertInto("nodes")
    .values({ ...row, ...named })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (label !== undefined) return node;
  return updateNodeRow(db, node.id, { label: await findFreeLabel(db, row.account_id, prefix + node.id) });
}

/** The label, or with a number behind it if the account has it already. */
async function findFreeLabel(db: Database, account_id: number, label: string): Promise<string> {
  for (let count = 1; ; count++) {
    const free = count === 1 ? label : `${label}-${count}`;
    if (!(await isNodeLabelTaken(db, account_id, free))) return free;
  }
}

export function updateNodeRow(db: Database, id: number, { label, ...changes }: Partial<NewNodeRow>): Promise<NodeRow> {
  const renamed = label === undefined ? {} : { label, label_key: label.toLowerCase() };
  return db
    .updateTable("nodes")
    .set({ ...changes, ...renamed })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a node with its grants and tags, its disks and its configuration profiles. */
export async function removeNodeRow(db: Database, id: number): Promise<void> {
  await removeReferences(db, "node", id);
  await db.deleteFrom("nodes").where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "nodes">();

const ofNode = sql`from addresses where addresses.node_id = nodes.id and addresses.type`;
const ipv4 = anyOf(
  textAttribute(sql.ref("addresses.address")),
  sql`${ofNode} = 'ipv4'`,
  sql`addresses.public desc, addresses.id`,
);

/** The host of all nodes in profile live: nodes are simulated by one. */
export const hostUuid = "73696d756c617465642d6e6f6465732d686f7374";

/** Every node migrates when its host is maintained, in profile live. */
export const maintenancePolicy = "node/migrate";

const attributes: Attributes = {
  id: number(eb.ref("nodes.id")),
  label: caseBlind(eb.ref("nodes.label_key")),
  group: textAttribute(eb.ref("nodes.group")),
  status: textAttribute(eb.ref("nodes.status")),
  created: textAttribute(eb.ref("nodes.created")),
  updated: textAttribute(eb.ref("nodes.updated")),
  type: textAttribute(eb.ref("nodes.type")),
  ipv4,
  ipv6: textAttribute(sql`(select addresses.address || '/128' ${ofNode} = 'ipv6' limit 1)`),
  image: textAttribute(eb.ref("nodes.image")),
  region: textAttribute(eb.ref("nodes.region")),
  hypervisor: always("kvm"),
  watchdog_enabled: boolean(eb.ref("nodes.watchdog_enabled")),
  tags: tagsAttribute("node", "nodes.id"),
  site_type: always("core"),
  host_uuid: always(hostUuid),
  has_user_data: neverTrue,
  disk_encryption: always("enabled"),
  k8s_cluster_id: constant,
  capabilities: jsonList(sql`(select '[]')`),
  interface_generation: always("legacy_config"),
  maintenance_policy: always(maintenancePolicy),
};
