import { expressionBuilder } from "kysely";
import { type Attributes, constant, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { Database, NodeConfigRow, Tables } from "../../../store/tables.ts";

export function listNodeConfigRows(db: Database, node_id: number, wanted: Slice): Promise<Rows<NodeConfigRow>> {
  return slice(db, { rows: db.selectFrom("node_configs").where("node_id", "=", node_id) }, attributes, wanted);
}

/** The configuration profiles of these nodes. */
export async function listNodeConfigsOf(
  db: Database,
  nodes: readonly number[],
): Promise<Pick<NodeConfigRow, "node_id" | "interfaces">[]> {
  if (nodes.length === 0) return [];
  return db.selectFrom("node_configs").select(["node_id", "interfaces"]).where("node_id", "in", nodes).execute();
}

/** Whether a node in this region has an interface in the VLAN: of the account, and one that `grantee` sees. */
export async function hasVlanInConfigs(
  db: Database,
  { account_id, grantee }: { readonly account_id: number; readonly grantee: number | undefined },
  { label, region }: { readonly label: string; readonly region: string },
): Promise<boolean> {
  const granted = db
    .selectFrom("grants")
    .select("grants.entity_id")
    .where("grants.user_id", "=", grantee ?? 0)
    .where("grants.entity_type", "=", "node");
  const rows = await db
    .selectFrom("node_configs")
    .innerJoin("nodes", "nodes.id", "node_configs.node_id")
    .select("node_configs.interfaces")
    .distinct()
    .where("nodes.account_id", "=", account_id)
    .where("nodes.region", "=", region)
    .where("node_configs.interfaces", "<>", "[]")
    .$if(grantee !== undefined, (configs) => configs.where("nodes.id", "in", granted))
    .execute();
  return rows.some(({ interfaces }) =>
    JSON.parse(interfaces).some(
      (one: { readonly purpose: string; readonly label: string | null }) =>
        one.purpose === "vlan" && one.label === label,
    ),
  );
}

const eb = expressionBuilder<Tables, "node_configs">();

const attributes: Attributes = {
  id: number(eb.ref("node_configs.id")),
  label: textAttribute(eb.ref("node_configs.label")),
  kernel: textAttribute(eb.ref("node_configs.kernel")),
  comments: textAttribute(eb.ref("node_configs.comments")),
  memory_limit: number(eb.ref("node_configs.memory_limit")),
  created: textAttribute(eb.ref("node_configs.created")),
  updated: textAttribute(eb.ref("node_configs.updated")),
  root_device: textAttribute(eb.ref("node_configs.root_device")),
  initrd: constant,
  run_level: textAttribute(eb.ref("node_configs.run_level")),
  virt_mode: textAttribute(eb.ref("node_configs.virt_mode")),
};
