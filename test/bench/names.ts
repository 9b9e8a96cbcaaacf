import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { askSoa } from "../../src/dns-client/ask.ts";
import { freePort, startNameServer } from "../dns/transfer/nameservers.ts";
import { findProgram } from "../judges.ts";
import { domainName } from "../names.ts";
import { type Case, count, ms, type Numbers, perSecond, ratio } from "./case.ts";
import { median } from "./median.ts";
import { program, programBefore } from "./programs.ts";

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const host = "127.0.0.1";
const token = "token-of-the-bench";
const [serverCore, clientCore] = [0, 1];
/** The names of each zone. */
const zones: Record<string, number> = { "few.example": 1000, "large.example": 11_000 };
for (let index = 0; index < 10; index++) zones[`many${index}.example`] = 10_000;
const change = { zone: "large.example", rounds: 9, questions: 1000 };

interface Server {
  readonly port: number;
  readonly pid: number;
  /** The API of a zonewright. */
  readonly api?: string;
  stop(): Promise<unknown>;
}

/**
 * Answers a second over UDP and TCP of this program, of the one in BENCH_BEFORE, of Knot and of NSD, one after another
 * on one core, asked by dnsperf on another core: by the clock, and by the processor time of the server, which others on
 * the machine disturb less. Then the first answers after a change of a zone of 11,000 records
 * (decisions/performance#the-name-server).
 */
