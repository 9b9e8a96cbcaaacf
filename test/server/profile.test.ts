// @suite nightly-postgres

import { describe, expect, test } from "vitest";
import type { ApiEvent } from "../../src/contract/resources/event.ts";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser, setAccess, setGrant } from "../../src/server/areas/account/users-operator.ts";
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
    body: { global, domain: [], node: [], volume: [], firewall: [] },
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
    volume: [],
    firewall: [],
  });
  expect((await ask("GET", "/v4/profile/grants", undefined, { as: "unknown" })).status).toBe(401);
});

test("GET /profile/grants: the access of a restricted user to the account", async () => {
  const { call, store, clock, mint } = await start();
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  await setAccess(store, "ci", { accountAccess: "read_only", addNodes: true }, clock.now);
  const as = await mint({ username: "ci" });
  const global = { account_access: "read_only", add_domains: false, add_nodes: true, cancel_account: false };
  const none = { domain: [], node: [], volume: [], firewall: [] };
  expect((await call("GET", "/profile/grants", undefined, { as })).body).toEqual({ global, ...none });
});

test("grants on volumes and firewalls, and the events that they show", async () => {
  const { call, store, clock, mint } = await start();
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  const as = await mint({ username: "ci" });
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  await call("POST", "/volumes", { label: "logs", region: "us-east" });
  await call("POST", "/volumes", { label: "data", region: "us-east" });
  for (const label of ["web", "Web", "mail"]) await call("POST", "/networking/firewalls", { label, rules });
  await setGrant(store, "ci", "Data", "read_only", clock.now, "volume");
  await setGrant(store, "ci", "1", "read_write", clock.now, "volume");
  await setGrant(store, "ci", "mail", "read_only", clock.now, "firewall");
  await expect(setGrant(store, "ci", "web", "read_only", clock.now, "firewall")).rejects.toMatchObject({
    problem: { id: "grant-firewall", summary: 'several firewalls are called "web"', fix: "Name one by its id: 1, 2." },
  });
  await setGrant(store, "ci", "2", "read_only", clock.now, "firewall");
  await setGrant(store, "ci", "3", undefined, clock.now, "firewall");
  const { body } = await call("GET", "/profile/grants", undefined, { as });
  expect(body).toMatchObject({
    volume: [
      { id: 1, label: "logs", permissions: "read_write" },
      { id: 2, label: "data", permissions: "read_only" },
    ],
    firewall: [{ id: 2, label: "Web", permissions: "read_only" }],
  });
  const { body: seen } = await call("GET", "/account/events", undefined, { as });
  expect(seen.data.map(({ action, entity }: ApiEvent) => [action, entity])).toEqual([
    ["firewall_create", { label: "Web", id: 2, type: "firewall", url: "/v4/networking/firewalls/2" }],
    ["volume_create", { label: "data", id: 2, type: "volume", url: "/v4/volumes/2" }],
    ["volume_create", { label: "logs", id: 1, type: "volume", url: "/v4/volumes/1" }],
  ]);
});

test.each<[type: "domain" | "node" | "volume" | "firewall", name: string, fix: string]>([
  [
    "domain",
    "7",
    "Create it with a token of this account: `zonewright api create-domain --set domain=7 --set type=master --set soa_email=<address>`.",
  ],
  ["node", "7", "Run `zonewright server operator node list` to list the nodes."],
  ["volume", "x", "Run `zonewright api list-volumes` to list the volumes."],
  ["firewall", "1", "Run `zonewright api list-firewalls` to list the firewalls."],
])("a grant on a %s that the account does not have: %s", async (type, name, fix) => {
  const { call, store, clock, mint } = await start();
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now });
  const as = await mint({ username: "stranger" });
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  await call("POST", "/networking/firewalls", { label: "web", rules }, { as });
  const refused = await setGrant(store, "ci", name, "read_only", clock.now, type).catch((error) => error.problem);
  expect({ ...refused, fix: adviceText(refused.fix, "cli") }).toMatchObject({
    id: `grant-${type}`,
    summary: `the account of "ci" has no ${type} "${name}"`,
    fix,
  });
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
    await revokeTokenById(store, 3, clock.now);
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
  const shared = { backups_enabled: false, managed: true, network_helper: true, object_storage: "disabled" };
  expect(await documented.call("GET", "/account/settings")).toEqual({
    status: 200,
    body: { ...shared, metrics_subscription: null, interfaces_for_new_nodes: "legacy_config_only" },
  });
  expect((await live.call("GET", "/account/settings")).body).toEqual({
    ...shared,
    managed: false,
    longview_subscription: null,
    maintenance_policy: "linode/migrate",
    interfaces_for_new_linodes: "legacy_config_only",
  });
  expect(await live.call("POST", "/account/settings/managed-enable")).toEqual({ status: 200, body: {} });
  expect((await live.call("GET", "/account/settings")).body.managed).toBe(true);
});
