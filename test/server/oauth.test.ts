// @suite postgres

import { describe, expect, test } from "vitest";
import { revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser } from "../../src/server/areas/account/users-operator.ts";
import { Browser, formOf, givePassword, signInEnd, textOf } from "./browser.ts";
import { iss, password, pkce, redirect_uri, startOAuth, verifier } from "./oauth-desk.ts";

const hex64 = expect.stringMatching(/^[0-9a-f]{64}$/);

const tokens = (scope: string) => ({
  scope,
  scopes: scope,
  access_token: hex64,
  refresh_token: hex64,
  token_type: "bearer",
  expires_in: 7200,
});

test("the whole flow: sign-in, consent, code, token, refresh, revocation", async () => {
  const api = await startOAuth();
  const path = api.requestOf({ scope: "domains:read_only,events:read_only", state: "a b&c=é", redirect_uri });

  const signIn = await api.browser.get(path);
  expect(signIn.status).toBe(200);
  expect(textOf(signIn)).toBe(`Sign in ${signInEnd}`);
  const before = new Map(api.browser.cookies);

  const signedIn = await api.browser.submit(formOf(signIn, "/sign-in"), { username: "admin", password });
  expect([signedIn.status, signedIn.location]).toEqual([303, path]);
  expect([...api.browser.cookies.keys()]).toEqual(["zonewright"]);
  expect(api.browser.cookies.get("zonewright")).not.toBe(before.get("zonewright"));
  expect(signedIn.headers.get("Set-Cookie")).toMatch(/^zonewright=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/);

  const consent = await api.browser.get(path);
  expect(consent.status).toBe(200);
  expect(textOf(consent)).toBe(
    "Allow access? The application dashboard wants to access the account as admin. It will be able to: " +
      "Read domains and their records Read events You will be sent to https://dashboard.example. " +
      "Allow Deny Sign in as another user",
  );

  const allowed = await api.browser.submit(formOf(consent, "/oauth/authorize"), { decision: "allow" });
  expect(allowed.status).toBe(303);
  expect(allowed.location).toMatch(
    /^https:\/\/dashboard\.example\/callback\?code=[0-9a-f]{64}&state=a\+b%26c%3D%C3%A9&iss=http%3A%2F%2Fapi$/,
  );
  const code = new URL(allowed.location ?? "").searchParams.get("code") ?? "";

  const exchanged = await api.exchange(code);
  expect(exchanged).toMatchObject({ status: 200, body: tokens("domains:read_only events:read_only") });
  expect(Object.fromEntries(exchanged.headers)).toEqual({
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    "content-type": "application/json",
    pragma: "no-cache",
    "x-content-type-options": "nosniff",
  });
  const { access_token, refresh_token } = exchanged.body;
  expect(await api.statusWith(access_token)).toBe(200);
  expect(await api.statusWith(access_token, "GET", "/account/events")).toBe(200);
  expect(await api.statusWith(access_token, "POST", "/domains", {})).toBe(401);
  expect(await api.statusWith(refresh_token)).toBe(401);

  const refreshed = await api.refresh(refresh_token);
  expect(refreshed).toMatchObject({ status: 200, body: tokens("domains:read_only events:read_only") });
  expect(await api.statusWith(access_token)).toBe(200);
  expect(await api.statusWith(refreshed.body.access_token)).toBe(200);
});

describe.each(["/oauth/revoke", "/oauth/token/expire"] as const)("%s", (path) => {
  test.each(["access_token", "refresh_token"] as const)(
    "with the %s, all tokens of the authorization end",
    async (kind) => {
      const api = await startOAuth();
      const first = await api.exchange(await api.codeFor());
      const second = await api.refresh(first.body.refresh_token);
      const other = await api.exchange(await api.codeFor());
      const revoked = await api.send(path, { ...api.credentials, token: second.body[kind] });
      expect(revoked).toMatchObject({ status: 200, body: {} });
      for (const { body } of [first, second]) expect(await api.statusWith(body.access_token)).toBe(401);
      expect(await api.refresh(second.body.refresh_token)).toMatchObject({
        status: 400,
        body: { error: "invalid_grant" },
      });
      expect(await api.statusWith(other.body.access_token)).toBe(200);
    },
  );
});

