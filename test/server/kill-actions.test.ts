// @suite postgres

import { join } from "node:path";
import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { isNightly } from "../properties.ts";
import { formOf } from "./browser.ts";
import { password, redirect_uri, startOAuth } from "./oauth-desk.ts";
import { emptyPlace } from "./stores.ts";

/** Requests of each kind. */
const each = 8;

/** Kills, each at another moment. */
const kills = isNightly ? 60 : 1;

/** Stores what the requests are about: a row for each request of a kind. */
async function prepareRows(store: Store) {
  const desk = await startOAuth({ store, clock: () => new Date() });
  await addUser(store, { username: "ci", account: "admin", restricted: true, addDomains: true, now: new Date() });
  const tokens = { admin: desk.token, ci: await desk.mint({ username: "ci" }) };
  const records = [{ type: "A", name: "a", target: "192.0.2.1" }];
  const model = await desk.domain("model.example", records);
  /** An application of its own, with an authorization whose code was exchanged. */
  const authorize = async (label: string) => {
    const client = await desk.register({ label });
    const credentials = { client_id: client.id, client_secret: client.secret };
    const code = await desk.codeFor({ client_id: client.id });
    const { refresh_token } = (await desk.exchange(code, credentials)).body;
    return { ...credentials, refresh_token };
  };
  const open = async () =>
    (await desk.call("POST", "/support/tickets", { summary: "old", description: "It is broken." })).body.id;
  const rows = [];
  for (let n = 0; n < each; n++) {
    const domain = await desk.domain(`old${n}.example`, records);
    await desk.call("POST", "/tags", { label: `old${n}`, domains: [model, domain] });
    await setGrant(store, "ci", `old${n}.example`, "read_only", new Date());
    const [deleted, refreshed, revoked] = [
      await authorize(`deleted${n}`),
      await authorize(`refreshed${n}`),
      await authorize(`revoked${n}`),
    ];
    const tagged = await desk.domain(`tagged${n}.example`, records);
    const renamed = (await desk.register({ label: "old" })).id;
    const reset = (await desk.register({ label: "reset" })).id;
    const code = { ...desk.credentials, code: await desk.codeFor() };
    rows.push({
      n,
      model,
      domain,
      answered: await open(),
      closed: await open(),
      code,
      deleted,
      refreshed,
      revoked,
      tagged,
      renamed,
      reset,
    });
  }
  return { rows, tokens };
}

type Row = Awaited<ReturnType<typeof prepareRows>>["rows"][number];

interface Kind {
  readonly send: (row: Row) => [method: string, path: string, body?: object];
  /** By default an unrestricted user. */
  readonly as?: "admin" | "ci";
  /** Selects rows, of which a request that took effect adds or removes one. */
  readonly rows: string;
}

const slave = { type: "slave", master_ips: ["192.0.2.1"] };
const ticket = { summary: "new", description: "It is broken." };
const card = { card_number: "4111111111111111", expiry_month: 12, expiry_year: 2099, cvv: "123" };

/** Every action that changes rows of several tables; those outside `/v4` are sent as forms. */
const kinds: readonly Kind[] = [
  {
    send: ({ n }) => ["POST", "/domains", { ...slave, domain: `new${n}.example` }],
    as: "ci",
    rows: "select id from domains where domain like 'new%'",
  },
  {
    send: ({ n, model }) => ["POST", `/domains/${model}/clone`, { domain: `clone${n}.example` }],
    rows: "select id from domains where domain like 'clone%'",
  },
  { send: ({ domain }) => ["DELETE", `/domains/${domain}`], rows: "select id from domains where domain like 'old%'" },
  {
    send: ({ n, model }) => ["POST", "/tags", { label: `new${n}`, domains: [model] }],
    rows: "select id from tags where label like 'new%'",
  },
  { send: ({ n }) => ["DELETE", `/tags/old${n}`], rows: "select id from tags where label like 'old%'" },
  {
    send: ({ model }) => ["POST", "/support/tickets", { ...ticket, domain_id: model }],
    rows: "select id from tickets where summary = 'new'",
  },
  {
    send: ({ answered }) => ["POST", `/support/tickets/${answered}/replies`, { description: "It works." }],
    rows: "select id from ticket_replies",
  },
  {
    send: ({ answered }) => ["POST", `/support/tickets/${answered}/attachments`, upload()],
    rows: "select id from files",
  },
  {
    send: ({ closed }) => ["POST", `/support/tickets/${closed}/close`],
    rows: "select id from tickets where status = 'closed'",
  },
  {
    send: ({ n, tagged }) => ["PUT", `/domains/${tagged}`, { description: "tagged", tags: [`put${n}`] }],
    rows: "select id from tags where label like 'put%'",
  },
  {
    send: ({ n }) => ["PUT", "/account", { company: `Company ${n}` }],
    rows: "select id from events where action = 'account_update'",
  },
  {
    send: () => ["POST", "/sign-in", { username: "admin", password }],
    rows: "select id from logins",
  },
  {
    send: ({ n }) => ["POST", "/account/oauth-clients", { label: `made${n}`, redirect_uri }],
    rows: "select id from oauth_clients where label like 'made%'",
  },
  {
    send: ({ n, renamed }) => ["PUT", `/account/oauth-clients/${renamed}`, { label: `renamed${n}` }],
    rows: "select id from oauth_clients where label like 'renamed%'",
  },
  {
    send: () => ["POST", "/account/credit-card", card],
    rows: "select id from events where action = 'credit_card_updated'",
  },
  {
    send: ({ deleted }) => ["DELETE", `/account/oauth-clients/${deleted.client_id}`],
    rows: "select id from oauth_clients where label like 'deleted%'",
  },
  {
    send: ({ reset }) => ["POST", `/account/oauth-clients/${reset}/reset-secret`],
    rows: "select id from events where action = 'oauth_client_secret_reset'",
  },
  {
    send: ({ code }) => ["POST", "/oauth/token", code],
    rows: "select id from authorizations where redeemed = 0",
  },
  {
    send: ({ refreshed }) => ["POST", "/oauth/token", { ...refreshed, grant_type: "refresh_token" }],
    rows: "select hash from refresh_tokens where used = 1",
  },
  {
    send: ({ revoked: { refresh_token, ...client } }) => ["POST", "/oauth/revoke", { ...client, token: refresh_token }],
    rows: `select a.id from authorizations a join oauth_clients c on c.id = a.oauth_client_id
           where c.label like 'revoked%'`,
  },
];

