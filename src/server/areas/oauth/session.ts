import { admitOwner, callerOf } from "../../entities/callers.ts";
import type { Caller, PublicContext } from "../../entities/context.ts";
import type { ApiRequest } from "../../kit/request.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { removeRows } from "../../store/rows.ts";
import type { Database } from "../../store/tables.ts";
import { findSessionRow, insertSessionRow } from "../users/sessions-rows.ts";
import { createSecret, hashSecret } from "../users/tokens-rows.ts";

/** A browser, which a cookie identifies. */
export interface Session {
  /** The value of the cookie. */
  readonly key: string;
  /** Whether the browser has no cookie yet, so that the reply must set it. */
  readonly isNew: boolean;
  /** The user who signed in with this browser, with all scopes. */
  readonly caller: Caller | undefined;
}

/** Time after which a user must sign in again, in milliseconds. */
const sessionTime = 12 * 60 * 60 * 1000;

/** Reads the session of a request. A browser without one gets a new key, which belongs to no user. */
export async function readSession(request: ApiRequest, context: PublicContext): Promise<Session> {
  const sent = new RegExp(`(?:^|; *)${cookieName(context)}=([0-9a-f]{64})(?:;|$)`);
  const key = sent.exec(request.headers.get("Cookie") ?? "")?.[1];
  if (key === undefined) return { key: createSecret(), isNew: true, caller: undefined };
  const owner = await context.store.read((db) => findSessionRow(db, hashSecret(key), timestamp(context.now)));
  return { key, isNew: false, caller: owner && (await admitOwner(context, owner, callerOf(owner, "*"), context.now)) };
}

/** Stores a session of the user and returns its key. It is always a new one, which no one else can know. */
export async function openSession(db: Database, user_id: number, { now }: PublicContext): Promise<string> {
  const key = createSecret();
  const expires = timestamp(new Date(now.getTime() + sessionTime));
  await insertSessionRow(db, { hash: hashSecret(key), user_id, expires }, timestamp(now));
  return key;
}

export async function closeSession(db: Database, { key }: Session): Promise<void> {
  await removeRows(db, "sessions", { hash: hashSecret(key) });
}

/** The cookie of a session; it ends with the browser, and other sites cannot send it with their forms. */
export function sessionCookie(key: string, context: PublicContext): string {
  return `${cookieName(context)}=${key}; Path=/; HttpOnly; SameSite=Lax${context.isEncrypted ? "; Secure" : ""}`;
}

/** With https, browsers accept this prefix from this very host only. */
function cookieName({ isEncrypted = false }: PublicContext): string {
  return isEncrypted ? "__Host-zonewright" : "zonewright";
}
