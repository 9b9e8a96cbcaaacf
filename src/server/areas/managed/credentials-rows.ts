import { expressionBuilder } from "kysely";
import { type Attributes, number, textAttribute } from "../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../store/page.ts";
import type { Database, ManagedCredentialRow, Tables } from "../../store/tables.ts";

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

const eb = expressionBuilder<Tables, "managed_credentials">();

const attributes: Attributes = {
  id: number(eb.ref("managed_credentials.id")),
  label: textAttribute(eb.ref("managed_credentials.label")),
  last_decrypted: textAttribute(eb.ref("managed_credentials.last_decrypted")),
};
