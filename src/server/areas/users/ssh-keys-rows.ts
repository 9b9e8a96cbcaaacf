import type { Database, SshKeyRow } from "../../store/tables.ts";

/** The keys of each of these users, the oldest first. */
export async function listSshKeysOfUser(db: Database, ids: readonly number[]): Promise<Map<number, SshKeyRow[]>> {
  const keys = new Map<number, SshKeyRow[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return keys;
  const rows = await db.selectFrom("ssh_keys").selectAll().where("user_id", "in", ids).orderBy("id").execute();
  for (const row of rows) keys.get(row.user_id)?.push(row);
  return keys;
}

/** The names among these of users of the account who have a key. */
export async function findSshKeyHolders(
  db: Database,
  account_id: number,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .selectFrom("ssh_keys")
    .innerJoin("users", "users.id", "ssh_keys.user_id")
    .select("users.username")
    .where("users.account_id", "=", account_id)
    .where("users.username", "in", [...new Set(names)])
    .execute();
  return new Set(rows.map(({ username }) => username));
}

/** A key with the name and the account of its user. */
export interface OwnedKey extends SshKeyRow {
  readonly username: string;
  readonly account_id: number;
}

/** The keys of all users, by user. */
export function listAllSshKeys(db: Database): Promise<OwnedKey[]> {
  return select(db).orderBy("users.username").orderBy("ssh_keys.id").execute();
}

export function findSshKeyRow(db: Database, id: number): Promise<OwnedKey | undefined> {
  return select(db).where("ssh_keys.id", "=", id).executeTakeFirst();
}

function select(db: Database) {
  return db
    .selectFrom("ssh_keys")
    .innerJoin("users", "users.id", "ssh_keys.user_id")
    .selectAll("ssh_keys")
    .select(["users.username", "users.account_id"]);
}