/** The form that signs a new browser in, with the browser's cookie. */
async function readSignIn(url: string) {
  const page = await fetch(`${url}/sign-in`);
  const headers = { Cookie: page.headers.getSetCookie().map((cookie) => cookie.split(";")[0])[0] ?? "" };
  return { headers, fields: formOf({ html: await page.text() }, "/sign-in").fields };
}

function upload(): FormData {
  const form = new FormData();
  form.set("file", new File(["x".repeat(300_000)], "log.txt"));
  return form;
}

/** Queries that select nothing in any valid state of the database, with their rows described. */
const impossible: readonly (readonly [title: string, query: string])[] = [
  [
    "a grant, a tag or a file of a domain or a ticket that does not exist",
    `select entity_type, entity_id from (
       select entity_type, entity_id from grants union select entity_type, entity_id from tagged
       union select entity_type, entity_id from files) r
     where not exists (select 1 from domains where r.entity_type = 'domain' and domains.id = r.entity_id)
       and not exists (select 1 from tickets where r.entity_type = 'ticket' and tickets.id = r.entity_id)`,
  ],
  [
    "a record, a rendered zone or its lines without the domain",
    `select domain_id from (
       select domain_id from records union select domain_id from zones union select domain_id from zone_lines) r
     where domain_id not in (select id from domains)`,
  ],
  [
    "a domain that has its new tag without the rest of the change or its event, or these without the tag",
    `select id from domains d where domain like 'tagged%' and (
       (description = 'tagged') <> exists (select 1 from tagged where entity_type = 'domain' and entity_id = d.id) or
       (description = 'tagged') <> exists (
         select 1 from events where action = 'dns_zone_update' and entity_type = 'domain' and entity_id = d.id))`,
  ],
  [
    "a company with another name than that of the last change",
    `select company from accounts where name = 'admin' and company <> coalesce(
       (select entity_label from events where action = 'account_update' order by id desc limit 1), 'admin')`,
  ],
  [
    "a session without the record of its sign-in, or the record without the session",
    "select id from logins where (select count(*) from logins) <> (select count(*) from sessions)",
  ],
  [
    "a renamed OAuth client without its event, or the event of a client with the old name",
    `select client_id from oauth_clients c where label = 'old' or label like 'renamed%' group by client_id, label
       having (label <> 'old') <> exists (
         select 1 from events where action = 'oauth_client_update' and entity_key = client_id)`,
  ],
  ["a tag that was given to no domain", "select label from tags where id not in (select tag_id from tagged)"],
  [
    "a created domain without the grant of its restricted creator",
    `select domain from domains where domain like 'new%'
       and id not in (select entity_id from grants where permissions = 'read_write')`,
  ],
  [
    "a clone without the record of its original",
    "select domain from domains where domain like 'clone%' and id not in (select domain_id from records)",
  ],
  [
    "a domain that exists without the event of its creation, or with that of its deletion",
    `select d.id from domains d where 1 <> (select sum(case action when 'dns_zone_create' then 1 else -1 end)
       from events where entity_type = 'domain' and entity_id = d.id and action in ('dns_zone_create', 'dns_zone_delete'))`,
  ],
  [
    "the event of the creation of a domain that does not exist, without that of its deletion",
    `select entity_id from events where action = 'dns_zone_create' and entity_id not in (select id from domains)
       and entity_id not in (select entity_id from events where action = 'dns_zone_delete')`,
  ],
  [
    "a tag with other events than its own",
    `select entity_key from events where action in ('tag_create', 'tag_delete') group by entity_key
       having sum(case action when 'tag_create' then 1 else -1 end)
         <> (select count(*) from tags where label = entity_key)`,
  ],
  [
    "a ticket with another number of events than of changes",
    `select id from tickets t where (select count(*) from events where entity_type = 'ticket' and entity_id = t.id)
       <> 1 + (select count(*) from ticket_replies where ticket_id = t.id)
            + (select count(*) from files where entity_type = 'ticket' and entity_id = t.id)
            + (case when status = 'closed' then 1 else 0 end)`,
  ],
  [
    "a file without some of its content",
    `select f.id from files f where 4 * ((f.octets + 2) / 3)
       <> (select coalesce(sum(length(content)), 0) from file_parts where file_id = f.id)`,
  ],
  [
    "a card without its event, or the event without the card",
    `select id from accounts where (card_last_four is not null)
       <> exists (select 1 from events where action = 'credit_card_updated')`,
  ],
  [
    "an OAuth client that was deleted without an event, or in spite of it",
    `select entity_key from events where entity_type = 'oauth_client'
       and action in ('oauth_client_create', 'oauth_client_delete') group by entity_key
       having sum(case action when 'oauth_client_create' then 1 else -1 end)
         <> (select count(*) from oauth_clients where client_id = entity_key)`,
  ],
  [
    "an authorization of a client that does not exist, or a token of an authorization that does not",
    `select oauth_client_id from authorizations where oauth_client_id not in (select id from oauth_clients)
     union select authorization_id from tokens where authorization_id not in (select id from authorizations)
     union select authorization_id from refresh_tokens where authorization_id not in (select id from authorizations)`,
  ],
  [
    "a used code without tokens, or tokens of an unused one",
    `select id from authorizations where redeemed
       <> (case when id in (select authorization_id from refresh_tokens) then 1 else 0 end)`,
  ],
  [
    "an authorization without just one refresh token to use, or with another number of access tokens",
    `select authorization_id from refresh_tokens r group by authorization_id
       having sum(used) <> count(*) - 1
         or count(*) <> (select count(*) from tokens where tokens.authorization_id = r.authorization_id)`,
  ],
];

