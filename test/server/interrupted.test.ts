// @suite postgres

import { type KyselyPlugin, sql } from "kysely";
import { expect, inject, test } from "vitest";
import { addNotice } from "../../src/server/areas/account/notices-operator.ts";
import { receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { createToken, revokeTokenById } from "../../src/server/areas/account/tokens-operator.ts";
import { addUser, setGrant, setPassword } from "../../src/server/areas/account/users-operator.ts";
import { closeAnyTicket, openTicket, replyToTicket } from "../../src/server/areas/support/handlers/tickets-operator.ts";
import { reopenAccount } from "../../src/server/areas/users/accounts-operator.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Database } from "../../src/server/store/tables.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { pricedCatalog } from "./bills.ts";
import { password, startOAuth } from "./oauth-desk.ts";
import { emptyStore } from "./stores.ts";

class ServerEnded extends Error {}

/** A store whose server ends before the statement of this number, counted over all writes; each commit is one too. */
function endingStore(store: Store) {
  const end = { at: Number.POSITIVE_INFINITY, statements: 0, commits: 0 };
  const count = () => {
    if (++end.statements === end.at) throw new ServerEnded();
  };
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted =
    (write: Store["write"]): Store["write"] =>
    async (work) => {
      const result = await write(async (db) => {
        const result = await work(db.withPlugin(counting));
        count();
        return result;
      });
      end.commits++;
      return result;
    };
  return { end, store: { ...store, write: counted(store.write), writeAlone: counted(store.writeAlone) } };
}

const zone = `@ 3600 IN SOA ns.example.net. hostmaster.example.com. 7 7200 3600 1209600 300
www 300 IN A 192.0.2.1
mail 300 IN A 192.0.2.2
`;

async function begin() {
  const { end, store } = endingStore(await emptyStore());
  const { zone: imported } = readBind({ file: "zone", bytes: Buffer.from(zone), origin: domainName("example.com.") });
  const remote = {
    transfer: async () => ({ records: [...imported.records], unread: [] }),
    soa: () => expect.fail("nobody asks for the SOA record"),
  };
  const options = { catalog: pricedCatalog, jobDriver: simulatedDriver(0) };
  const desk = await startOAuth({ store, remote, onError: () => {}, ...options });
  return { ...desk, end };
}

type Desk = Awaited<ReturnType<typeof begin>>;

/** All rows of all tables, by the table. */
function dump(store: Store): Promise<Map<string, string[]>> {
  return store.read(async (db) => {
    const all = new Map<string, string[]>();
    for (const { name, row } of await (isPostgres ? rowsOfPostgres : rowsOfSqlite)(db))
      all.set(name, [...(all.get(name) ?? []), row]);
    for (const rows of all.values()) rows.sort();
    return all;
  });
}

const isPostgres = inject("postgres") !== undefined;

interface NamedRow {
  readonly name: string;
  readonly row: string;
}

async function rowsOfSqlite(db: Database): Promise<NamedRow[]> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite%'`.execute(db);
  const all: NamedRow[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql`select * from ${sql.id(name)}`.execute(db);
    all.push(...rows.map((row) => ({ name, row: JSON.stringify(row) })));
  }
  return all;
}

async function rowsOfPostgres(db: Database): Promise<NamedRow[]> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const each = tables.rows.map(
    ({ name }) => sql`select ${sql.lit(name)} as name, to_jsonb(t)::text as row from ${sql.id(name)} as t`,
  );
  return (await sql<NamedRow>`${sql.join(each, sql` union all `)}`.execute(db)).rows;
}

