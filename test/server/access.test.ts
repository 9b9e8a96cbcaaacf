import { describe, expect, test } from "vitest";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { scopes } from "../../src/contract/scopes.ts";
import { listAllTokens, revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser, setAccess, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { addGrants } from "../../src/server/entities/grants-rows.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { findRow } from "../../src/server/store/rows.ts";
import { type CallerName, callers, type Row, rows } from "./access-matrix.ts";
import { freeCatalog } from "./bills.ts";
import { startOAuth } from "./oauth-desk.ts";
import { a, bodies, master, populate } from "./populated.ts";
import { type Answer, refused, start } from "./start.ts";
import { emptyStore, fillTables, readTables, type Tables } from "./stores.ts";

/**
 * Successes that are not a 200: the owner has the domain and sent the transfer; no import without a client for
 * transfers; only restricted users have grants; the node does not run and has one address, a volume and a firewall.
 */
const otherSuccesses: Readonly<Record<string, (caller: CallerName) => Answer | undefined>> = {
  "POST /account/entity-transfers": transferOfDomain,
  "POST /account/service-transfers": transferOfDomain,
  "POST /account/entity-transfers/{token}/accept": acceptance,
  "POST /account/service-transfers/{token}/accept": acceptance,
  "POST /domains/import": () => refused(["Zone transfers are not configured on this server.", "remote_nameserver"]),
  "POST /node/instances/{nodeId}/shutdown": () => ({ status: 200, body: {} }),
  "DELETE /node/instances/{nodeId}/ips/{address}": () =>
    refused(["A node must have at least one public IPv4 address."]),
  "POST /volumes/{volumeId}/attach": () => refused(["The volume is attached to a node already"]),
  "POST /networking/firewalls/{firewallId}/devices": () => refused(["The node has the firewall already", "id"]),
  "GET /profile/grants": (caller) => {
    const isRestricted = caller.startsWith("a restricted user");
    return isRestricted ? undefined : { status: 204, body: undefined };
  },
};

function transferOfDomain(caller: CallerName): Answer | undefined {
  const isOwn = caller !== "a user of another account";
  return isOwn ? undefined : refused(["entities.domains[0] is not valid", "entities.domains[0]"]);
}

function acceptance(caller: CallerName): Answer | undefined {
  return caller === "the owner" ? refused(["You cannot accept your own transfer."]) : undefined;
}

type Outcome = "ok" | "empty" | "403" | "404";

/** Endpoints of the contract by method and path. The list of types of nodes is in profile live only. */
const served = new Map(endpointsIn("documented").map(([, { method, path, scope }]) => [`${method} ${path}`, scope]));

const invalidToken = { status: 401, body: { errors: [{ reason: "Invalid Token" }] } };
const lacksScope = {
  status: 401,
  body: { errors: [{ reason: "Your OAuth token is not authorized to use this endpoint." }] },
};
const refusals: Readonly<Record<string, Answer>> = {
  403: { status: 403, body: { errors: [{ reason: "Unauthorized" }] } },
  404: { status: 404, body: { errors: [{ reason: "Not found" }] } },
};

/** The scopes with which a token may call an endpoint of each scope; `-` needs no token. */
const sufficient: Readonly<Record<string, readonly string[]>> = {
  "account:read_only": ["account:read_only", "account:read_write", "account:*", "*"],
  "account:read_write": ["account:read_write", "account:*", "*"],
  "domains:read_only": ["domains:read_only", "domains:read_write", "*"],
  "domains:read_write": ["domains:read_write", "*"],
  "maintenance:read_only": ["maintenance:read_only", "*"],
  "nodes:read_only": ["nodes:read_only", "nodes:read_write", "*"],
  "nodes:read_write": ["nodes:read_write", "*"],
  "events:read_only": ["events:read_only", "*"],
  "-": [...scopes, "account:*", "*"],
};

type Api = Awaited<ReturnType<typeof begin>>;

const options = { jobDriver: simulatedDriver(0), catalog: freeCatalog };

/** The database of such a server, and what its requests need, so that it is made once. */
let populated: Promise<{ tables: Tables; ids: Record<string, string>; now: Date }> | undefined;

async function populateOnce() {
  const { api, ids } = await populate(start(options));
  return { tables: await readTables(api.store), ids, now: api.clock.now };
}

async function startPopulated() {
  populated ??= populateOnce();
  const leased = emptyStore(); // at once: a test that runs later does not own it
  const { tables, ids, now } = await populated;
  const store = await leased;
  await fillTables(store, tables);
  const api = await start({ ...options, store });
  api.clock.now = now;
  return { api, ids };
}

/** A server with an object of every kind. */
async function begin(started?: ReturnType<typeof start>) {
  const { api, ids } = await (started ? populate(started) : startPopulated());
  const ask = ({ endpoint }: Row, as: string) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const where = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "1");
    return api.call(method, where, bodies[endpoint]?.(), { as });
  };
  return { ...api, request: ask };
}

