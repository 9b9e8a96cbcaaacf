import { html } from "hono/html";
import { describeScope } from "../../../contract/scopes.ts";
import type { Caller, PublicContext } from "../../entities/context.ts";
import type { ApiRequest } from "../../kit/request.ts";
import { timestamp } from "../../kit/timestamp.ts";
import type { Database, OAuthClientRow } from "../../store/tables.ts";
import { redirectTo, userText } from "../../web/document.ts";
import { createSecret, hashSecret } from "../users/tokens-rows.ts";
import { insertAuthorizationRow } from "./authorizations-rows.ts";
import { OAuthError, PageError } from "./errors.ts";
import { createFormToken, requireFormToken } from "./form-token.ts";
import { findActiveOAuthClient } from "./oauth-clients-rows.ts";
import { respondWithPage } from "./page.ts";
import { readFields, readParameter, readScopeParameter } from "./parameters.ts";
import { matchesRedirectUri } from "./redirect-uri.ts";
import { readScopes } from "./scopes.ts";
import { readSession, type Session } from "./session.ts";
import { signInPage, signOutForm } from "./sign-in.ts";

/** Validity of a code, in milliseconds (decisions/account#oauth-flow). */
const codeTime = 10 * 60 * 1000;

/** Limit on the query of a request, in characters. */
const longestQuery = 8192;

/** A valid request for authorization. */
interface AuthorizationRequest {
  readonly client: OAuthClientRow;
  readonly redirectUri: string;
  /** Whether the request names the redirect URI. */
  readonly isRedirectNamed: boolean;
  readonly scopes: readonly string[];
  /** The PKCE challenge, by S256. */
  readonly challenge: string | null;
  readonly state: string | undefined;
}

/** `GET /oauth/authorize`: asks the user to sign in, then for consent. */
export async function showConsent(request: ApiRequest, context: PublicContext): Promise<Response> {
  const query = new URL(request.url).search.slice(1);
  const session = await readSession(request, context);
  const issuer = issuerOf(request, context);
  return answerRequest({ query, issuer }, session, context, (wanted, caller) =>
    consentPage(query, wanted, caller, session, context),
  );
}

/** `POST /oauth/authorize`: the form of the consent page. */
export async function decideConsent(request: ApiRequest, context: PublicContext): Promise<Response> {
  const form = await readFields(request);
  const query = form.get("request") ?? "";
  const session = await readSession(request, context);
  const issuer = issuerOf(request, context);
  return answerRequest({ query, issuer }, session, context, async (wanted, caller) => {
    const shown = form.get("shown") ?? "";
    requireFormToken(form.get("token"), signedContent(query, shown), session, context);
    if (shown !== textOf(wanted)) return consentPage(query, wanted, caller, session, context);
    if (form.get("decision") !== "allow") throw new OAuthError("access_denied", "the user denied access");
    const code = await context.store.write((db) => authorize(db, wanted, caller, context));
    return redirectTo(withQuery(wanted.redirectUri, { code, state: wanted.state, iss: issuer }));
  });
}

/** The server as its responses name it, so that a client does not send a code of one server to another (RFC 9207). */
function issuerOf({ url }: ApiRequest, { authUrl, isEncrypted = false }: PublicContext): string {
  return authUrl ?? `${isEncrypted ? "https" : "http"}://${new URL(url).host}`;
}

/** The parts of a request that users consent to. The client may be changed while a user reads the page. */
function textOf({ client, redirectUri, scopes }: AuthorizationRequest): string {
  return JSON.stringify([client.label, redirectUri, scopes]);
}

function signedContent(query: string, shown: string): string {
  return `consent ${JSON.stringify([query, shown])}`;
}

function pathOf(query: string): string {
  return `/oauth/authorize?${query}`;
}

/** Stores the consent and returns its code. */
async function authorize(
  db: Database,
  { client, redirectUri, isRedirectNamed, scopes, challenge }: AuthorizationRequest,
  { userId }: Caller,
  { now }: PublicContext,
): Promise<string> {
  const code = createSecret();
  const row = {
    oauth_client_id: client.id,
    user_id: userId,
    scopes: scopes.join(" "),
    redirect_uri: redirectUri,
    redirect_named: Number(isRedirectNamed),
    challenge,
    code_hash: hashSecret(code),
    code_expires: timestamp(new Date(now.getTime() + codeTime)),
  };
  // The client may have been deleted or disabled since the request was read.
  if (!(await findActiveOAuthClient(db, client.client_id))) throw unknownClient();
  await insertAuthorizationRow(db, row, timestamp(now));
  return code;
}

