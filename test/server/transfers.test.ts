// @suite postgres

import { type QueryResult, type RootOperationNode, sql, type UnknownRow } from "kysely";
import { expect, inject, onTestFinished, test } from "vitest";
import { addMaintenance } from "../../src/server/areas/nodes/operator/maintenance.ts";
import { updateNodeRow } from "../../src/server/areas/nodes/rows/nodes.ts";
import { reopenAccount } from "../../src/server/areas/users/accounts-operator.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { accountOf } from "../../src/server/entities/account.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { type Answer, refused, start } from "./start.ts";
import { emptyPlace, emptyStore } from "./stores.ts";

const path = "/account/entity-transfers";
const day = 86_400;
const moveTime = 10;
const node = { region: "us-east", type: "g6-nanode-1" };

type Api = Awaited<ReturnType<typeof start>>;

/** A server whose jobs take as long as at the hosted service; `as` are the tokens of three accounts. */
async function begin(options: Parameters<typeof start>[0] = {}) {
  const api = await start({ jobDriver: simulatedDriver(1), ...options });
  const as = {
    sender: api.token,
    receiver: await api.mint({ username: "receiver" }),
    stranger: await api.mint({ username: "stranger" }),
  };
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const offer = async (entities: object, from: keyof typeof as = "sender"): Promise<string> => {
    const { status, body } = await api.call("POST", path, { entities }, { as: as[from] });
    expect([status, body]).toEqual([200, body]);
    return body.token;
  };
  const accept = (token: string, by: keyof typeof as = "receiver") =>
    api.call("POST", `${path}/${token}/accept`, undefined, { as: as[by] });
  const statusOf = async (token: string, by: keyof typeof as = "sender") =>
    (await api.call("GET", `${path}/${token}`, undefined, { as: as[by] })).body.status;
  const messages = async (action: string, by: keyof typeof as = "sender"): Promise<string[]> => {
    const headers = { as: as[by], "X-Filter": JSON.stringify({ action }) };
    const { body } = await api.call("GET", "/account/events", undefined, headers);
    return body.data.map(({ message }: { message: string }) => message);
  };
  return { ...api, as, pass, offer, accept, statusOf, messages };
}

type Desk = Awaited<ReturnType<typeof begin>>;

/** How a transfer of domain 1 comes into each status. */
const statuses: Readonly<Record<string, (desk: Desk, token: string) => Promise<unknown>>> = {
  pending: async () => {},
  accepted: ({ accept }, token) => accept(token),
  async completed({ accept, pass }, token) {
    await accept(token);
    pass(moveTime);
  },
  async failed({ accept, call, pass }, token) {
    await accept(token);
    await call("DELETE", "/domains/1");
    pass(moveTime);
  },
  cancelled: ({ call }, token) => call("DELETE", `${path}/${token}`),
  stale: async ({ pass }) => pass(day),
};

/** The reply to each request of each account: the status shown, an error, or what the transfer becomes. */
const table = `
  status     request  sender       receiver    stranger
  pending    GET      pending      pending     pending
  pending    DELETE   →cancelled   403         403
  pending    accept   own          →accepted   →accepted
  accepted   GET      accepted     accepted    404
  accepted   DELETE   over         403         403
  accepted   accept   over         over        over
  completed  GET      completed    completed   404
  completed  DELETE   over         403         403
  completed  accept   over         over        over
  failed     GET      failed       failed      404
  failed     DELETE   over         403         403
  failed     accept   over         over        over
  cancelled  GET      cancelled    404         404
  cancelled  DELETE   over         403         403
  cancelled  accept   over         over        over
  stale      GET      stale        404         404
  stale      DELETE   over         403         403
  stale      accept   over         over        over
`;

const errors: Readonly<Record<string, Answer>> = {
  403: { status: 403, body: { errors: [{ reason: "Unauthorized" }] } },
  404: { status: 404, body: { errors: [{ reason: "Not found" }] } },
  over: refused(["This transfer is no longer pending."]),
  own: refused(["You cannot accept your own transfer."]),
};

