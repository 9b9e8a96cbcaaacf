import { html } from "hono/html";
import { readSession, type Session } from "../areas/oauth/session.ts";
import { signOutForm } from "../areas/oauth/sign-in.ts";
import type { Context, PublicContext } from "../entities/context.ts";
import { Refusal } from "../kit/api-error.ts";
import type { ApiRequest } from "../kit/request.ts";
import { isStorable } from "../store/language.ts";
import type { Store } from "../store/store.ts";
import { type EscapedHtml, type PublicPage, publicPage, redirectTo, respondWithDocument } from "../web/document.ts";
import { describeForPeople, retryHeader, type WebFailure } from "../web/failure.ts";
import { makeOnce } from "../web/public-text.ts";
import { type ConsolePage, layout, style } from "./layout.ts";
import {
  domainList,
  domainPage,
  eventList,
  health,
  overview,
  type PageRequest,
  ticketList,
  ticketPage,
  tokenList,
  zonePage,
} from "./pages.ts";
import { referencePage } from "./reference.ts";

/** The pages that need a sign-in, by their routes. */
const pages: Readonly<Record<string, (request: PageRequest, context: Context) => Promise<ConsolePage>>> = {
  "/": overview,
  "/domains": domainList,
  "/domains/{id}": domainPage,
  "/domains/{id}/zone-file": zonePage,
  "/events": eventList,
  "/tokens": tokenList,
  "/tickets": ticketList,
  "/tickets/{id}": ticketPage,
  "/health": health,
};

/** The page that everybody may read, like the document that it is made from. */
const referencePath = "/api";

/** The routes of the console; all of them only read, by GET. */
export const consoleRoutes: readonly string[] = [...Object.keys(pages), referencePath];

/** A request for a page: its route, undefined if no page has its path, and the id in its path. */
export interface ConsoleCall {
  readonly route: string | undefined;
  readonly id: number;
}

type Shown = Response | PublicPage;

/**
 * Shows a page to the user who is signed in, and leads others to the sign-in. `limit` runs the work of a page with the
 * store for it, or replies that there were too many requests.
 */
export async function answerConsole(
  { route, id }: ConsoleCall,
  request: ApiRequest,
  context: PublicContext,
  limit: (caller: Context["caller"] | undefined, work: (store: Store) => Promise<Shown>) => Promise<Shown>,
): Promise<Shown> {
  const url = new URL(request.url);
  const path = url.pathname;
  const session = await readSession(request, context);
  const { caller } = session;
  const menu = accountMenu(session, context);
  if (route === undefined) return limit(caller, () => respond(notFoundPage, path, menu, 404));
  const show = pages[route];
  if (show === undefined) {
    return limit(caller, () => (caller ? respond(referenceOf(context), path, menu) : publicReferenceOf(context)));
  }
  if (caller === undefined) return redirectTo(`/sign-in?to=${encodeURIComponent(path + url.search)}`);
  const page = Number(/^[1-9]\d{0,8}$/.exec(url.searchParams.get("page") ?? "")?.[0] ?? 1);
  const asked = [...(url.searchParams.get("search") ?? "")].slice(0, 255).join("");
  const search = isStorable(asked) ? asked : "";
  return limit(caller, async (store) => {
    try {
      return await respond(await show({ id, page, search }, { ...context, caller, store }), path, menu);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return respond(describeRefusal(error), path, menu, error.status);
    }
  });
}

const referenceOf = oncePerBehavior(referencePage);

/** The reference for everybody who is not signed in. */
const publicReferenceOf = oncePerBehavior((behavior) => {
  const page = referenceOf(behavior);
  return publicPage({ title: page.title, style, body: layout(page, referencePath, signInLink) });
});

/** The settings of a server that its reference describes. */
type Behavior = Pick<PublicContext, "profile" | "records">;

function oncePerBehavior<T>(make: (behavior: Behavior) => T): (behavior: Behavior) => T {
  const made = new Map<string, () => T>();
  return ({ profile, records }) => {
    const key = `${profile} ${records}`;
    const one = made.get(key) ?? makeOnce(() => make({ profile, records }));
    made.set(key, one);
    return one();
  };
}

/** The page of a failure outside of the pages themselves. */
export function failConsole(failure: WebFailure, path: string): Promise<Response> {
  const { title, message } = describeForPeople(failure);
  return respond(
    { title, body: html`<p>${message}</p>` },
    path,
    html``,
    failure.status,
    retryHeader(failure.retryAfter),
  );
}

const notFoundPage: ConsolePage = {
  title: "Not found",
  body: html`<p>This page does not exist, or it belongs to another account.</p>`,
};

function describeRefusal({ status, errors }: Refusal): ConsolePage {
  if (status === 404) return notFoundPage;
  const reasons = status === 403 ? ["Your grants do not allow it."] : errors.map(({ reason }) => reason);
  return { title: "This page cannot be shown", body: html`${reasons.map((reason) => html`<p>${reason}</p>`)}` };
}

/** The user's name with the form that signs them out, or the link that signs in. */
function accountMenu(session: Session, context: PublicContext): EscapedHtml {
  const { caller } = session;
  if (caller === undefined) return signInLink;
  return html`<div class="end">${signOutForm(`Sign out ${caller.username}`, "/", session, context)}</div>`;
}

/** The link that signs in. */
const signInLink = html`<a class="end" href="/sign-in">Sign in</a>`;

function respond(
  page: ConsolePage,
  path: string,
  menu: EscapedHtml,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return respondWithDocument({ status, title: page.title, style, body: layout(page, path, menu), headers });
}
