import { type Expression, expressionBuilder } from "kysely";
import { type Attribute, type Attributes, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import type { Database } from "./store.ts";
import type { DomainRow, NewDomainRow, Tables } from "./tables.ts";

/**
 * The account's domain of this id. In a write its row is locked until the end, so that writes to one domain and its records
 * come one after another; in a read nothing is locked.
 */
export function find(db: Database, account_id: number, id: number): Promise<DomainRow | undefined> {
  return db
    .selectFrom("domains")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .forUpdate()
    .executeTakeFirst();
}

/** Does any account have a domain of this name, letter case aside? */
export async function isTaken(db: Database, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom("domains")
    .select("id")
    .where("domain_key", "=", domain.toLowerCase())
    .executeTakeFirst();
  return row !== undefined;
}

/** Does another account have a domain that this name lies below? The other way round, no index would find it. */
export async function isBelowOther(db: Database, domain: string, account_id: number): Promise<boolean> {
  const labels = domain.toLowerCase().split(".");
  const above = labels.map((_, index) => labels.slice(index + 1).join("."));
  const row = await db
    .selectFrom("domains")
    .select("id")
    .where("domain_key", "in", above)
    .where("account_id", "!=", account_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The account's domains; where `grantee` is given, only those that this user has a grant on. */
export function list(
  db: Database,
  account_id: number,
  grantee: number | undefined,
  wanted: Slice,
): Promise<Rows<DomainRow>> {
  const all = db.selectFrom("domains").where("account_id", "=", account_id);
  const granted = ({ selectFrom }: typeof eb) =>
    selectFrom("grants")
      .select("grants.domain_id")
      .where("grants.user_id", "=", grantee ?? 0);
  return slice(grantee === undefined ? all : all.where("domains.id", "in", granted), attributes, wanted);
}

export function insert(db: Database, row: NewDomainRow): Promise<DomainRow> {
  return db.insertInto("domains").values(row).returningAll().executeTakeFirstOrThrow();
}

export function update(db: Database, id: number, changes: Partial<NewDomainRow>): Promise<DomainRow> {
  return db.updateTable("domains").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/** Its records, tags and rendered zone go with it. */
export async function remove(db: Database, id: number): Promise<void> {
  await db.deleteFrom("domains").where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "domains">();

const tagsOfDomain = eb
  .selectFrom("domain_tags")
  .innerJoin("tags", "tags.id", "domain_tags.tag_id")
  .select("tags.label_key")
  .whereRef("domain_tags.domain_id", "=", "domains.id");

/**
 * A domain has a tag whatever its letter case (service: Domains, tags); "not this tag" means that it has none like it. Its
 * first tag is what a list is ordered by.
 */
const tags: Attribute = {
  compare(operator, value) {
    const label = typeof value === "string" ? value.toLowerCase() : value;
    const like = (tag: Expression<string>) => text(tag).compare(operator === "+neq" ? "=" : operator, label);
    const exists = eb.exists(tagsOfDomain.where(({ ref }) => like(ref("tags.label_key"))));
    return operator === "+neq" ? eb.not(exists) : exists;
  },
  order: eb.fn.coalesce(tagsOfDomain.orderBy("domain_tags.position").limit(1), eb.val("")),
};

const attributes: Attributes = {
  domain: text(eb.ref("domains.domain")),
  group: text(eb.ref("domains.group")),
  tags,
};
