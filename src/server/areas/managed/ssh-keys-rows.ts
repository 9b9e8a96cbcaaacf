import type { Database } from "../../store/tables.ts";

/** A key pair as it is stored. */
export interface StoredSshKey {
  /** In OpenSSH format. */
  readonly public_key: string;
  /** The private key, sealed. */
  readonly sealed: string;
}

/** The operator's key pair for an account; undefined before its first need. */
export function findManagedSshKeyRow(db: Database, account_id: number): Promise<StoredSshKey | undefined> {
  return db
    .selectFrom("managed_ssh_keys")
    .select(["public_key", "sealed"])
    .where("account_id", "=", account_id)
    .executeTakeFirst();
}

/** Stores a key pair instead of the one before. */
export async function storeManagedSshKey(db: Database, account_id: number, key: StoredSshKey): Promise<void> {
  await db
    .insertInto("managed_ssh_keys")
    .values({ account_id, ...key })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(key))
    .execute();
}
