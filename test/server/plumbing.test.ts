import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openApi } from "../../src/contract/openapi.ts";
import { openApi30 } from "../../src/contract/openapi-3.0.ts";
import { revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { refused, start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  api = await start();
});
afterEach(() => vi.restoreAllMocks());

const master = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };
const notFound = { status: 404, body: { errors: [{ reason: "Not found" }] } };
const wrongMethod = { status: 405, body: { errors: [{ reason: "Method Not Allowed" }] } };
const invalidToken = { status: 401, body: { errors: [{ reason: "Invalid Token" }] } };
const lacksScope = {
  status: 401,
  body: { errors: [{ reason: "Your OAuth token is not authorized to use this endpoint." }] },
};

describe("headers", () => {
  /**
   * Replies and their headers (decisions/service#replies, decisions/service#headers). The clock stands at the start of
   * a window of two minutes.
   */
  const always = {
    "content-type": "application/json",
    "x-spec-version": "4.119.0",
    "x-ratelimit-limit": "1600",
    "x-ratelimit-reset": String(Date.parse("2026-03-04T12:02:00Z") / 1000),
    "retry-after": "120",
    "x-content-type-options": "nosniff",
    vary: "Authorization, X-Filter",
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers": "Authorization, Content-Type, X-Filter",
    "access-control-expose-headers":
      "X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Spec-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Ignored-Keys, X-Records, Retry-After",
    "access-control-max-age": "86400",
  };

  test.each<[string, Parameters<typeof api.ask>, number, object]>([
    ["a list", ["GET", "/v4/domains"], 200, { "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "domains:read_only" }],
    [
      "a create",
      ["POST", "/v4/domains", master],
      200,
      { "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "domains:read_write" },
    ],
    [
      "a body that is refused",
      ["POST", "/v4/domains", {}],
      400,
      { "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "domains:read_write" },
    ],
    [
      "an unknown token",
      ["GET", "/v4/domains", undefined, { as: "x" }],
      401,
      { "x-oauth-scopes": "unknown", "x-accepted-oauth-scopes": "domains:read_only" },
    ],
    [
      "an unknown id",
      ["GET", "/v4/domains/9"],
      404,
      { "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "domains:read_only" },
    ],
    ["an unknown path", ["GET", "/v4/nothing"], 404, { "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "*" }],
    [
      "a wrong method",
      ["PATCH", "/v4/domains"],
      405,
      { "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "*", allow: "GET, POST" },
    ],
    [
      "a wrong method on what is outside of the API",
      ["POST", "/healthz", undefined, { as: "" }],
      405,
      { "x-oauth-scopes": "unknown", "x-accepted-oauth-scopes": "*", allow: "GET" },
    ],
    [
      "a preflight",
      ["OPTIONS", "/v4/domains/1", undefined, { as: "" }],
      200,
      { "x-oauth-scopes": "unknown", "x-accepted-oauth-scopes": "*", allow: "GET, PUT, DELETE" },
    ],
    [
      "OpenAPI",
      ["GET", "/v4/openapi.json", undefined, { as: "" }],
      200,
      {
        "x-oauth-scopes": "unknown",
        "x-accepted-oauth-scopes": "*",
        "cache-control": "no-cache",
        "content-length": String(JSON.stringify(openApi()).length),
        etag: expect.stringMatching(/^"[\w-]{43}"$/),
      },
    ],
  ])("of %s", async (_, request, status, own) => {
    api = await start({ rateLimit: { requests: 1600, seconds: 120 } });
    const response = await api.ask(...request);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toEqual({ ...always, "x-ratelimit-remaining": "1599", ...own });
  });

  test("requests that are not counted report an unused window", async () => {
    api = await start({ rateLimit: { requests: 1600, seconds: 120 } });
    const response = await api.ask("GET", "/healthz");
    expect(Object.fromEntries(response.headers)).toMatchObject({ ...always, "x-ratelimit-remaining": "1600" });
  });

  test("without a limit they say so, and name no window", async () => {
    const { "x-ratelimit-reset": _, "retry-after": __, ...others } = always;
    const expected = { ...others, "x-oauth-scopes": "*", "x-accepted-oauth-scopes": "domains:read_only" };
    const response = await api.ask("GET", "/v4/domains");
    expect(Object.fromEntries(response.headers)).toEqual({ ...expected, "x-ratelimit-limit": "unlimited" });
  });

  test("X-OAuth-Scopes are separated by one space", async () => {
    const as = await api.mint({ scopes: "domains:read_only,  events:read_only" });
    const response = await api.ask("GET", "/v4/domains", undefined, { as });
    expect(response.headers.get("X-OAuth-Scopes")).toBe("domains:read_only events:read_only");
  });
});

describe("paths and methods", () => {
  test.each<[string, string, object]>([
    ["GET", "/v4/nothing", notFound],
    ["GET", "/domains", notFound],
    ["GET", "/v5/domains", notFound],
    ["GET", "/v4/domains//", notFound],
    ["GET", "/v4/domains/0", notFound],
    ["GET", "/v4/domains/-1", notFound],
    ["GET", "/v4/domains/1.5", notFound],
    ["GET", "/v4/domains/abc", notFound],
    ["GET", "/v4/domains/%zz", notFound],
    ["GET", "/v4/domains/99999999999999999999", notFound],
    ["PUT", "/v4/domains", wrongMethod],
    ["POST", "/v4/domains/1", wrongMethod],
    ["GET", "/v4/domains/import", wrongMethod],
    ["DELETE", "/v4/domains/1/zone-file", wrongMethod],
    ["POST", "/v4/openapi.json", wrongMethod],
    ["POST", "/v4/openapi-3.0.json", wrongMethod],
    ["GET", "/v4/linode/types", notFound],
  ])("%s %s", async (method, path, expected) => {
    const response = await api.ask(method, path);
    expect({ status: response.status, body: await response.json() }).toEqual(expected);
  });

  test("an id in a path is written in one way", async () => {
    await api.ask("POST", "/v4/domains", master);
    const statuses: [id: string, status: number][] = [
      ["1", 200],
      ["%31", 200],
      ["01", 404],
      ["+1", 404],
      ["1.0", 404],
      ["1e0", 404],
      ["1%00", 404],
      ["1000000000000000", 404],
      ["9007199254740993", 404],
    ];
    for (const [id, status] of statuses)
      expect([id, (await api.ask("GET", `/v4/domains/${id}`)).status]).toEqual([id, status]);
  });

  test("every path is under /v4beta too", async () => {
    const created = await api.ask("POST", "/v4beta/domains", master);
    const { id } = (await created.json()) as { id: number };
    expect((await api.ask("GET", `/v4beta/domains/${id}`)).status).toBe(200);
    expect((await api.ask("PATCH", "/v4beta/domains")).status).toBe(405);
  });

  test("HEAD answers like GET, without a body", async () => {
    const response = await api.ask("HEAD", "/v4/domains");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("Content-Type")).toBe("application/json");
  });

  test("OpenAPI names the address of OAuth that the operator gives", async () => {
    api = await start({ authUrl: "https://dns.example.com" });
    for (const file of ["openapi.json", "openapi-3.0.json"]) {
      const { components } = (await api.call("GET", `/${file}`)).body;
      expect(components.securitySchemes.authorizationCode.flows.authorizationCode).toMatchObject({
        authorizationUrl: "https://dns.example.com/oauth/authorize",
        tokenUrl: "https://dns.example.com/oauth/token",
        refreshUrl: "https://dns.example.com/oauth/token",
      });
    }
  });

  test.each(["documented", "live"] as const)(
    "OpenAPI comes from the contract of profile %s and needs no token",
    async (profile) => {
      api = await start({ profile });
      for (const prefix of ["/v4", "/v4beta"]) {
        const response = await api.ask("GET", `${prefix}/openapi.json`, undefined, { as: "" });
        expect(await response.json()).toEqual(openApi(profile));
        const older = await api.ask("GET", `${prefix}/openapi-3.0.json`, undefined, { as: "" });
        expect(await older.json()).toEqual(openApi30(profile));
      }
    },
  );
});

describe("tokens", () => {
  const list = (Authorization?: string) =>
    api
      .server(new Request("http://api/v4/domains", { headers: Authorization === undefined ? {} : { Authorization } }))
      .then(async (response) => ({ status: response.status, body: await response.json() }));
  const empty = { status: 200, body: { data: [], page: 1, pages: 1, results: 0 } };

  test.each<[string, (token: string) => string | undefined, object]>([
    ["none", () => undefined, invalidToken],
    ["an unknown one", () => `Bearer ${"0".repeat(64)}`, invalidToken],
    ["half of one", (token) => `Bearer ${token.slice(32)}`, invalidToken],
    ["another scheme", (token) => `Basic ${token}`, invalidToken],
    ["no scheme", (token) => token, invalidToken],
    ["a good one", (token) => `Bearer ${token}`, empty],
    ["the scheme in other letter case", (token) => `bearer ${token}`, empty],
  ])("%s", async (_, header, expected) => {
    expect(await list(header(api.token))).toEqual(expected);
  });

  test("an expired one, from the second on at which it expires", async () => {
    const as = await api.mint({ expires: new Date("2026-03-04T12:00:10Z") });
    api.clock.now = new Date("2026-03-04T12:00:09Z");
    expect((await api.call("GET", "/domains", undefined, { as })).status).toBe(200);
    api.clock.now = new Date("2026-03-04T12:00:10Z");
    expect(await api.call("GET", "/domains", undefined, { as })).toEqual(invalidToken);
  });

  test("a revoked one", async () => {
    expect(await revokeTokenById(api.store, 1, api.clock.now)).toEqual({ client: null });
    expect(await revokeTokenById(api.store, 1, api.clock.now)).toBeUndefined();
    expect(await api.call("GET", "/domains")).toEqual(invalidToken);
  });

  test.each<[string, string, string, object]>([
    ["domains:read_only", "GET", "/domains", empty],
    ["domains:read_only", "POST", "/domains", lacksScope],
    ["domains:read_write", "GET", "/domains", empty],
    ["domains:*", "GET", "/domains", empty],
    ["account:read_write events:read_only", "GET", "/domains", lacksScope],
    ["", "GET", "/domains", lacksScope],
  ])("with the scopes '%s': %s %s", async (scopes, method, path, expected) => {
    const as = await api.mint({ scopes });
    expect(await api.call(method, path, method === "GET" ? undefined : master, { as })).toEqual(expected);
  });

  test("an unknown path and a wrong method need none", async () => {
    expect(await api.call("GET", "/nothing", undefined, { as: "" })).toEqual(notFound);
    expect(await api.call("PATCH", "/domains", undefined, { as: "" })).toEqual(wrongMethod);
  });

  test("a user belongs to one account", async () => {
    await expect(api.mint({ username: "admin", account: "other" })).rejects.toThrow(
      'the user "admin" does not belong to the account "other"',
    );
  });
});

describe("bodies", () => {
  const invalidJson = refused(["Invalid JSON"]);
  test.each<[string, unknown, object]>([
    ["nothing", undefined, invalidJson],
    ["empty", "", invalidJson],
    ["half of an object", '{"domain":', invalidJson],
    ["a form", "domain=example.com", invalidJson],
    ["deep nonsense", "[".repeat(100), invalidJson],
    ["deeper than any request", "[".repeat(100_000), refused(["The request body is nested deeper than 100 levels"])],
    [
      "deeper than any request in an unknown field",
      `{"unknown":${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}}`,
      refused(["The request body is nested deeper than 100 levels"]),
    ],
    [
      "80,000 unknown fields",
      Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 1])),
      refused(["The request body has more than 10,000 values"]),
    ],
    ["500,000 tags", `{"tags":[${"1,".repeat(500_000)}1]}`, refused(["The request body has more than 10,000 values"])],
    [
      "deeper than any field",
      `{"domain":"example.com","type":"master","soa_email":"a@example.com","tags":[["a","b",${"[".repeat(90)}${"]".repeat(90)}]]}`,
      refused(["Must be of type String", "tags[0]"]),
    ],
    ["an array", [], refused(["Must be of type Object"])],
    ["null", null, refused(["Must be of type Object"])],
    ["a text", '"example.com"', refused(["Must be of type Object"])],
    [
      "more than 1 MiB",
      { ...master, description: "x".repeat(1024 * 1024) },
      { status: 413, body: { errors: [{ reason: "The request body is larger than 1 MiB" }] } },
    ],
  ])("%s", async (_, body, expected) => {
    expect(await api.call("POST", "/domains", body)).toEqual(expected);
  });

  test("4,000 unknown fields are ignored, whatever JSON punctuation is in their names", async () => {
    const { call } = await start();
    const unknown = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`\\"k,[{:${index}\\`, "[[,,"]));
    expect(await call("POST", "/domains", { ...unknown, ...master })).toMatchObject({ status: 200 });
  });

  test("more than 1 MiB without a length is not read to its end", async () => {
    let chunks = 0;
    const body = new ReadableStream({
      pull(controller) {
        chunks++;
        controller.enqueue(new TextEncoder().encode(" ".repeat(64 * 1024)));
      },
    });
    const headers = { Authorization: `Bearer ${api.token}` };
    const request = new Request("http://api/v4/domains", { method: "POST", headers, body, duplex: "half" });
    expect((await api.server(request)).status).toBe(413);
    expect(chunks).toBeLessThan(20);
  });

  test("an empty one has no fields where none is required", async () => {
    const { call, domain } = await start();
    await domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
    for (const path of ["/domains/1", "/domains/1/records/1", "/account"]) {
      const { body } = await call("GET", path);
      for (const nothing of [undefined, ""]) expect(await call("PUT", path, nothing)).toEqual({ status: 200, body });
      expect(await call("PUT", path, " ")).toEqual(invalidJson);
    }
    for (const path of ["/tags", "/support/tickets", "/account/oauth-clients", "/account/credit-card"])
      expect(await call("POST", path)).toEqual(invalidJson);
  });

  test("octets that are not UTF-8", async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    const headers = { Authorization: `Bearer ${api.token}` };
    const response = await api.server(new Request("http://api/v4/domains", { method: "POST", headers, body }));
    expect({ status: response.status, body: await response.json() }).toEqual(invalidJson);
  });

  describe("a request whose sender disconnects is not an internal error", () => {
    const post = (path: string, type: string) => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
      const headers = { Authorization: `Bearer ${api.token}`, "Content-Type": type };
      return api.server(new Request(`http://api${path}`, { method: "POST", headers, body, duplex: "half" }));
    };
    const form = "application/x-www-form-urlencoded";

    test("with JSON", async () => {
      const response = await post("/v4/domains", "application/json");
      expect({ status: response.status, body: await response.json() }).toEqual(invalidJson);
    });

    test("with a file", async () => {
      await api.call("POST", "/support/tickets", { summary: "help", description: "please" });
      const response = await post("/v4/support/tickets/1/attachments", "multipart/form-data; boundary=x");
      expect({ status: response.status, body: await response.json() }).toEqual(
        refused(["Invalid multipart/form-data"]),
      );
    });

    test.each(["/oauth/token", "/oauth/token/expire", "/oauth/revoke"])("with a form: %s", async (path) => {
      const response = await post(path, form);
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 400,
        body: { error: "invalid_request", error_description: "the form is incomplete" },
      });
    });

    test.each(["/oauth/authorize", "/sign-in", "/sign-out"])("with the form of a page: %s", async (path) => {
      const response = await post(path, form);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("The server says: the form is incomplete.");
    });
  });

  test("a body is read as JSON, whatever its Content-Type", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await api.call("POST", "/domains", master, headers)).status).toBe(200);
  });

  test("GET and DELETE tolerate a body", async () => {
    const id = await api.domain("example.com");
    for (const body of ["{}", "", "no JSON"]) {
      const headers = { Authorization: `Bearer ${api.token}`, "Content-Type": "application/json" };
      const request = new Request(`http://api/v4/domains/${id}`, { method: "DELETE", headers, body });
      expect([200, 404]).toContain((await api.server(request)).status);
    }
    expect((await api.ask("GET", "/v4/domains", undefined, { "Content-Type": "application/json" })).status).toBe(200);
  });
});

