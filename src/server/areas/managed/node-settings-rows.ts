import type { Database, ManagedNodeSettingsRow } from "../../store/tables.ts";

/** The settings of those of these nodes that have any, by the id of the node. */
export async function listSettingsByNode(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, ManagedNodeSettingsRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("managed_node_settings").selectAll().where("node_id", "in", ids).execute();
  return new Map(rows.map((row) => [row.node_id, row]));
}

/** Stores the settings of a node instead of those before. */
export async function storeManagedNodeSettings(
  db: Database,
  { node_id, ...settings }: ManagedNodeSettingsRow,
): Promise<void> {
  await db
    .insertInto("managed_node_settings")
    .values({ node_id, ...settings })
    .onConflict((conflict) => conflict.column("node_id").doUpdateSet(settings))
    .execute();
}
