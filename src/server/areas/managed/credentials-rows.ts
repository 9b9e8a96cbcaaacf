import { expressionBuilder } from "kysely";
import { type Attributes, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, ManagedCredentialRow, NewManagedCredentialRow, Tables } from "../../store/tables.ts";

export function listCredentialRows(
  db: Database,
  account_id: number,
  wanted: Slice,
): Promise<Rows<ManagedCredentialRow>> {
  return slice(
    db,
    { rows: db.selectFrom("managed_credentials").where("account_id", "=", account_id) },
    attributes,
    wanted,
  );
}

/** The account's credential of this id. Writes lock its account before. */
export function findCredentialRow(
  db: Database,
  account_id: number,
  id: number,
): Promise<ManagedCredentialRow | undefined> {
  return db
    .selectFrom("managed_credentials")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

/** Selects the ids that belong to credentials of the account. */
export async function listCredentialIds(db: Database, account_id: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("managed_credentials")
    .select("id")
    .where("account_id", "=", account_id)
    .where("id", "in", ids)
    .execute();
  return rows.map(({ id }) => id);
}

export async function countCredentials(db: Database, account_id: number): Promise<number> {
  const { credentials } = await db
    .selectFrom("managed_credentials")
    .select(({ fn }) => fn.countAll<number>().as("credentials"))
    .where("account_id", "=", account_id)
    .executeTakeFirstOrThrow();
  return Number(credentials);
}

/** Whether another credential of the account has this label. */
export async function isCredentialLabelTaken(
  db: Database,
  account_id: number,
  label: string,
  except?: number,
): Promise<boolean> {
  const row = await db
    .selectFrom("managed_credentials")
    .select("id")
    .where("account_id", "=", account_id)
    .where("label", "=", label)
    .where("id", "!=", except ?? 0)
    .executeTakeFirst();
  return row !== undefined;
}

export function insertCredentialRow(db: Database, row: NewManagedCredentialRow): Promise<ManagedCredentialRow> {
  return db.insertInto("managed_credentials").values(row).returningAll().executeTakeFirstOrThrow();
}

export function updateCredentialRow(
  db: Database,
  id: number,
  changes: Partial<NewManagedCredentialRow>,
): Promise<ManagedCredentialRow> {
  return db
    .updateTable("managed_credentials")
    .set(changes)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a credential, which also takes it from all services. */
export async function removeCredentialRow(db: Database, id: number): Promise<void> {
  await db.deleteFrom("managed_credentials").where("id", "=", id).execute();
}

const eb = expressionBuilder<Tables, "managed_credentials">();

const attributes: Attributes = {
  id: number(eb.ref("managed_credentials.id")),
  label: textAttribute(eb.ref("managed_credentials.label")),
  last_decrypted: textAttribute(eb.ref("managed_credentials.last_decrypted")),
};
