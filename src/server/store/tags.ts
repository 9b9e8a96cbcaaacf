import type { Database } from "./tables.ts";

/** The tags of each of these domains, in their order. */
export async function tagsOf(db: Database, domains: readonly number[]): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>(domains.map((id) => [id, []]));
  if (domains.length === 0) return tags;
  const rows = await db
    .selectFrom("domain_tags")
    .innerJoin("tags", "tags.id", "domain_tags.tag_id")
    .select(["domain_tags.domain_id", "tags.label"])
    .where("domain_tags.domain_id", "in", domains)
    .orderBy("domain_tags.position")
    .execute();
  for (const { domain_id, label } of rows) tags.get(domain_id)?.push(label);
  return tags;
}

/** Replaces the tags of a domain. Labels that are new to the account, without regard to letter case, are created. */
export async function setTags(
  db: Database,
  account_id: number,
  domain_id: number,
  labels: readonly string[],
): Promise<void> {
  const wanted = new Map<string, string>();
  for (const label of labels) if (!wanted.has(label.toLowerCase())) wanted.set(label.toLowerCase(), label);
  await db.deleteFrom("domain_tags").where("domain_id", "=", domain_id).execute();
  if (wanted.size === 0) return;
  // In a fixed order, so that two requests that create the same tags cannot deadlock.
  const tags = [...wanted].map(([label_key, label]) => ({ account_id, label, label_key })).sort(compareKeys);
  await db
    .insertInto("tags")
    .values(tags)
    .onConflict((conflict) => conflict.columns(["account_id", "label_key"]).doNothing())
    .execute();
  const known = await db
    .selectFrom("tags")
    .select(["id", "label_key"])
    .where("account_id", "=", account_id)
    .where("label_key", "in", [...wanted.keys()])
    .execute();
  const positions = new Map([...wanted.keys()].map((label_key, position) => [label_key, position]));
  const rows = known.map(({ id, label_key }) => ({ domain_id, tag_id: id, position: positions.get(label_key) ?? 0 }));
  await db.insertInto("domain_tags").values(rows).execute();
}

function compareKeys(a: { label_key: string }, b: { label_key: string }): number {
  return a.label_key < b.label_key ? -1 : 1;
}
