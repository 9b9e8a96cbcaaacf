import { fileURLToPath } from "node:url";
import { test as always, expect } from "vitest";
import { findPython, isMissing } from "../judges.ts";
import { Browser, formOf, givePassword } from "../server/browser.ts";
import { folder, run, serve } from "./run.ts";

const test = always.skipIf(isMissing("authlib"));

const python = findPython("authlib") ?? "python3";
const script = fileURLToPath(new URL("oauth_session.py", import.meta.url));

const redirect_uri = "https://dashboard.example/callback";
const password = "correct horse battery";
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"; // RFC 7636, appendix B

/** An expression of Python, where `session` is that of the application; what it gives. */
type Step = [expression: string, gives: unknown];

/** A server with a client, which authenticates by `method`, and sessions of it. */
async function begin(method: string) {
  const api = await serve({ profile: "documented" });
  await givePassword(api.store, "admin", password);
  const isPublic = method === "none";
  const registered = { label: "dashboard", redirect_uri, public: isPublic };
  const { body: client } = await api.call("POST", "/account/oauth-clients", registered);
  const options = {
    client_id: client.id,
    ...(!isPublic && { client_secret: client.secret }),
    token_endpoint_auth_method: method,
    redirect_uri,
    scope: "domains:read_write events:read_only",
  };

  async function session(expressions: readonly string[]): Promise<unknown[]> {
    const given = { url: api.url, verifier, options, expressions };
    const { code, out, talk } = await run([python, script], { cwd: folder(), input: JSON.stringify(given) });
    expect({ code, talk }).toEqual({ code: 0, talk: [] });
    return out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  /** The address to which the user returns who allows the access that the session asks for. */
  async function allow(): Promise<string> {
    const start = "session.create_authorization_url(url + '/oauth/authorize', state='s', code_verifier=verifier)[0]";
    const [asked] = await session([start]);
    const path = String(asked).slice(api.url.length);
    const browser = new Browser(api.server);
    await browser.signIn(path, "admin", password);
    const allowed = await browser.submit(formOf(await browser.get(path), "/oauth/authorize"), { decision: "allow" });
    return allowed.location ?? "";
  }

  /** A session of the user who returned, with what each expression gives. */
  async function play(steps: readonly Step[]): Promise<Step[]> {
    const given = await session(steps.map(([expression]) => expression));
    return steps.map(([expression], index) => [expression, given[index]]);
  }

  return { allow, play };
}

const exchange = (address: string, more = "code_verifier=verifier, state='s'") =>
  `session.fetch_token(url + '/oauth/token', authorization_response='${address}', ${more})['scope']`;
const read = "session.get(url + '/v4/domains').status_code";
const scope = "domains:read_write events:read_only";
const used = "invalid_grant: the code is not known, was used, has expired, or belongs to another request";

test.each(["client_secret_basic", "client_secret_post", "none"])(
  "Authlib, %s: code with PKCE, tokens, refresh, revocation",
  async (method) => {
    const { allow, play } = await begin(method);
    const address = await allow();
    const steps: Step[] = [
      [exchange(address), scope],
      ["session.token['token_type'], session.token['expires_in']", ["bearer", 7200]],
      [read, 200],
      ["(first := dict(session.token)) and session.refresh_token(url + '/oauth/token')['scope']", scope],
      ["session.token['access_token'] != first['access_token']", true],
      ["session.token['refresh_token'] != first['refresh_token']", true],
      [read, 200],
      ["session.revoke_token(url + '/oauth/revoke').json()", {}],
      [read, 401],
      [exchange(address), `OAuthError: ${used}`],
    ];
    expect(await play(steps)).toEqual(steps);
  },
);

test("Authlib: a code needs the verifier of its request, and works once", async () => {
  const { allow, play } = await begin("none");
  const address = await allow();
  const steps: Step[] = [
    [
      exchange(address, "state='another'"),
      "MismatchingStateException: mismatching_state: CSRF Warning! State not equal in request and response.",
    ],
    [exchange(address, "code_verifier='x' * 43"), `OAuthError: ${used}`],
    [exchange(address, "state='s'"), `OAuthError: ${used}`],
    [exchange(address), scope],
    [read, 200],
    [exchange(address), `OAuthError: ${used}`],
    [read, 401],
  ];
  expect(await play(steps)).toEqual(steps);
});
