import { expressionBuilder, sql } from "kysely";
import { type Attribute, type Attributes, anyOf, caseBlind, condition, textAttribute } from "../store/filter.ts";
import { statement } from "../store/language.ts";
import { type Rows, type Slice, slice } from "../store/page.ts";
import type { Database, Tables, TaggedType, TagRow } from "../store/tables.ts";
import { findLockedAccount } from "./accounts-rows.ts";

/** The account's tags, by default in the order of their labels. */
export function listTagRows(db: Database, account_id: number, { filter, ...wanted }: Slice): Promise<Rows<TagRow>> {
  const orderBy = filter.orderBy ?? { attribute: "label", descending: false };
  const rows = db.selectFrom("tags").where("account_id", "=", account_id);
  return slice(db, { rows }, attributes, { ...wanted, filter: { ...filter, orderBy } });
}

/** An entity that can have tags. */
export interface TaggedEntity {
  readonly entity_type: TaggedType;
  readonly entity_id: number;
}

/** The tags of each of these entities, in their order. */
export async function tagsOf(
  db: Database,
  entity_type: TaggedType,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  const tags = new Map<number, string[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return tags;
  for (const { entity_id, label } of await ofEntities.all(db, entity_type, ids)) tags.get(entity_id)?.push(label);
  return tags;
}

const ofEntities = statement((db, entity_type: TaggedType, ids: readonly number[]) =>
  db
    .selectFrom("tagged")
    .innerJoin("tags", "tags.id", "tagged.tag_id")
    .select(["tagged.entity_id", "tags.label"])
    .where("tagged.entity_type", "=", entity_type)
    .where("tagged.entity_id", "in", ids)
    .orderBy("tagged.position")
    .orderBy("tagged.tag_id"),
);

/**
 * Replaces the tags of an entity. Labels that are new to the account, without regard to letter case, are created and
 * returned.
 */
export async function setTags(
  db: Database,
  account_id: number,
  { entity_type, entity_id }: TaggedEntity,
  labels: readonly string[],
): Promise<string[]> {
  // Deleting a tag also locks the account before rows of `tagged`, so the two cannot deadlock.
  if (labels.length > 0) await findLockedAccount(db, "id", account_id);
  await db.deleteFrom("tagged").where("entity_type", "=", entity_type).where("entity_id", "=", entity_id).execute();
  if (labels.length === 0) return [];
  const { tags, created } = await createMissingTags(db, account_id, labels);
  await db
    .insertInto("tagged")
    .values(tags.map(({ id }, position) => ({ tag_id: id, entity_type, entity_id, position })))
    .execute();
  return created;
}

/**
 * Gives entities that moved to an account tags of that account with the labels that they had. Those that are new to it
 * are created and returned.
 */
export async function moveTags(
  db: Database,
  account_id: number,
  entity_type: TaggedType,
  labels: ReadonlyMap<number, readonly string[]>,
): Promise<string[]> {
  const all = [...new Set([...labels.values()].flat())];
  const known = new Map<string, TagRow>();
  const created: string[] = [];
  for (const part of parts(all)) {
    const made = await createMissingTags(db, account_id, part);
    for (const tag of made.tags) known.set(tag.label_key, tag);
    created.push(...made.created);
  }
  await db
    .deleteFrom("tagged")
    .where("entity_type", "=", entity_type)
    .where("entity_id", "in", [...labels.keys()])
    .execute();
  const rows = [...labels].flatMap(([entity_id, own]) =>
    own.flatMap((label, position) => {
      const tag = known.get(label.toLowerCase());
      return tag ? [{ tag_id: tag.id, entity_type, entity_id, position }] : [];
    }),
  );
  for (const part of parts(rows)) await db.insertInto("tagged").values(part).execute();
  return created;
}

/** Rows of one statement: SQLite supports 32,766 parameters, PostgreSQL more. */
const rowsAtOnce = 5000;

function* parts<T>(all: readonly T[]): Iterable<T[]> {
  for (let first = 0; first < all.length; first += rowsAtOnce) yield all.slice(first, first + rowsAtOnce);
}

/** Adds a tag to entities behind their others; those that have it already keep its place. */
export async function addTagToEntities(
  db: Database,
  tag_id: number,
  entity_type: TaggedType,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const last = await db
    .selectFrom("tagged")
    .select(({ fn }) => ["entity_id", fn.max<number>("position").as("position")])
    .where("entity_type", "=", entity_type)
    .where("entity_id", "in", ids)
    .groupBy("entity_id")
    .execute();
  const positions = new Map(last.map(({ entity_id, position }) => [entity_id, position]));
  const rows = ids.map((entity_id) => ({
    tag_id,
    entity_type,
    entity_id,
    position: (positions.get(entity_id) ?? -1) + 1,
  }));
  await db
    .insertInto("tagged")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["tag_id", "entity_type", "entity_id"]).doNothing())
    .execute();
}

