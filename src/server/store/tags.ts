import type { Database } from "./store.ts";

/** The tags of each of these domains, in the order in which they were given. */
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

/** Gives the domain these tags and no others. A label that the account does not have yet, letter case aside, is created. */
export async function setTags(
  db: Database,
  account_id: number,
  domain_id: number,
  labels: readonly string[],
): Promise<void> {
  const wanted = new Map<string, string>();
  for (const label of labels) if (!wanted.has(label.toLowerCase())) wanted.set(label.toLowerCase(), label);
  await db.deleteFrom("domain_tags").where("domain_id", "=", domain_id).execute();
  for (const [position, [label_key, label]] of [...wanted].entries()) {
    const known = await db
      .selectFrom("tags")
      .select("id")
      .where("account_id", "=", account_id)
      .where("label_key", "=", label_key)
      .executeTakeFirst();
    const tag =
      known ??
      (await db.insertInto("tags").values({ account_id, label, label_key }).returning("id").executeTakeFirstOrThrow());
    await db.insertInto("domain_tags").values({ domain_id, tag_id: tag.id, position }).execute();
  }
}
