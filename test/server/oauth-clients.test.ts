// @suite nightly-postgres

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isRedirectUri } from "../../src/server/areas/oauth/redirect-uri.ts";
import { start } from "./start.ts";

const path = "/account/oauth-clients";
const dashboard = { label: "dashboard", redirect_uri: "https://dashboard.example/callback" };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Api = Awaited<ReturnType<typeof start>>;
const storedHashes = ({ store }: Api) =>
  store.read(async (db) => (await db.selectFrom("oauth_clients").selectAll().execute()).map((row) => row.secret_hash));

test("a secret is shown once and stored as its SHA-256; a reset replaces it", async () => {
  const api = await start();
  const { body: created } = await api.call("POST", path, dashboard);
  expect(await storedHashes(api)).toEqual([sha256(created.secret)]);
  const { body: reset } = await api.call("POST", `${path}/${created.id}/reset-secret`);
  expect(reset).toEqual({ ...created, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(reset.secret).not.toBe(created.secret);
  expect(await storedHashes(api)).toEqual([sha256(reset.secret)]);
  const { body: events } = await api.call("GET", "/account/events");
  expect(events.data.map(({ action }: { action: string }) => action)).toEqual([
    "oauth_client_secret_reset",
    "oauth_client_create",
  ]);
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${created.secret}|${reset.secret}`));
});

describe("X-Filter by public compares booleans", () => {
  const answers = start().then(async (api) => {
    await api.call("POST", path, { ...dashboard, label: "private" });
    await api.call("POST", path, { ...dashboard, label: "public", public: true });
    return async (filter: object): Promise<string[]> => {
      const { body } = await api.call("GET", path, undefined, { "X-Filter": JSON.stringify(filter) });
      return body.data.map(({ label }: { label: string }) => label);
    };
  });
  test.each<[object, string[]]>([
    [{ public: true }, ["public"]],
    [{ public: false }, ["private"]],
    [{ public: { "+neq": true } }, ["private"]],
    [{ public: { "+gt": false } }, ["public"]],
    [{ public: { "+lte": false } }, ["private"]],
    [{ public: 1 }, []],
    [{ public: "true" }, []],
    [{ public: null }, []],
    [{ public: { "+neq": 1 } }, ["private", "public"]],
    [{ public: { "+contains": "t" } }, []],
    [{ "+order_by": "public", "+order": "desc" }, ["public", "private"]],
    [{ "+or": [{ label: "private" }, { public: true }] }, ["private", "public"]],
  ])("%j", async (filter, expected) => {
    expect(await (await answers)(filter)).toEqual(expected);
  });
});

describe("a label without a visible character is refused", () => {
  const api = start();
  test.each([" ", "\u00a0\u3000", "\u200b", "\u202e\u2069", "\u3164", "\u{e0041}", "\u2800"])("%j", async (label) => {
    const refused = {
      status: 400,
      body: { errors: [{ reason: "Must contain a visible character", field: "label" }] },
    };
    const { call } = await api;
    expect(await call("POST", path, { ...dashboard, label })).toEqual(refused);
    const { body } = await call("POST", path, { ...dashboard, label: `${label}x` });
    expect(await call("PUT", `${path}/${body.id}`, { label })).toEqual(refused);
  });
});

test.each([
  "https://dashboard.example",
  "https://dashboard.example/",
  "https://dashboard.example?from=api",
  "https://dashboard.example:8443/callback",
  "https://192.0.2.1/callback",
  "https://[2001:db8::1]/callback",
  "https://xn--bcher-kva.example/callback",
  "https://dashboard.example/a%2Fb",
  "http://localhost:3000/callback",
  "http://127.0.0.1/",
  "http://[::1]/callback",
  "com.example.dashboard:/callback",
  "com.example.dashboard://callback/done?x=1",
])("%s can be a redirect URI", (uri) => {
  expect(isRedirectUri(uri)).toBe(true);
});

test.each([
  "",
  "/callback",
  "//dashboard.example/callback",
  "dashboard.example/callback",
  "https:dashboard.example/callback",
  "https:/dashboard.example/callback",
  "https:///callback",
  "https://",
  "https://dashboard.example/#",
  "https://dashboard.example/#done",
  "https://dashboard.example#done",
  "https://user@dashboard.example/",
  "https://user:secret@dashboard.example/",
  "https://dashboard.example@evil.example/",
  "https://dashboard.example\\@evil.example/",
  "https://dashboard.example\\evil",
  "https://dashboard.example/a/../b",
  "https://dashboard.example/%2e%2e/b",
  "https://Dashboard.example/",
  "HTTPS://dashboard.example/",
  "https://dashboard.example:443/",
  "https://dashboard.example:99999/",
  "https://0x7f.1/",
  "https://dash;script-src *.example/",
  "https://dash,board.example/",
  "https://*.example/",
  "https://bücher.example/",
  "https://dashboard.example/a b",
  "https://dashboard.example/a\tb",
  "https://dashboard.example/a\r\nSet-Cookie: a=b",
  " https://dashboard.example/",
  "https://dashboard.example/\0",
  `https://dashboard.example/${"x".repeat(2048)}`,
  "javascript:alert(1)",
  "javascript.:alert(1)",
  "data:text/html,hello",
  "file:///etc/passwd",
  "ftp://dashboard.example/",
  "dashboard:/callback",
  "com.example.dashboard:/callback#done",
  "com.example.dashboard:/call back",
  "com.example.dashboard:call back",
  "com.example.dashboard:a|b",
  "com.example.dashboard:a\\b",
  'com.example.dashboard:a"b',
  "com.example.dashboard:a<b>",
  "com.example.dashboard:%zz",
  "https://dashboard.example/a|b",
  "https://dashboard.example/%",
  ".example:/callback",
])("%j cannot be a redirect URI", (uri) => {
  expect(isRedirectUri(uri)).toBe(false);
});
