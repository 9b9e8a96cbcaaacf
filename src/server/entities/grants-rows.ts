import { type AliasableExpression, type Expression, expressionBuilder } from "kysely";
import { statement } from "../store/language.ts";
import type { ListName, NarrowedQuery } from "../store/page.ts";
import type { Database, GrantedType, Permissions, Tables } from "../store/tables.ts";

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
  return (await ofUser.first(db, user_id, entity_type, entity_id))?.permissions;
}

const ofUser = statement((db, user_id: number, entity_type: GrantedType, entity_id: number) =>
  db
    .selectFrom("grants")
    .select("permissions")
    .where("user_id", "=", user_id)
    .where("entity_type", "=", entity_type)
    .where("entity_id", "=", entity_id),
);

const eb = expressionBuilder<Tables, "grants">();

/**
 * The condition that a user has a grant on the entity of a row, for a list that is scanned in steps; none for an
 * unrestricted user. One look-up for each row, because `in` would read all grants of the user in each step.
 */
export function whereGranted(
  user_id: number | undefined,
  entity_type: GrantedType,
  id: Expression<number>,
): Pick<NarrowedQuery<ListName>, "condition" | "nanoseconds"> {
  if (user_id === undefined) return {};
  const granted = eb
    .selectFrom("grants")
    .select("grants.entity_id")
    .where("grants.user_id", "=", user_id)
    .where("grants.entity_type", "=", entity_type)
    .where("grants.entity_id", "=", id);
  return { condition: eb.exists(granted), nanoseconds: 500 };
}

/** The entities of a type with what they are called; `key` is that in lower case. */
function entitiesOf(
  db: Database,
  type: GrantedType,
): AliasableExpression<{ id: number; account_id: number; label: string; key: string }> {
  switch (type) {
    case "domain":
      return db.selectFrom("domains").select(["id", "account_id", "domain as label", "domain_key as key"]);
    case "node":
      return db.selectFrom("nodes").select(["id", "account_id", "label", "label_key as key"]);
    case "volume":
      return db
        .selectFrom("volumes")
        .select(({ fn }) => ["id", "account_id", "label", fn<string>("lower", ["label"]).as("key")]);
    case "firewall":
      return db
        .selectFrom("firewalls")
        .select(({ fn }) => ["id", "account_id", "label", fn<string>("lower", ["label"]).as("key")]);
  }
}

/** The grants on entities of a type, by their labels; of one user, in the order of the entities. */
export function listGrants(
  db: Database,
  type: GrantedType,
  user_id?: number,
): Promise<{ user_id: number; id: number; label: string; permissions: Permissions }[]> {
  const all = db
    .selectFrom("grants")
    .innerJoin(entitiesOf(db, type).as("entities"), "entities.id", "grants.entity_id")
    .select(["grants.user_id", "entities.id", "entities.label", "grants.permissions"])
    .where("grants.entity_type", "=", type);
  const wanted = user_id === undefined ? all.orderBy("entities.key") : all.where("grants.user_id", "=", user_id);
  return wanted.orderBy("entities.id").execute();
}

/** The ids of the account's entities of a type that have this label, in any letter case. */
export async function findEntityByLabel(
  db: Database,
  account_id: number,
  type: GrantedType,
  label: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom(entitiesOf(db, type).as("entities"))
    .select("entities.id")
    .where("entities.account_id", "=", account_id)
    .where("entities.key", "=", label.toLowerCase())
    .orderBy("entities.id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the account has an entity of this type and id. */
export async function hasEntity(
  db: Database,
  account_id: number,
  { entity_type, entity_id }: GrantedEntity,
): Promise<boolean> {
  const row = await db
    .selectFrom(entitiesOf(db, entity_type).as("entities"))
    .select("entities.id")
    .where("entities.account_id", "=", account_id)
    .where("entities.id", "=", entity_id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function addGrants(
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

export async function removeGrants(
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
