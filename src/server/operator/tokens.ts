import { randomBytes } from "node:crypto";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { hashToken } from "../http/auth.ts";
import { timestamp } from "../kit/timestamp.ts";
import type { Database, Store } from "../store/store.ts";
import { accountId, findUser, insertUser } from "./users.ts";

/** A token to make. The user and the account come into being with their first token. */
export interface NewToken {
  readonly username: string;
  /** What the user's domains belong to; an account of the user's name unless given. */
  readonly account?: string;
  /** Scope words apart by spaces; `*`, everything, unless given. */
  readonly scopes?: string;
  /** What it is for. */
  readonly label?: string;
  /** The token itself, where somebody else chose it; one that exists already stays as it is. */
  readonly token?: string;
  /** Never, unless given. */
  readonly expires?: Date;
  readonly now: Date;
}

/**
 * Makes a personal access token: 64 hexadecimal digits unless one is given, which only the caller of this function sees.
 * @throws {ProblemError} `user-account` when the user belongs to another account already.
 */
export async function createToken(store: Store, wanted: NewToken): Promise<string> {
  const { scopes = "*", label = "", expires, now, token = randomBytes(32).toString("hex") } = wanted;
  await store.write(async (db) => {
    if (wanted.token !== undefined && (await isKnown(db, token))) return;
    const user_id = await userId(db, wanted);
    const row = { user_id, hash: hashToken(token), scopes, label, created: timestamp(now) };
    await db
      .insertInto("tokens")
      .values({ ...row, expires: expires ? timestamp(expires) : null })
      .execute();
  });
  return token;
}

/** Takes back the token of this id; the next request with it is refused. Says whether there was one. */
export async function revokeToken(store: Store, id: number): Promise<boolean> {
  const gone = await store.write((db) => db.deleteFrom("tokens").where("id", "=", id).returning("id").execute());
  return gone.length > 0;
}

/** A token as it can be shown: never itself, nor its hash. */
export interface ShownToken {
  readonly id: number;
  readonly username: string;
  readonly label: string;
  readonly scopes: string;
  readonly created: string;
  readonly expires: string | null;
}

export function listTokens(store: Store): Promise<ShownToken[]> {
  return store.read((db) =>
    db
      .selectFrom("tokens")
      .innerJoin("users", "users.id", "tokens.user_id")
      .select(["tokens.id", "users.username", "tokens.label", "tokens.scopes", "tokens.created", "tokens.expires"])
      .orderBy("tokens.id")
      .execute(),
  );
}

/** Can anybody come in? A server without a token prints its first one (service: Store and scale). */
export async function hasTokens(store: Store): Promise<boolean> {
  return store.read(async (db) => (await db.selectFrom("tokens").select("id").limit(1).execute()).length > 0);
}

async function isKnown(db: Database, token: string): Promise<boolean> {
  return (
    (await db.selectFrom("tokens").select("id").where("hash", "=", hashToken(token)).executeTakeFirst()) !== undefined
  );
}

async function userId(db: Database, wanted: NewToken): Promise<number> {
  const { username, account = username, now } = wanted;
  const user = await findUser(db, username);
  if (user === undefined) return insertUser(db, wanted);
  if (wanted.account === undefined || user.account_id === (await accountId(db, account, now))) return user.id;
  const summary = `the user ${username} belongs to another account than ${account}`;
  const fix = "Choose another user name, or leave the account out.";
  throw new ProblemError(problem("user-account", summary, { fix }));
}
