import type { Database, GrantedType, Permissions } from "./tables.ts";

/** An entity that a grant may name. */
export interface GrantedEntity {
  readonly entity_type: GrantedType;
  readonly entity_id: number;
}

/** The grant of a user on an entity; undefined if there is none. */
export async function permissionsOf(
  db: Database,
  user_id: number,
  { entity_type, entity_id }: GrantedEntity,
): Promise<Permissions | undefined> {
  const row = await db
    .selectFrom("grants")
    .select("permissions")
    .where("user_id", "=", user_id)
    .where("entity_type", "=", entity_type)
    .where("entity_id", "=", entity_id)
    .executeTakeFirst();
  return row?.permissions;
}

/** The user's grants on domains, in the order of the domains. */
export async function listDomainGrants(
  db: Database,
  user_id: number,
): Promise<{ id: number; label: string; permissions: Permissions }[]> {
  return db
    .selectFrom("grants")
    .innerJoin("domains", "domains.id", "grants.entity_id")
    .select(["domains.id", "domains.domain as label", "grants.permissions"])
    .where("grants.user_id", "=", user_id)
    .where("grants.entity_type", "=", "domain")
    .orderBy("domains.id")
    .execute();
}

/** The user's grants on nodes, in the order of the nodes. */
export async function listNodeGrants(
  db: Database,
  user_id: number,
): Promise<{ id: number; label: string; permissions: Permissions }[]> {
  return db
    .selectFrom("grants")
    .innerJoin("nodes", "nodes.id", "grants.entity_id")
    .select(["nodes.id", "nodes.label", "grants.permissions"])
    .where("grants.user_id", "=", user_id)
    .where("grants.entity_type", "=", "node")
    .orderBy("nodes.id")
    .execute();
}

export async function grant(
  db: Database,
  row: GrantedEntity & { readonly user_id: number; readonly permissions: Permissions },
): Promise<void> {
  await db
    .insertInto("grants")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["user_id", "entity_type", "entity_id"]).doUpdateSet({ permissions: row.permissions }),
    )
    .execute();
}

export async function withdraw(
  db: Database,
  user_id: number,
  { entity_type, entity_id }: GrantedEntity,
): Promise<void> {
  await db
    .deleteFrom("grants")
    .where("user_id", "=", user_id)
    .where("entity_type", "=", entity_type)
    .where("entity_id", "=", entity_id)
    .execute();
}