async function select(store: Store, query: string): Promise<unknown[]> {
  return (await store.read((db) => sql.raw(query).execute(db))).rows;
}

async function countsOf(store: Store): Promise<number[]> {
  const counts = [];
  for (const { rows } of kinds) counts.push((await select(store, rows)).length);
  return counts;
}

test.each(Array.from({ length: kills }, (_, n) => Math.floor(((n + 0.5) / kills) * kinds.length * each)))(
  "after kill -9 at reply %d amid all kinds of writes, acknowledged changes exist and no change partially",
  async (last) => {
    const desk = new Desk();
    const isPostgres = inject("postgres") !== undefined;
    const place = isPostgres ? await emptyPlace() : join(desk.folder, "data", "zonewright.db");
    const before = await openStore(place);
    const { rows, tokens } = await prepareRows(before);
    const countsBefore = await countsOf(before);
    await before.close();

    const env: Record<string, string> = isPostgres
      ? { DATABASE_URL: place, ZONEWRIGHT_SECRET_KEY: "0".repeat(64) }
      : {};
    const data = isPostgres ? "" : " --data data";
    const program = new Program(desk.folder, `serve --port 0 --rate-limit 0${data}`, env);
    const { url } = await apiOf(program);
    const acknowledged = kinds.map(() => 0);
    let replies = 0;
    let lost = 0;
    const send = async ({ send, as = "admin" }: Kind, kind: number, row: Row) => {
      const [method, path, body] = send(row);
      const isForm = path.startsWith("/oauth/") || path === "/sign-in";
      const content = body instanceof FormData ? body : JSON.stringify(body);
      try {
        const form = path === "/sign-in" ? await readSignIn(url) : undefined;
        const reply = await fetch(`${url}${isForm ? "" : "/v4"}${path}`, {
          method,
          headers: isForm ? (form?.headers ?? {}) : { Authorization: `Bearer ${tokens[as]}` },
          body: isForm ? new URLSearchParams({ ...form?.fields, ...body }) : (content ?? null),
          redirect: "manual",
        });
        const status = form ? 303 : 200;
        expect([method, path, reply.status, await reply.text()]).toEqual([method, path, status, expect.anything()]);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // fetch: the connection broke
        lost++;
        return;
      }
      acknowledged[kind] = (acknowledged[kind] ?? 0) + 1;
      if (++replies === last) program.kill("SIGKILL");
    };
    await Promise.all(rows.flatMap((row) => kinds.map((kind, index) => send(kind, index, row))));
    expect((await program.end()).code).toBe("SIGKILL");
    expect(lost).toBeGreaterThan(0);

    const after = await openStore(place);
    const found = [];
    for (const [title, query] of impossible) found.push(...(await select(after, query)).map((row) => [title, row]));
    expect(found).toEqual([]);
    const counts = await countsOf(after);
    const done = counts.map((count, kind) => Math.abs(count - (countsBefore[kind] ?? 0)));
    for (const [kind, { rows }] of kinds.entries()) {
      expect(done[kind], rows).toBeGreaterThanOrEqual(acknowledged[kind] ?? 0);
      expect(done[kind], rows).toBeLessThanOrEqual(each);
    }
    await after.close();
  },
);
