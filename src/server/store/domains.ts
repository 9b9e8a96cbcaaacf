import { type Expression, expressionBuilder } from "kysely";
import { type Attribute, type Attributes, caseBlind, constant, number, text } from "./filter.ts";
import { type Rows, type Slice, slice } from "./page.ts";
import type { Database, DomainColumns, DomainRow, Tables } from "./tables.ts";
import * as zoneLines from "./zone-lines.ts";

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

/** A domain near another one in the tree of names. */
export type PlacedDomain = Pick<DomainRow, "id" | "account_id">;

/** The domains of any account that this name lies below, the nearest first. */
export function findAround(db: Database, domain: string): Promise<PlacedDomain[]> {
  const labels = domain.toLowerCase().split(".");
  const above = labels.map((_, index) => labels.slice(index + 1).join("."));
  return db
    .selectFrom("domains")
    .select(["id", "account_id"])
    .where("domain_key", "in", above)
    .orderBy("tree_key", "desc") // of two that contain each other the longer one is the nearer
    .execute();
}

/** The domains of any account that lie below this name. */
export function findBelow(db: Database, domain: string): Promise<PlacedDomain[]> {
  const own = treeKey(domain);
  return db
    .selectFrom("domains")
    .select(["id", "account_id"])
    .where("tree_key", ">", own)
    .where("tree_key", "<", `${own.slice(0, -1)}/`) // "/" comes right after "."
    .execute();
}

/**
 * Makes writes that place a domain near this one wait until this transaction ends, so that each sees what the other one has
 * placed. Domains one of which lies below the other agree in their last two labels.
 */
export async function lockPlace(db: Database, domain: string): Promise<void> {
  const root = domain.toLowerCase().split(".").slice(-2).join(".");
  await db
    .insertInto("domain_roots")
    .values({ root })
    .onConflict((conflict) => conflict.column("root").doUpdateSet({ root }))
    .execute();
}

/** The labels of a domain from the last to the first, each with a dot: domains below it begin with its key. */
export function treeKey(domain: string): string {
  return domain
    .toLowerCase()
    .split(".")
    .reverse()
    .map((label) => `${label}.`)
    .join("");
}

/** How many domains are looked at in one statement. */
const domainsAtOnce = 5000;

/** Gives domains their place in the tree where a zonewright that does not know it has written or renamed them. */
export async function mendPlaces(db: Database): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom("domains")
      .select(["id", "domain", "tree_key"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(domainsAtOnce)
      .execute();
    for (const { id, domain, tree_key } of rows) {
      last = id;
      const place = treeKey(domain);
      if (tree_key !== place) await db.updateTable("domains").set({ tree_key: place }).where("id", "=", id).execute();
    }
    if (rows.length < domainsAtOnce) return;
  }
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
  const narrowed =
    grantee === undefined ? { rows: all } : { rows: all.where("domains.id", "in", granted), nanoseconds: 500 };
  return slice(narrowed, attributes, wanted);
}

export function insert(db: Database, row: DomainColumns): Promise<DomainRow> {
  return db
    .insertInto("domains")
    .values({ ...row, tree_key: treeKey(row.domain) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function update(db: Database, id: number, { domain, ...changes }: Partial<DomainColumns>): Promise<DomainRow> {
  const renamed = domain === undefined ? {} : { domain, tree_key: treeKey(domain) };
  return db
    .updateTable("domains")
    .set({ ...changes, ...renamed })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Its tags and zone are deleted too, and records that are left: those of a large domain are removed before, in steps. */
export async function remove(db: Database, id: number): Promise<void> {
  for (const kind of ["rendered", "transferred", "kept"] as const) await zoneLines.remove(db, id, kind);
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
  cost: 3000,
  order: eb.fn.coalesce(tagsOfDomain.orderBy("domain_tags.position").limit(1), eb.val("")),
};

/** A list is stored as JSON; the empty one comes first. */
function addresses(column: "master_ips" | "axfr_ips"): Attribute {
  return text(eb.fn<string | null>("nullif", [`domains.${column}`, eb.val("[]")]));
}

const attributes: Attributes = {
  id: number(eb.ref("domains.id")),
  type: text(eb.ref("domains.type")),
  domain: caseBlind(eb.ref("domains.domain_key")),
  status: text(eb.ref("domains.status")),
  description: text(eb.ref("domains.description")),
  group: text(eb.ref("domains.group")),
  soa_email: text(eb.ref("domains.soa_email")),
  ttl_sec: number(eb.ref("domains.ttl_sec")),
  refresh_sec: number(eb.ref("domains.refresh_sec")),
  retry_sec: number(eb.ref("domains.retry_sec")),
  expire_sec: number(eb.ref("domains.expire_sec")),
  master_ips: addresses("master_ips"),
  axfr_ips: addresses("axfr_ips"),
  tags,
  created: text(eb.ref("domains.created")),
  updated: text(eb.ref("domains.updated")),
  errors: constant,
};