/** A token of this caller. */
async function tokenOf(caller: CallerName, { store, clock, mint }: Api): Promise<string> {
  if (caller === "the owner") return mint();
  if (caller === "a user of another account") return mint({ username: "stranger" });
  const addDomains = caller === "a restricted user who may add domains and nodes";
  await addUser(store, { username: "ci", account: "admin", restricted: true, now: clock.now, addDomains });
  const permissions = caller.includes("read_only") ? "read_only" : "read_write";
  await store.write((db) =>
    db
      .updateTable("users")
      .set({ add_nodes: Number(addDomains) })
      .where("username", "=", "ci")
      .execute(),
  );
  if (caller.endsWith("grant")) {
    await setGrant(store, "ci", "example.com", permissions, clock.now);
    await store.write(async (db) => {
      const user = (await findRow(db, "users", { username: "ci" })) ?? expect.fail();
      for (const entity_type of ["node", "volume", "firewall"] as const)
        await addGrants(db, { user_id: user.id, entity_type, entity_id: 1, permissions });
    });
  }
  if (caller.endsWith("access to the account")) await setAccess(store, "ci", { accountAccess: permissions }, clock.now);
  return mint({ username: "ci" });
}

test("every endpoint is in the matrix, with its scope", () => {
  expect(Object.fromEntries(rows.map(({ endpoint, scope }) => [endpoint, scope]))).toEqual(
    Object.fromEntries([...served].map(([endpoint, scope]) => [endpoint, scope ?? "-"])),
  );
});

test("every row of the matrix has an outcome for every caller", () => {
  const words: Outcome[] = ["ok", "empty", "403", "404"];
  for (const { endpoint, outcomes } of rows)
    expect(words, endpoint).toEqual(expect.arrayContaining([...outcomes.values()]));
});

describe("every endpoint with a scope answers 401 Invalid Token without a valid token", () => {
  test.each<[string, (api: Api) => Promise<string>]>([
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
      async ({ mint, store, clock }) => {
        const token = await mint();
        await revokeTokenById(store, (await listAllTokens(store)).at(-1)?.id ?? 0, clock.now);
        return token;
      },
    ],
  ])("%s", async (_, make) => {
    const api = await begin();
    const as = await make(api);
    for (const row of rows) {
      const answer = await api.request(row, as);
      if (row.scope === "-") expect(answer.status, row.endpoint).toBe(200);
      else expect(answer, row.endpoint).toEqual(invalidToken);
    }
  });
});

/** Asserts the outcome of a request by the caller: on a server of its own if it may change something. */
async function expectOutcome(row: Row, caller: CallerName, shared: Promise<[Api, string]>) {
  const outcome = row.outcomes.get(caller) ?? "";
  const refusal = refusals[outcome];
  const [api, as] = refusal || row.endpoint.startsWith("GET ") ? await shared : await ownServer(caller);
  const answer = await api.request(row, as);
  const other = otherSuccesses[row.endpoint]?.(caller);
  if (refusal) expect(answer).toEqual(refusal);
  else if (other) expect(answer).toEqual(other);
  else {
    expect(answer).toMatchObject({ status: 200 });
    if (answer.body.results !== undefined) expect(answer.body.results > 0).toBe(outcome === "ok");
  }
}

