import { createHash } from "node:crypto";
import { covers } from "../../../contract/scopes.ts";
import type { PublicContext } from "../../entities/context.ts";
import type { ApiRequest } from "../../kit/request.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { AuthorizationRow, Database, OAuthClientRow } from "../../store/tables.ts";
import { createSecret, hashSecret } from "../users/tokens-rows.ts";
import * as authorizations from "./authorizations-rows.ts";
import { authenticateClient } from "./client-authentication.ts";
import { OAuthError } from "./errors.ts";
import { readFields, readParameter, readScopeParameter } from "./parameters.ts";
import { readScopes, writeScopes } from "./scopes.ts";

/** Validity of an access token, in seconds (decisions/account#oauth-flow). */
const tokenTime = 7200;

/** `POST /oauth/token`: exchanges a code, or a refresh token, for new tokens. */
export async function issueTokens(request: ApiRequest, context: PublicContext): Promise<object> {
  const form = await readFields(request);
  const client = await authenticateClient(form, request.headers.get("Authorization"), context);
  const grant = readParameter(form, "grant_type") ?? "authorization_code";
  switch (grant) {
    case "authorization_code":
      return exchangeCode(form, client, context);
    case "refresh_token":
      return refreshTokens(form, client, context);
    default:
      throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
  }
}

/**
 * `POST /oauth/revoke` (RFC 7009): an access token ends as a refresh token does, with all tokens of its authorization
 * (§2.1), and one that the client does not have is no error.
 */
export async function revokeOAuthToken(request: ApiRequest, context: PublicContext): Promise<object> {
  const form = await readFields(request);
  const client = await authenticateClient(form, request.headers.get("Authorization"), context);
  const token = requireParameter(form, "token");
  await context.store.write((db) => authorizations.revokeAuthorization(db, client.id, hashSecret(token)));
  return {};
}

/** A code that is exchanged a second time was stolen, so all tokens from it end (RFC 6749 §4.1.2). */
async function exchangeCode(form: URLSearchParams, client: OAuthClientRow, context: PublicContext): Promise<object> {
  const code = requireParameter(form, "code");
  const redirectUri = readParameter(form, "redirect_uri");
  const verifier = readParameter(form, "code_verifier");
  const tokens = await context.store.write(async (db) => {
    const authorization = await authorizations.findAuthorizationByCode(db, client.id, hashSecret(code));
    if (authorization === undefined) return undefined;
    if (authorization.redeemed === 1) return void (await authorizations.removeAuthorizationRow(db, authorization.id));
    const isMeant =
      authorization.code_expires > timestamp(context.now) &&
      isRedirectUri(redirectUri, authorization, client) &&
      isVerifier(verifier, authorization.challenge);
    if (!isMeant) return undefined;
    await authorizations.markCodeRedeemed(db, authorization.id);
    return issue(db, authorization, authorization.scopes, context);
  });
  if (tokens === undefined)
    throw new OAuthError(
      "invalid_grant",
      "the code is not known, was used, has expired, or belongs to another request",
    );
  return tokens;
}

/**
 * The redirect URI of the request, which an exchange repeats if the request named it (RFC 6749 §4.1.3). Confidential
 * clients may leave it out, because linode_api4 does; their secret protects the code.
 */
function isRedirectUri(sent: string | undefined, authorization: AuthorizationRow, client: OAuthClientRow): boolean {
  if (sent === undefined) return authorization.redirect_named === 0 || client.public === 0;
  return sent === authorization.redirect_uri;
}

/** A verifier is required with a challenge, and refused without one (RFC 9700 §2.1.1). */
function isVerifier(verifier: string | undefined, challenge: string | null): boolean {
  if (verifier === undefined || challenge === null) return verifier === undefined && challenge === null;
  return /^[\w.~-]{43,128}$/.test(verifier) && createHash("sha256").update(verifier).digest("base64url") === challenge;
}

/**
 * Replaces the refresh token. One that is used a second time was stolen, so all tokens of the authorization end (RFC
 * 9700 §4.14.2). The new access token may have fewer scopes.
 */
async function refreshTokens(form: URLSearchParams, client: OAuthClientRow, context: PublicContext): Promise<object> {
  const token = requireParameter(form, "refresh_token");
  const scope = readScopeParameter(form);
  const wanted = scope === undefined ? undefined : readScopes(scope, context.profile);
  const tokens = await context.store.write(async (db) => {
    const authorization = await authorizations.findAuthorizationByRefreshToken(db, client.id, hashSecret(token));
    if (authorization === undefined) return undefined;
    if (authorization.used === 1) return void (await authorizations.removeAuthorizationRow(db, authorization.id));
    const granted = authorization.scopes.split(" ");
    if (wanted?.some((word) => !covers(granted, word)))
      throw new OAuthError("invalid_scope", "scope has more than the user allowed");
    await authorizations.markAuthorizationUsed(db, hashSecret(token));
    return issue(db, authorization, wanted?.join(" ") ?? authorization.scopes, context);
  });
  if (tokens === undefined)
    throw new OAuthError("invalid_grant", "the refresh token is not known, was used, or was revoked");
  return tokens;
}

/** Stores new tokens of an authorization and returns the reply that shows them. */
async function issue(
  db: Database,
  authorization: AuthorizationRow,
  scopes: string,
  { now, profile }: PublicContext,
): Promise<object> {
  const [access, refresh] = [createSecret(), createSecret()];
  await authorizations.addAuthorizationTokens(db, authorization, {
    access: hashSecret(access),
    refresh: hashSecret(refresh),
    scopes,
    now: timestamp(now),
    expires: timestamp(new Date(now.getTime() + tokenTime * 1000)),
  });
  const shown = writeScopes(scopes, profile);
  return {
    scope: shown,
    scopes: shown,
    access_token: access,
    refresh_token: refresh,
    token_type: "bearer",
    expires_in: tokenTime,
  };
}

function requireParameter(form: URLSearchParams, name: string): string {
  const value = readParameter(form, name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
}
