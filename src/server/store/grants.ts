import type { Database, Permissions } from "./tables.ts";

/** The grant of a user on a domain; undefined if there is none. */
export async function permissionsOf(
  db: Database,
  user_id: number,
  domain_id: number,
): Promise<Permissions | undefined> {
  const row = await db
    .selectFrom("grants")
    .select("permissions")
    .where("user_id", "=", user_id)
    .where("domain_id", "=", domain_id)
    .executeTakeFirst();
  return row?.permissions;
}

/** The user's grants, in the order of their domains. */
export async function listGrants(
  db: Database,
  user_id: number,
): Promise<{ id: number; label: string; permissions: Permissions }[]> {
  return db
    .selectFrom("grants")
    .innerJoin("domains", "domains.id", "grants.domain_id")
    .select(["domains.id", "domains.domain as label", "grants.permissions"])
    .where("grants.user_id", "=", user_id)
    .orderBy("domains.id")
    .execute();
}

export async function grant(
  db: Database,
  row: { user_id: number; domain_id: number; permissions: Permissions },
): Promise<void> {
  await db
    .insertInto("grants")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "domain_id"]).doUpdateSet(row))
    .execute();
}

export async function withdraw(db: Database, user_id: number, domain_id: number): Promise<void> {
  await db.deleteFrom("grants").where("user_id", "=", user_id).where("domain_id", "=", domain_id).execute();
}
