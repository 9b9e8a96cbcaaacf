import { describe, expect, test } from "vitest";
import { revokeToken } from "../../src/server/operator/tokens.ts";
import { addUser, setAccess, setGrant } from "../../src/server/operator/users.ts";
import { startOAuth } from "./oauth-desk.ts";
import { noon, start } from "./start.ts";

// Paths that neither document has, but that clients of the hosted service request first.

test.each(["documented", "live"] as const)("GET /profile: the user of the token, profile %s", async (profile) => {
  const { call, store, clock, mint } = await start({ profile });
  const user = {
    uid: 1,
    username: "admin",
    email: "",
    timezone: "UTC",
    email_notifications: false,
    restricted: false,
    two_factor_auth: false,
    ip_whitelist_enabled: false,
    authorized_keys: [],
  };
  expect(await call("GET", "/profile")).toEqual({ status: 200, body: user });
  await addUser(store, { username: "ci", account: "admin", restricted: true, addDomains: true, now: clock.now });
  const as = await mint({ username: "ci" });
  const restricted = { ...user, uid: 2, username: "ci", restricted: true };
  expect(await call("GET", "/profile", undefined, { as })).toEqual({ status: 200, body: restricted });
});

test("GET /profile/grants: 204 without a body for an unrestricted user", async () => {
  const { ask } = await start();
  const reply = await ask("GET", "/v4/profile/grants");
  expect([reply.status, await reply.text()]).toEqual([204, ""]);
});

test("GET /profile/grants: the grants of a restricted user", async () => {
  const { ask, call, domain, store, clock, mint } = await start();
  await domain("b.example");
  await domain("a.example");
  await domain("c.example");
  await addUser(store, { username: "ci", account: "admin", restricted: true, addDomains: false, now: clock.now });
  const as = await mint({ username: "ci" });
  const global = { account_access: null, add_domains: false, add_nodes: false, cancel_account: false };
  expect(await call("GET", "/profile/grants", undefined, { as })).toEqual({
    status: 200,
    body: { global, domain: [], node: [] },
  });
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  await setGrant(store, "ci", "WEB-1", "read_only", clock.now, "node");
  await setGrant(store, "ci", "a.example", "read_write", clock.now);
  await setGrant(store, "ci", "b.example", "read_only", clock.now);
  expect((await call("GET", "/profile/grants", undefined, { as })).body).toEqual({
    global,
    domain: [
      { id: 1, label: "b.example", permissions: "read_only" },
      { id: 2, label: "a.example", permissions: "read_write" },
    ],
    node: [{ id: 1, label: "web-1", permissions: "read_only" }],
  });
  expect((await ask("GET", "/v4/profile/grants", undefined, { as: "unknown" })).status).toBe(401);
});

test("GET /profile/grants: the access of a restricted user to the account", async () => {
  const { call, store, clock, mint } = await start();
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  await setAccess(store, "ci", { accountAccess: "read_only", addNodes: true }, clock.now);
  const as = await mint({ username: "ci" });
  const global = { account_access: "read_only", add_domains: false, add_nodes: true, cancel_account: false };
  expect((await call("GET", "/profile/grants", undefined, { as })).body).toEqual({ global, domain: [], node: [] });
});

const page = { page: 1, pages: 1, results: 1 };

