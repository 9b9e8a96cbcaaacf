import { describe, expect, test } from "vitest";
import { type EndpointName, endpointsIn } from "../../src/contract/endpoints/index.ts";
import { type Scope, scopes } from "../../src/contract/scopes.ts";
import { revokeToken } from "../../src/server/operator/tokens.ts";
import { addUser, setGrant } from "../../src/server/operator/users.ts";
import { type Answer, refused, start } from "./start.ts";

const a = { type: "A", name: "web", target: "192.0.2.1" };
const master = { domain: "example.org", type: "master", soa_email: "hostmaster@example.org" };
const transfer = { domain: "example.org", remote_nameserver: "ns1.example.org" };

/**
 * The permission that a restricted user needs: a grant on the domain, `add_domains`, or nothing if they see only their
 * own.
 */
type Need = "a token" | "read_only" | "read_write" | "add_domains" | "nothing";

interface Row {
  scope: Scope;
  call: [method: string, path: string, body?: object];
  need: Need;
  /** 200 unless given: what it answers to one who may. */
  granted?: Answer;
}

const untransferred = refused(["Zone transfers are not configured on this server.", "remote_nameserver"]);

/** Every endpoint, asked about domain 1, record 1 and event 1, which are there. */
const rows: Record<Exclude<EndpointName, "listNodeTypes">, Row> = {
  getAccount: { scope: "account:read_only", call: ["GET", "/account"], need: "a token" },
  getProfile: { scope: "account:read_only", call: ["GET", "/profile"], need: "a token" },
  getGrants: {
    scope: "account:read_only",
    call: ["GET", "/profile/grants"],
    need: "a token",
    granted: { status: 204, body: undefined },
  },
  listDomains: { scope: "domains:read_only", call: ["GET", "/domains"], need: "nothing" },
  createDomain: { scope: "domains:read_write", call: ["POST", "/domains", master], need: "add_domains" },
  importDomain: {
    scope: "domains:read_write",
    call: ["POST", "/domains/import", transfer],
    need: "add_domains",
    granted: untransferred,
  },
  getDomain: { scope: "domains:read_only", call: ["GET", "/domains/1"], need: "read_only" },
  updateDomain: { scope: "domains:read_write", call: ["PUT", "/domains/1", { group: "web" }], need: "read_write" },
  deleteDomain: { scope: "domains:read_write", call: ["DELETE", "/domains/1"], need: "read_write" },
  cloneDomain: {
    scope: "domains:read_write",
    call: ["POST", "/domains/1/clone", { domain: "example.org" }],
    need: "add_domains",
  },
  listRecords: { scope: "domains:read_only", call: ["GET", "/domains/1/records"], need: "read_only" },
  createRecord: { scope: "domains:read_write", call: ["POST", "/domains/1/records", a], need: "read_write" },
  getRecord: { scope: "domains:read_only", call: ["GET", "/domains/1/records/1"], need: "read_only" },
  updateRecord: {
    scope: "domains:read_write",
    call: ["PUT", "/domains/1/records/1", { target: "192.0.2.2" }],
    need: "read_write",
  },
  deleteRecord: { scope: "domains:read_write", call: ["DELETE", "/domains/1/records/1"], need: "read_write" },
  getZoneFile: { scope: "domains:read_only", call: ["GET", "/domains/1/zone-file"], need: "read_only" },
  listEvents: { scope: "events:read_only", call: ["GET", "/account/events"], need: "nothing" },
  getEvent: { scope: "events:read_only", call: ["GET", "/account/events/1"], need: "read_only" },
  markEventRead: { scope: "events:read_only", call: ["POST", "/account/events/1/read"], need: "read_only" },
  markEventsSeen: { scope: "events:read_only", call: ["POST", "/account/events/1/seen"], need: "read_only" },
};
const entries = Object.entries(rows) as [EndpointName, Row][];

const invalidToken = { status: 401, body: { errors: [{ reason: "Invalid Token" }] } };
const lacksScope = {
  status: 401,
  body: { errors: [{ reason: "Your OAuth token is not authorized to use this endpoint." }] },
};
const unauthorized = { status: 403, body: { errors: [{ reason: "Unauthorized" }] } };
const notFound = { status: 404, body: { errors: [{ reason: "Not found" }] } };

/** The scopes that each scope includes besides itself. */
const includes: Partial<Record<Scope, Scope>> = {
  "account:read_write": "account:read_only",
  "domains:read_write": "domains:read_only",
};

async function begin() {
  const api = await start();
  await api.domain("example.com", [{ ...a, name: "www" }]);
  const ask = (as: string, { call: [method, path, body] }: Row) => api.call(method, path, body, { as });
  /** A restricted user of the same account. */
  const restricted = async (options: { addDomains?: boolean } = {}) => {
    await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now, ...options });
    return api.mint({ username: "ci" });
  };
  return { ...api, request: ask, restricted };
}

test("the table of this test requires the contract's scopes", () => {
  expect(Object.fromEntries(entries.map(([name, { scope }]) => [name, scope]))).toEqual(
    Object.fromEntries(endpointsIn("documented").map(([name, { scope }]) => [name, scope])),
  );
});

