import { html } from "hono/html";
import type { PublicContext } from "../../entities/context.ts";
import type { ApiRequest } from "../../kit/request.ts";
import { describeForPeople, retryHeader, type WebFailure } from "../../web/failure.ts";
import { decideConsent, showConsent } from "./authorize.ts";
import { OAuthError, PageError } from "./errors.ts";
import { alertHtml, respondWithPage } from "./page.ts";
import { SignInLimits, showSignIn, signIn, signOut } from "./sign-in.ts";
import { issueTokens, revokeOAuthToken } from "./token.ts";

/** The paths outside of the API, with their methods. linode_api4 revokes tokens at `/oauth/token/expire`. */
export const oauthPaths = [
  ["/oauth/authorize", ["GET", "POST"]],
  ["/oauth/token", ["POST"]],
  ["/oauth/token/expire", ["POST"]],
  ["/oauth/revoke", ["POST"]],
  ["/sign-in", ["GET", "POST"]],
  ["/sign-out", ["POST"]],
] as const;
export type OAuthPath = (typeof oauthPaths)[number][0];

/** The authorization flow, with the sign-ins of its server. */
export class OAuth {
  readonly #limits = new SignInLimits();

  /** Replies to a request of these paths. Unexpected errors are thrown; `fail` replies to them. */
  async answer(path: OAuthPath, request: ApiRequest, context: PublicContext): Promise<Response> {
    const isGet = request.method !== "POST";
    switch (path) {
      case "/oauth/authorize":
        return showErrors(context, () => (isGet ? showConsent : decideConsent)(request, context));
      case "/sign-in":
        return showErrors(context, () =>
          isGet ? showSignIn(request, context) : signIn(request, context, this.#limits),
        );
      case "/sign-out":
        return showErrors(context, () => signOut(request, context));
      case "/oauth/token":
        return describeErrors(request, () => issueTokens(request, context));
      case "/oauth/token/expire":
      case "/oauth/revoke":
        return describeErrors(request, () => revokeOAuthToken(request, context));
    }
  }

  /** RFC 6749 §5.2 has no codes for failures of a server, so those of §4.1.2.1 describe them. */
  fail(path: OAuthPath, failure: WebFailure, context: PublicContext): Promise<Response> {
    const { status, reason, retryAfter } = failure;
    if (isForPeople(path)) {
      const { title, message } = describeForPeople(failure);
      return errorPage(new PageError(status, title, message, retryAfter), context);
    }
    const error = retryAfter === undefined ? "server_error" : "temporarily_unavailable";
    return Promise.resolve(jsonReply(status, { error, error_description: reason }, retryHeader(retryAfter)));
  }
}

function isForPeople(path: OAuthPath): boolean {
  return path === "/oauth/authorize" || path === "/sign-in" || path === "/sign-out";
}

async function showErrors(context: PublicContext, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof PageError) return errorPage(error, context);
    if (error instanceof OAuthError)
      return errorPage(new PageError(400, "This request is not valid", `The server says: ${error.message}.`), context);
    throw error;
  }
}

function errorPage({ status, title, message, retryAfter }: PageError, context: PublicContext): Promise<Response> {
  const body = html`${alertHtml(message)}`;
  return respondWithPage({ status, title, body, headers: retryHeader(retryAfter) }, context);
}

async function describeErrors(request: ApiRequest, answer: () => Promise<object>): Promise<Response> {
  try {
    return jsonReply(200, await answer());
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const body = { error: error.code, error_description: error.message };
    if (error.code !== "invalid_client") return jsonReply(400, body);
    const isBasic = request.headers.get("Authorization") !== null;
    return jsonReply(401, body, isBasic ? { "WWW-Authenticate": 'Basic realm="zonewright"' } : {});
  }
}

/** A reply of the token endpoint (RFC 6749 §5.1), which applications in browsers may read too. */
function jsonReply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      Pragma: "no-cache",
      "X-Content-Type-Options": "nosniff",
      "Access-Control-Allow-Origin": "*",
      ...headers,
    },
  });
}
