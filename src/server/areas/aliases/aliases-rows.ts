import { sql } from "kysely";
import { statement } from "../../store/language.ts";
import type { AliasLookupRow, Database, DomainRow, RecordRow } from "../../store/tables.ts";
import type { SourceName } from "../nodes/addresses/own-zones.ts";

/** An ALIAS record whose target is to be looked up. */
export interface DueAlias
  extends Pick<AliasLookupRow, "record_id" | "domain_id" | "next">,
    Pick<RecordRow, "name" | "target">,
    Pick<DomainRow, "account_id" | "domain"> {}

/** Now, and the latest moment of a next look: only a clock that ran fast sets a later one. */
interface DueTimes {
  readonly now: string;
  readonly last: string;
}

/** Records that are not listed, and accounts of which none is. */
interface Exceptions {
  readonly records: readonly number[];
  readonly accounts: readonly number[];
}

/** At most `most` records of served domains that are due, the longest due first. */
export function listDueAliases(
  db: Database,
  { now, last }: DueTimes,
  { records, accounts }: Exceptions,
  most: number,
): Promise<DueAlias[]> {
  return inServedDomains(db)
    .innerJoin("records", "records.id", "alias_lookups.record_id")
    .select(["alias_lookups.record_id", "alias_lookups.domain_id", "alias_lookups.next"])
    .select(["records.name", "records.target", "domains.account_id", "domains.domain"])
    .where((eb) => eb.or([eb("alias_lookups.next", "<=", now), eb("alias_lookups.next", ">", last)]))
    .$if(records.length > 0, (rows) => rows.where("alias_lookups.record_id", "not in", records))
    .$if(accounts.length > 0, (rows) => rows.where("domains.account_id", "not in", accounts))
    .orderBy("alias_lookups.next")
    .orderBy("alias_lookups.record_id")
    .limit(most)
    .execute();
}

/** Leases a record that is due since `next`; false if another server did, or if it was changed since. */
export async function leaseAlias(
  db: Database,
  { record_id, next }: Pick<DueAlias, "record_id" | "next">,
  until: string,
): Promise<boolean> {
  const leased = await leasing.all(db, record_id, next, until);
  return leased.length > 0;
}

const leasing = statement((db, record_id: number, next: string, until: string) =>
  db
    .updateTable("alias_lookups")
    .set({ next: until })
    .where("record_id", "=", record_id)
    .where("next", "=", next)
    .returning("record_id"),
);

/** The lookup of a record while its lease lasts, locked; undefined once the record was changed or deleted. */
export function findLeasedLookup(db: Database, record_id: number, until: string): Promise<AliasLookupRow | undefined> {
  return leased.first(db, record_id, until);
}

const leased = statement((db, record_id: number, until: string) =>
  db.selectFrom("alias_lookups").selectAll().where("record_id", "=", record_id).where("next", "=", until).forUpdate(),
);

const saving = statement((db, record_id: number, changes: Omit<AliasLookupRow, "record_id" | "domain_id">) =>
  db.updateTable("alias_lookups").set(changes).where("record_id", "=", record_id).returning("record_id"),
);

export async function saveLookup(
  db: Database,
  record_id: number,
  changes: Omit<AliasLookupRow, "record_id" | "domain_id">,
): Promise<void> {
  await saving.all(db, record_id, changes);
}

/** Makes a leased record due again. */
export async function releaseAlias(db: Database, record_id: number, until: string): Promise<void> {
  await leaseAlias(db, { record_id, next: until }, "");
}

const sourcesOf = statement((db, record_id: number) =>
  db.selectFrom("alias_sources").select(["domain_id", "name_key"]).where("record_id", "=", record_id),
);

/** Replaces the names that the addresses of a record come from, if they differ. */
export async function saveSources(db: Database, record_id: number, sources: readonly SourceName[]): Promise<void> {
  const keyOf = ({ domain_id, name_key }: SourceName) => `${domain_id} ${name_key}`;
  const wanted = new Map(sources.map((source) => [keyOf(source), source]));
  const stored = await sourcesOf.all(db, record_id);
  if (stored.length === wanted.size && stored.every((source) => wanted.has(keyOf(source)))) return;
  await db.deleteFrom("alias_sources").where("record_id", "=", record_id).execute();
  const rows = [...wanted.values()].map(({ domain_id, name_key }) => ({ record_id, domain_id, name_key }));
  if (rows.length > 0) await db.insertInto("alias_sources").values(rows).execute();
}

/** The number of ALIAS records of served domains whose last look found no addresses, or not those of both types. */
export async function countUnresolvedAliases(db: Database): Promise<number> {
  const { count } = await inServedDomains(db)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where(sql<boolean>`alias_lookups.problem is not null`) // as in the index
    .executeTakeFirstOrThrow();
  return Number(count);
}

function inServedDomains(db: Database) {
  return db
    .selectFrom("alias_lookups")
    .innerJoin("domains", "domains.id", "alias_lookups.domain_id")
    .innerJoin("accounts", "accounts.id", "domains.account_id")
    .where("domains.type", "=", "master")
    .where("domains.status", "=", "active")
    .where("accounts.closed", "is", null);
}