describe("every endpoint answers 401 Invalid Token without a valid token", () => {
  test.each<[string, (api: Awaited<ReturnType<typeof begin>>) => Promise<string>]>([
    ["none", async () => ""],
    ["wrong", async () => "0".repeat(64)],
    [
      "expired",
      async ({ mint, clock }) => {
        const token = await mint({ expires: new Date(clock.now.getTime() + 1000) });
        clock.now = new Date(clock.now.getTime() + 1000);
        return token;
      },
    ],
    [
      "revoked",
      async ({ mint, store }) => {
        const token = await mint();
        await revokeToken(store, 2);
        return token;
      },
    ],
  ])("%s", async (_, make) => {
    const api = await begin();
    const as = await make(api);
    for (const [name, row] of entries) expect(await api.request(as, row), name).toEqual(invalidToken);
  });
});

describe.each(scopes)("a token with %s alone", (scope) => {
  test.each(entries)("%s", async (_, row) => {
    const api = await begin();
    const answer = await api.request(await api.mint({ scopes: scope }), row);
    const opens = scope === row.scope || includes[scope] === row.scope;
    if (opens && row.granted === undefined) expect(answer.status).toBe(200);
    else expect(answer).toEqual(opens ? row.granted : lacksScope);
  });
});

describe("a restricted user", () => {
  const grants = ["none", "read_only", "read_write", "add_domains"] as const;
  /** The permissions of each, besides what needs none. */
  const may: Record<(typeof grants)[number], readonly Need[]> = {
    none: [],
    read_only: ["read_only"],
    read_write: ["read_only", "read_write"],
    add_domains: ["add_domains"],
  };

  describe.each(grants)("with the grant %s", (grant) => {
    test.each(entries)("%s", async (name, row) => {
      const api = await begin();
      const as = await api.restricted({ addDomains: grant === "add_domains" });
      if (grant === "read_only" || grant === "read_write") await setGrant(api.store, "ci", "example.com", grant);
      const answer = await api.request(as, row);
      if (name === "cloneDomain")
        expect(answer).toEqual(unauthorized); // needs both
      else if (row.need === "a token") expect(answer.status).toBe(200);
      else if (row.need === "nothing") {
        const seen = grant === "read_only" || grant === "read_write";
        expect([answer.status, answer.body.results > 0]).toEqual([200, seen]);
      } else if (!may[grant].includes(row.need)) {
        // An event is not an object that a grant is on: what one may not see is not there.
        expect(answer).toEqual(row.scope === "events:read_only" ? notFound : unauthorized);
      } else if (row.granted) expect(answer).toEqual(row.granted);
      else expect(answer.status).toBe(200);
    });
  });

  test("the creator of a domain may do everything with it", async () => {
    const api = await begin();
    const as = await api.restricted({ addDomains: true });
    const { id } = (await api.call("POST", "/domains", master, { as })).body;
    await setGrant(api.store, "ci", "example.com", "read_only");
    const clone = (await api.call("POST", "/domains/1/clone", { domain: "example.net" }, { as })).body;
    for (const made of [id, clone.id]) {
      expect((await api.call("POST", `/domains/${made}/records`, a, { as })).status).toBe(200);
      expect(await api.call("DELETE", `/domains/${made}`, undefined, { as })).toEqual({ status: 200, body: {} });
    }
  });

  test("may not change tags, but may send the same ones back", async () => {
    const api = await begin();
    const as = await api.restricted({ addDomains: true });
    await setGrant(api.store, "ci", "example.com", "read_write");
    await api.call("PUT", "/domains/1", { tags: ["Prod", "web"] });
    const put = (tags: string[]) => api.call("PUT", "/domains/1", { tags, group: "web" }, { as });
    expect((await put(["prod", "web"])).body).toMatchObject({ tags: ["Prod", "web"], group: "web" });
    for (const tags of [[], ["prod"], ["prod", "web", "new"]]) expect(await put(tags)).toEqual(unauthorized);
    expect(await api.call("POST", "/domains", { ...master, tags: ["new"] }, { as })).toEqual(unauthorized);
    expect(await api.call("POST", "/domains/1/clone", { domain: "example.net" }, { as })).toEqual(unauthorized);
    expect((await api.call("GET", "/domains")).body.results).toBe(1);
  });

  test("gets the error about the grant, not the body, if both are wrong", async () => {
    const api = await begin();
    const as = await api.restricted();
    expect(await api.call("PUT", "/domains/1", { ttl_sec: -1 }, { as })).toEqual(unauthorized);
  });
});

test("ids of other accounts are never revealed", async () => {
  const api = await begin();
  const as = await api.mint({ username: "stranger" });
  for (const [name, row] of entries) {
    if (row.call[1].includes("/1")) expect(await api.request(as, row), name).toEqual(notFound);
  }
  for (const path of ["/domains", "/account/events"]) {
    expect((await api.call("GET", path, undefined, { as })).body.results, path).toBe(0);
  }
});
