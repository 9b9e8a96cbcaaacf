import { problemError } from "../../../diagnostics/problem.ts";
import { tokenEntity } from "../../entities/entities.ts";
import { addOperatorEvent } from "../../entities/operator-note.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { removeAuthorizationRow } from "../oauth/authorizations-rows.ts";
import { createSecret, findTokenRow, hashSecret, removeTokenRow } from "../users/tokens-rows.ts";
import { findUserByName } from "../users/users-rows.ts";
import { accountId, insertUser } from "./users-operator.ts";

/** A token to create. Its user and account are created with their first token. */
export interface NewToken {
  readonly username: string;
  /** Account that owns the user's domains; by default one of the user's name. */
  readonly account?: string;
  /** Scopes, separated by spaces; by default `*`, everything. */
  readonly scopes?: string;
  /** Purpose of the token. */
  readonly label?: string;
  /** A token chosen by the operator; one that exists already is left as it is. */
  readonly token?: string;
  /** By default never. */
  readonly expires?: Date;
  readonly now: Date;
}

/**
 * Creates a personal access token, by default 64 hexadecimal digits, and returns it; only its hash is stored. The first
 * token of a new user has no event, so that the events of a new account begin with the changes of its users.
 * @throws {ProblemError} `user-account` if the user belongs to another account.
 */
export function createToken(store: Store, wanted: NewToken): Promise<string> {
  return store.writeAlone(async (db) => {
    const { token } = wanted;
    return token !== undefined && (await findTokenRow(db, hashSecret(token))) ? token : insertToken(db, wanted);
  });
}

/**
 * Creates a token as `createToken` does, unless any token exists: a server without one prints its first
 * (decisions/service#database), and of several servers on one database, one does.
 */
export function createFirstToken(store: Store, wanted: NewToken): Promise<string | undefined> {
  return store.writeAlone(async (db) => {
    const known = await db.selectFrom("tokens").select("id").limit(1).executeTakeFirst();
    return known === undefined ? insertToken(db, wanted) : undefined;
  });
}

async function insertToken(db: Database, wanted: NewToken): Promise<string> {
  const { scopes = "*", label = "", expires, now, token = createSecret() } = wanted;
  const user = await ownerOf(db, wanted);
  const user_id = user?.id ?? (await insertUser(db, wanted)).id;
  const row = { user_id, hash: hashSecret(token), scopes, label, created: timestamp(now) };
  const { id } = await db
    .insertInto("tokens")
    .values({ ...row, expires: expires ? timestamp(expires) : null })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (user) await addOperatorEvent(db, user.account_id, "token_create", tokenEntity({ id, label }), now);
  return token;
}

/**
 * Revokes the token of this id, and returns the label of its OAuth client, null for a personal access token; undefined
 * if it does not exist. A client's token ends with all tokens of its authorization (RFC 7009 §2.1).
 */
export function revokeTokenById(store: Store, id: number, now: Date): Promise<Pick<ShownToken, "client"> | undefined> {
  return store.write(async (db) => {
    const token = await selectTokens(db)
      .select(["users.account_id", "tokens.authorization_id"])
      .where("tokens.id", "=", id)
      .executeTakeFirst();
    if (token === undefined) return undefined;
    const { authorization_id, account_id, client } = token;
    const isRevoked = await (authorization_id === null
      ? removeTokenRow(db, id)
      : removeAuthorizationRow(db, authorization_id));
    if (!isRevoked) return undefined;
    await addOperatorEvent(db, account_id, "token_delete", tokenEntity(token), now);
    return { client };
  });
}

/** A token as it is listed: neither its value nor its hash. */
export interface ShownToken {
  readonly id: number;
  readonly username: string;
  readonly label: string;
  readonly scopes: string;
  readonly created: string;
  readonly expires: string | null;
  /** Label of the OAuth client; null for a personal access token. */
  readonly client: string | null;
}

export function listAllTokens(store: Store): Promise<ShownToken[]> {
  return store.read((db) =>
    selectTokens(db)
      .select(["users.username", "tokens.scopes", "tokens.created", "tokens.expires"])
      .orderBy("tokens.id")
      .execute(),
  );
}

function selectTokens(db: Database) {
  return db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .leftJoin("authorizations", "authorizations.id", "tokens.authorization_id")
    .leftJoin("oauth_clients", "oauth_clients.id", "authorizations.oauth_client_id")
    .select(["tokens.id", "tokens.label", "oauth_clients.label as client"]);
}

/** The token's user, if it exists. @throws {ProblemError} `user-account` */
async function ownerOf(db: Database, wanted: NewToken) {
  const { username, account = username, now } = wanted;
  const user = await findUserByName(db, username);
  if (user === undefined || wanted.account === undefined) return user;
  if (user.account_id === (await accountId(db, account, now))) return user;
  const summary = `the user "${username}" does not belong to the account "${account}"`;
  const fix = "Choose another user name, or omit the account.";
  throw problemError("user-account", summary, { fix });
}
