import type { AuthorizationRow, Database, NewAuthorizationRow } from "../../store/tables.ts";

/** Stores a user's consent, and deletes those of the client whose code has expired unused. */
export async function insertAuthorizationRow(db: Database, row: NewAuthorizationRow, now: string): Promise<void> {
  await db
    .deleteFrom("authorizations")
    .where("oauth_client_id", "=", row.oauth_client_id)
    .where("redeemed", "=", 0)
    .where("code_expires", "<=", now)
    .execute();
  await db.insertInto("authorizations").values(row).execute();
}

/** The authorization of the client with this code, locked; only of a user whose account is open. */
export function findAuthorizationByCode(
  db: Database,
  oauth_client_id: number,
  code_hash: string,
): Promise<AuthorizationRow | undefined> {
  return ofOpenAccounts(db)
    .selectAll("authorizations")
    .where("authorizations.oauth_client_id", "=", oauth_client_id)
    .where("authorizations.code_hash", "=", code_hash)
    .forUpdate("authorizations")
    .executeTakeFirst();
}

/** The authorization of the client with this refresh token, locked, and whether the token was used before. */
export function findAuthorizationByRefreshToken(
  db: Database,
  oauth_client_id: number,
  hash: string,
): Promise<(AuthorizationRow & { used: number }) | undefined> {
  return ofOpenAccounts(db)
    .innerJoin("refresh_tokens", "refresh_tokens.authorization_id", "authorizations.id")
    .selectAll("authorizations")
    .select("refresh_tokens.used")
    .where("authorizations.oauth_client_id", "=", oauth_client_id)
    .where("refresh_tokens.hash", "=", hash)
    .forUpdate(["authorizations", "refresh_tokens"])
    .executeTakeFirst();
}

function ofOpenAccounts(db: Database) {
  return db
    .selectFrom("authorizations")
    .innerJoin("users", "users.id", "authorizations.user_id")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .where("accounts.closed", "is", null);
}

export async function markCodeRedeemed(db: Database, id: number): Promise<void> {
  await db.updateTable("authorizations").set({ redeemed: 1 }).where("id", "=", id).execute();
}

export async function markAuthorizationUsed(db: Database, hash: string): Promise<void> {
  await db.updateTable("refresh_tokens").set({ used: 1 }).where("hash", "=", hash).execute();
}

/** Hashes of the tokens of a reply. */
export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
  /** Scopes of the access token, separated by spaces. */
  readonly scopes: string;
  readonly now: string;
  readonly expires: string;
}

/** Stores the tokens of an authorization, and deletes its expired ones. */
export async function addAuthorizationTokens(
  db: Database,
  { id, user_id }: Pick<AuthorizationRow, "id" | "user_id">,
  { access, refresh, scopes, now, expires }: IssuedTokens,
): Promise<void> {
  await db.deleteFrom("tokens").where("authorization_id", "=", id).where("expires", "<=", now).execute();
  await db
    .insertInto("tokens")
    .values({ user_id, authorization_id: id, hash: access, scopes, expires, created: now })
    .execute();
  await db.insertInto("refresh_tokens").values({ authorization_id: id, hash: refresh }).execute();
}

/** Deletes an authorization with all its tokens; true if it existed. */
export async function removeAuthorizationRow(db: Database, id: number): Promise<boolean> {
  return (await db.deleteFrom("authorizations").where("id", "=", id).returning("id").execute()).length > 0;
}

/** Deletes the client's authorization with the access or refresh token of this hash, with all its tokens. */
export async function revokeAuthorization(db: Database, oauth_client_id: number, hash: string): Promise<void> {
  const ofToken = (table: "tokens" | "refresh_tokens") =>
    db
      .selectFrom(table)
      .select("authorization_id")
      .where("hash", "=", hash)
      .$narrowType<{ authorization_id: number }>();
  await db
    .deleteFrom("authorizations")
    .where("oauth_client_id", "=", oauth_client_id)
    .where("id", "in", ofToken("tokens").union(ofToken("refresh_tokens")))
    .execute();
}
