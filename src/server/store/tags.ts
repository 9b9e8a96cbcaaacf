import type { Database, TaggedType } from "./tables.ts";

/** The tags of each of these entities, in their order. */
export async function tagsOf(
  db: Database,
  entity_type: TaggedType,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return tags;
  const rows = await db
    .selectFrom("tagged")
    .innerJoin("tags", "tags.id", "tagged.tag_id")
    .select(["tagged.entity_id", "tags.label"])
    .where("tagged.entity_type", "=", entity_type)
    .where("tagged.entity_id", "in", ids)
    .orderBy("tagged.position")
    .execute();
  for (const { entity_id, label } of rows) tags.get(entity_id)?.push(label);
  return tags;
}

/**
 * Replaces the tags of an entity. Labels that are new to the account, without regard to letter case, are created and
 * returned.
 */
export async function setTags(
  db: Database,
  account_id: number,
  { entity_type, entity_id }: { entity_type: TaggedType; entity_id: number },
  labels: readonly string[],
): Promise<string[]> {
  const wanted = new Map<string, string>();
  for (const label of labels) if (!wanted.has(label.toLowerCase())) wanted.set(label.toLowerCase(), label);
  await db.deleteFrom("tagged").where("entity_type", "=", entity_type).where("entity_id", "=", entity_id).execute();
  if (wanted.size === 0) return [];
  // In a fixed order, so that two requests that create the same tags cannot deadlock.
  const tags = [...wanted].map(([label_key, label]) => ({ account_id, label, label_key })).sort(compareKeys);
  const created = await db
    .insertInto("tags")
    .values(tags)
    .onConflict((conflict) => conflict.columns(["account_id", "label_key"]).doNothing())
    .returning("label")
    .execute();
  const known = await db
    .selectFrom("tags")
    .select(["id", "label_key"])
    .where("account_id", "=", account_id)
    .where("label_key", "in", [...wanted.keys()])
    .execute();
  const positions = new Map([...wanted.keys()].map((label_key, position) => [label_key, position]));
  const rows = known.map(({ id, label_key }) => ({ tag_id: id, position: positions.get(label_key) ?? 0 }));
  await db
    .insertInto("tagged")
    .values(rows.map((row) => ({ ...row, entity_type, entity_id })))
    .execute();
  return created.map(({ label }) => label);
}

function compareKeys(a: { label_key: string }, b: { label_key: string }): number {
  return a.label_key < b.label_key ? -1 : 1;
}
