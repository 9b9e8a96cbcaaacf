import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { rcode } from "../../src/dns/transfer/codes.ts";
import { addFrame, Frames } from "../../src/dns/transfer/frames.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { findProgram } from "../judges.ts";
import { domainName } from "../names.ts";
import { attacks } from "./attacks.ts";
import { type Case, mebibytes, ms, type Numbers, type Ratio, ratio } from "./case.ts";
import { quantile } from "./median.ts";
import { program, programBefore } from "./programs.ts";
import { send, token } from "./serve.ts";

const child = fileURLToPath(new URL("./hostile-clients-child.ts", import.meta.url));
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
/** The attacks to measure: those whose names contain the text. */
const only = process.env.BENCH_ROW ?? "";
const host = "127.0.0.1";
const [serverCore, clientCore] = ["0", "1"];
/** Of the polite clients, in milliseconds: between an answer and the next question, and to an answer. */
const [pause, patience] = [5, 1000];
/** The address of a polite secondary, which is none of the attackers'. */
const secondary = "127.0.0.2";

/**
 * Polite clients of the name server and of the API while others attack one of the two over TCP, on another core: each
 * asks again after its answer, and TCP over a new connection; one is a secondary that transfers a zone of 1,000
 * records. Their rates beside those without the attack, and the time until SIGTERM ends the server while it is
 * attacked.
 */
