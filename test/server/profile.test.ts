import { expect, test } from "vitest";
import { addUser, setGrant } from "../../src/server/operator/users.ts";
import { start } from "./start.ts";

// Paths that neither document has, but that linode-cli asks for.

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
  const global = { account_access: null, add_domains: false, cancel_account: false };
  expect(await call("GET", "/profile/grants", undefined, { as })).toEqual({
    status: 200,
    body: { global, domain: [] },
  });
  await setGrant(store, "ci", "a.example", "read_write");
  await setGrant(store, "ci", "b.example", "read_only");
  expect((await call("GET", "/profile/grants", undefined, { as })).body).toEqual({
    global,
    domain: [
      { id: 1, label: "b.example", permissions: "read_only" },
      { id: 2, label: "a.example", permissions: "read_write" },
    ],
  });
  expect((await ask("GET", "/v4/profile/grants", undefined, { as: "unknown" })).status).toBe(401);
});
