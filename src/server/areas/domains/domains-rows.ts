import { expressionBuilder, sql } from "kysely";
import { ancestors, type NameKey, withoutDot } from "../../../dns/name/name.ts";
import { removeReferences } from "../../entities/entities-rows.ts";
import { whereGranted } from "../../entities/grants-rows.ts";
import { tagsAttribute } from "../../entities/tags-rows.ts";
import { type Attributes, always, caseInsensitive, jsonList, number, textAttribute } from "../../store/filter.ts";
import { padList, statement } from "../../store/language.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, DomainColumns, DomainRow, Tables } from "../../store/tables.ts";
import { removeZoneLines } from "../zones/zone-lines-rows.ts";
import { removeZoneRow } from "../zones/zones-rows.ts";

/**
 * The account's domain of this id. In a write its row is locked until the end, which serialises writes to a domain and
 * its records; in a read nothing is locked.
 */
export function findDomainRow(db: Database, account_id: number, id: number): Promise<DomainRow | undefined> {
  return byId.first(db, account_id, id);
}

const byId = statement((db, account_id: number, id: number) =>
  db.selectFrom("domains").selectAll().where("id", "=", id).where("account_id", "=", account_id).forUpdate(),
);

/**
 * The domains of any accounts among these ids, at most 512; locked in a write. With `skipsLocked`, those that other
 * transactions have locked are left out, otherwise it waits for them.
 */
export async function findDomainRows(
  db: Database,
  ids: readonly number[],
  { skipsLocked }: { readonly skipsLocked: boolean },
): Promise<Map<number, DomainRow>> {
  const rows = await (skipsLocked ? freeAmong : allAmong).all(db, padList(ids));
  return new Map(rows.map((row) => [row.id, row]));
}

// In the order of their ids, so that transactions that lock several cannot deadlock.
const among = (db: Database, ids: readonly number[]) =>
  db.selectFrom("domains").selectAll().where("id", "in", ids).orderBy("id").forUpdate();
const allAmong = statement(among);
const freeAmong = statement((db, ids: readonly number[]) => among(db, ids).skipLocked());

/** The account's domain of this name, in any letter case; locked in a write. */
export function findDomainByName(db: Database, account_id: number, domain: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom("domains")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("domain_key", "=", domain.toLowerCase())
    .forUpdate()
    .executeTakeFirst();
}

/** The account's domains among these ids, by id; locked in a write. */
export async function listDomainRowsById(
  db: Database,
  account_id: number,
  ids: readonly number[],
): Promise<DomainRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("domains")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Locks domains of any accounts in the order of their ids, and returns their names. */
export async function lockDomains(db: Database, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("domains")
    .select("domain")
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(({ domain }) => domain);
}

/** A domain above or below another one. */
export type PlacedDomain = Pick<DomainRow, "id" | "account_id">;

/** The domains of any account above this name, the nearest first. */
export function findDomainAbove(db: Database, domain: string): Promise<PlacedDomain[]> {
  const labels = domain.toLowerCase().split(".");
  const above = labels.map((_, index) => labels.slice(index + 1).join("."));
  return db
    .selectFrom("domains")
    .select(["id", "account_id"])
    .where("domain_key", "in", above)
    .orderBy("tree_key", "desc") // of two that contain each other the longer one is the nearer
    .execute();
}

/** A domain whose zone answers for a name. */
export type ServingDomain = Pick<DomainRow, "id" | "account_id" | "domain" | "domain_key" | "type" | "ttl_sec">;

/** The nearest active domain of any open account at or above this name. */
export function findServingDomain(db: Database, name: NameKey): Promise<ServingDomain | undefined> {
  return db
    .selectFrom("domains")
    .innerJoin("accounts", "accounts.id", "domains.account_id")
    .select(["domains.id", "domains.account_id", "domains.domain", "domains.domain_key", "domains.type"])
    .select("domains.ttl_sec")
    .where("domains.domain_key", "in", ancestors(name).map(withoutDot))
    .where("domains.status", "=", "active")
    .where("accounts.closed", "is", null)
    .orderBy("domains.tree_key", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The domains of any account below this name. */
export function findDomainsBelow(db: Database, domain: string): Promise<PlacedDomain[]> {
  const own = treeKey(domain);
  return db
    .selectFrom("domains")
    .select(["id", "account_id"])
    .where("tree_key", ">", own)
    .where("tree_key", "<", `${own.slice(0, -1)}/`) // "/" comes right after "."
    .execute();
}

/** Domains that are checked in one statement. */
const domainsAtOnce = 5000;

/** The domains among these that have a domain of any account above them which is not transferred with them. */
export async function listDomainsWithOthersAbove(
  db: Database,
  rows: readonly Pick<DomainRow, "id" | "domain_key">[],
  transferred: readonly number[],
): Promise<Set<number>> {
  const aboveOf = ({ domain_key }: Pick<DomainRow, "domain_key">) => {
    const labels = domain_key.split(".");
    return labels.slice(1).map((_, index) => labels.slice(index + 1).join("."));
  };
  const wanted = [...new Set(rows.flatMap(aboveOf))];
  const others = new Set<string>();
  for (let first = 0; first < wanted.length; first += domainsAtOnce) {
    const found = await db
      .selectFrom("domains")
      .select("domain_key")
      .where("domain_key", "in", wanted.slice(first, first + domainsAtOnce))
      .where("id", "not in", transferred)
      .execute();
    for (const { domain_key } of found) others.add(domain_key);
  }
  return new Set(rows.filter((row) => aboveOf(row).some((name) => others.has(name))).map(({ id }) => id));
}

/** The domains among these that have a domain of any account below them which is not transferred with them. */
export async function listDomainsWithOthersBelow(
  db: Database,
  rows: readonly Pick<DomainRow, "id">[],
  transferred: readonly number[],
): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const found = await db
    .selectFrom("domains")
    .select("id")
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("domains as below")
          .select("below.id")
          .whereRef("below.tree_key", ">", "domains.tree_key")
          .where("below.tree_key", "<", endOfTree)
          .where("below.id", "not in", transferred),
      ),
    )
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** The end of the keys of the domains below a domain of a query: "/" comes right after ".". */
export const endOfTree = sql<string>`substr(domains.tree_key, 1, length(domains.tree_key) - 1) || '/'`;