const [, ...lines] = table.trim().split("\n");
const rows = lines.map((line) => line.trim().split(/ +/));

test.each(rows)("a transfer that is %s: %s by the sender %s, by the receiver %s, by others %s", async (...row) => {
  const [status = "", request = "", ...outcomes] = row;
  for (const [index, by] of (["sender", "receiver", "stranger"] as const).entries()) {
    const outcome = outcomes[index] ?? "";
    const desk = await begin();
    await desk.domain("example.com");
    const token = await desk.offer({ domains: [1] });
    await statuses[status]?.(desk, token);
    const [method, end] = request === "accept" ? ["POST", "/accept"] : [request, ""];
    const answer = await desk.call(method, `${path}/${token}${end}`, undefined, { as: desk.as[by] });
    if (errors[outcome]) expect([by, answer]).toEqual([by, errors[outcome]]);
    else if (request === "GET") expect([by, answer.body.status]).toEqual([by, outcome]);
    else {
      expect([by, answer]).toEqual([by, { status: 200, body: {} }]);
      expect(`→${await desk.statusOf(token)}`).toBe(outcome);
    }
  }
});

test("every status of the contract is in the table", async () => {
  const { entityTransfer } = await import("../../src/contract/resources/entity-transfer.ts");
  const known = entityTransfer.shape.status.description?.split(", ");
  expect(Object.keys(statuses).sort()).toEqual(known?.sort());
});