test("an access token is valid for two hours, a refresh token until it is used", async () => {
  const api = await startOAuth();
  const { body } = await api.exchange(await api.codeFor());
  api.clock.now = new Date(api.clock.now.getTime() + 7199_000);
  expect(await api.statusWith(body.access_token)).toBe(200);
  api.clock.now = new Date(api.clock.now.getTime() + 1000);
  expect(await api.statusWith(body.access_token)).toBe(401);
  api.clock.now = new Date(api.clock.now.getTime() + 400 * 86_400_000);
  expect((await api.refresh(body.refresh_token)).status).toBe(200);
  // An expired token is deleted when the next one is issued: only that and the first user's own token remain.
  expect(await api.store.read((db) => db.selectFrom("tokens").select("id").execute())).toHaveLength(2);
});

test("the operator who revokes an access token ends all access of the application", async () => {
  const api = await startOAuth();
  const { body } = await api.exchange(await api.codeFor());
  const { body: other } = await api.exchange(await api.codeFor());
  expect(await revokeTokenById(api.store, 2, api.clock.now)).toEqual({ client: "dashboard" });
  expect(await api.statusWith(body.access_token)).toBe(401);
  expect(await api.refresh(body.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await api.statusWith(other.access_token)).toBe(200);
  expect(await api.refresh(other.refresh_token)).toMatchObject({ status: 200 });
});

test("the user who denies access is sent back with the error", async () => {
  const api = await startOAuth();
  const denied = await api.decide(api.requestOf({ state: "x" }), "deny");
  expect([denied.status, denied.location]).toEqual([
    303,
    `${redirect_uri}?error=access_denied&error_description=the+user+denied+access&state=x&${iss}`,
  ]);
  expect(await api.store.read((db) => db.selectFrom("authorizations").selectAll().execute())).toEqual([]);
});

test("a public client uses PKCE and has no secret", async () => {
  const api = await startOAuth();
  const path = api.requestOf({ client_id: api.publicClient.id, ...pkce });
  const code = new URL((await api.decide(path)).location ?? "").searchParams.get("code") ?? "";
  const reply = await api.send("/oauth/token", { client_id: api.publicClient.id, code, code_verifier: verifier });
  expect(reply).toMatchObject({ status: 200, body: tokens("domains:read_only") });
});

describe("a client may send", () => {
  const shared = startOAuth();
  test("multipart/form-data", async () => {
    const api = await shared;
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...api.credentials, code: await api.codeFor() }))
      form.set(name, value);
    expect(await api.send("/oauth/token", form)).toMatchObject({ status: 200, body: tokens("domains:read_only") });
  });

  test("HTTP Basic", async () => {
    const api = await shared;
    const basic = Buffer.from(`${api.client.id}:${api.client.secret}`).toString("base64");
    const body = { grant_type: "authorization_code", code: await api.codeFor({ redirect_uri }), redirect_uri };
    const reply = await api.send("/oauth/token", body, { Authorization: `Basic ${basic}` });
    expect(reply).toMatchObject({ status: 200, body: tokens("domains:read_only") });
  });

  test("scopes, with commas", async () => {
    const api = await shared;
    const query = { client_id: api.client.id, response_type: "code", scopes: "domains:*,events:read_only,domains:*" };
    const code = new URL((await api.decide(api.pathOf(query))).location ?? "").searchParams.get("code") ?? "";
    expect((await api.exchange(code)).body).toEqual(tokens("domains:* events:read_only"));
  });

  test("fewer scopes with a refresh; the next one has all again", async () => {
    const api = await shared;
    const { body } = await api.exchange(await api.codeFor({ scope: "domains:read_write events:read_only" }));
    const narrowed = await api.refresh(body.refresh_token, { scope: "domains:read_only" });
    expect(narrowed.body).toEqual(tokens("domains:read_only"));
    expect(await api.statusWith(narrowed.body.access_token, "GET", "/account/events")).toBe(401);
    expect((await api.refresh(narrowed.body.refresh_token)).body).toEqual(
      tokens("domains:read_write events:read_only"),
    );
  });
});