/**
 * The tags of these labels in their order, without repeated ones, and the labels among them that are created. The
 * account is locked first: otherwise two requests that create the same tags could deadlock, and a tag could be deleted
 * before it is given.
 */
export async function createMissingTags(
  db: Database,
  account_id: number,
  labels: readonly string[],
): Promise<{ tags: TagRow[]; created: string[] }> {
  await findLockedAccount(db, "id", account_id);
  const wanted = new Map<string, string>();
  for (const label of labels) if (!wanted.has(label.toLowerCase())) wanted.set(label.toLowerCase(), label);
  const created = await db
    .insertInto("tags")
    .values([...wanted].map(([label_key, label]) => ({ account_id, label, label_key })))
    .onConflict((conflict) => conflict.columns(["account_id", "label_key"]).doNothing())
    .returning("label")
    .execute();
  const known = await db
    .selectFrom("tags")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("label_key", "in", [...wanted.keys()])
    .execute();
  const found = new Map(known.map((tag) => [tag.label_key, tag]));
  const tags = [...wanted.keys()].flatMap((key) => found.get(key) ?? []);
  return { tags, created: created.map(({ label }) => label) };
}

const taggedAttributes: Attributes = { type: textAttribute(sql.ref("tagged.entity_type")) };

/** A page of the entities that have a tag, by type and id; with `grantee`, only those that the user has a grant on. */
export async function listTagged(
  db: Database,
  tag_id: number,
  grantee: number | undefined,
  { filter, page, page_size }: Slice,
): Promise<Rows<TaggedEntity>> {
  const all = db.selectFrom("tagged").where("tag_id", "=", tag_id);
  const visible =
    grantee === undefined
      ? all
      : all.where((eb) =>
          eb.exists(
            eb
              .selectFrom("grants")
              .select("grants.user_id")
              .where("grants.user_id", "=", grantee)
              .whereRef("grants.entity_type", "=", "tagged.entity_type")
              .whereRef("grants.entity_id", "=", "tagged.entity_id"),
          ),
        );
  const matching = visible.where(condition(filter.where, taggedAttributes));
  const { results } = await matching.select(({ fn }) => fn.countAll<number>().as("results")).executeTakeFirstOrThrow();
  const rows = await matching
    .select(["entity_type", "entity_id"])
    .orderBy("entity_type", filter.orderBy?.descending ? "desc" : "asc")
    .orderBy("entity_id")
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute();
  return { rows, results: Number(results) };
}

const eb = expressionBuilder<Tables, "tags">();

const attributes: Attributes = { label: caseBlind(eb.ref("tags.label_key")) };

/**
 * The tags of entities, compared without regard to letter case (decisions/service#domains). `id` is the column with the
 * id of the entity.
 */
export function tagsAttribute(type: TaggedType, id: string): Attribute {
  const tagged = sql`from tagged inner join tags on tags.id = tagged.tag_id
    where tagged.entity_type = ${sql.lit(type)} and tagged.entity_id = ${sql.ref(id)}`;
  return anyOf(caseBlind(sql.ref("tags.label_key")), tagged, sql.ref("tagged.position"));
}
