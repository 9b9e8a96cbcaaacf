import type { ServerOptions } from "../../src/server/server.ts";
import { Browser, formOf, givePassword, type View } from "./browser.ts";
import { start } from "./start.ts";

export const redirect_uri = "https://dashboard.example/callback";
/** The server as its responses to an application name it, in an address. */
export const iss = "iss=http%3A%2F%2Fapi";
export const password = "correct horse battery";
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"; // RFC 7636, appendix B
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const pkce = { code_challenge: challenge, code_challenge_method: "S256" };

export interface Client {
  readonly id: string;
  readonly secret: string;
}

export interface TokenReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it whole.
  readonly body: any;
}

/** A server whose user admin has a password, with a confidential and a public client, and a browser. */
export async function startOAuth(options: Partial<ServerOptions> = {}) {
  const api = await start(options);
  await givePassword(api.store, "admin", password);
  const register = async (fields: object = {}): Promise<Client> =>
    (await api.call("POST", "/account/oauth-clients", { label: "dashboard", redirect_uri, ...fields })).body;
  const client = await register();
  const publicClient = await register({ label: "app", public: true });
  const browser = new Browser(api.server);

  const pathOf = (parameters: Record<string, string>) => `/oauth/authorize?${new URLSearchParams(parameters)}`;
  /** A request for authorization by the confidential client. */
  const requestOf = (fields: Record<string, string> = {}) =>
    pathOf({ client_id: client.id, response_type: "code", scope: "domains:read_only", ...fields });

  /** Follows a request to its end: signs in where that is asked, then decides. */
  async function decide(path: string, decision = "allow", on = browser): Promise<View> {
    const first = await on.get(path);
    const consent = first.html.includes('action="/sign-in"')
      ? await on.get((await signIn(first, on)).location ?? "")
      : first;
    return on.submit(formOf(consent, "/oauth/authorize"), { decision });
  }
  const signIn = (page: View, on: Browser) => on.submit(formOf(page, "/sign-in"), { username: "admin", password });

  async function codeFor(fields: Record<string, string> = {}): Promise<string> {
    const { location } = await decide(requestOf(fields));
    return new URL(location ?? "").searchParams.get("code") ?? "";
  }

  /** Sends a form to one of the endpoints for clients. */
  async function send(
    path: string,
    body: Record<string, string> | URLSearchParams | FormData | string,
    headers: Record<string, string> = {},
  ): Promise<TokenReply> {
    const isForm = body instanceof FormData || typeof body === "string";
    const request = new Request(`http://api${path}`, {
      method: "POST",
      headers,
      body: isForm ? body : new URLSearchParams(body),
    });
    const reply = await api.server(request, { remoteAddress: "192.0.2.99" });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  }
  const credentials = { client_id: client.id, client_secret: client.secret };
  const exchange = (code: string, fields: Record<string, string> = {}) =>
    send("/oauth/token", { ...credentials, code, ...fields });
  const refresh = (refresh_token: string, fields: Record<string, string> = {}) =>
    send("/oauth/token", { ...credentials, grant_type: "refresh_token", refresh_token, ...fields });
  /** The status of a request with this token, by default for the list of domains. */
  const statusWith = async (as: string, method = "GET", path = "/domains", body?: object) =>
    (await api.call(method, path, body, { as })).status;

  return {
    ...api,
    browser,
    client,
    publicClient,
    credentials,
    register,
    pathOf,
    requestOf,
    decide,
    codeFor,
    send,
    exchange,
    refresh,
    statusWith,
  };
}