async function ownServer(caller: CallerName): Promise<[Api, string]> {
  const api = await begin();
  return [api, await tokenOf(caller, api)];
}

describe.each(callers)("%s", (caller) => {
  const shared = ownServer(caller);
  test.each(rows)("$endpoint", (row) => expectOutcome(row, caller, shared));
});

describe.each([...scopes, "account:*", "*"])("a token of the owner with %s alone", (scope) => {
  const shared = begin().then(async (api): Promise<[Api, string]> => [api, await api.mint({ scopes: scope })]);
  test.each(rows)("$endpoint", async (row) => {
    const [api, as] = await shared;
    if (!sufficient[row.scope]?.includes(scope)) expect(await api.request(row, as)).toEqual(lacksScope);
    else if (row.endpoint.startsWith("GET ")) await expectOutcome(row, "the owner", shared);
    else {
      const own = await begin();
      const answer = await own.request(row, await own.mint({ scopes: scope }));
      expect(answer).toEqual(otherSuccesses[row.endpoint]?.("the owner") ?? { status: 200, body: answer.body });
    }
  });
});

describe("a token of an application, with every read_only scope of the matrix", () => {
  const shared = issueToken(
    "account:read_only domains:read_only events:read_only maintenance:read_only nodes:read_only",
  );
  test.each(rows)("$endpoint", async (row) => {
    const [api, as] = await shared;
    const granted = otherSuccesses[row.endpoint]?.("the owner") ?? { status: 200 };
    expect(await api.request(row, as)).toMatchObject(row.scope.endsWith("read_write") ? lacksScope : granted);
  });
});

/** A server, and a token of the owner that an application got there with these scopes. */
async function issueToken(scope: string): Promise<[Api, string]> {
  const desk = startOAuth();
  const { codeFor, exchange } = await desk;
  return [await begin(desk), (await exchange(await codeFor({ scope }))).body.access_token];
}

describe("a restricted user", () => {
  const restricted = async (api: Api, options: { addDomains?: boolean } = {}) => {
    await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now, ...options });
    return api.mint({ username: "ci" });
  };
  const unauthorized = refusals[403];

  test("the creator of a domain may do everything with it", async () => {
    const api = await begin();
    const as = await restricted(api, { addDomains: true });
    const { id } = (await api.call("POST", "/domains", master, { as })).body;
    await setGrant(api.store, "ci", "example.com", "read_only", api.clock.now);
    await api.call("DELETE", "/tags/prod"); // a clone has the tags of its source, which they may not set
    const clone = (await api.call("POST", "/domains/1/clone", { domain: "example.net" }, { as })).body;
    for (const made of [id, clone.id]) {
      expect((await api.call("POST", `/domains/${made}/records`, a, { as })).status).toBe(200);
      expect(await api.call("DELETE", `/domains/${made}`, undefined, { as })).toEqual({ status: 200, body: {} });
    }
  });

  test("may not change tags, but may send the same ones back", async () => {
    const api = await begin();
    const as = await restricted(api, { addDomains: true });
    await setGrant(api.store, "ci", "example.com", "read_write", api.clock.now);
    await api.call("PUT", "/domains/1", { tags: ["Live", "web"] });
    const put = (tags: string[]) => api.call("PUT", "/domains/1", { tags, group: "web" }, { as });
    expect((await put(["live", "web"])).body).toMatchObject({ tags: ["Live", "web"], group: "web" });
    for (const tags of [[], ["live"], ["live", "web", "new"]]) expect(await put(tags)).toEqual(unauthorized);
    expect(await api.call("POST", "/domains", { ...master, tags: ["new"] }, { as })).toEqual(unauthorized);
    expect((await api.call("GET", "/domains")).body.results).toBe(1);
    // A clone copies the tags that the source has.
    const clone = await api.call("POST", "/domains/1/clone", { domain: "example.net" }, { as });
    expect(clone.body).toMatchObject({ tags: ["Live", "web"] });
  });

  test("gets the error about the grant, not the body, if both are wrong", async () => {
    const api = await begin();
    const as = await restricted(api);
    expect(await api.call("PUT", "/domains/1", { ttl_sec: -1 }, { as })).toEqual(unauthorized);
  });
});
