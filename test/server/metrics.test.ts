// @suite postgres

import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { Health } from "../../src/server/kit/health.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { StuckZones } from "../../src/server/nameserver/zones/stuck-zones.ts";
import { ServiceMetrics } from "../../src/server/serve-metrics.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { type ServiceOptions, startService } from "../../src/server/service.ts";
import { openStore, type Store, StoreFailure } from "../../src/server/store/store.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { samplesOf } from "./metrics-text.ts";
import { waitForCurrent } from "./nameserver/wait-for-current.ts";
import { start } from "./start.ts";
import { emptyPlace, emptyStore, isPostgres } from "./stores.ts";

async function serve(options: Partial<ServiceOptions> = {}) {
  const store = options.store ?? (await emptyStore());
  const now = new Date();
  const token = await createToken(store, { username: "admin", now });
  const service = await startService({ clock: () => new Date(), port: 0, log: () => {}, ...options, store });
  onTestFinished(() => service.close());
  const { port } = new URL(service.url);
  const url = `http://127.0.0.1:${port}`;
  const call = async (method: string, path: string, body?: object | undefined, as = token) => {
    const headers = { Authorization: `Bearer ${as}` };
    const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await reply.text();
    return reply.status;
  };
  const scrape = async () => {
    const reply = await fetch(`${url}/metrics`);
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
    return reply.text();
  };
  return { ...service, url, port: Number(port), token, call, scrape };
}

const master = (domain: string) => ({ domain, type: "master", soa_email: `hostmaster@${domain}` });

test("requests are counted by method, endpoint and status, and their latencies by group", async () => {
  const { call, scrape, port } = await serve();
  const requests: [method: string, path: string, body?: object | undefined, as?: string][] = [
    ["POST", "/v4/domains", master("example.com")],
    ["POST", "/v4/domains", { domain: "-" }],
    ["GET", "/v4/domains"],
    ["GET", "/v4beta/domains"],
    ["HEAD", "/v4/domains"],
    ["GET", "/v4/domains/1", undefined, "wrong"],
    ["GET", "/v4/regions"],
    ["PURGE", "/v4/regions"],
    ["GET", "/secret-path"],
    ["GET", "/healthz"],
  ];
  const statuses: number[] = [];
  for (const request of requests) statuses.push(await call(...request));
  expect(statuses).toEqual([200, 400, 200, 200, 200, 401, 200, 405, 404, 200]);
  const socket = connect(port, "127.0.0.1");
  socket.end("BREW /pot HTCPCP/1.0\r\n\r\n").resume();
  await once(socket, "close");
  const text = await scrape();
  expect(samplesOf(text, "zonewright_http_requests_total")).toEqual([
    '{method="GET",endpoint="getDomain",status="401"} 1',
    '{method="GET",endpoint="listDomains",status="200"} 2',
    '{method="GET",endpoint="listRegions",status="200"} 1',
    '{method="GET",endpoint="none",status="200"} 1',
    '{method="GET",endpoint="none",status="404"} 1',
    '{method="HEAD",endpoint="listDomains",status="200"} 1',
    '{method="POST",endpoint="createDomain",status="200"} 1',
    '{method="POST",endpoint="createDomain",status="400"} 1',
    '{method="other",endpoint="none",status="400"} 1',
    '{method="other",endpoint="none",status="405"} 1',
  ]);
  expect(samplesOf(text, "zonewright_http_request_duration_seconds_count")).toEqual([
    '{group="Domains"} 6',
    '{group="Regions"} 1',
    '{group="none"} 4',
  ]);
});