export async function* run(): AsyncGenerator<Case> {
  const missing = Object.entries({
    dnsperf: "dnsperf",
    knotd: "knot",
    nsd: "nsd",
    taskset: "util-linux",
    ss: "iproute2",
  })
    .filter(([name]) => findProgram(name) === undefined)
    .map(([, name]) => name);
  if (missing.length > 0) {
    yield { name: "not measured", note: `install the Debian packages ${missing.join(" ")}` };
    return;
  }
  if (!existsSync(program)) throw new Error("build first: npm run build");
  pin(process.pid, clientCore);
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const open: Server[] = [];
  const started = async (starting: Promise<Server>) => {
    const server = await starting;
    open.push(server);
    return server;
  };
  try {
    const few = writeQuestions(folder, /^few/);
    const questions: Record<string, Questions> = {
      "1,000 names": { file: few, transport: "udp" },
      "100,000 names": { file: writeQuestions(folder, /^many/), transport: "udp" },
      "1,000 names over TCP": { file: few, transport: "tcp" },
    };
    const knot = await started(startPeer("knot"));
    const nsd = await started(startPeer("nsd"));
    const ours: Record<string, Server> = {};
    if (programBefore !== undefined)
      ours["the build before"] = await started(startOurs(programBefore, join(folder, "0"), knot.port));
    ours.zonewright = await started(startOurs(program, join(folder, "1"), knot.port));
    for (const [group, asked] of Object.entries(questions)) {
      const changed = asked.file === few ? "few.example" : "many3.example";
      const peers: Record<string, Speed> = {};
      for (const [name, server] of Object.entries({ Knot: knot, NSD: nsd, ...ours })) {
        for (const zone of Object.keys(zones))
          await askSoa({ host, port: server.port }, domainName(`${zone}.`), { bounds: { attempts: 100 } });
        const warm = await load(server, asked);
        yield caseOf(group, name, warm, peers);
        if (server.api === undefined || name !== "zonewright") peers[name] = warm;
        if (server.api === undefined) continue;
        const changing = await whileChanging(server, changed, () => load(server, asked));
        yield caseOf(group, `${name}, with 10 changes a second`, changing, {});
      }
    }
    const group = `${change.questions} questions at once after a change of a zone of ${zones[change.zone]} records`;
    for (const [name, server] of Object.entries(ours)) yield { group, name, numbers: await afterChange(server) };
  } finally {
    await Promise.all(open.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ratios compare the processor time, which is less disturbed by others on the machine. */
function caseOf(group: string, name: string, speed: Speed, others: Readonly<Record<string, Speed>>): Case {
  const { answers, answersOfCpu, lost } = speed;
  const ratios = Object.entries(others).map(([to, other]) => [
    `CPU, ${to}`,
    ratio(answersOfCpu, other.answersOfCpu, { to, better: "higher" }),
  ]);
  const numbers = {
    answers: perSecond(answers),
    "answers of CPU": perSecond(answersOfCpu),
    lost: count(lost, "questions"),
  };
  return { group, name, numbers, ratios: name === "zonewright" ? Object.fromEntries(ratios) : {} };
}

function pin(pid: number, core: number): void {
  execFileSync("taskset", ["-a", "-c", "-p", String(core), String(pid)], { stdio: "ignore" });
}

function zoneFile(name: string): string {
  const records = Array.from({ length: zones[name] ?? 0 }, (_, index) => `h${index} 300 IN A 192.0.2.${index % 250}`);
  return `$ORIGIN ${name}.\n@ 300 IN SOA ns1.example.net. h 1 14400 3600 1209600 300\n@ 300 IN NS ns1.example.net.\n@ 300 IN NS ns2.example.net.\n${records.join("\n")}\n`;
}

/** The names of these zones in an order that repeats none soon. */
function writeQuestions(folder: string, wanted: RegExp): string {
  const names = Object.entries(zones)
    .filter(([name]) => wanted.test(name))
    .flatMap(([name, count]) => Array.from({ length: count }, (_, index) => `h${index}.${name} A`));
  const step = 7919; // a prime that divides no number of names
  const lines = names.map((_, index) => names[(index * step) % names.length]);
  const file = join(folder, `${names.length}.txt`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

async function startPeer(program: "knot" | "nsd"): Promise<Server> {
  const files = Object.fromEntries(Object.keys(zones).map((name) => [`${name}.`, zoneFile(name)]));
  const server = await startNameServer(program, { zones: files });
  const pid = Number(
    execFileSync("sh", ["-c", `ss -Hlunp sport = :${server.port} | grep -o 'pid=[0-9]*' | head -1`])
      .toString()
      .slice(4),
  );
  for (const id of processesOf(pid)) pin(id, serverCore);
  return { ...server, pid };
}

/** Starts a build of zonewright and imports the zones from a name server. */
async function startOurs(file: string, data: string, from: number): Promise<Server> {
  const port = await freePort();
  const options = [
    "--data",
    data,
    "--port",
    "0",
    "--dns",
    `${host}:${port}`,
    "--token",
    token,
    "--transfer-from",
    "127.0.0.0/8",
  ];
  const process = spawn("taskset", ["-c", String(serverCore), "node", file, "serve", "--no-console", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const api = await firstLine(process);
  const server = { port, pid: process.pid ?? 0, api, stop: () => stop(process) };
  for (const domain of Object.keys(zones))
    await call(server, "/v4/domains/import", { domain, remote_nameserver: `${host}:${from}` });
  return server;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of stdout ?? []) {
    text += chunk;
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error("the server has ended");
}

async function stop(process: ChildProcess): Promise<void> {
  process.kill("SIGKILL");
  await once(process, "close");
}

async function call({ api }: Server, path: string, body: object): Promise<{ id: number }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const reply = await request(`${api}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`POST ${path}: ${reply.statusCode} ${text}`);
  return JSON.parse(text);
}

interface Speed {
  readonly answers: number;
  /** Answers for each second of the server's processor time. */
  readonly answersOfCpu: number;
  readonly lost: number;
}

interface Questions {
  readonly file: string;
  readonly transport: "udp" | "tcp";
}

/** Over TCP from eight connections. */
async function load({ port, pid }: Server, { file, transport }: Questions): Promise<Speed> {
  const clients = transport === "tcp" ? ["-m", "tcp", "-c", "8"] : [];
  const args = ["-s", host, "-p", String(port), "-d", file, "-l", String(seconds), "-q", "200", ...clients];
  const before = processorTime(pid);
  const { stdout } = await promisify(execFile)("taskset", ["-c", String(clientCore), "dnsperf", ...args]);
  const used = processorTime(pid) - before;
  const read = (label: string) => Number(new RegExp(`${label}: +([0-9.]+)`).exec(stdout)?.[1]);
  return { answers: read("per second"), answersOfCpu: read("Queries completed") / used, lost: read("Queries lost") };
}

/** A process and its children. */
function processesOf(pid: number): number[] {
  const children = execFileSync("sh", ["-c", `pgrep -P ${pid} || true`])
    .toString()
    .split("\n")
    .filter(Boolean);
  return [pid, ...children.map(Number)];
}

/** Seconds of processor time of a process and its children; the kernel counts in hundredths. */
function processorTime(pid: number): number {
  const ticks = processesOf(pid).map((id) => {
    const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, count) => sum + count, 0) / 100;
}

let changes = 0;

async function makeChange(server: Server, zone: string): Promise<string> {
  const id = 1 + Object.keys(zones).indexOf(zone);
  const name = `new${changes++}`;
  await call(server, `/v4/domains/${id}/records`, { type: "A", name, target: "192.0.2.1" });
  return `${name}.${zone}.`;
}

async function whileChanging<T>(server: Server, zone: string, work: () => Promise<T>): Promise<T> {
  let open = Promise.resolve();
  const timer = setInterval(() => {
    open = open.then(async () => void (await makeChange(server, zone)));
  }, 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await open;
  }
}

/** Milliseconds from the reply to a change to the first and the last of many answers about it. */
async function afterChange(server: Server): Promise<Numbers> {
  const firsts: number[] = [];
  const lasts: number[] = [];
  let [lost, stale] = [0, 0];
  for (let round = 0; round < change.rounds; round++) {
    const socket = createSocket({ type: "udp4", recvBufferSize: 2 ** 22 });
    socket.connect(server.port, host);
    await once(socket, "connect");
    const name = domainName(await makeChange(server, change.zone));
    const begin = performance.now();
    const message = writeMessage({ questions: [{ name, type: "A", class: 1 }] });
    let count = 0;
    let [first, last] = [0, 0];
    const all = new Promise<void>((resolve) => {
      setTimeout(resolve, 3000).unref();
      socket.on("message", (octets) => {
        last = performance.now() - begin;
        if (count++ === 0) first = last;
        if (readMessage(octets).answers.length === 0) stale++;
        if (count === change.questions) resolve();
      });
    });
    for (let sent = 0; sent < change.questions; sent++) socket.send(message);
    await all;
    socket.close();
    firsts.push(first);
    lasts.push(last);
    lost += change.questions - count;
  }
  return {
    first: ms(median(firsts)),
    last: ms(median(lasts)),
    "worst first": ms(Math.max(...firsts)),
    lost: count(lost, "questions"),
    "without the change": count(stale, "answers"),
  };
}