test("a redirect URI keeps its own query", async () => {
  const api = await startOAuth();
  const other = await api.register({ redirect_uri: `${redirect_uri}?from=a%20b` });
  const denied = await api.decide(api.requestOf({ client_id: other.id }), "deny");
  expect(denied.location).toBe(
    `${redirect_uri}?from=a%20b&error=access_denied&error_description=the+user+denied+access&${iss}`,
  );
});

test("profile live has the words of the hosted service, and redirects below the registered path", async () => {
  const api = await startOAuth({ profile: "live" });
  const below = `${redirect_uri}/done`;
  const code = await api.codeFor({ scope: "linodes:* nodes:*", redirect_uri: below });
  const { body } = await api.exchange(code);
  expect(body).toEqual(tokens("linodes:*"));
  const narrowed = await api.refresh(body.refresh_token, { scope: "linodes:read_only" });
  expect(narrowed.body).toEqual(tokens("linodes:read_only"));
});

test("a user who is signed in is asked for consent at once", async () => {
  const api = await startOAuth();
  await api.browser.signIn("/sign-in", "admin", password);
  expect(textOf(await api.browser.get(api.requestOf()))).toMatch(/^Allow access\?/);
});

test("a user can sign out of the consent page, and sign in as another", async () => {
  const api = await startOAuth();
  await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now });
  await givePassword(api.store, "ci", password);
  await api.browser.signIn("/sign-in", "admin", password);
  const consent = await api.browser.get(api.requestOf());
  const { status, location } = await api.browser.submit(formOf(consent, "/sign-out"));
  expect([status, location]).toEqual([303, api.requestOf()]);
  const other = await api.browser.signIn(location ?? "", "ci", password);
  expect(textOf(await api.browser.get(other.location ?? ""))).toMatch(
    /wants to access the account as ci\. It will be able to: Read domains and their records It can do no more than your grants allow\./,
  );
});

test("another browser is not signed in", async () => {
  const api = await startOAuth();
  await api.browser.signIn("/sign-in", "admin", password);
  expect(textOf(await new Browser(api.server).get(api.requestOf()))).toMatch(/^Sign in/);
});

test("the same server on https has a cookie that only https sends", async () => {
  const api = await startOAuth();
  api.browser.isEncrypted = true;
  const { headers } = await api.browser.signIn("/sign-in", "admin", password);
  expect(headers.get("Set-Cookie")).toMatch(
    /^__Host-zonewright=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
});

describe("a name with a NUL, which no database stores, is an unknown one", () => {
  test("of a user", async () => {
    const api = await startOAuth();
    const signIn = await api.browser.get(api.requestOf());
    const refused = await api.browser.submit(formOf(signIn, "/sign-in"), { username: "ad\0min", password });
    expect(textOf(refused)).toMatch(/The user name or the password is wrong\./);
  });

  test("of a client", async () => {
    const api = await startOAuth();
    const link = await api.browser.get(api.pathOf({ client_id: "\0", response_type: "code" }));
    expect([link.status, textOf(link)]).toEqual([400, "This link is not valid Unknown or disabled application."]);
    const error = "invalid_client";
    const fields = { client_id: "\0", client_secret: "x", code: "x" };
    expect(await api.send("/oauth/token", fields)).toMatchObject({ status: 401, body: { error } });
    const headers = { Authorization: `Basic ${btoa("%00:x")}` };
    expect(await api.send("/oauth/token", { code: "x" }, headers)).toMatchObject({ status: 401, body: { error } });
  });
});