test("latencies are in the classes up to their bounds", async () => {
  const { store } = await start();
  const metrics = new ServiceMetrics({ readers: "all", store, health: new Health(), onError: () => {} });
  const times = [1, 2, 2.5, 700, 60_000];
  for (const ms of times) metrics.requests.count({ kind: "unknown path" }, { method: "GET" }, 404, ms);
  const text = String((await metrics.reply()).body);
  const name = "zonewright_http_request_duration_seconds";
  const buckets = samplesOf(text, `${name}_bucket`).map((line) => /le="(.*)"\} (\d+)/.exec(line)?.slice(1).join(": "));
  expect(buckets.sort((a, b) => Number.parseFloat(a ?? "") - Number.parseFloat(b ?? "")).join(", ")).toBe(
    "+Inf: 5, 0.001: 1, 0.0025: 3, 0.005: 3, 0.01: 3, 0.025: 3, 0.05: 3, 0.1: 3, 0.25: 3, 0.5: 3, 1: 4, 2.5: 4, 5: 4, 10: 4, 30: 4",
  );
  expect(samplesOf(text, `${name}_sum`)).toEqual(['{group="none"} 60.7055']);
});

const run = promisify(execFile);

const page = readFileSync(resolve(import.meta.dirname, "../../docs/server/operate.md"), "utf8");
/** The metrics in the table of the page. */
const documented = [...page.matchAll(/^\| `(zonewright_\w+)` \|/gm)].map(([, name]) => name);

