// @suite long

import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { dig } from "../dns/transfer/dig.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { startCluster } from "../server/cluster.ts";
import { startRoad } from "../server/road.ts";
import { hasOwnDisk, ownDisk } from "./own-disk.ts";
import { apiOf, Program } from "./process.ts";
import { apiDesk, Desk } from "./run.ts";

const env = { ZONEWRIGHT_SERVE_TOKEN: "secret-for-tests" };
const headers = { Authorization: "Bearer secret-for-tests" };

const post = async (url: string, body: object) =>
  (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
const domain = (name: string) => ({ domain: name, type: "master", soa_email: `hostmaster@${name}` });

interface Body {
  readonly status: string;
  readonly problems?: readonly { readonly id: string }[];
}

/** The statuses of both probes, the body of `readyz`, and the ids of the problems that both report. */
async function probe(url: string) {
  const ask = async (path: string) => {
    const reply = await fetch(`${url}/${path}`);
    const body = (await reply.json()) as Body;
    return { status: reply.status, body, ids: (body.problems ?? []).map(({ id }) => id).join(" ") };
  };
  const [live, ready] = [await ask("healthz"), await ask("readyz")];
  const problems = live.ids === ready.ids ? live.ids : `${live.ids}, then ${ready.ids}`;
  return { healthz: live.status, readyz: ready.status, problems, body: ready.body };
}

/** Asks again and again until the reply is as wanted. */
async function until<T>(ask: () => Promise<T>, isWanted: (reply: T) => boolean): Promise<T> {
  for (;;) {
    const reply = await ask();
    if (isWanted(reply)) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until both report these problems. */
const probeUntil = (url: string, wanted: string) =>
  until(
    () => probe(url),
    ({ problems }) => problems === wanted,
  );

test.skipIf(isMissing("postgres") || isMissing("dig"))(
  "is ready once the token is stored and names are answered",
  async () => {
    const cluster = await startCluster();
    onTestFinished(cluster.stop);
    const DATABASE_URL = cluster.url("postgres");
    const desk = new Desk();
    await desk.run("server user add ci --account ci", { env: { DATABASE_URL } });
    const client = new pg.Client(DATABASE_URL);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("begin; lock table tokens in exclusive mode"); // so that no token can be stored
    const [port, dnsPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const program = new Program(desk.folder, `serve --port ${port} --dns 127.0.0.1:${dnsPort}`, {
      ...env,
      DATABASE_URL,
    });
    const isListening = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await until(isListening, (is) => is);
    expect(await probe(url)).toEqual({
      healthz: 200,
      readyz: 503,
      problems: ", then starting",
      body: { status: "unavailable", problems: [{ id: "starting", message: "The server is starting." }] },
    });
    await client.query("rollback");
    expect(await probeUntil(url, "")).toMatchObject({ healthz: 200, readyz: 200, body: { status: "ok" } });
    expect(await post(`${url}/v4/domains`, domain("example.com"))).toBe(200);
    expect((await dig({ host: "127.0.0.1", port: dnsPort }, "example.com.", "SOA")).join("\n")).toContain(" SOA ");
    program.kill("SIGTERM");
    expect((await program.end()).code).toBe(0);
  },
);

test.skipIf(isMissing("postgres")).each([
  ["idle", 0],
  ["two requests are under way", 2],
])("ends on SIGTERM also while its database is silent: %s", async (_, count) => {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const road = await startRoad(cluster.url("postgres"));
  const serve = `serve --port 0 --dns 127.0.0.1:${await freePort()}`;
  const program = new Program(new Desk().folder, serve, { ...env, DATABASE_URL: road.url });
  const { url } = await apiOf(program);
  await program.says(/names are answered/);
  road.set("hangs");
  const writes = Array.from({ length: count }, (_, n) => post(`${url}/v4/domains`, domain(`zone${n}.example`)));
  const replies = Promise.allSettled(writes);
  program.kill("SIGTERM");
  expect((await program.end()).code).toBe(0);
  await replies;
});

test.skipIf(!hasOwnDisk)("a full disk is reported, and its end", async () => {
  const desk = await apiDesk({ "data/notes": "" });
  const program = new Program(desk.folder, "serve --port 0 --data data", env, ownDisk("data", "size=3m"));
  const { url } = await apiOf(program);
  expect(await probeUntil(url, "disk-low")).toMatchObject({ healthz: 200, readyz: 200 });
  const filler = join(`/proc/${program.pid}/root`, desk.folder, "data/filler");
  expect(() => {
    for (;;) appendFileSync(filler, Buffer.alloc(4096));
  }).toThrow("ENOSPC");
  await until(
    () => post(`${url}/v4/domains`, domain(`zone${Math.random()}.example`)),
    (status) => status === 503,
  );
  for (let n = 0; n < 5; n++) expect(await post(`${url}/v4/domains`, domain(`more${n}.example`))).toBe(503);
  expect(await probeUntil(url, "disk-low database-unwritable")).toMatchObject({
    healthz: 200,
    readyz: 503,
    body: {
      status: "unavailable",
      problems: [{}, { message: "The service cannot write to its database: the disk is full." }],
    },
  });
  rmSync(filler);
  expect(await probeUntil(url, "disk-low")).toMatchObject({ healthz: 200, readyz: 200 });
  expect(await post(`${url}/v4/domains`, domain("example.com"))).toBe(200);
  program.kill("SIGTERM");
  const { talk } = await program.end();
  expect(talk.split("\n").filter((line) => line.startsWith("health: database"))).toEqual([
    "health: database-unwritable: The service cannot write to its database: the disk is full.",
    "health: database-unwritable has ended",
  ]);
  expect(talk.split("\n").filter((line) => line.startsWith("The service"))).toEqual([
    "The service cannot write to its database: the disk is full",
  ]);
});

test("a dead slave is reported without its name, and changes no status", async () => {
  const program = new Program(
    new Desk().folder,
    "serve --port 0 --ephemeral --dns 127.0.0.1:0 --transfer-from 127.0.0.0/8",
    env,
  );
  const { url } = await apiOf(program);
  await program.says(/names are answered/);
  expect(await probe(url)).toMatchObject({ healthz: 200, readyz: 200, body: { status: "ok" } });
  // nothing listens there, on the port of every master
  const slave = { domain: "customer.example", type: "slave", master_ips: ["127.99.99.99"] };
  expect(await post(`${url}/v4/domains`, slave)).toBe(200);
  expect(await probeUntil(url, "slaves-dead")).toMatchObject({
    healthz: 200,
    readyz: 200,
    body: {
      status: "degraded",
      problems: [{ id: "slaves-dead", count: 1, message: "Slave zones that cannot be refreshed: 1." }],
    },
  });
  program.kill("SIGTERM");
  expect((await program.end()).talk).toContain(
    "cannot refresh the slave zone customer.example: 127.99.99.99: the server is unreachable (ECONNREFUSED); the zone " +
      "is answered with SERVFAIL. Check its address and port.\n",
  );
});

test.skipIf(isMissing("postgres"))("a database that stops is reported", async () => {
  const cluster = await startCluster();
  let isStopped = false;
  onTestFinished(() => (isStopped ? undefined : cluster.stop()));
  const own = { ...env, DATABASE_URL: cluster.url("postgres") };
  const program = new Program(new Desk().folder, "serve --port 0 --dns 127.0.0.1:0", own);
  const { url } = await apiOf(program);
  expect(await probe(url)).toMatchObject({ healthz: 200, readyz: 200, body: { status: "ok" } });
  isStopped = true;
  await cluster.stop();
  const { healthz, readyz, body } = await probeUntil(url, "database-unreadable");
  expect({ healthz, readyz }).toEqual({ healthz: 503, readyz: 503 });
  expect(JSON.stringify(body)).toContain(". The name server answers from the zones that it has loaded.");
});