describe("rate limit", () => {
  const limited = { status: 429, body: { errors: [{ reason: "Too many requests" }] } };

  test("counts each user's requests in a window", async () => {
    api = await start({ rateLimit: { requests: 2, seconds: 60 } });
    const other = await api.mint({ username: "other" });
    const standing = async (as: string) => {
      const { status, headers } = await api.ask("GET", "/v4/domains", undefined, { as });
      return [
        status,
        ...["Limit", "Remaining"].map((name) => headers.get(`X-RateLimit-${name}`)),
        headers.get("Retry-After"),
      ];
    };
    expect(await standing(api.token)).toEqual([200, "2", "1", "60"]);
    api.clock.now = new Date("2026-03-04T12:00:20Z");
    expect(await standing(await api.mint())).toEqual([200, "2", "0", "40"]);
    expect(await standing(api.token)).toEqual([429, "2", "0", "40"]);
    expect(await api.call("GET", "/domains")).toEqual(limited);
    expect(await standing(other)).toEqual([200, "2", "1", "40"]);
    api.clock.now = new Date("2026-03-04T12:01:00Z");
    expect(await standing(api.token)).toEqual([200, "2", "1", "60"]);
  });

  test("counts by address without a token", async () => {
    api = await start({ rateLimit: { requests: 1, seconds: 60 } });
    expect(await api.call("GET", "/domains", undefined, { as: "" })).toEqual(invalidToken);
    expect(await api.call("GET", "/domains", undefined, { as: "" })).toEqual(limited);
  });

  test.each([
    ["the API", "/v4/domains", 401],
    ["a sign-in", "/sign-in", 200],
    ["a page of the console", "/api", 200],
  ])("counts by network of IPv6 without a token: %s", async (_, path, first) => {
    const { server } = await start({ hasConsole: true, rateLimit: { requests: 1, seconds: 60 } });
    const statuses: number[] = [];
    for (const remoteAddress of ["2001:db8::1", "2001:db8:0:0:ffff::1", "2001:db8:0:1::1"])
      statuses.push((await server(new Request(`http://api${path}`), { remoteAddress })).status);
    expect(statuses).toEqual([first, 429, first]);
  });
});

test("an unexpected error is a 500 without its text, and is passed to the handler", async () => {
  const store = await openStore(":memory:");
  const errors: unknown[] = [];
  const secret = new Error("secret");
  const broken = { ...store, read: () => Promise.reject(secret) };
  const options = { store: broken, clock: () => new Date(), onError: (error: unknown) => errors.push(error) };
  const response = await createServer(options)(
    new Request("http://api/v4/domains", { headers: { Authorization: "Bearer x" } }),
  );
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 500,
    body: { errors: [{ reason: "Internal server error" }] },
  });
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(errors).toEqual([secret]);
});

test("an unexpected error is printed on standard error if there is no handler", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const store = { ...api.store, read: () => Promise.reject(new Error("unavailable")) };
  await createServer({ store, clock: () => new Date() })(
    new Request("http://api/v4/domains", { headers: { Authorization: "Bearer x" } }),
  );
  expect(printed).toHaveBeenCalledExactlyOnceWith(new Error("unavailable"));
});