test.skipIf(isMissing("dig") || isMissing("promtool"))(
  "queries, responses and transfers are those of dig, and promtool finds no fault",
  async () => {
    const { call, scrape, dnsPort, token } = await serve({ dns: { port: 0 } });
    await call("POST", "/v4/domains", { ...master("example.com"), axfr_ips: ["127.0.0.1"] });
    await call("POST", "/v4/domains", master("closed.example"));
    await call("POST", "/v4/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
    const dig = async (words: string) =>
      (await run("dig", ["-r", "@127.0.0.1", "-p", String(dnsPort), "+time=20", "+tries=1", ...words.split(" ")]))
        .stdout;
    const serialOf = async () => (await dig("example.com SOA +short")).split(" ")[2];
    await dig("www.example.com A");
    await dig("www.example.com A +noedns");
    await dig("nothing.www.example.com A");
    await dig("www.example.com MX +tcp");
    await dig("example.org AAAA");
    await dig("www.example.com TYPE65400");
    await dig("www.example.com CHAOS TXT");
    await dig("example.com NS +edns=1 +noednsnegotiation");
    await dig("example.com DS");
    const serial = await serialOf();
    expect(await dig("example.com AXFR")).toContain("192.0.2.1");
    expect(await dig("closed.example AXFR")).toContain("Transfer failed");
    expect(await dig("example.org AXFR")).toContain("Transfer failed");
    await dig(`example.com IXFR=${serial}`);
    await call("POST", "/v4/domains/1/records", { type: "A", name: "later", target: "192.0.2.2" });
    await serialOf();
    expect(await dig(`example.com IXFR=${serial}`)).toContain("192.0.2.2");
    expect(await dig(`example.com IXFR=${serial} +notcp`)).toContain("192.0.2.2");
    const text = await scrape();
    expect(execFileSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" })).toBe("");
    expect([...text.matchAll(/^# TYPE (zonewright_\w+)/gm)].map(([, name]) => name)).toEqual(documented);
    expect(samplesOf(text, "zonewright_dns_queries_total")).toEqual([
      '{transport="tcp",type="AXFR"} 3',
      '{transport="tcp",type="IXFR"} 2',
      '{transport="tcp",type="MX"} 1',
      '{transport="udp",type="A"} 3',
      '{transport="udp",type="AAAA"} 1',
      '{transport="udp",type="DS"} 1',
      '{transport="udp",type="IXFR"} 1',
      '{transport="udp",type="NS"} 1',
      '{transport="udp",type="SOA"} 2',
      '{transport="udp",type="TXT"} 1',
      '{transport="udp",type="other"} 1',
    ]);
    expect(samplesOf(text, "zonewright_dns_responses_total")).toEqual([
      '{rcode="BADVERS"} 1',
      '{rcode="NOERROR"} 11',
      '{rcode="NOTAUTH"} 1',
      '{rcode="NXDOMAIN"} 1',
      '{rcode="REFUSED"} 3',
    ]);
    expect(samplesOf(text, "zonewright_dns_transfers_total")).toEqual([
      '{type="AXFR",outcome="refused"} 2',
      '{type="AXFR",outcome="whole"} 1',
      '{type="IXFR",outcome="changes"} 2',
      '{type="IXFR",outcome="current"} 1',
    ]);
    expect(samplesOf(text, "zonewright_dns_zones_in_memory")).toEqual(['{kind="domain"} 1', '{kind="reverse"} 0']);
    expect(samplesOf(text, "zonewright_dns_oldest_unserved_change_age_seconds")).toHaveLength(1);
    expect(text).not.toMatch(new RegExp(`${token}|example|closed|www|admin|192\\.0\\.2|127\\.0\\.0`));
  },
);

/** `readers` as `startService` chooses them, and the request: whether its reply is that of an unknown path. */
test.each<[Partial<ServiceOptions>, Record<string, string>, "metrics" | "unknown path"]>([
  [{}, {}, "metrics"],
  [{ host: "localhost" }, {}, "metrics"],
  [{ metrics: false }, {}, "unknown path"],
  [{}, { "X-Forwarded-For": "192.0.2.1" }, "unknown path"],
  [{}, { Forwarded: "for=192.0.2.1" }, "unknown path"],
  [{}, { Via: "1.1 proxy" }, "unknown path"],
  [{ proxies: [{ address: "127.0.0.1", prefix: 32 }] }, { "X-Forwarded-For": "127.0.0.1" }, "unknown path"],
  [{ proxies: [{ address: "127.0.0.1", prefix: 32 }] }, {}, "metrics"],
  [{ host: "0.0.0.0" }, {}, "unknown path"],
  [{ host: "0.0.0.0", hasConsole: true }, { Accept: "text/html" }, "unknown path"],
  [{ host: "0.0.0.0", metrics: true }, {}, "metrics"],
  [{ host: "0.0.0.0", metrics: true }, { "X-Forwarded-For": "192.0.2.1" }, "metrics"],
])("a service with %j and a request with %j: %s", async (options, headers, expected) => {
  const { url } = await serve(options);
  const ask = async (path: string, method = "GET") => {
    const reply = await fetch(url + path, { method, headers });
    return { status: reply.status, body: (await reply.text()).replaceAll(path, "PATH") };
  };
  for (const path of ["/metrics", "/%6detrics"]) {
    const { status, body } = await ask(path);
    if (expected === "metrics") expect([status, body.slice(0, 6)]).toEqual([200, "# HELP"]);
    else expect({ status, body }).toEqual(await ask("/unknown"));
  }
  const { status } = await ask("/metrics", "POST");
  expect(status).toBe(expected === "metrics" ? 405 : 404);
});

test("metrics need neither a token nor room under the rate limit, and no other origin reads them", async () => {
  const { url, scrape } = await serve({ rateLimit: { requests: 1, seconds: 60 } });
  for (let asked = 0; asked < 3; asked++) await scrape();
  const { headers } = await fetch(`${url}/metrics`, { headers: { Origin: "https://attacker.example" } });
  const { date: _, ...rest } = Object.fromEntries(headers);
  expect(rest).toEqual({
    "cache-control": "no-store",
    connection: "keep-alive",
    "content-length": expect.any(String),
    "content-type": "text/plain; version=0.0.4; charset=utf-8",
    "keep-alive": "timeout=75",
    "x-content-type-options": "nosniff",
  });
});

const failed = new StoreFailure("read", "no server is listening there", undefined);

test("problems are 1 while they last; without its database, a service still has metrics", async () => {
  const { store } = await start();
  const health = new Health();
  let isBroken = false;
  const broken: Store = {
    ...store,
    read: (...args) => (isBroken ? Promise.reject(failed) : store.read(...args)),
    octets: () => (isBroken ? Promise.reject(failed) : store.octets()),
  };
  const metrics = new ServiceMetrics({ readers: "all", store: broken, health, onError: () => {} });
  const problems = async () => {
    const text = String((await metrics.reply()).body);
    return {
      problems: samplesOf(text, "zonewright_health_problem").filter((line) => !line.endsWith(" 0")),
      sizes: samplesOf(text, "zonewright_store_size_bytes").length,
    };
  };
  const { sizes } = await problems();
  expect(await problems()).toEqual({ problems: [], sizes });
  health.set("disk-low", { message: "The disk of the database has 1 KiB left." });
  expect(await problems()).toEqual({ problems: ['{problem="disk-low"} 1'], sizes });
  isBroken = true;
  expect(await problems()).toEqual({
    problems: ['{problem="database-unreadable"} 1', '{problem="disk-low"} 1'],
    sizes: 0,
  });
});

test("requests for metrics that wait share a reading", async () => {
  const { store } = await start();
  let reads = 0;
  const counting: Store = {
    ...store,
    octets: () => {
      reads++;
      return store.octets();
    },
  };
  const metrics = new ServiceMetrics({ readers: "all", store: counting, health: new Health(), onError: () => {} });
  const bodies = await Promise.all(Array.from({ length: 50 }, async () => (await metrics.reply()).body));
  expect([new Set(bodies).size, reads]).toEqual([1, 1]);
  await metrics.reply();
  expect(reads).toBe(2);
});

test("the size of the store is that of its files, or what PostgreSQL says", async () => {
  const place = await emptyPlace();
  const store = await openStore(place);
  onTestFinished(() => store.close());
  if (!isPostgres()) {
    const expected = { database: statSync(place).size, log: statSync(`${place}-wal`).size };
    expect(await store.octets()).toEqual(expected);
    return;
  }
  const client = new pg.Client(place);
  await client.connect();
  const octets = async () => Number((await client.query("select pg_database_size(current_database()) as n")).rows[0].n);
  const [before, { database }, after] = [await octets(), await store.octets(), await octets()];
  await client.end();
  expect([before <= database, database <= after, before > 1_000_000]).toEqual([true, true, true]);
});

interface Change {
  /** In seconds. */
  readonly renderDelay?: number;
  readonly axfr_ips?: readonly string[];
  readonly isAllTransferred?: boolean;
  readonly isRendered?: boolean;
  /** A zone that cannot be loaded. */
  readonly failing?: string;
}

/** A change of example.com, and its age when some seconds have passed. */
test.each<[string, Change, seconds: number, age: number]>([
  ["waits for its render delay", { renderDelay: 60 }, 40, 40],
  ["is served at the next question", { renderDelay: 60 }, 61, 0],
  ["is served at once", {}, 40, 0],
  ["must be rendered for secondaries", { axfr_ips: ["192.0.2.1"] }, 40, 40],
  ["must be rendered for the operator's secondaries", { renderDelay: 60, isAllTransferred: true }, 80, 80],
  ["was rendered for secondaries", { axfr_ips: ["192.0.2.1"], isRendered: true }, 40, 0],
  ["is of a zone that cannot be loaded", { failing: "example.com" }, 40, 40],
  ["is of a zone beside one that cannot be loaded", { failing: "example.net" }, 40, 0],
])("a change that %s", async (_, change, seconds, age) => {
  const { renderDelay = 0, axfr_ips = [], isAllTransferred = false, isRendered = false, failing } = change;
  const { store, clock, clocks, call } = await start({ renderDelay });
  await call("POST", "/domains", { ...master("example.com"), axfr_ips });
  const settings = readServerSettings({ ...clocks, store, renderDelay });
  const stuck = new StuckZones(clocks.monotonic);
  if (failing) await stuck.watch(failing, () => Promise.reject(failed)).catch(() => {});
  const zones = new StoredZones(settings, clocks.clock, { isAllTransferred, stuck, waitForCurrent });
  if (isRendered) await zones.findTransferable(domainName("example.com."));
  clock.now = new Date(clock.now.getTime() + seconds * 1000);
  expect(await zones.ageOfOldestChange()).toBe(age * 1000);
});
