import { randomBytes, randomUUID } from "node:crypto";
import { Refusal } from "../diagnostics/diagnostic.ts";
import { hashToken } from "./auth.ts";
import type { Database, Store } from "./store/store.ts";
import { timestamp } from "./timestamp.ts";

/** A token to make. The user and the account come into being with their first token. */
export interface NewToken {
  readonly username: string;
  /** What the user's domains belong to; an account of the user's name unless given. */
  readonly account?: string;
  /** Scope words apart by spaces; `*`, everything, unless given. */
  readonly scopes?: string;
  /** The token itself, where somebody else chose it; one that exists already stays as it is. */
  readonly token?: string;
  /** Never, unless given. */
  readonly expires?: Date;
  readonly now: Date;
}

/**
 * Makes a personal access token: 64 hexadecimal digits unless one is given, which only the caller of this function sees.
 * @throws {Refusal} `user-account` when the user belongs to another account already.
 */
export async function createToken(store: Store, wanted: NewToken): Promise<string> {
  const { scopes = "*", expires, now, token = randomBytes(32).toString("hex") } = wanted;
  await store.write(async (db) => {
    if (wanted.token !== undefined && (await isKnown(db, token))) return;
    const user_id = await userId(db, wanted);
    const row = { user_id, hash: hashToken(token), scopes, created: timestamp(now) };
    await db
      .insertInto("tokens")
      .values({ ...row, expires: expires ? timestamp(expires) : null })
      .execute();
  });
  return token;
}

/** Takes a token back; the next request with it is refused. Says whether there was one. */
export async function revokeToken(store: Store, token: string): Promise<boolean> {
  const gone = await store.write((db) =>
    db.deleteFrom("tokens").where("hash", "=", hashToken(token)).returning("id").execute(),
  );
  return gone.length > 0;
}

/** Has a token ever been made here? A fresh server prints its first one (service: Store and scale). */
export async function hasTokens(store: Store): Promise<boolean> {
  return store.read(async (db) => (await db.selectFrom("users").select("id").limit(1).execute()).length > 0);
}

async function isKnown(db: Database, token: string): Promise<boolean> {
  return (
    (await db.selectFrom("tokens").select("id").where("hash", "=", hashToken(token)).executeTakeFirst()) !== undefined
  );
}

async function userId(db: Database, { username, account = username, now }: NewToken): Promise<number> {
  const account_id = await accountId(db, account, now);
  const user = await db.selectFrom("users").selectAll().where("username", "=", username).executeTakeFirst();
  if (user === undefined) {
    const row = { account_id, username, created: timestamp(now) };
    return (await db.insertInto("users").values(row).returning("id").executeTakeFirstOrThrow()).id;
  }
  if (user.account_id === account_id) return user.id;
  const summary = `the user ${username} belongs to another account than ${account}`;
  const fix = "Choose another user name, or leave the account out.";
  throw new Refusal([{ severity: "error", rule: "user-account", summary, fix }]);
}

async function accountId(db: Database, name: string, now: Date): Promise<number> {
  const known = await db.selectFrom("accounts").select("id").where("name", "=", name).executeTakeFirst();
  if (known !== undefined) return known.id;
  const row = { name, created: timestamp(now), euuid: randomUUID() };
  return (await db.insertInto("accounts").values(row).returning("id").executeTakeFirstOrThrow()).id;
}
