import { type ChildProcess, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { request } from "undici";
import { rcode } from "../../src/dns/transfer/codes.ts";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { insertRecordRows } from "../../src/server/areas/zones/records-rows.ts";
import { openStore } from "../../src/server/store/store.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { findPostgres } from "../judges.ts";
import { domainName } from "../names.ts";
import { startCluster } from "../server/cluster.ts";
import { type Case, count, ms, type Numbers } from "./case.ts";
import { quantile } from "./median.ts";
import { program, programBefore } from "./programs.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 100);
/** Processes that compete for the processor. */
const load = Number(process.env.BENCH_LOAD ?? 20);
/** The databases to measure: those whose names contain the text. */
const only = process.env.BENCH_DATABASE ?? "";
const host = "127.0.0.1";
const token = "token-of-the-bench";
/** The zones and their records. */
const zones: Readonly<Record<string, number>> = { "small.example": 100, "large.example": 11_000 };
/**
 * Time for which every server is asked after each change, and at most if it still gives old answers, and the pause
 * between two questions.
 */
const asking = { forMs: 400, atMostMs: 5000, everyMs: 10 };
/** A question without an answer after this time is lost. */
const lostAfterMs = 6000;

interface Server {
  readonly api: string;
  ask(name: string): Promise<Answer>;
  stop(): Promise<unknown>;
}

interface Answer {
  /** The address of the A record; undefined for a name without one. */
  readonly address: string | undefined;
  readonly kind: "answer" | "SERVFAIL" | "lost";
  /** Moment of the question, and milliseconds until the answer. */
  readonly asked: number;
  readonly took: number;
}

/**
 * Answers after changes, from all servers of one database while other processes compete for the processor. A change
 * goes to one of them, at random, and every server is asked about it from the reply on. An answer without the change is
 * old; its age is the time from the reply to the question.
 */
export async function* run(): AsyncGenerator<Case> {
  if (!existsSync(program)) throw new Error("build first: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const cluster = findPostgres() === undefined ? undefined : await startCluster();
  const builds = { ...(programBefore !== undefined && { "the build before": programBefore }), zonewright: program };
  const groups = [
    { group: "SQLite, one server", servers: 1, placeOf: (build: string) => join(folder, `1 ${build}`) },
    { group: "SQLite, two servers", servers: 2, placeOf: (build: string) => join(folder, `2 ${build}`) },
    ...(cluster ? [{ group: "PostgreSQL, three servers", servers: 3, placeOf: () => cluster.url("stale") }] : []),
  ];
  try {
    for (const { group, servers, placeOf } of groups.filter(({ group }) => group.includes(only)))
      for (const [name, file] of Object.entries(builds)) {
        if (cluster) await renewDatabase(cluster.url("postgres"));
        yield {
          group: `${group}, with ${load} busy processes`,
          name,
          numbers: await measure(file, placeOf(name), servers),
        };
      }
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function renewDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("drop database if exists stale with (force)");
  await client.query("create database stale");
  await client.end();
}

async function measure(file: string, place: string, count: number): Promise<Numbers> {
  const servers: Server[] = [];
  const busy: ChildProcess[] = [];
  try {
    for (let index = 0; index < count; index++) servers.push(await startServer(file, place));
    const ids = await fill(servers[0] as Server, place);
    for (const zone of Object.keys(zones)) await Promise.all(servers.map(({ ask }) => ask(`h0.${zone}`)));
    for (let index = 0; index < load; index++) busy.push(spawn("node", ["-e", "for (;;);"]));
    return await change(servers, ids);
  } finally {
    await Promise.all([...busy, ...servers].map((one) => ("stop" in one ? one.stop() : end(one))));
  }
}

/** Stored without the API: 11,000 creates would take longer than all that is measured. */
async function fill(server: Server, place: string): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const [domain, records] of Object.entries(zones)) {
    const { id } = await call(server, "POST", "/domains", { domain, type: "master", soa_email: `h@${domain}` });
    ids.set(domain, id);
    const store = await openStore(place.includes(":") ? place : join(place, "zonewright.db"));
    const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
    const row = (name: string) => ({ domain_id: id, name, name_key: name, type: "A", target: "192.0.2.1", ...rest });
    const rows = Array.from({ length: records }, (_, index) => ({ ...row(`h${index}`), created: "", updated: "" }));
    await store.write((db) => insertRecordRows(db, rows));
    await store.close();
  }
  return ids;
}

async function change(servers: readonly Server[], ids: ReadonlyMap<string, number>): Promise<Numbers> {
  const random = randomFrom(1);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const made: { zone: string; name: string; id: number }[] = [];
  const old = { here: 0, elsewhere: 0, age: 0 };
  const took: number[] = [];
  let [failed, lost] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const server = pick(servers);
    const known = made.length > 0 && random() < 0.5 ? pick(made) : undefined;
    const zone = known?.zone ?? pick([...ids.keys()]);
    const path = `/domains/${ids.get(zone)}/records`;
    const name = known?.name ?? `n${round}`;
    const target = `192.0.2.${round % 250}`;
    const isGone = known !== undefined && random() < 0.5;
    if (known === undefined)
      made.push({ zone, name, id: (await call(server, "POST", path, { type: "A", name, target })).id });
    else if (isGone) {
      await call(server, "DELETE", `${path}/${known.id}`);
      made.splice(made.indexOf(known), 1);
    } else await call(server, "PUT", `${path}/${known.id}`, { target });
    const replied = performance.now();
    const wanted = isGone ? undefined : target;
    const answers = await Promise.all(servers.map((one) => askOften(one, `${name}.${zone}`, wanted)));
    for (const [index, all] of answers.entries()) {
      for (const { kind, address, asked, took: ms } of all) {
        if (kind === "answer") took.push(ms);
        if (kind === "SERVFAIL") failed++;
        else if (kind === "lost") lost++;
        else if (address !== wanted) {
          if (servers[index] === server) old.here++;
          else old.elsewhere++;
          old.age = Math.max(old.age, asked - replied);
        }
      }
    }
  }
  return {
    answers: count(took.length, "answers"),
    "old where changed": count(old.here, "answers"),
    "old elsewhere": count(old.elsewhere, "answers"),
    "oldest of these": ms(old.age),
    SERVFAIL: count(failed, "answers"),
    lost: count(lost, "questions"),
    "99 % within": ms(quantile(took, 0.99)),
    slowest: ms(Math.max(0, ...took)),
  };
}

