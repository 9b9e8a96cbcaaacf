import { describe, expect, test } from "vitest";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { scopes } from "../../src/contract/scopes.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { reportProblem } from "../../src/server/managed/issues.ts";
import { addMaintenance } from "../../src/server/operator/maintenance.ts";
import { receivePayment } from "../../src/server/operator/payments.ts";
import { openTicket } from "../../src/server/operator/tickets.ts";
import { listTokens, revokeToken } from "../../src/server/operator/tokens.ts";
import { addUser, setAccess, setGrant } from "../../src/server/operator/users.ts";
import { grant } from "../../src/server/store/grants.ts";
import * as services from "../../src/server/store/managed-services.ts";
import * as users from "../../src/server/store/users.ts";
import { type CallerName, callers, type Row, rows } from "./access-matrix.ts";
import { owe } from "./bills.ts";
import { Browser, givePassword } from "./browser.ts";
import { startOAuth } from "./oauth-desk.ts";
import { type Answer, refused, start } from "./start.ts";

/** The body of each endpoint that takes one. */
const bodies: Readonly<Record<string, () => unknown>> = {
  "PUT /account": () => ({ city: "Utrecht" }),
  "POST /account/cancel": () => ({ comments: "moving" }),
  "POST /account/credit-card": () => ({
    card_number: "4111111111111111",
    cvv: "123",
    expiry_month: 11,
    expiry_year: 2031,
  }),
  "POST /account/entity-transfers": () => ({ entities: { domains: [1] } }),
  "POST /account/service-transfers": () => ({ entities: { domains: [1] } }),
  "POST /account/oauth-clients": () => application,
  "PUT /account/oauth-clients/{clientId}": () => ({ label: "renamed" }),
  "POST /managed/contacts": () => contact,
  "PUT /managed/contacts/{contactId}": () => ({ name: "Ada King" }),
  "POST /managed/credentials": () => ({ ...credential, label: "db" }),
  "PUT /managed/credentials/{credentialId}": () => ({ label: "renamed" }),
  "POST /managed/credentials/{credentialId}/update": () => ({ password: "another horse" }),
  "PUT /managed/node-settings/{nodeId}": () => ({ ssh: { port: 2222 } }),
  "POST /managed/services": () => ({ ...service, credentials: [] }),
  "PUT /managed/services/{serviceId}": () => ({ label: "renamed" }),
  "POST /support/tickets": () => ticket,
  "POST /support/tickets/{ticketId}/attachments": () => {
    const form = new FormData();
    form.set("file", new File(["text"], "notes.txt"));
    return form;
  },
  "POST /support/tickets/{ticketId}/replies": () => ({ description: "It works again." }),
  "POST /tags": () => ({ label: "web" }),
  "POST /node/instances": () => empty,
  "PUT /node/instances/{nodeId}": () => ({ group: "web" }),
  "POST /node/instances/{nodeId}/boot": () => ({}),
  "POST /node/instances/{nodeId}/reboot": () => ({}),
  "POST /node/instances/{nodeId}/ips": () => ({ type: "ipv4", public: false }),
  "PUT /node/instances/{nodeId}/ips/{address}": () => ({ rdns: "mail.example.net" }),
  "PUT /networking/ips/{address}": () => ({ rdns: "mail.example.net" }),
  "POST /node/instances/{nodeId}/rescue": () => ({}),
  "POST /node/instances/{nodeId}/rebuild": () => ({ image: "node/debian12", root_pass: "correct Horse 7" }),
  "POST /node/instances/{nodeId}/password": () => ({ root_pass: "correct Horse 7" }),
  "POST /node/instances/{nodeId}/disks": () => disk,
  "PUT /node/instances/{nodeId}/disks/{diskId}": () => ({ label: "renamed" }),
  "POST /node/instances/{nodeId}/disks/{diskId}/password": () => ({ password: "correct Horse 7" }),
  "POST /node/instances/{nodeId}/disks/{diskId}/resize": () => ({ size: 200 }),
  "POST /node/instances/{nodeId}/configs": () => config,
  "PUT /node/instances/{nodeId}/configs/{configId}": () => ({ label: "renamed" }),
  "POST /node/instances/{nodeId}/clone": () => ({}),
  "POST /node/instances/{nodeId}/resize": () => ({ type: "g6-standard-1" }),
  "POST /node/instances/{nodeId}/migrate": () => ({}),
  "POST /node/instances/{nodeId}/backups": () => ({ label: "before" }),
  "POST /node/instances/{nodeId}/backups/{backupId}/restore": () => ({ node_id: 1, overwrite: true }),
  "POST /volumes": () => ({ label: "backup", region: "us-east" }),
  "PUT /volumes/{volumeId}": () => ({ label: "renamed" }),
  "POST /volumes/{volumeId}/attach": () => ({ node_id: 1 }),
  "POST /networking/firewalls": () => firewall,
  "PUT /networking/firewalls/{firewallId}": () => ({ label: "renamed" }),
  "PUT /networking/firewalls/{firewallId}/rules": () => firewall.rules,
  "POST /networking/firewalls/{firewallId}/devices": () => ({ id: 1, type: "node" }),
  "POST /volumes/{volumeId}/resize": () => ({ size: 30 }),
  "POST /domains": () => master,
  "POST /domains/import": () => ({ domain: "example.org", remote_nameserver: "ns1.example.org" }),
  "PUT /domains/{domainId}": () => ({ group: "web" }),
  "POST /domains/{domainId}/clone": () => ({ domain: "example.org" }),
  "POST /domains/{domainId}/records": () => a,
  "PUT /domains/{domainId}/records/{recordId}": () => ({ target: "192.0.2.2" }),
};

