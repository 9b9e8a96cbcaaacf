// @suite long postgres

import { join } from "node:path";
import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { stringify } from "yaml";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { isNightly } from "../properties.ts";
import { pricedCatalog } from "./bills.ts";
import { type Answer, start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

/** Transfers of each kind between two accounts. */
const each = isNightly ? 2 : 1;

const accounts = ["one", "two", "three"] as const;
const pairs = [
  { from: "one", to: "two" },
  { from: "two", to: "three" },
  { from: "three", to: "one" },
] as const;
const transfers = "/account/entity-transfers";

/**
 * The state of a transfer before the requests: to be created, to be cancelled, to be accepted, or accepted so that its
 * entities move at the first request, or cannot because the receiver has a node of the same label.
 */
const kinds = ["new", "to cancel", "to accept", "to accept", "moving", "failing"] as const;

/** Their statuses in the end. */
const ends = {
  new: "pending",
  "to cancel": "cancelled",
  "to accept": "completed",
  moving: "completed",
  failing: "failed",
} as const;

/** Two domains and a node, and the token of their transfer. */
interface Parcel {
  readonly kind: (typeof kinds)[number];
  readonly from: string;
  readonly to: string;
  readonly entities: { readonly domains: readonly [number, number]; readonly nodes: readonly [number] };
  token?: string;
}

/** Each entity gets two tags and the grant of a restricted user, each node a charge and a firewall. */
async function prepare(store: Store): Promise<Parcel[]> {
  const api = await start({ store, catalog: pricedCatalog, jobDriver: simulatedDriver(1) });
  api.clock.now = new Date(Date.now() - 3_600_000);
  const send = async (as: string, method: string, path: string, body?: object) => {
    const reply = await api.call(method, path, body, { as });
    expect([method, path, reply.status, reply.body]).toEqual([method, path, 200, expect.anything()]);
    return reply.body;
  };
  for (const account of accounts) {
    await api.mint({ username: account, token: account });
    await addUser(store, { username: `ci-${account}`, account, restricted: true, now: api.clock.now });
  }
  const tags = ["prod", "blue"];
  const node = { region: "us-east", type: "g6-nanode-1" };
  const rules = { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" };
  const parcels: Parcel[] = [];
  for (const { from, to } of pairs)
    for (const kind of Array.from({ length: each }, () => kinds).flat()) {
      const label = `${from}-${to}-${parcels.length}`;
      const domains: number[] = [];
      for (const domain of [`${label}.example`, `sub.${label}.example`]) {
        const settings = { domain, type: "master", soa_email: "hostmaster@example.com", tags };
        const { id } = await send(from, "POST", "/domains", settings);
        await send(from, "POST", `/domains/${id}/records`, { type: "A", name: "www", target: "192.0.2.1" });
        await setGrant(store, `ci-${from}`, domain, "read_write", api.clock.now);
        domains.push(id);
      }
      const { id } = await send(from, "POST", "/node/instances", { ...node, label, tags });
      await setGrant(store, `ci-${from}`, label, "read_write", api.clock.now, "node");
      await send(from, "POST", "/networking/firewalls", { label, rules, devices: { nodes: [id] } });
      if (kind === "failing") await send(to, "POST", "/node/instances", { ...node, label });
      parcels.push({ kind, from, to, entities: { domains: [domains[0] ?? 0, domains[1] ?? 0], nodes: [id] } });
    }
  api.clock.now = new Date(api.clock.now.getTime() + 60_000); // the nodes are there
  for (const parcel of parcels) {
    const { kind, from, to, entities } = parcel;
    if (kind === "new") continue;
    parcel.token = (await send(from, "POST", transfers, { entities })).token;
    if (kind === "moving" || kind === "failing") await send(to, "POST", `${transfers}/${parcel.token}/accept`);
  }
  return parcels;
}

/** The entities of transfers, and their present account. */
const moved = `
  transferred_entities e join entity_transfers t on t.id = e.transfer_id
  left join (
    select 'domain' as type, id, account_id from domains union all select 'node' as type, id, account_id from nodes
  ) o on o.type = e.entity_type and o.id = e.entity_id`;

/** The number of events with the token of a transfer, by their action. The event of an offer does not have it. */
const eventsOf = {
  entity_transfer_create: "0",
  entity_transfer_cancel: "(case when t.status = 'cancelled' then 1 else 0 end)",
  entity_transfer_accept: "(case when t.receiver_id is null then 0 else 2 end)",
  entity_transfer_fail: "(case when t.status = 'failed' then 2 else 0 end)",
  entity_transfer_stale: "0",
};

/** Whether the event `v` of an offer names the entity `e` of the transfer `t`. */
const isOffered = `v.action = 'entity_transfer_create' and v.account_id = t.account_id
  and ', ' || v.entity_label || ',' like '%, ' || e.label || ',%'`;

/** Queries that select nothing in any valid state of the database, with their rows described. */
const impossible: readonly (readonly [title: string, query: string])[] = [
  [
    "an entity that did not move with the others, moved without them, or is lost",
    `select t.status, e.label, o.account_id from ${moved}
     where o.id is null or o.account_id <> (case when t.status = 'completed' then t.receiver_id else t.account_id end)`,
  ],
  [
    "an entity that moved with its grant, or lost its grant without a move",
    `select t.status, e.label from ${moved}
     where (select count(*) from grants g where g.entity_type = e.entity_type and g.entity_id = e.entity_id)
       <> (case when t.status = 'completed' then 0 else 1 end)`,
  ],
  [
    "an entity without its two tags, in their order, from its account",
    `select t.status, e.label from ${moved}
     where (
       select count(*) from tagged x join tags g on g.id = x.tag_id
       where x.entity_type = e.entity_type and x.entity_id = e.entity_id and g.account_id = o.account_id
         and ((x.position = 0 and g.label = 'prod') or (x.position = 1 and g.label = 'blue'))) <> 2
       or (select count(*) from tagged x where x.entity_type = e.entity_type and x.entity_id = e.entity_id) <> 2`,
  ],
  [
    "a tag without exactly one event of its creation",
    `select g.account_id, g.label from tags g
     where (select count(*) from events v
       where v.action = 'tag_create' and v.account_id = g.account_id and v.entity_key = g.label) <> 1`,
  ],
  [
    "the event of a tag that does not exist",
    `select v.account_id, v.entity_key from events v where v.action = 'tag_create'
       and not exists (select 1 from tags g where g.account_id = v.account_id and g.label = v.entity_key)`,
  ],
  [
    "a node with the firewall of the account that sent it, or without its own",
    `select t.status, e.label from ${moved} where e.entity_type = 'node'
       and (select count(*) from firewall_devices d where d.node_id = e.entity_id)
         <> (case when t.status = 'completed' then 0 else 1 end)`,
  ],
  [
    "a node without exactly one open charge, of its account, which begins when that of the sender ends",
    `select t.status, e.label from ${moved} where e.entity_type = 'node' and (
       (select count(*) from charges c where c.entity_type = 'node' and c.entity_id = o.id)
         <> (case when t.status = 'completed' then 2 else 1 end)
       or not exists (
         select 1 from charges c where c.entity_type = 'node' and c.entity_id = o.id and c.closed is null
           and c.account_id = o.account_id)
       or (t.status = 'completed' and not exists (
         select 1 from charges c join charges b on b.entity_type = 'node' and b.entity_id = c.entity_id
         where c.entity_type = 'node' and c.entity_id = o.id
           and c.account_id = t.account_id and b.account_id = t.receiver_id and c.closed = b.opened)))`,
  ],
  [
    "a domain without its record",
    "select domain from domains where id not in (select domain_id from records where name = 'www')",
  ],
  ...Object.entries(eventsOf).map(([action, count]): readonly [string, string] => [
    `a transfer without exactly its own events ${action}`,
    `select t.status, t.token from entity_transfers t
     where (select count(*) from events v where v.action = '${action}' and v.entity_key = t.token) <> ${count}`,
  ]),
  [
    "an entity that was not offered in exactly one event",
    `select t.status, e.label from ${moved} where (select count(*) from events v where ${isOffered}) <> 1`,
  ],
  [
    "the event of an offer that does not exist",
    `select v.entity_label from events v where v.action = 'entity_transfer_create'
       and not exists (
         select 1 from transferred_entities e join entity_transfers t on t.id = e.transfer_id where ${isOffered})`,
  ],
  [
    "the event of a transfer that does not exist",
    `select action from events where entity_type = 'entity_transfer'
       and entity_key not in (select token from entity_transfers)`,
  ],
  [
    "an accepted transfer of an account that is not due by its end, so that its entities never move",
    `select t.token, a.name from entity_transfers t join accounts a on a.id in (t.account_id, t.receiver_id)
     where t.status = 'accepted' and (a.due is null or a.due > t.completes)`,
  ],
];

async function check(store: Store): Promise<void> {
  const found: unknown[] = [];
  for (const [title, query] of impossible)
    found.push(...(await store.read((db) => sql.raw(query).execute(db))).rows.map((row) => [title, row]));
  expect(found).toEqual([]);
}

/** A process of the server, and requests to it with the token of an account. */
async function startProgram(desk: Desk, place: string | undefined) {
  const env = place === undefined ? {} : { DATABASE_URL: place };
  const data = place === undefined ? " --data data" : "";
  const options = "--port 0 --rate-limit 0 --job-time 0 --catalog prices.yaml";
  const program = new Program(desk.folder, `serve ${options}${data}`, env);
  const api = await apiOf(program);
  const call = (as: string, method: string, path: string, body?: object) => api.call(method, path, body, as);
  return { program, call };
}

/** The statuses that a transfer may have after a reply that showed one. */
const later: Readonly<Record<string, readonly string[]>> = {
  pending: ["pending", "accepted", "completed", "failed", "cancelled"],
  accepted: ["accepted", "completed", "failed"],
  completed: ["completed"],
  failed: ["failed"],
  cancelled: ["cancelled"],
};

/** Acknowledged changes: of transfers the status by the token, of domains the id. */
interface Acknowledged {
  readonly transfers: (readonly [token: string, status: string])[];
  readonly domains: number[];
}

async function checkKept(store: Store, { transfers, domains }: Acknowledged): Promise<void> {
  const kept = await store.read(async (db) => ({
    transfers: await db.selectFrom("entity_transfers").select(["token", "status"]).execute(),
    domains: await db.selectFrom("domains").select("id").where("group", "=", "seen").execute(),
  }));
  const statuses = new Map(kept.transfers.map(({ token, status }) => [token, status]));
  const lost = transfers.filter(([token, status]) => !later[status]?.includes(statuses.get(token) ?? ""));
  expect(lost).toEqual([]);
  expect(kept.domains.map(({ id }) => id)).toEqual(expect.arrayContaining(domains));
}

interface Wish {
  readonly as: string;
  readonly request: readonly [method: string, path: string, body?: object];
  /** The status of a transfer that an acknowledgement shows; that of the reply's body without it. */
  readonly shows?: string;
}

/** The requests about a parcel. Its domain is changed by both accounts, of which only one has it. */
function wishesOf({ kind, from, to, entities, token }: Parcel): Wish[] {
  const path = `${transfers}/${token}`;
  const change = ["PUT", `/domains/${entities.domains[0]}`, { group: "seen" }] as const;
  const changes = [from, to].map((as) => ({ as, request: change }));
  if (kind === "new") return [{ as: from, request: ["POST", transfers, { entities }] }, ...changes];
  const look: Wish = { as: from, request: ["GET", path] };
  if (kind === "to cancel") return [{ as: from, request: ["DELETE", path], shows: "cancelled" }, look, ...changes];
  if (kind === "to accept")
    return [{ as: to, request: ["POST", `${path}/accept`], shows: "accepted" }, look, ...changes];
  return [look, ...changes];
}

/** Accepted transfers that the server acknowledges before its end, while it moves the entities of the last one. */
const acceptances = isNightly ? Array.from({ length: pairs.length * 2 * each - 1 }, (_, n) => n + 1) : [3];

/** Requests in flight: the server is never idle. */
const concurrent = 4;

test.each(acceptances)(
  "after kill -9 amid the moves of transfers (%d acknowledged), each has moved all or nothing, and ends once",
  async (last) => {
    const desk = new Desk();
    desk.write("prices.yaml", stringify({ types: pricedCatalog.types, prices: pricedCatalog.prices }));
    const database = inject("postgres") === undefined ? undefined : await emptyPlace();
    const place = database ?? join(desk.folder, "data", "zonewright.db");
    const before = await openStore(place);
    const parcels = await prepare(before);
    await check(before);
    await before.close();

    const first = await startProgram(desk, database);
    const acknowledged: Acknowledged = { transfers: [], domains: [] };
    let accepted = 0;
    let lost = 0;
    const send = async ({ as, request: [method, path, body], shows }: Wish) => {
      let reply: Answer;
      try {
        reply = await first.call(as, method, path, body);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // fetch: the connection broke
        lost++;
        return;
      }
      const isChange = method === "PUT";
      if (isChange && reply.status === 404) return;
      expect([method, path, reply.status, reply.body]).toEqual([method, path, 200, expect.anything()]);
      const { token = path.split("/").at(3), status = shows, id } = reply.body;
      if (isChange) acknowledged.domains.push(id);
      else acknowledged.transfers.push([token, status]);
      if (shows === "accepted" && ++accepted === last) first.program.kill("SIGKILL");
    };
    const wishes = parcels.flatMap(wishesOf).values();
    const sendAll = async () => {
      for (const wish of wishes) await send(wish);
    };
    await Promise.all(Array.from({ length: concurrent }, sendAll));
    expect((await first.program.end()).code).toBe("SIGKILL");
    expect(lost).toBeGreaterThan(0);

    const store = await openStore(place);
    await check(store);
    await checkKept(store, acknowledged);
    const second = await startProgram(desk, database);
    for (const { kind, from, to, entities, token } of parcels) {
      const path = `${transfers}/${token}`;
      const isPending = token && (await second.call(from, "GET", path)).body.status === "pending";
      if (kind === "new") await second.call(from, "POST", transfers, { entities }); // refused if the first one took effect
      if (kind === "to cancel" && isPending) expect((await second.call(from, "DELETE", path)).status).toBe(200);
      if (kind === "to accept" && isPending) expect((await second.call(to, "POST", `${path}/accept`)).status).toBe(200);
    }
    for (const account of accounts) expect((await second.call(account, "GET", "/account")).status).toBe(200);
    await check(store);
    await checkKept(store, acknowledged);
    const rows = await store.read((db) => db.selectFrom("entity_transfers").select(["token", "status"]).execute());
    const kindOf = new Map(parcels.map(({ token, kind }) => [token, kind]));
    const found = rows.map(({ token, status }) => `${kindOf.get(token) ?? "new"}: ${status}`);
    expect(found.toSorted()).toEqual(parcels.map(({ kind }) => `${kind}: ${ends[kind]}`).toSorted());
    await store.close();
  },
  300_000,
);