test("a node moves with all that is on it, but for its firewalls", async () => {
  const { call, as, pass, offer, accept, store, clock } = await begin();
  const debian = { image: "node/debian12", root_pass: "correct Horse 7" };
  const rules = { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" };
  await call("POST", "/node/instances", { ...node, ...debian, label: "web-1", backups_enabled: true, tags: ["prod"] });
  pass(200);
  await call("POST", "/node/instances/1/ips", { type: "ipv4", public: false });
  await call("PUT", "/node/instances/1/ips/198.18.0.2", { rdns: null });
  await call("POST", "/node/instances/1/backups", { label: "before" });
  await call("POST", "/networking/firewalls", { label: "web", rules, devices: { nodes: [1] } });
  pass(400);
  await addMaintenance(store, { node_id: 1, type: "reboot", reason: "new kernel", begins: clock.now });
  const shown = ["", "/disks", "/configs", "/ips", "/backups"];
  const all = async (token: string) => {
    const replies = [];
    for (const part of shown) replies.push(await call("GET", `/node/instances/1${part}`, undefined, { as: token }));
    return replies;
  };
  const before = await all(as.sender);
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(before[1]?.body.results).toBe(2);
  await accept(await offer({ nodes: [1] }));
  pass(moveTime);
  expect(await all(as.receiver)).toEqual(before);
  expect((await all(as.sender)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const resultsOf = async (place: string, token: string) =>
    (await call("GET", place, undefined, { as: token })).body.results;
  expect(await resultsOf("/networking/firewalls/1/devices", as.sender)).toBe(0);
  expect(await resultsOf("/node/instances/1/firewalls", as.receiver)).toBe(0);
  for (const place of ["/networking/ips", "/account/maintenance", "/account/notifications"]) {
    expect([place, await resultsOf(place, as.sender)]).toEqual([place, 0]);
    expect([place, await resultsOf(place, as.receiver)]).not.toEqual([place, 0]);
  }
});

test("automatic backups of a node go on in the account that received it", async () => {
  const { call, as, pass, offer, accept } = await begin();
  await call("POST", "/node/instances", { ...node, label: "web-1", backups_enabled: true });
  pass(8);
  await accept(await offer({ nodes: [1] }));
  pass(moveTime);
  await call("GET", "/node/instances/1", undefined, { as: as.receiver });
  pass(3 * day);
  const { body } = await call("GET", "/node/instances/1/backups", undefined, { as: as.receiver });
  expect(body.automatic.length).toBeGreaterThan(0);
});

test("jobs that ended before a transfer are settled before it, whichever account asks first", async () => {
  for (const first of ["sender", "receiver"] as const) {
    const { call, as, pass, offer, accept, statusOf } = await begin();
    await call("POST", "/node/instances", { ...node, label: "web-1" });
    await call("POST", "/node/instances", { ...node, label: "WEB-1" }, { as: as.receiver });
    pass(8);
    const token = await offer({ nodes: [1] });
    // Both end at the moment of the transfer: the label is free, and the node is idle.
    await call("DELETE", "/node/instances/2", undefined, { as: as.receiver });
    await accept(token);
    pass(3);
    await call("POST", "/node/instances/1/password", { root_pass: "correct Horse 7" });
    pass(moveTime - 3);
    await call("GET", "/profile", undefined, { as: as[first] });
    expect([first, await statusOf(token)]).toEqual([first, "completed"]);
    const { body } = await call("GET", "/node/instances", undefined, { as: as.receiver });
    expect(body.data.map(({ id, label }: { id: number; label: string }) => [id, label])).toEqual([[1, "web-1"]]);
  }
});

test("transfers of one moment end in the order of their creation, whichever account asks first", async () => {
  for (const first of ["sender", "receiver", "stranger"] as const) {
    const { call, as, pass, offer, accept, statusOf } = await begin();
    await call("POST", "/node/instances", { ...node, label: "web-1" }, { as: as.receiver });
    await call("POST", "/node/instances", { ...node, label: "web-1" });
    const frees = await offer({ nodes: [1] }, "receiver");
    const needs = await offer({ nodes: [2] });
    await accept(needs);
    await accept(frees, "stranger");
    pass(moveTime);
    await call("GET", "/profile", undefined, { as: as[first] });
    const statuses = [await statusOf(frees, "receiver"), await statusOf(needs)];
    expect([first, ...statuses]).toEqual([first, "completed", "completed"]);
  }
});

test.each([
  ["GET", "/domains/1", undefined],
  ["PUT", "/domains/1", { group: "mine" }],
  ["GET", "/node/instances/1", undefined],
  ["PUT", "/node/instances/1", { group: "mine" }],
])("however much else is due before a transfer, %s %s finds that it has ended", async (method, where, body) => {
  for (const first of ["sender", "receiver"] as const) {
    const { call, as, pass, offer, accept, domain } = await begin();
    await domain("example.com");
    for (const by of [as.sender, as.receiver])
      for (let n = 0; n < 13; n++) {
        const { id } = (await call("POST", "/node/instances", node, { as: by })).body;
        if (id !== 1) await call("POST", `/node/instances/${id}/disks`, { label: "data", size: 10 }, { as: by });
      }
    pass(10);
    await accept(await offer({ domains: [1], nodes: [1] }));
    pass(moveTime);
    const ask = async (by: "sender" | "receiver") => (await call(method, where, body, { as: as[by] })).status;
    const other = first === "sender" ? "receiver" : "sender";
    const statuses = { [first]: await ask(first), [other]: await ask(other) };
    expect([first, statuses]).toEqual([first, { sender: 404, receiver: 200 }]);
  }
});

test("a backup of a node moves without its VLANs, which are others in the account that receives it", async () => {
  const { call, as, pass, offer, accept } = await begin();
  await call("POST", "/node/instances", { ...node, label: "web-1", backups_enabled: true });
  const vlan = { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" };
  await call("POST", "/node/instances/1/configs", {
    label: "both",
    devices: {},
    interfaces: [{ purpose: "public" }, vlan],
  });
  pass(8);
  const backup = await call("POST", "/node/instances/1/backups", { label: "before" });
  pass(300);
  await call("PUT", "/node/instances/1/configs/1", { interfaces: [] });
  await accept(await offer({ nodes: [1] }));
  pass(moveTime);
  const copy = { ...node, label: "web-2", backup_id: backup.body.id };
  expect((await call("POST", "/node/instances", copy, { as: as.receiver })).status).toBe(200);
  const { body } = await call("GET", "/node/instances/2/configs", undefined, { as: as.receiver });
  const shown = body.data.map(({ label, interfaces }: Answer["body"]) => [label, interfaces]);
  expect(shown).toEqual([["both", [{ purpose: "public", label: "", ipam_address: "" }]]]);
});

/** A store that counts its statements, or only those that change something. */
function countStatements(store: Store, { changes = false } = {}): { store: Store; counted: () => number } {
  let count = 0;
  const plugin = {
    transformQuery({ node }: { node: RootOperationNode }) {
      if (!changes || node.kind !== "SelectQueryNode") count++;
      return node;
    },
    transformResult: async ({ result }: { result: QueryResult<UnknownRow> }) => result,
  };
  const write: Store["write"] = (work, options) => store.write((db) => work(db.withPlugin(plugin)), options);
  return { store: { ...store, write }, counted: () => count };
}

test("offering and moving many entities takes as many statements as a few", async () => {
  const price = { hourly: 0.5, monthly: 100 };
  const catalog = { ...embeddedCatalog, types: embeddedCatalog.types.map((type) => ({ ...type, price })) };
  const counts = [];
  for (const most of [2, 20]) {
    const { store, counted } = countStatements(await emptyStore());
    const { call, as, pass, accept, offer, statusOf } = await begin({ store, catalog });
    const domains: number[] = [];
    const nodes: number[] = [];
    for (let n = 0; n < most; n++) {
      const named = { domain: `d${n}.example${n}.com`, type: "master", soa_email: "hostmaster@example.com" };
      domains.push((await call("POST", "/domains", { ...named, tags: ["prod"] })).body.id);
      nodes.push((await call("POST", "/node/instances", { ...node, label: `web-${n}`, tags: ["prod"] })).body.id);
    }
    pass(8);
    await call("GET", "/node/instances");
    const before = counted();
    const token = await offer({ domains, nodes });
    await accept(token);
    pass(moveTime);
    expect(await statusOf(token)).toBe("completed");
    counts.push(counted() - before);
    const { body } = await call("GET", "/tags/prod", undefined, { as: as.receiver });
    expect(body.results).toBe(2 * most);
  }
  expect(counts[1]).toBe(counts[0]);
});

test("the sender's event names the addresses that leave, and its records that still have them", async () => {
  const { call, as, pass, offer, accept, domain, messages } = await begin();
  for (const label of ["web-1", "db-1"]) await call("POST", "/node/instances", { ...node, label }, { as: as.sender });
  pass(10);
  const a = (name: string, target: string) => ({ type: "A", name, target });
  await domain("example.com", [a("www", "198.18.0.2"), a("x", "198.18.0.4")]);
  await domain("example.net", [a("db", "198.18.0.3")]);
  await accept(await offer({ domains: [1] }));
  await accept(await offer({ domains: [2], nodes: [1, 2] }), "stranger");
  expect(await messages("entity_transfer_accept")).toEqual([
    "web-1: 198.18.0.2, 2001:db8::f03c:91ff:fe00:1; db-1: 198.18.0.3, 2001:db8::f03c:91ff:fe00:2; still in use by www.example.com A",
    "",
  ]);
  for (const by of ["receiver", "stranger"] as const)
    expect(await messages("entity_transfer_accept", by)).toEqual([""]);
});

test("of many requests that find a transfer due, one moves its entities and the others wait for it", async () => {
  const counts = [];
  for (const requests of [1, 20]) {
    // A request that waits long for the lock begins again, and then finds nothing to do.
    const { store, counted } = countStatements(await emptyStore(), { changes: true });
    const { call, pass, accept, offer, domain } = await begin({ store });
    await domain("example.com");
    await accept(await offer({ domains: [1] }));
    pass(moveTime);
    const before = counted();
    const asked = Array.from({ length: requests }, () => call("GET", "/domains/1"));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([404]));
    counts.push(counted() - before);
  }
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[1]).toBe(counts[0]);
});

test("the charges of a node change hands at the moment of its transfer", async () => {
  const [first, ...others] = embeddedCatalog.types;
  if (first === undefined) throw new Error("no type");
  const catalog = { ...embeddedCatalog, types: [{ ...first, price: { hourly: 0.5, monthly: 100 } }, ...others] };
  const { call, as, pass, offer, accept, store } = await begin({ catalog });
  await call("POST", "/node/instances", { ...node, type: first.id, label: "web-1" });
  pass(3 * 3600);
  await accept(await offer({ nodes: [1] }));
  pass(2 * 3600);
  await call("GET", "/profile", undefined, { as: as.receiver });
  const charges = await store.read((db) =>
    db.selectFrom("charges").select(["account_id", "opened", "closed"]).orderBy("id").execute(),
  );
  const moved = "2026-03-04T15:00:10";
  expect(charges).toEqual([
    { account_id: 1, opened: "2026-03-04T12:00:00", closed: moved },
    { account_id: 2, opened: moved, closed: null },
  ]);
  const owed = async (token: string) =>
    (await call("GET", "/account", undefined, { as: token })).body.balance_uninvoiced;
  expect([await owed(as.sender), await owed(as.receiver)]).toEqual([2, 1]);
});

test("a transfer of two accounts that were cancelled ends once one is reopened", async () => {
  const { call, as, pass, offer, accept, domain, store, statusOf, messages } = await begin();
  await domain("example.com");
  const token = await offer({ domains: [1] });
  await accept(token);
  for (const by of ["sender", "receiver"] as const) await call("POST", "/account/cancel", {}, { as: as[by] });
  pass(day);
  await reopenAccount(store, "admin");
  expect(await statusOf(token)).toBe("failed");
  expect(await messages("entity_transfer_fail")).toEqual(["The account that accepted it was cancelled."]);
  expect((await call("GET", "/domains/1")).status).toBe(200);
});

test("accepting has a rate limit of its own: two a minute, at either path", async () => {
  const { call, as, pass } = await begin({ rateLimit: { requests: 1600, seconds: 120 } });
  const unknown = "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D";
  const accept = async (at: string) =>
    (await call("POST", `/account/${at}/${unknown}/accept`, undefined, { as: as.receiver })).status;
  expect([await accept("entity-transfers"), await accept("service-transfers")]).toEqual([404, 404]);
  expect([await accept("entity-transfers"), await accept("service-transfers")]).toEqual([429, 429]);
  expect((await call("GET", "/account/service-transfers", undefined, { as: as.receiver })).status).toBe(200);
  pass(60);
  expect(await accept("service-transfers")).toBe(404);
});

/** A deadlock costs a second, and several of them the request. */
async function deadlocksOf(store: Store | undefined): Promise<unknown[] | undefined> {
  const query = sql`select deadlocks from pg_stat_database where datname = current_database()`;
  return (await store?.read((db) => query.execute(db)))?.rows;
}

/** Two servers on one database; with SQLite they share the one connection that a process has. */
async function twoServers(): Promise<{ desk: Desk; other: Api }> {
  const place = await emptyPlace();
  const stores: Store[] = [await openStore(place)];
  if (inject("postgres") !== undefined) stores.push(await openStore(place));
  onTestFinished(async () => {
    if (stores.length > 1) expect(await deadlocksOf(stores[0])).toEqual([{ deadlocks: 0 }]);
    for (const store of stores) await store.close();
  });
  const [one, two = one] = stores;
  if (one === undefined || two === undefined) throw new Error("no store");
  const desk = await begin({ store: one });
  const clock = () => desk.clock.now;
  const settings = { store: two, clock, nameservers: ["ns1.example.net"], jobDriver: simulatedDriver(1) };
  const server = createServer(settings);
  const call: Api["call"] = async (method, where, body, headers) => {
    const { as = desk.token, ...rest } = headers ?? {};
    const request = new Request(`http://api/v4${where}`, {
      method,
      headers: { Authorization: `Bearer ${as}`, ...rest },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await server(request);
    return { status: response.status, body: await response.json() };
  };
  return { desk, other: { ...desk, server, call } };
}

test("a command of the operator waits for a node that moves to another account, and finds it there", async () => {
  const { call, clock, store, pass } = await begin();
  await call("POST", "/node/instances", { ...node, label: "web-1" });
  pass(8);
  let isMoving = () => {};
  let end = () => {};
  const moving = new Promise<void>((resolve) => {
    isMoving = resolve;
  });
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const moved = store.write(async (db) => {
    for (const id of [1, 2]) await accountOf(db, id);
    await updateNodeRow(db, 1, { account_id: 2 });
    isMoving();
    await isOver;
  });
  await moving;
  const announced = addMaintenance(store, { node_id: 1, type: "reboot", reason: "new kernel", begins: clock.now });
  const locks = sql<{ waiting: number }>`select count(*) as waiting from pg_locks where not granted`;
  const isWaiting = async () => (await store.read((db) => locks.execute(db))).rows[0]?.waiting !== 0;
  // SQLite begins it only after the move.
  while (inject("postgres") !== undefined && !(await isWaiting()));
  end();
  await moved;
  expect(await announced).toBe(1);
});

test("of two servers, one accepts, and both find a transfer that ended once", async () => {
  const { desk, other } = await twoServers();
  const { as, offer, pass, domain, call, messages } = desk;
  await domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await call("PUT", "/domains/1", { tags: ["prod"] });
  const token = await offer({ domains: [1] });
  const accepting = [desk, other, desk, other].map((one, index) =>
    one.call("POST", `${path}/${token}/accept`, undefined, { as: index < 2 ? as.receiver : as.stranger }),
  );
  const answers = await Promise.all(accepting);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  pass(moveTime);
  const seen = await Promise.all(
    [desk, other, desk, other, desk, other].map((one, index) =>
      one.call("GET", `${path}/${token}`, undefined, { as: index < 2 ? as.sender : as.receiver }),
    ),
  );
  expect(new Set(seen.flatMap(({ status, body }) => (status === 200 ? [body.status] : [])))).toEqual(
    new Set(["completed"]),
  );
  const created = [...(await messages("tag_create", "receiver")), ...(await messages("tag_create", "stranger"))];
  expect(created.length).toBe(1);
});

test("many transfers between three accounts end, while their domains are changed and created", async () => {
  const { desk, other } = await twoServers();
  const { as, offer, accept, pass, statusOf } = desk;
  const accounts = ["sender", "receiver", "stranger"] as const;
  type Account = (typeof accounts)[number];
  const create = (name: string, by: Account) =>
    desk.call(
      "POST",
      "/domains",
      { domain: name, type: "master", soa_email: "hostmaster@example.com", tags: [`tag-${by}`] },
      { as: as[by] },
    );
  const transfers: { token: string; id: number; from: Account; to: Account }[] = [];
  for (let n = 0; n < 3; n++)
    for (const from of accounts)
      for (const to of accounts) {
        if (from === to) continue;
        const { id } = (await create(`${from}${n}.for-${to}.example`, from)).body;
        const token = await offer({ domains: [id] }, from);
        await accept(token, to);
        pass(0.2); // each is settled after those before it
        transfers.push({ token, id, from, to });
      }
  pass(moveTime);
  const work = transfers.flatMap(({ token, id, from, to }, index) => {
    const [one, two] = index % 2 === 0 ? [desk, other] : [other, desk];
    const group = { group: `g${index}`, tags: [`tag-${from}`, `new-${index % 3}`] };
    return [
      one.call("GET", `${path}/${token}`, undefined, { as: as[from] }),
      two.call("PUT", `/domains/${id}`, group, { as: as[from] }),
      one.call("PUT", `/domains/${id}`, group, { as: as[to] }),
      two.call("POST", "/tags", { label: `new-${index % 3}`, domains: [id] }, { as: as[to] }),
    ];
  });
  const answers = await Promise.all(work);
  expect(answers.filter(({ status }) => ![200, 400, 404].includes(status))).toEqual([]);
  for (const { token, id, from, to } of transfers) {
    expect(await statusOf(token, from)).toBe("completed");
    expect((await desk.call("GET", `/domains/${id}`, undefined, { as: as[to] })).status).toBe(200);
    expect((await desk.call("GET", `/domains/${id}`, undefined, { as: as[from] })).status).toBe(404);
  }
});