/**
 * Answers a request for authorization by a user, who signs in first. Only then are its errors sent to the client by a
 * redirect (RFC 6749 §4.1.2.1), so that no link alone leads away from here (RFC 9700 §4.11.2).
 * @throws {PageError} 400 for an unknown client or another redirect URI than its own, to which nothing is sent.
 */
async function answerRequest(
  { query, issuer }: { readonly query: string; readonly issuer: string },
  session: Session,
  context: PublicContext,
  answer: (request: AuthorizationRequest, caller: Caller) => Promise<Response>,
): Promise<Response> {
  if (query.length > longestQuery) throw new PageError(400, "This link is not valid", "It is too long.");
  const parameters = new URLSearchParams(query);
  const client = await context.store.read((db) =>
    findActiveOAuthClient(db, readParameter(parameters, "client_id") ?? ""),
  );
  if (client === undefined) throw unknownClient();
  const named = readParameter(parameters, "redirect_uri");
  const redirectUri = named ?? client.redirect_uri;
  if (!matchesRedirectUri(client.redirect_uri, redirectUri, context.profile))
    throw new PageError(
      400,
      "This link is not valid",
      "The redirect address is not registered for this application. You were not redirected.",
    );
  const { caller } = session;
  if (caller === undefined) return signInPage(pathOf(query), session, context);
  const [state, ...otherStates] = parameters.getAll("state");
  try {
    const target = { redirectUri, isRedirectNamed: named !== undefined };
    return await answer({ client, ...target, state, ...readRequest(parameters, client, context) }, caller);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const reply = { error: error.code, error_description: error.message };
    return redirectTo(withQuery(redirectUri, { ...reply, ...(otherStates.length === 0 && { state }), iss: issuer }));
  }
}

function unknownClient(): PageError {
  return new PageError(400, "This link is not valid", "Unknown or disabled application.");
}

/** @throws {OAuthError} */
function readRequest(
  parameters: URLSearchParams,
  client: OAuthClientRow,
  { profile }: PublicContext,
): Pick<AuthorizationRequest, "scopes" | "challenge"> {
  const read = (name: string) => readParameter(parameters, name);
  read("state");
  const type = read("response_type");
  if (type === undefined) throw new OAuthError("invalid_request", "response_type is missing");
  if (type !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code");
  const challenge = readChallenge(read("code_challenge"), read("code_challenge_method"), client);
  return { scopes: readScopes(readScopeParameter(parameters) ?? "", profile), challenge };
}

/** Only S256 is supported, and public clients must use it (RFC 7636, RFC 9700 §2.1.1). */
function readChallenge(
  challenge: string | undefined,
  method: string | undefined,
  client: OAuthClientRow,
): string | null {
  if (challenge === undefined && method === undefined && client.public === 0) return null;
  if (challenge === undefined) throw new OAuthError("invalid_request", "code_challenge is missing");
  if (method !== "S256") throw new OAuthError("invalid_request", "code_challenge_method must be S256");
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "code_challenge must be a SHA-256 in base64url");
  return challenge;
}

/** Appends parameters to a redirect URI, whose own query stays as it is. */
function withQuery(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}`;
}

function consentPage(
  query: string,
  wanted: AuthorizationRequest,
  caller: Caller,
  session: Session,
  context: PublicContext,
): Promise<Response> {
  const { client, redirectUri, scopes } = wanted;
  const shown = textOf(wanted);
  const body = html`<p>The application ${userText(client.label)} wants to access the account as
${userText(caller.username)}. It will be able to:</p>
<ul>${scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}</ul>
${caller.isRestricted ? html`<p>It can do no more than your grants allow.</p>` : ""}
<p class="dim">You will be sent to ${userText(targetOf(redirectUri))}.</p>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${query}">
<input type="hidden" name="shown" value="${shown}">
<input type="hidden" name="token" value="${createFormToken(signedContent(query, shown), session, context)}">
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
${signOutForm("Sign in as another user", pathOf(query), session, context)}`;
  return respondWithPage({ title: "Allow access?", body, leadsToApplication: true, session }, context);
}

/** The site of a redirect URI, or its scheme. */
function targetOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}