async function askOften({ ask }: Server, name: string, wanted: string | undefined): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const begin = performance.now();
  let isCurrent = false;
  for (let passed = 0; passed < asking.forMs || (!isCurrent && passed < asking.atMostMs); ) {
    const answer = ask(name);
    answers.push(answer);
    void answer.then(({ kind, address }) => {
      isCurrent = kind === "answer" && address === wanted;
    });
    await new Promise((resolve) => setTimeout(resolve, asking.everyMs));
    passed = performance.now() - begin;
  }
  return Promise.all(answers);
}

/** Numbers from 0 to 1, the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function startServer(file: string, place: string): Promise<Server> {
  const port = await freePort();
  const isUrl = place.includes(":");
  const options = ["--port", "0", "--dns", `${host}:${port}`, "--token", token, ...(isUrl ? [] : ["--data", place])];
  const child = spawn("node", [file, "serve", "--no-console", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...(isUrl && { DATABASE_URL: place }) },
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const socket = createSocket("udp4");
  socket.connect(port, host);
  await once(socket, "connect");
  return {
    api: text.trim(),
    ask: asker(socket),
    stop: async () => {
      socket.close();
      await end(child);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

function asker(socket: Socket): Server["ask"] {
  const waiting = new Map<number, (octets: Buffer | undefined) => void>();
  socket.on("message", (octets) => waiting.get(octets.readUInt16BE(0))?.(octets));
  let next = 0;
  return async (name) => {
    const id = next++ % 2 ** 16;
    const asked = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const reply = await new Promise<Buffer | undefined>((resolve) => {
      waiting.set(id, resolve);
      timer = setTimeout(() => resolve(undefined), lostAfterMs);
      socket.send(writeMessage({ id, questions: [{ name: domainName(`${name}.`), type: "A", class: 1 }] }));
    });
    clearTimeout(timer);
    waiting.delete(id);
    const took = performance.now() - asked;
    if (reply === undefined) return { address: undefined, kind: "lost", asked, took };
    const { rcode: code, answers } = readMessage(reply);
    const [data] = answers.map(({ data }) => data as { address?: string });
    return { address: data?.address, kind: code === rcode.SERVFAIL ? "SERVFAIL" : "answer", asked, took };
  };
}

async function call({ api }: Server, method: "POST" | "PUT" | "DELETE", path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const reply = await request(`${api}/v4${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
  return JSON.parse(text) as { id: number };
}
