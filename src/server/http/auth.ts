import type { Endpoint } from "../../contract/endpoint.ts";
import { reasons } from "../../contract/errors.ts";
import { allows, type Scope } from "../../contract/scopes.ts";
import { findTokenRow, hashSecret } from "../areas/users/tokens-rows.ts";
import { hasAccountAccess } from "../entities/account.ts";
import { admitOwner, callerOf } from "../entities/callers.ts";
import type { Caller, Settings } from "../entities/context.ts";
import { Refusal, unauthorized } from "../kit/api-error.ts";
import { networkOf } from "../kit/network.ts";
import { timestamp } from "../kit/timestamp.ts";
import type { StoreVersion } from "../store/driver.ts";

/** Limit on the tokens that are remembered. */
const mostTokens = 10_000;

/** The owner of a token, also as a caller, which is made once. */
interface TokenOwner {
  readonly row: NonNullable<Awaited<ReturnType<typeof findTokenRow>>>;
  readonly caller: Caller;
}

/**
 * Finds the owners of tokens, and remembers them until the database has changed. With PostgreSQL each request looks its
 * token up, because work that another server has made due must be settled before the request, too.
 */
export class TokenOwners {
  readonly #settings: Pick<Settings, "store" | "jobKinds" | "dueWork">;
  /** By the hashes of their tokens. */
  readonly #known = new Map<string, TokenOwner>();
  /** The senders of tokens that were valid, by the same hashes. */
  readonly #senders = new Map<string, string>();
  #version: StoreVersion = Symbol();
  readonly #lookUp: (hash: string) => Promise<TokenOwner | undefined>;

  /** `gather` lets the lookups of a sender wait for further ones. */
  constructor(
    settings: Pick<Settings, "store" | "jobKinds" | "dueWork">,
    gather?: (sender: string) => Promise<void> | undefined,
  ) {
    this.#settings = settings;
    this.#lookUp = shareLookups(
      (hash) => this.#find(hash),
      (hash) => {
        const sender = this.senderOf(hash);
        return sender === undefined ? undefined : gather?.(sender);
      },
    );
  }

  /**
   * The owner of the token with this hash; undefined for a missing, unknown, expired or revoked one, and for one of a
   * closed account or of an OAuth client that is not active.
   */
  async identify(hash: string | undefined, now: Date): Promise<Caller | undefined> {
    if (hash === undefined) return undefined;
    const version = this.#settings.store.knownVersion();
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
    const owner = this.#known.get(hash) ?? (await this.#lookUp(hash));
    if (owner === undefined) return undefined;
    const { row, caller } = owner;
    if (row.expires !== null && row.expires <= timestamp(now)) return undefined;
    return admitOwner(this.#settings, row, caller, now);
  }

  /** The account of a token that was valid at some time, as `senderOf` names it; undefined if that is not known. */
  senderOf(hash: string | undefined): string | undefined {
    return hash === undefined ? undefined : this.#senders.get(hash);
  }

  /** Looks a token up, and remembers it unless the database has changed meanwhile. Unknown ones are not remembered. */
  async #find(hash: string): Promise<TokenOwner | undefined> {
    const version = this.#version;
    const row = await this.#settings.store.read((db) => findTokenRow(db, hash), { isSingle: true });
    if (row === undefined) return undefined;
    const owner = { row, caller: callerOf(row, row.scopes) };
    if (this.#senders.size === mostTokens) this.#senders.clear();
    this.#senders.set(hash, senderOf(owner.caller, ""));
    if (version !== this.#version) return owner;
    if (this.#known.size === mostTokens) this.#known.clear();
    this.#known.set(hash, owner);
    return owner;
  }
}

/** The sender of a request: its account, or else its network. Requests of different senders wait in rotation. */
export function senderOf(caller: Caller | undefined, remoteAddress: string): string {
  return caller === undefined ? networkOf(remoteAddress) : `account ${caller.accountId}`;
}

/** The hash of the token in an `Authorization` header; undefined without one. */
export function tokenHashIn(authorization: string | null | undefined): string | undefined {
  const token = authorization?.match(/^Bearer +(\S+)$/i)?.[1];
  return token === undefined ? undefined : hashSecret(token);
}

/**
 * @throws {Refusal} 401 for a caller without a valid token or without the scope, 403 for a user whom the endpoint does
 * not admit (decisions/service#replies, decisions/account#access).
 */
export function authorize(caller: Caller | undefined, scope: Scope, who?: Endpoint["who"]): void {
  if (caller === undefined) throw new Refusal(401, [{ reason: reasons.invalidToken }]);
  if (!allows(caller.scopes, scope)) throw new Refusal(401, [{ reason: reasons.scope }]);
  if (who === undefined || !caller.isRestricted) return;
  if (who === "unrestricted" || !hasAccountAccess(caller, scope)) throw unauthorized();
}

/**
 * Looks keys up, each once at a time: calls that arrive during a lookup share the next one, so that every result was
 * read after its call. A lookup that `gather` lets wait is shared by the calls of that time, too.
 */
export function shareLookups<T>(
  lookUp: (key: string) => Promise<T>,
  gather: (key: string) => Promise<void> | undefined = () => undefined,
): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  const begin = (key: string): Promise<T> => {
    next.delete(key);
    const found = lookUp(key).finally(() => running.delete(key));
    running.set(key, found);
    return found;
  };
  return (key) => {
    const gathered = next.get(key);
    if (gathered !== undefined) return gathered;
    const wait: Promise<unknown> | undefined = gather(key)?.then(() => running.get(key)) ?? running.get(key);
    if (wait === undefined) return begin(key);
    const shared = wait.then(
      () => begin(key),
      () => begin(key),
    );
    next.set(key, shared);
    return shared;
  };
}
