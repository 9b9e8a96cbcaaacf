import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import Libsql from "libsql";
import pg from "pg";
import { Pool } from "undici";
import { hashSecret } from "../../src/server/areas/users/tokens-rows.ts";
import { type Case, count, ms } from "./case.ts";
import { quantile } from "./median.ts";
import { type Call, type Started, send, startServer, token } from "./serve.ts";

/** Rows of the account whose lists are abandoned, and the lists of a wave. */
const size = { domains: 100_000, events: 250_000, lists: 1000 };
/** Time after which a client leaves, in milliseconds. */
const patience = 50;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);

const attacks: Readonly<Record<string, { path: string; filter?: string } | undefined>> = {
  "nothing else": undefined,
  "record reads": { path: "/v4/domains/2/records/1" },
  "lists of domains": { path: "/v4/domains" },
  "middle pages of domains": { path: "/v4/domains?page=500" },
  "lists of events": { path: "/v4/account/events" },
  "filtered lists of events": { path: "/v4/account/events", filter: '{"entity.type":"nothing"}' },
  "events since a moment": { path: "/v4/account/events", filter: '{"created":{"+gte":"2020-01-01"}}' },
};

/**
 * The times of a record read in one account while 1,000 clients of another at once ask for long lists, again and again,
 * and leave after 50 ms; `BENCH_BEFORE` is the folder of another checkout to compare with.
 */
export async function* measureAbandoned(
  database: string,
  placeOf: (which: string) => Promise<string>,
  only: string,
): AsyncGenerator<Case> {
  const before = process.env.BENCH_BEFORE;
  for (const [which, checkout] of Object.entries({ ...(before && { before }), now: own })) {
    const place = await placeOf(which);
    const server = await startServer(place, checkout);
    await fill(place);
    for (const [name, attack] of Object.entries(attacks).filter(([name]) => name.includes(only))) {
      const { kept, fresh, refused } = await readDuring(server, async () => {
        const until = performance.now() + seconds * 1000;
        while (performance.now() < until) await (attack ? abandon(server, attack) : wait(100));
      });
      yield {
        group: `${database}: a record read while ${size.lists} clients of another account leave after ${patience} ms`,
        name: `${name}: ${which}`,
        numbers: {
          "p50, kept connection": ms(quantile(kept, 0.5)),
          p99: ms(quantile(kept, 0.99)),
          longest: ms(Math.max(...kept)),
          reads: count(kept.length, "reads"),
          refused: count(refused, "reads"),
          "p50, new connection": ms(quantile(fresh, 0.5)),
          "longest, new connection": ms(Math.max(...fresh)),
        },
      };
    }
    await server.stop();
  }
}

const own = fileURLToPath(new URL("../..", import.meta.url));
const reader = "token-of-the-reader";

/** Fills the account of `token`, and one with a record. The SQL suits the tables of earlier versions, too. */
async function fill(place: string): Promise<void> {
  const now = new Date().toISOString().slice(0, 19);
  const numbers = (count: number) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  const domain = `(account_id, domain, domain_key, tree_key, type, status, description, "group", soa_email, ttl_sec,
    refresh_sec, retry_sec, expire_sec, master_ips, axfr_ips, created, updated)`;
  const domainRest = `'master', 'active', '', '', 'a@b.example', 0, 0, 0, 0, '[]', '[]', '${now}', '${now}'`;
  const statements = [
    `insert into accounts (name, created) values ('reader', '${now}')`,
    `insert into users (account_id, username, created)
      select id, 'reader', '${now}' from accounts where name = 'reader'`,
    `insert into tokens (user_id, hash, scopes, label, created)
      select id, '${hashSecret(reader)}', '*', '', '${now}' from users where username = 'reader'`,
    `insert into domains ${domain} select id, 'reader.example', 'reader.example', 'example.reader.', ${domainRest}
      from accounts where name = 'reader'`,
    `insert into records (domain_id, type, name, name_key, target, priority, weight, port, ttl_sec, created, updated)
      values (1, 'A', 'www', 'www', '192.0.2.1', 0, 0, 0, 0, '${now}', '${now}')`,
    `insert into domains ${domain} ${numbers(size.domains)}
      select 1, 'd' || n || '.example', 'd' || n || '.example', 'example.d' || n || '.', ${domainRest} from numbers`,
    `insert into events (account_id, user_id, username, action, entity_id, entity_type, entity_label, entity_url,
      read, seen, created, status) ${numbers(size.events)}
      select 1, 1, 'admin', 'dns_zone_create', n, 'domain', 'd' || n || '.example', '/v4/domains/' || n,
      0, 0, '${now}', 'notification' from numbers`,
  ];
  if (place.startsWith("postgres")) {
    const client = new pg.Client({ connectionString: place });
    await client.connect();
    for (const statement of [...statements, "vacuum analyze"]) await client.query(statement);
    await client.end();
  } else {
    const database = new Libsql(place, { timeout: 5000 });
    for (const statement of statements) database.exec(statement);
    database.close();
  }
}

/** One wave of clients that leave. */
async function abandon({ url }: Started, { path, filter }: { path: string; filter?: string }): Promise<void> {
  const { hostname, port } = new URL(url);
  const headers = [`Authorization: Bearer ${token}`, ...(filter === undefined ? [] : [`X-Filter: ${filter}`])];
  const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${headers.join("\r\n")}\r\n\r\n`;
  const ask = async () => {
    const socket = connect(Number(port), hostname)
      .on("error", () => {})
      .resume();
    socket.once("connect", () => {
      socket.write(request);
      setTimeout(() => socket.destroy(), patience);
    });
    await once(socket, "close");
  };
  await Promise.all(Array.from({ length: size.lists }, ask));
}

/**
 * The times of record reads one after another while the work is under way: on a kept connection, as proxies have, and
 * on new ones, which wait for all those before them. Those that were refused are counted, whatever their connection.
 */
async function readDuring(
  { url }: Started,
  work: () => Promise<void>,
): Promise<{ kept: number[]; fresh: number[]; refused: number }> {
  const call: Call = {
    method: "GET",
    path: "/v4/domains/1/records/1",
    headers: { authorization: `Bearer ${reader}` },
  };
  const open = () => new Pool(url, { connections: 1, headersTimeout: 60_000, connectTimeout: 60_000 });
  const connection = open();
  await send(connection, call);
  let isOver = false;
  let refused = 0;
  const readAll = async (read: () => Promise<void>): Promise<number[]> => {
    const times: number[] = [];
    while (!isOver) {
      const started = performance.now();
      await read().catch(() => refused++);
      times.push(performance.now() - started);
      await wait(1);
    }
    return times;
  };
  const reads = Promise.all([
    readAll(() => send(connection, call)),
    readAll(async () => {
      const own = open();
      await send(own, call).finally(() => own.destroy());
    }),
  ]);
  await work();
  isOver = true;
  const [kept, fresh] = await reads;
  await connection.destroy();
  return { kept, fresh, refused };
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
