import { html } from "hono/html";
import { commandLine } from "../../../diagnostics/advice.ts";
import { count } from "../../../diagnostics/quantities.ts";
import type { Caller, PublicContext } from "../../entities/context.ts";
import { oldestShown } from "../../entities/events.ts";
import { FairLimiter } from "../../kit/fair-limiter.ts";
import { networkOf, siteOf } from "../../kit/network.ts";
import { isPassword } from "../../kit/passwords.ts";
import { rateLimiter } from "../../kit/rate-limit.ts";
import type { ApiRequest } from "../../kit/request.ts";
import { timestamp } from "../../kit/timestamp.ts";
import { isStorable } from "../../store/language.ts";
import { type EscapedHtml, redirectTo, userText } from "../../web/document.ts";
import { insertLoginRow } from "../users/logins-rows.ts";
import { findUserWithClosing, isPasswordSet } from "../users/users-rows.ts";
import { OAuthError, PageError } from "./errors.ts";
import { createFormToken, requireFormToken } from "./form-token.ts";
import { readLocalPath } from "./local-path.ts";
import { alertHtml, respondWithPage } from "./page.ts";
import { readFields } from "./parameters.ts";
import { closeSession, openSession, readSession, type Session, sessionCookie } from "./session.ts";

/** Limits on sign-ins of a server: attempts of one user from one network, and passwords that are checked at once. */
export class SignInLimits {
  readonly takeAttempt = rateLimiter({ requests: 10, seconds: 60 });
  /**
   * Each check occupies a core and 32 MiB for about 0.2 s; half of Node's threads stay free. Those that wait are done
   * within about 10 s, `retryAfter`.
   */
  readonly checks = new FairLimiter(2, 1, { all: 100, ofOne: 10 });
  readonly retryAfter = 10;
}

/** `GET /sign-in?to=<path>`: leads to a path of this server once the user has signed in. */
export async function showSignIn(request: ApiRequest, context: PublicContext): Promise<Response> {
  const to = readLocalPath(new URL(request.url).searchParams.get("to") ?? defaultPath(context));
  const session = await readSession(request, context);
  const { caller } = session;
  if (caller === undefined) return signInPage(to, session, context);
  return to === signInPath ? signedInPage(caller, session, context) : redirectTo(to);
}

const signInPath = "/sign-in";

/** The path to which a sign-in leads by default: the console, or without it the page that says who is signed in. */
function defaultPath({ hasConsole }: PublicContext): string {
  return hasConsole ? "/" : signInPath;
}

function signedInPage({ username }: Caller, session: Session, context: PublicContext): Promise<Response> {
  const body = html`<p>Applications can now ask for access to the account as ${userText(username)}.</p>
${signOutForm("Sign out", signInPath, session, context)}`;
  return respondWithPage({ title: "You are signed in", body }, context);
}

/** The page that asks for user name and password, if users of this server can have passwords. */
export async function signInPage(
  to: string,
  session: Session,
  context: PublicContext,
  failure?: Failure,
): Promise<Response> {
  const status = failure ? 403 : 200;
  const body = (await canSignIn(context)) ? signInForm(to, session, context, failure) : noPasswords(context);
  // The error of a request for authorization is sent to the application right after the sign-in.
  const leadsToApplication = to.startsWith("/oauth/authorize?");
  return respondWithPage({ status, title: "Sign in", body, session, leadsToApplication }, context);
}

/** A database in memory is out of reach of the command that sets passwords. */
async function canSignIn({ store }: PublicContext): Promise<boolean> {
  return store.place !== ":memory:" || store.read(isPasswordSet);
}

function noPasswords({ hasConsole }: PublicContext): EscapedHtml {
  return html`<p>This server keeps its data in memory, so users have no passwords.${
    hasConsole ? html` <a href="/api">The reference of the API</a> needs no sign-in.` : ""
  }</p>`;
}

function signInForm(to: string, session: Session, context: PublicContext, failure: Failure | undefined): EscapedHtml {
  return html`${failure ? alertHtml(failure.message) : ""}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="token" value="${createFormToken(`sign-in ${to}`, session, context)}">
<label for="username">User name</label>
<input id="username" name="username" value="${failure?.username ?? ""}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button class="main">Sign in</button>
</form>
<p class="dim">The operator of this server sets passwords with <code>${commandLine({ run: "server user password" })}</code>.</p>`;
}

interface Failure {
  readonly message: string;
  readonly username: string;
}

/**
 * `POST /sign-in`: closes the browser's session, opens one with a new key, and records the sign-in.
 * @throws {PageError} 400, 403 or 429. @throws {OAuthError} for a client that disconnects.
 */
export async function signIn(request: ApiRequest, context: PublicContext, limits: SignInLimits): Promise<Response> {
  const form = await readFields(request);
  const to = readLocalPath(form.get("to") ?? defaultPath(context));
  const session = await readSession(request, context);
  requireFormToken(form.get("token"), `sign-in ${to}`, session, context);
  const username = form.get("username") ?? "";
  const address = context.remoteAddress ?? "";
  const attempts = limits.takeAttempt(JSON.stringify([username.slice(0, 65), networkOf(address)]), context.now);
  if (attempts?.isExceeded) throw tooManyAttempts(attempts.retryAfter);
  const user = isStorable(username) ? await context.store.read((db) => findUserWithClosing(db, username)) : undefined;
  const site = siteOf(address);
  if (limits.checks.isFull(site)) throw tooManyAttempts(limits.retryAfter);
  const { signal } = request;
  const check = () => isPassword(form.get("password") ?? "", user?.password ?? null);
  const isRight = await limits.checks.run(site, check, signal).catch((error: unknown) => {
    throw signal.aborted ? new OAuthError("invalid_request", "the client disconnected") : error;
  });
  if (!user || !isRight)
    return signInPage(to, session, context, { message: "The user name or the password is wrong.", username });
  if (user.closed !== null)
    return signInPage(to, session, context, { message: "The account of this user is closed.", username });
  const key = await context.store.write(async (db) => {
    await closeSession(db, session);
    const login = { account_id: user.account_id, username, ip: address, restricted: user.restricted };
    await insertLoginRow(db, { ...login, created: timestamp(context.now) }, oldestShown(context.now));
    return openSession(db, user.id, context);
  });
  return redirectTo(to, { "Set-Cookie": sessionCookie(key, context) });
}

function tooManyAttempts(retryAfter: number): PageError {
  const message = `Wait ${count(retryAfter, "second")} before you try to sign in again.`;
  return new PageError(429, "Too many attempts", message, retryAfter);
}

/** The form that signs the user out and leads to a path of this server. */
export function signOutForm(label: string, to: string, session: Session, context: PublicContext) {
  return html`<form method="post" action="/sign-out">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="token" value="${createFormToken(`sign-out ${to}`, session, context)}">
<button>${label}</button>
</form>`;
}

/** `POST /sign-out` */
export async function signOut(request: ApiRequest, context: PublicContext): Promise<Response> {
  const form = await readFields(request);
  const to = readLocalPath(form.get("to") ?? defaultPath(context));
  const session = await readSession(request, context);
  requireFormToken(form.get("token"), `sign-out ${to}`, session, context);
  await context.store.write((db) => closeSession(db, session));
  return redirectTo(to);
}