/** The tables with another number of rows, and the difference. */
function growth(before: Map<string, string[]>, after: Map<string, string[]>): Record<string, number> {
  const countIn = (rows: Map<string, string[]>, name: string) => rows.get(name)?.length ?? 0;
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changes = names.map((name) => [name, countIn(after, name) - countIn(before, name)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

/** Prepares an action and returns it; it resolves to the status of its reply. */
type Action = (desk: Desk) => Promise<() => Promise<number>>;

const request =
  (method: string, path: string, body?: object): Action =>
  async ({ call }) =>
  async () =>
    (await call(method, path, body)).status;

/** A request to the second of two domains, which has two records, two tags, a grant and a rendered zone. */
const onDomain =
  (method: string, path: string, body?: object): Action =>
  async (desk) => {
    const master = { type: "master", soa_email: "hostmaster@example.com" };
    await desk.call("POST", "/domains", { ...master, domain: "first.example" });
    await desk.call("POST", "/domains", { ...master, domain: "second.example", tags: ["one", "two"] });
    for (const name of ["a", "b"])
      await desk.call("POST", "/domains/2/records", { type: "A", name, target: "192.0.2.1" });
    await addUser(desk.store, { username: "ci", account: "admin", restricted: true, now: desk.clock.now });
    await setGrant(desk.store, "ci", "second.example", "read_write", desk.clock.now);
    await desk.call("GET", "/domains/2/zone-file");
    return request(method, path, body)(desk);
  };

const onTicket =
  (path: string, body?: object): Action =>
  async (desk) => {
    await desk.call("POST", "/support/tickets", { summary: "Help", description: "It is broken." });
    return request("POST", `/support/tickets/1${path}`, body)(desk);
  };

function upload(): FormData {
  const form = new FormData();
  form.set("file", new File(["x".repeat(200_000)], "log.txt"));
  return form;
}

/** An action on the tokens of an authorization. */
const onTokens =
  (
    act: (desk: Desk, tokens: { code: string; access_token: string; refresh_token: string }) => Promise<number>,
  ): Action =>
  async (desk) => {
    const code = await desk.codeFor();
    const { body } = await desk.exchange(code);
    return () => act(desk, { ...body, code });
  };

/** A request of an account with a card, a volume and a node that had backups, so many days later. */
const withCharges =
  (days: number, method: string, path: string, body?: object): Action =>
  async (desk) => {
    const { call, clock } = desk;
    await call("POST", "/account/credit-card", card);
    await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", backups_enabled: true });
    await call("POST", "/volumes", { label: "data", region: "us-east" });
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    await call("GET", "/account"); // settles the creation and the schedule of the backups
    await call("POST", "/node/instances/1/backups/cancel");
    clock.now = new Date(clock.now.getTime() + days * 86_400_000);
    if (days === 1) await call("GET", "/account"); // the schedule of the backups was due
    return request(method, path, body)(desk);
  };

/** A step of a transfer of two domains and a node to another account; its entities move when a request finds it due. */
const transfer =
  (step: "create" | "cancel" | "accept" | "move" | "fail"): Action =>
  async (desk) => {
    await onDomain("GET", "/domains/2")(desk);
    const node = { label: "web-1", region: "us-east", type: "g6-nanode-1" };
    await desk.call("POST", "/node/instances", { ...node, tags: ["one"] });
    await desk.call("POST", "/networking/firewalls", firewall);
    desk.clock.now = new Date(desk.clock.now.getTime() + 3_600_000);
    await desk.call("GET", "/node/instances/1"); // settles its creation
    const as = await desk.mint({ username: "stranger" });
    const body = { entities: { domains: [1, 2], nodes: [1] } };
    const create = () => desk.call("POST", "/account/entity-transfers", body);
    if (step === "create") return async () => (await create()).status;
    const path = `/account/entity-transfers/${(await create()).body.token}`;
    if (step === "cancel") return request("DELETE", path)(desk);
    const accept = () => desk.call("POST", `${path}/accept`, undefined, { as });
    if (step === "accept") return async () => (await accept()).status;
    if (step === "fail") await desk.call("POST", "/node/instances", node, { as }); // of the same label
    await accept();
    return request("GET", path)(desk);
  };

/** A command of the operator, who sees an error where a client sees a status. */
const command =
  (act: (desk: Desk) => Promise<unknown>, prepare: Action = request("GET", "/account")): Action =>
  async (desk) => {
    await (await prepare(desk))();
    return async () => {
      try {
        await act(desk);
        return 200;
      } catch (error) {
        if (!(error instanceof ServerEnded)) throw error;
        return 500;
      }
    };
  };

const master = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };
const ticket = { summary: "Help", description: "It is broken." };
const firewall = {
  label: "web",
  rules: { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" },
  devices: { nodes: [1] },
};
const card = { card_number: "4111111111111111", expiry_month: 12, expiry_year: 2030, cvv: "123" };

/** Actions, and the rows that they add and delete; an action without any changes rows. */
const actions: readonly (readonly [title: string, rows: Record<string, number>, action: Action])[] = [
  [
    "a domain is created with its tags",
    { domains: 1, domain_roots: 1, tags: 2, tagged: 2, events: 3 },
    request("POST", "/domains", { ...master, tags: ["one", "two"] }),
  ],
  [
    "a domain is cloned",
    { domains: 1, domain_roots: 1, records: 2, tagged: 2, events: 1 },
    onDomain("POST", "/domains/2/clone", { domain: "example.com" }),
  ],
  [
    "a domain is imported",
    { domains: 1, domain_roots: 1, records: 2, serials: 1, events: 1 },
    request("POST", "/domains/import", { domain: "example.com", remote_nameserver: "192.0.2.1" }),
  ],
  [
    "a domain loses its tags, and is renamed",
    { domain_roots: 1, tagged: -2, events: 1 },
    onDomain("PUT", "/domains/2", { domain: "example.com", tags: [] }),
  ],
  [
    "a domain is deleted",
    { domains: -1, records: -2, tagged: -2, grants: -1, zones: -1, zone_changes: -1, events: 1 },
    onDomain("DELETE", "/domains/2"),
  ],
  [
    "a record is created",
    { records: 1, zone_changes: 1, events: 1 },
    onDomain("POST", "/domains/2/records", { type: "A", name: "c", target: "192.0.2.1" }),
  ],
  [
    "a record is changed",
    { zone_changes: 1, events: 1 },
    onDomain("PUT", "/domains/2/records/1", { target: "192.0.2.2" }),
  ],
  ["a record is deleted", { records: -1, zone_changes: 1, events: 1 }, onDomain("DELETE", "/domains/2/records/1")],
  [
    "a tag is created and given to domains",
    { tags: 1, tagged: 2, events: 1 },
    onDomain("POST", "/tags", { label: "three", domains: [1, 2] }),
  ],
  ["a tag is deleted", { tags: -1, tagged: -1, events: 1 }, onDomain("DELETE", "/tags/one")],
  ["a ticket is opened", { tickets: 1, events: 1 }, request("POST", "/support/tickets", ticket)],
  ["a ticket is answered", { ticket_replies: 1, events: 1 }, onTicket("/replies", { description: "It works." })],
  ["a file is attached", { files: 1, file_parts: 2, events: 1 }, onTicket("/attachments", upload())],
  ["a ticket is closed", { events: 1 }, onTicket("/close")],
  ["an account is changed", { events: 1 }, request("PUT", "/account", { city: "Utrecht" })],
  ["a credit card is set", { events: 1 }, request("POST", "/account/credit-card", card)],
  ["an account is cancelled", {}, request("POST", "/account/cancel", { comments: "We moved." })],
  ["a transfer is created", { entity_transfers: 1, transferred_entities: 3, events: 1 }, transfer("create")],
  ["a transfer is cancelled", { events: 1 }, transfer("cancel")],
  ["a transfer is accepted", { events: 2 }, transfer("accept")],
  [
    "the entities of a transfer move",
    { tags: 2, grants: -1, firewall_devices: -1, charges: 1, events: 2 },
    transfer("move"),
  ],
  ["a transfer fails", { events: 2 }, transfer("fail")],
  [
    "a month's turn is invoiced and paid",
    { invoices: 1, invoice_items: 3, payments: 1, numbers: 1, events: 1 },
    withCharges(28, "GET", "/account/invoices"),
  ],
  [
    "a node is created with its charges",
    { nodes: 1, addresses: 2, disks: 2, node_configs: 1, charges: 2, jobs: 1, events: 1 },
    withCharges(1, "POST", "/node/instances", {
      region: "us-east",
      type: "g6-nanode-1",
      backups_enabled: true,
      image: "node/debian12",
      root_pass: "correct Horse 7",
    }),
  ],
  [
    "the backups of a node are enabled with their charge",
    { charges: 1, events: 1 },
    withCharges(1, "POST", "/node/instances/1/backups/enable"),
  ],
  [
    "a volume is resized, which closes a charge and opens another",
    { charges: 1, events: 1 },
    withCharges(1, "POST", "/volumes/1/resize", { size: 50 }),
  ],
  [
    "an account with charges is invoiced, pays and is cancelled",
    { nodes: -1, volumes: -1, charges: -3, invoices: 1, invoice_items: 3, payments: 1, numbers: 1, events: 3 },
    withCharges(1, "POST", "/account/cancel", {}),
  ],
  [
    "the operator records a payment",
    { payments: 1, events: 1 },
    command(({ store, clock }) => receivePayment(store, "admin", { amount: 50_000, now: clock.now })),
  ],
  [
    "an OAuth client is created",
    { oauth_clients: 1, events: 1 },
    request("POST", "/account/oauth-clients", { label: "x", redirect_uri: "https://x.example/" }),
  ],
  [
    "the secret of an OAuth client is reset",
    { events: 1 },
    async (desk) => request("POST", `/account/oauth-clients/${desk.client.id}/reset-secret`)(desk),
  ],
  [
    "an OAuth client is deleted with its tokens",
    { oauth_clients: -1, authorizations: -1, tokens: -1, refresh_tokens: -1, events: 1 },
    onTokens(async ({ call, client }) => (await call("DELETE", `/account/oauth-clients/${client.id}`)).status),
  ],
  [
    "a user signs in",
    { sessions: 1, logins: 1 },
    async ({ browser }) =>
      async () =>
        (await browser.signIn("/sign-in", "admin", password)).status,
  ],
  [
    "a user allows access",
    { authorizations: 1 },
    async (desk) => {
      await desk.browser.signIn("/sign-in", "admin", password);
      return async () => (await desk.decide(desk.requestOf())).status;
    },
  ],
  [
    "a code is exchanged",
    { tokens: 1, refresh_tokens: 1 },
    async (desk) => {
      const code = await desk.codeFor();
      return async () => (await desk.exchange(code)).status;
    },
  ],
  [
    "tokens are refreshed",
    { tokens: 1, refresh_tokens: 1 },
    onTokens(async ({ refresh }, { refresh_token }) => (await refresh(refresh_token)).status),
  ],
  [
    "a refresh token is revoked",
    { authorizations: -1, tokens: -1, refresh_tokens: -1 },
    onTokens(async ({ send, credentials }, { refresh_token: token }) => {
      return (await send("/oauth/revoke", { ...credentials, token })).status;
    }),
  ],
  [
    "an access token is expired",
    { authorizations: -1, tokens: -1, refresh_tokens: -1 },
    onTokens(async ({ send, credentials }, { access_token: token }) => {
      return (await send("/oauth/token/expire", { ...credentials, token })).status;
    }),
  ],
  [
    "the operator creates a token for a new user",
    { accounts: 1, users: 1, tokens: 1 },
    command(({ store, clock }) => createToken(store, { username: "new", now: clock.now })),
  ],
  [
    "the operator revokes a token",
    { tokens: -1, events: 1 },
    command(({ store, clock }) => revokeTokenById(store, 1, clock.now)),
  ],
  [
    "the operator sets a password, which ends the sessions",
    { sessions: -1, events: 1 },
    command(
      ({ store, clock }) => setPassword(store, "admin", "another fine password", clock.now),
      async ({ browser }) =>
        async () =>
          (await browser.signIn("/sign-in", "admin", password)).status,
    ),
  ],
  [
    "the operator opens a ticket",
    { tickets: 1, events: 1 },
    command(({ store, clock }) => openTicket(store, { account: "admin", ...ticket, now: clock.now })),
  ],
  [
    "the operator answers a ticket",
    { ticket_replies: 1, events: 1 },
    command(({ store, clock }) => replyToTicket(store, 1, "Try again.", clock.now), onTicket("/replies", ticket)),
  ],
  [
    "the operator closes a ticket",
    { events: 1 },
    command(({ store, clock }) => closeAnyTicket(store, 1, clock.now), onTicket("/replies", ticket)),
  ],
  [
    "the operator adds a notice",
    { notices: 1 },
    command(({ store }) => addNotice(store, { label: "Hello", message: "We are back.", account: "admin" })),
  ],
  [
    "the operator reopens an account",
    {},
    command(({ store }) => reopenAccount(store, "admin"), request("POST", "/account/cancel", {})),
  ],
];

test.each(actions)("when %s, a server that ends in the middle leaves all or nothing", async (_, rows, prepare) => {
  const desk = await begin();
  const act = await prepare(desk);
  const before = await dump(desk.store);
  for (let at = 1; ; at++) {
    Object.assign(desk.end, { at, statements: 0, commits: 0 });
    const status = await act();
    const after = await dump(desk.store);
    if (desk.end.statements >= at) {
      expect([at, status]).toEqual([at, 500]);
      expect(after).toEqual(before);
      continue;
    }
    expect([200, 303]).toContain(status);
    expect(at).toBeGreaterThan(2);
    expect(after).not.toEqual(before);
    expect({ commits: desk.end.commits, ...growth(before, after) }).toEqual({ commits: 1, ...rows });
    return;
  }
});