const a = { type: "A", name: "web", target: "192.0.2.1" };
const master = { domain: "example.org", type: "master", soa_email: "hostmaster@example.org" };
const empty = { region: "us-east", type: "g6-nanode-1" };
const disk = { label: "data", size: 100 };
const config = { label: "boot", devices: {} };
const firewall = { label: "web", rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } };
const ticket = { summary: "Lookups fail", description: "No answer since noon." };
const contact = { name: "Ada Lovelace", email: "ada@example.com" };
const credential = { label: "web", password: "correct horse" };
const service = {
  service_type: "tcp",
  label: "mail",
  address: "mail.example.com:25",
  timeout: 10,
  credentials: [1],
};
const application = { label: "dashboard", redirect_uri: "https://dashboard.example/callback" };

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

/** A server with an object of every kind: a ticket of the operator, and others that the owner made. */
async function begin(started = start({ jobDriver: simulatedDriver(0) })) {
  const api = await started;
  await api.domain("example.com", [{ ...a, name: "www" }]);
  await api.call("POST", "/node/instances", { ...empty, backups_enabled: true });
  await api.call("POST", "/node/instances/1/configs", config);
  await api.call("POST", "/volumes", { label: "data", node_id: 1 });
  await api.call("POST", "/networking/firewalls", { ...firewall, devices: { nodes: [1] } });
  await api.call("POST", "/node/instances/1/disks", disk);
  api.clock.now = new Date(api.clock.now.getTime() + 10_000); // a disk is ready after it
  await api.call("POST", "/node/instances/1/backups", { label: "before" });
  await api.call("POST", "/support/tickets", { ...ticket, domain_id: 1 });
  await api.call("POST", "/support/tickets/1/replies", { description: "It works again." });
  await openTicket(api.store, { ...ticket, account: "admin", about: { domain: "example.com" }, now: api.clock.now });
  await addMaintenance(api.store, { node_id: 1, type: "reboot", reason: "new kernel", begins: api.clock.now });
  await api.call("POST", "/tags", { label: "prod", domains: [1] });
  await api.call("POST", "/managed/contacts", contact);
  await api.call("POST", "/managed/credentials", credential);
  await api.call("POST", "/managed/services", service);
  await api.store.write(async (db) => {
    const down = (await services.find(db, 1, 1)) ?? expect.fail();
    await reportProblem(db, down, "it refuses the connection", api.clock.now);
  });
  await owe(api.store, 500);
  await receivePayment(api.store, "admin", { amount: 50_000, now: api.clock.now });
  await api.call("POST", "/node/instances", empty);
  const { token } = (await api.call("POST", "/account/entity-transfers", { entities: { nodes: [2] } })).body;
  const client = (await api.call("POST", "/account/oauth-clients", application)).body.id;
  await givePassword(api.store, "admin", "correct horse battery");
  await new Browser(api.server).signIn("/sign-in", "admin", "correct horse battery");
  const ids: Record<string, string> = {
    label: "prod",
    token,
    clientId: client,
    regionId: "us-east",
    username: "admin",
    kernelId: "node/latest-64bit",
    address: "198.18.0.2",
    year: "2026",
    month: "3",
  };
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
      const user = (await users.findByName(db, "ci")) ?? expect.fail();
      for (const entity_type of ["node", "volume", "firewall"] as const)
        await grant(db, { user_id: user.id, entity_type, entity_id: 1, permissions });
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
        await revokeToken(store, (await listTokens(store)).at(-1)?.id ?? 0, clock.now);
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