/** Moves domains to another account. */
export async function moveDomainRows(db: Database, ids: readonly number[], account_id: number): Promise<void> {
  if (ids.length > 0) await db.updateTable("domains").set({ account_id }).where("id", "in", ids).execute();
}

/**
 * Blocks writes that place a domain above or below this one until this transaction ends. Such domains share their last
 * two labels.
 */
export function lockDomainPlace(db: Database, domain: string): Promise<void> {
  return lockDomainPlaces(db, [domain]);
}

/** Locks the places of several domains, sorted, so that transactions cannot deadlock on them. */
export async function lockDomainPlaces(db: Database, all: readonly string[]): Promise<void> {
  const roots = [...new Set(all.map(placeOf))].sort();
  if (roots.length === 0) return;
  await db
    .insertInto("domain_roots")
    .values(roots.map((root) => ({ root })))
    .onConflict((conflict) => conflict.column("root").doUpdateSet(({ ref }) => ({ root: ref("excluded.root") })))
    .execute();
}

/** The last two labels of a domain: what `lockDomainPlace` locks. */
function placeOf(domain: string): string {
  return domain.toLowerCase().split(".").slice(-2).join(".");
}

/** The labels of a domain in reverse, each with a dot, so that keys of domains below it begin with its key. */
function treeKey(domain: string): string {
  return domain
    .toLowerCase()
    .split(".")
    .reverse()
    .map((label) => `${label}.`)
    .join("");
}

/** The account's domains; with `grantee`, only those on which this user has a grant. */
export function listDomainRows(
  db: Database,
  account_id: number,
  grantee: number | undefined,
  wanted: Slice,
): Promise<Rows<DomainRow>> {
  const rows = db.selectFrom("domains").where("account_id", "=", account_id);
  return slice(db, { rows, ...whereGranted(grantee, "domain", eb.ref("domains.id")) }, attributes, wanted);
}

const insertion = statement((db, row: DomainColumns & { tree_key: string; records: number }) =>
  db.insertInto("domains").values(row).returningAll(),
);

export function insertDomainRow(db: Database, row: DomainColumns): Promise<DomainRow> {
  return insertion.only(db, { ...row, tree_key: treeKey(row.domain), records: 0 });
}

const changing = statement((db, id: number, changes: Partial<DomainColumns> & { tree_key?: string }) =>
  db.updateTable("domains").set(changes).where("id", "=", id).returningAll(),
);

export function updateDomainRow(db: Database, id: number, changes: Partial<DomainColumns>): Promise<DomainRow> {
  const { domain } = changes;
  return changing.only(db, id, domain === undefined ? changes : { ...changes, tree_key: treeKey(domain) });
}

/**
 * Deletes a domain with its grants and tags, its zone and its remaining records; those of a large one are removed
 * before, in steps.
 */
export async function removeDomainRow(db: Database, id: number): Promise<void> {
  await removeZoneLines(db, id, "transferred");
  await removeZoneRow(db, id);
  await removeReferences(db, "domain", id);
  await db.deleteFrom("domains").where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "domains">();

const attributes: Attributes = {
  id: number(eb.ref("domains.id")),
  type: textAttribute(eb.ref("domains.type")),
  domain: caseInsensitive(eb.ref("domains.domain_key")),
  status: textAttribute(eb.ref("domains.status")),
  description: textAttribute(eb.ref("domains.description")),
  group: textAttribute(eb.ref("domains.group")),
  soa_email: textAttribute(eb.ref("domains.soa_email")),
  ttl_sec: number(eb.ref("domains.ttl_sec")),
  refresh_sec: number(eb.ref("domains.refresh_sec")),
  retry_sec: number(eb.ref("domains.retry_sec")),
  expire_sec: number(eb.ref("domains.expire_sec")),
  master_ips: jsonList(eb.ref("domains.master_ips")),
  axfr_ips: jsonList(eb.ref("domains.axfr_ips")),
  tags: tagsAttribute("domain", "domains.id"),
  created: textAttribute(eb.ref("domains.created")),
  updated: textAttribute(eb.ref("domains.updated")),
  errors: always(""),
};