export async function* attackServers(): AsyncGenerator<Case> {
  const chosen = Object.keys(attacks).filter((name) => name.includes(only));
  if (chosen.length === 0) return;
  if (findProgram("taskset") === undefined) {
    yield { name: "not measured", note: "install the Debian package util-linux" };
    return;
  }
  const builds = { ...(programBefore && { "the build before": programBefore }), zonewright: program };
  for (const [build, file] of Object.entries(builds)) {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
    const group = `attacks by connections, ${build}`;
    try {
      const first = await startServer(file, folder);
      await fill(first);
      const calm = await measure(first);
      yield { group, name: "no attack", numbers: { ...numbersOf(calm, first), ...(await stop(first)) } };
      for (const attack of chosen) {
        const server = await startServer(file, folder);
        await measure(server, 500); // loads the zones
        const nice = ["nice", "-n", "19", process.execPath, "--import", "tsx", child];
        const port = attacks[attack]?.isOnApi ? new URL(server.url).port : String(server.port);
        const generator = spawn("taskset", ["-c", clientCore, ...nice, port, attack], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        await once(generator.stdout, "data"); // all are connected
        await new Promise((resolve) => setTimeout(resolve, 500)); // until they fill all buffers
        const seen = await measure(server);
        const numbers = { ...numbersOf(seen, server), ...(await stop(server)) };
        generator.kill("SIGKILL");
        await once(generator, "close");
        const ratios = Object.entries(seen).map(([name, { rate }]): [string, Ratio] => [
          name,
          ratio(rate, calm[name]?.rate ?? 0, { to: "no attack", better: "higher", aim: 0.8 }),
        ]);
        yield { group, name: attack, numbers, ratios: Object.fromEntries(ratios) };
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

interface Server {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
}

/** Starts a build on a folder of data. */
async function startServer(file: string, data: string): Promise<Server> {
  const port = await freePort();
  const options = ["--data", data, "--port", "0", "--dns", `${host}:${port}`, "--token", token];
  const child = spawn("taskset", ["-c", serverCore, "node", file, "serve", "--no-console", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const url = /http:\/\/[^\s/]+/.exec(text)?.[0];
  if (url === undefined) throw new Error(`the server does not start: ${text}`);
  return { url, port, process: child };
}

/** Ends a server by SIGTERM, or by SIGKILL after a minute. */
async function stop({ process }: Server): Promise<Numbers> {
  const began = performance.now();
  process.kill("SIGTERM");
  const late = setTimeout(() => process.kill("SIGKILL"), 60_000);
  await once(process, "close");
  clearTimeout(late);
  return { SIGTERM: ms(performance.now() - began) };
}

/**
 * Creates a zone of 100 records, one of 11,000 that the first attacker may transfer, and one of 1,000 that the polite
 * secondary may transfer.
 */
async function fill({ url }: Server): Promise<void> {
  const pool = new Pool(url, { connections: 16 });
  const post = (path: string, body: object) =>
    send(pool, { method: "POST", path: `/v4/domains${path}`, body: () => body });
  await post("", { domain: "small.example", type: "master", soa_email: "a@b.example" });
  await post("", { domain: "large.example", type: "master", soa_email: "a@b.example", axfr_ips: ["127.0.0.10"] });
  await post("", { domain: "medium.example", type: "master", soa_email: "a@b.example", axfr_ips: [secondary] });
  for (const [domain, count] of [
    [1, 100],
    [2, 11_000],
    [3, 1000],
  ])
    for (let n = 0; n < (count ?? 0); n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, step) =>
          post(`/${domain}/records`, { type: "A", name: `h${n + step}`, target: "192.0.2.1" }),
        ),
      );
  await pool.destroy();
}

/** The times until a polite client had an answer or gave up, in milliseconds, and its answers a second. */
interface Seen {
  readonly times: readonly number[];
  readonly rate: number;
}

async function measure({ url, port }: Server, milliseconds = seconds * 1000): Promise<Record<string, Seen>> {
  const pools = [new Pool(url, { connections: 1 }), new Pool(url, { connections: 1 })] as const;
  const get = (pool: Pool, path: string) => () => send(pool, { method: "GET", path });
  const socket = createSocket("udp4");
  socket.connect(port, host);
  await once(socket, "connect");
  const until = performance.now() + milliseconds;
  const askOften = async (ask: () => Promise<unknown>) => {
    const times: number[] = [];
    let answers = 0;
    const start = performance.now();
    while (performance.now() < until) {
      const begin = performance.now();
      if (await inTime(ask())) answers++;
      times.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return { times, rate: (answers * 1000) / (performance.now() - start) };
  };
  const [UDP, TCP, AXFR, reads, health] = await Promise.all([
    askOften(() => askByDatagram(socket)),
    askOften(() => askByConnection(port)),
    askOften(() => transfer(port)),
    askOften(get(pools[0], "/v4/domains/1/records/50")),
    askOften(get(pools[1], "/healthz")),
  ]);
  socket.close();
  await Promise.all(pools.map((pool) => pool.destroy()));
  return { UDP, TCP, AXFR, "API reads": reads, "/healthz": health };
}

/** Whether something succeeds before patience ends. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  const isInTime = await Promise.race([done, late]);
  clearTimeout(timer);
  return isInTime;
}

const query = (id: number) =>
  writeMessage({ id, questions: [{ name: domainName("h50.small.example."), type: "A", class: 1 }] });
let asked = 0;

async function askByDatagram(socket: ReturnType<typeof createSocket>): Promise<void> {
  const id = asked++ % 65536;
  socket.send(query(id));
  for (;;) {
    const [octets] = (await once(socket, "message")) as [Buffer];
    if (octets.readUInt16BE(0) === id) return;
  }
}

async function askByConnection(port: number): Promise<void> {
  const socket = connect({ host, port });
  try {
    socket.write(addFrame(query(1)));
    await Promise.race([once(socket, "data"), once(socket, "close").then(() => Promise.reject(new Error("hung up")))]);
  } finally {
    socket.destroy();
  }
}

const axfr = addFrame(writeMessage({ questions: [{ name: domainName("medium.example."), type: "AXFR", class: 1 }] }));
/** Of a whole transfer: those of the zone, and the SOA record twice. */
const fewestRecords = 1002;

/** Transfers the zone of 1,000 records. @throws if it is refused, or incomplete */
async function transfer(port: number): Promise<void> {
  const socket = connect({ host, port, localAddress: secondary });
  const frames = new Frames();
  let records = 0;
  try {
    socket.write(axfr);
    for await (const chunk of socket) {
      for (const message of frames.take(chunk)) {
        if ((message.readUInt16BE(2) & 15) !== rcode.NOERROR) throw new Error("refused");
        records += message.readUInt16BE(6);
      }
      if (records >= fewestRecords) return;
    }
    throw new Error("hung up");
  } finally {
    socket.destroy();
  }
}

function numbersOf(seen: Record<string, Seen>, { process }: Server): Numbers {
  const p99s = Object.entries(seen).map(([name, { times }]) => [`${name} p99`, ms(quantile(times, 0.99))]);
  return { ...Object.fromEntries(p99s), memory: mebibytes(residentOctets(process.pid ?? 0)) };
}

function residentOctets(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}
