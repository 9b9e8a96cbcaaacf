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
export async function listDueAliases(
  db: Database,
  { now, last }: DueTimes,
  except: Exceptions,
  most: number,
): Promise<DueAlias[]> {
  // One condition at a time, so that an index has the rows in their order.
  const due = await listAliases(db, "<=", now, except).limit(most).execute();
  const late = due.length === most ? [] : await listAliases(db, ">", last, except).limit(most).execute();
  const ids = [...due, ...late].slice(0, most).map(({ record_id }) => record_id);
  if (ids.length === 0) return [];
  return db
    .selectFrom("alias_lookups")
    .innerJoin("records", "records.id", "alias_lookups.record_id")
    .innerJoin("domains", "domains.id", "alias_lookups.domain_id")
    .select(["alias_lookups.record_id", "alias_lookups.domain_id", "alias_lookups.next"])
    .select(["records.name", "records.target", "domains.account_id", "domains.domain"])
    .where("alias_lookups.record_id", "in", ids)
    .orderBy("alias_lookups.next")
    .orderBy("alias_lookups.record_id")
    .execute();
}

/** Records by the moment of their next look. No join, which would read all of them before it sorts. */
function listAliases(db: Database, compare: "<=" | ">", moment: string, { records, accounts }: Exceptions) {
  return ofServedDomains(db)
    .select("record_id")
    .where("next", compare, moment)
    .$if(records.length > 0, (rows) => rows.where("record_id", "not in", records))
    .$if(accounts.length > 0, (rows) =>
      rows.where("alias_lookups.domain_id", "not in", ({ selectFrom }) =>
        selectFrom("domains as busy").select("busy.id").where("busy.account_id", "in", accounts),
      ),
    )
    .orderBy("next")
    .orderBy("alias_lookups.domain_id")
    .orderBy("record_id");
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

/** Replaces the names that the addresses of a record come from. Returns whether there are new ones. */
export async function saveSources(db: Database, record_id: number, sources: readonly SourceName[]): Promise<boolean> {
  const keyOf = ({ domain_id, name_key }: SourceName) => `${domain_id} ${name_key}`;
  const wanted = new Map(sources.map((source) => [keyOf(source), source]));
  const stored = await sourcesOf.all(db, record_id);
  if (stored.length === wanted.size && stored.every((source) => wanted.has(keyOf(source)))) return false;
  await db.deleteFrom("alias_sources").where("record_id", "=", record_id).execute();
  const rows = [...wanted.values()].map(({ domain_id, name_key }) => ({ record_id, domain_id, name_key }));
  if (rows.length > 0) await db.insertInto("alias_sources").values(rows).execute();
  const known = new Set(stored.map(keyOf));
  return [...wanted.keys()].some((key) => !known.has(key));
}

/** Limit on the records that are counted: all others would be read each second while a resolver fails. */
const mostCounted = 1000;

/**
 * The number of ALIAS records of served domains whose last look found no addresses, or not those of both types; at most
 * `mostCounted`.
 */
export async function countUnresolvedAliases(db: Database): Promise<number> {
  const rows = await ofServedDomains(db)
    .select("record_id")
    .where(sql<boolean>`problem is not null`) // as in the index
    .limit(mostCounted)
    .execute();
  return rows.length;
}

function ofServedDomains(db: Database) {
  return db
    .selectFrom("alias_lookups")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("domains")
          .innerJoin("accounts", "accounts.id", "domains.account_id")
          .select("domains.id")
          .whereRef("domains.id", "=", "alias_lookups.domain_id")
          .where("domains.type", "=", "master")
          .where("domains.status", "=", "active")
          .where("accounts.closed", "is", null),
      ),
    );
}
