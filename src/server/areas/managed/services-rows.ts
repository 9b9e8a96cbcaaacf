import { expressionBuilder, sql } from "kysely";
import { type Attributes, anyOf, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, ManagedServiceRow, NewManagedServiceRow, Tables } from "../../store/tables.ts";

export function listServiceRows(db: Database, account_id: number, wanted: Slice): Promise<Rows<ManagedServiceRow>> {
  return slice(
    db,
    { rows: db.selectFrom("managed_services").where("account_id", "=", account_id) },
    attributes,
    wanted,
  );
}

/** The account's service of this id. Writes lock its account before. */
export function findServiceRow(db: Database, account_id: number, id: number): Promise<ManagedServiceRow | undefined> {
  return db
    .selectFrom("managed_services")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

/** The services with these ids that the account still has. */
export async function listServiceRowsById(
  db: Database,
  account_id: number,
  ids: readonly number[],
): Promise<ManagedServiceRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("managed_services")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", "in", ids)
    .orderBy("id")
    .execute();
}

export async function countServices(db: Database, account_id: number): Promise<number> {
  const { services } = await db
    .selectFrom("managed_services")
    .select(({ fn }) => fn.countAll<number>().as("services"))
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  return Number(services);
}

export function insertServiceRow(db: Database, row: NewManagedServiceRow): Promise<ManagedServiceRow> {
  return db.insertInto("managed_services").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateServiceRow(
  db: Database,
  id: number,
  changes: Partial<NewManagedServiceRow>,
): Promise<ManagedServiceRow> {
  return db.updateTable("managed_services").set(changes).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function removeServiceRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom("managed_services").where("id", "=", id).execute();
}

/** The ids of the credentials of each of these services, in their order. */
export async function credentialsOfServices(db: Database, ids: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom("managed_service_credentials")
    .select(["service_id", "credential_id"])
    .where("service_id", "in", ids)
    .orderBy("position")
    .execute();
  for (const { service_id, credential_id } of rows) found.get(service_id)?.push(credential_id);
  return found;
}

export async function replaceServiceCredentials(
  db: Database,
  service_id: number,
  ids: readonly number[],
): Promise<void> {
  await db.deleteFrom("managed_service_credentials").where("service_id", "=", service_id).execute();
  if (ids.length === 0) return;
  const rows = ids.map((credential_id, position) => ({ service_id, credential_id, position }));
  await db.insertInto("managed_service_credentials").values(rows).execute();
}

/** Whether any of these services of the host is down, or not known to be up again. */
export async function hasServiceTrouble(
  db: Database,
  account_id: number,
  host: string,
  ids: readonly number[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const row = await db
    .selectFrom("managed_services")
    .select("id")
    .where("account_id", "=", account_id)
    .where("host", "=", host)
    .where("id", "in", ids)
    .where("status", "in", ["problem", "pending"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Services that may not be probed now. */
export interface Excluded {
  readonly ids: readonly number[];
  readonly accounts: readonly number[];
}

/** Now, and the latest moment of a next probe: only a clock that ran fast sets a later one. */
interface DueTimes {
  readonly now: string;
  readonly last: string;
}

/** At most `most` services of open accounts that are due, the longest due first. */
export function listDueServices(
  db: Database,
  { now, last }: DueTimes,
  { ids, accounts }: Excluded,
  most: number,
): Promise<Pick<ManagedServiceRow, "id" | "account_id" | "next" | "timeout">[]> {
  return db
    .selectFrom("managed_services")
    .innerJoin("accounts", "accounts.id", "managed_services.account_id")
    .select(["managed_services.id", "managed_services.account_id"])
    .select(["managed_services.next", "managed_services.timeout"])
    .where((eb) => eb.or([eb("managed_services.next", "<=", now), eb("managed_services.next", ">", last)]))
    .where("accounts.closed", "is", null)
    .where("accounts.managed", "<>", 0)
    .$if(ids.length > 0, (rows) => rows.where("managed_services.id", "not in", ids))
    .$if(accounts.length > 0, (rows) => rows.where("managed_services.account_id", "not in", accounts))
    .orderBy("managed_services.next")
    .orderBy("managed_services.id")
    .limit(most)
    .execute();
}

/** Leases a service that is due since `next`; undefined if another server did, or if it was changed since. */
export function leaseService(
  db: Database,
  id: number,
  next: string,
  until: string,
): Promise<ManagedServiceRow | undefined> {
  return db
    .updateTable("managed_services")
    .set({ next: until })
    .where("id", "=", id)
    .where("next", "=", next)
    .returningAll()
    .executeTakeFirst();
}

/** The service whose lease ends at this moment; undefined if it was changed, disabled or deleted since. */
export function findLeasedService(db: Database, id: number, until: string): Promise<ManagedServiceRow | undefined> {
  return db
    .selectFrom("managed_services")
    .selectAll()
    .where("id", "=", id)
    .where("next", "=", until)
    .executeTakeFirst();
}

const eb = expressionBuilder<Tables, "managed_services">();

const attributes: Attributes = {
  id: number(eb.ref("managed_services.id")),
  status: textAttribute(eb.ref("managed_services.status")),
  service_type: textAttribute(eb.ref("managed_services.service_type")),
  label: textAttribute(eb.ref("managed_services.label")),
  address: textAttribute(eb.ref("managed_services.address")),
  timeout: number(eb.ref("managed_services.timeout")),
  body: textAttribute(eb.ref("managed_services.body")),
  consultation_group: textAttribute(eb.ref("managed_services.consultation_group")),
  notes: textAttribute(eb.ref("managed_services.notes")),
  region: textAttribute(eb.ref("managed_services.region")),
  credentials: anyOf(
    number(sql.ref("credential_id")),
    sql`from managed_service_credentials where service_id = managed_services.id`,
    sql.ref("position"),
  ),
  created: textAttribute(eb.ref("managed_services.created")),
  updated: textAttribute(eb.ref("managed_services.updated")),
};