describe("GET /profile/tokens", () => {
  const token = { label: "", scopes: "*", created: noon, expiry: null, token: "<REDACTED>" };
  const later = new Date("2026-03-04T13:00:00Z");

  test("the tokens of the user without their values, in the words of the profile", async () => {
    const documented = await start();
    const live = await start({ profile: "live", store: documented.store });
    const scopes = "domains:* nodes:read_only";
    await documented.mint({ label: "backup", scopes, expires: later });
    const unnamed = [1, 2].map((id) => ({ id, ...token }));
    const backup = { ...token, id: 3, label: "backup", scopes, expiry: "2026-03-04T13:00:00" };
    expect(await documented.call("GET", "/profile/tokens")).toEqual({
      status: 200,
      body: { ...page, results: 3, data: [...unnamed, backup] },
    });
    expect(await documented.call("GET", "/profile/tokens/3")).toEqual({ status: 200, body: backup });

    const inLive = { ...backup, scopes: "domains:* linodes:read_only" };
    const list = async (filter: object) =>
      (await live.call("GET", "/profile/tokens", undefined, { "X-Filter": JSON.stringify(filter) })).body;
    expect((await live.call("GET", "/profile/tokens/3")).body).toEqual(inLive);
    expect(await list({ label: "backup" })).toEqual({ ...page, data: [inLive] });
    expect((await list({ "+order_by": "expiry", "+order": "desc" })).data).toEqual([inLive, ...unnamed]);
  });

  test("excludes those of other users, of the same account or not", async () => {
    const { call, store, clock, mint } = await start();
    await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
    await addUser(store, { username: "second", account: "admin", now: clock.now });
    for (const [id, username] of [[2, "ci"] as const, [3, "second"] as const, [4, "stranger"] as const]) {
      const as = await mint({ username });
      const body = { ...page, data: [{ id, ...token }] };
      expect((await call("GET", "/profile/tokens", undefined, { as })).body).toEqual(body);
      for (const other of [1, 2, 3].filter((other) => other !== id))
        expect((await call("GET", `/profile/tokens/${other}`, undefined, { as })).status).toBe(404);
    }
  });

  test("excludes expired and revoked tokens", async () => {
    const { call, store, clock, mint } = await start();
    await mint({ expires: later });
    await mint();
    await revokeToken(store, 3, clock.now);
    clock.now = later;
    expect((await call("GET", "/profile/tokens")).body).toEqual({ ...page, data: [{ id: 1, ...token }] });
    for (const id of [2, 3]) expect((await call("GET", `/profile/tokens/${id}`)).status).toBe(404);
  });

  test("excludes tokens of applications that the user signed in to", async () => {
    const api = await startOAuth();
    const { body } = await api.exchange(await api.codeFor({ scope: "account:read_only" }));
    const asked = (path: string) => api.call("GET", path, undefined, { as: body.access_token });
    expect(await asked("/profile/tokens")).toEqual({ status: 200, body: { ...page, data: [{ id: 1, ...token }] } });
    expect((await asked("/profile/tokens/2")).status).toBe(404);
  });
});

test("GET /account/users: the users of the account, and no others", async () => {
  const { call, store, clock, mint } = await start();
  const user = (username: string) => ({ username, email: "", restricted: false, ssh_keys: [], tfa_enabled: false });
  const email = "ci@example.com";
  await addUser(store, { username: "ci", account: "admin", restricted: true, email, now: clock.now });
  const ci = { ...user("ci"), email, restricted: true };
  const as = await mint({ username: "stranger" });
  const list = async (headers: Record<string, string>) =>
    (await call("GET", "/account/users", undefined, headers)).body;
  expect(await list({})).toEqual({ ...page, results: 2, data: [user("admin"), ci] });
  expect(await list({ "X-Filter": '{"username": "ci"}' })).toEqual({ ...page, data: [ci] });
  expect(await list({ as })).toEqual({ ...page, data: [user("stranger")] });
  expect(await call("GET", "/account/users/ci")).toEqual({ status: 200, body: ci });
  for (const path of ["/account/users/stranger", "/account/users/CI", "/account/users/%00"])
    expect((await call("GET", path)).status, path).toBe(404);
});

test("GET /account/settings, in the words of the profile", async () => {
  const documented = await start();
  const live = await start({ profile: "live", store: documented.store });
  const shared = { backups_enabled: false, managed: false, network_helper: true, object_storage: "disabled" };
  expect(await documented.call("GET", "/account/settings")).toEqual({
    status: 200,
    body: { ...shared, metrics_subscription: null, interfaces_for_new_nodes: "legacy_config_only" },
  });
  expect((await live.call("GET", "/account/settings")).body).toEqual({
    ...shared,
    longview_subscription: null,
    interfaces_for_new_linodes: "legacy_config_only",
  });
});
