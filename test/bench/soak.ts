import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { dnsClass } from "../../src/dns/transfer/codes.ts";
import { ask } from "../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { transferZone } from "../../src/dns-client/transfer-zone.ts";
import { domainName } from "../names.ts";
import { type Case, count, mebibytes, ms, perSecond, ratio } from "./case.ts";
import { median, quantile } from "./median.ts";

const child = fileURLToPath(new URL("./soak-child.ts", import.meta.url));
const token = "token-of-the-soak";
const zone = domainName("soak.example.");
/** Records of the zone, which writes replace one by one: its size is the same at the end. */
const size = 500;

type Kind = "read" | "write" | "transfer" | "question";
/** Concurrent senders of each kind; each sends its next request after the answer. */
const senders: Readonly<Record<Kind, number>> = { read: 4, write: 2, transfer: 1, question: 4 };

/** Memory after a forced collection: live objects and their buffers, and the whole process. */
interface Memory {
  readonly live: number;
  readonly rss: number;
}

export interface Soak {
  /** Milliseconds of each request, by thirds of the time. */
  readonly times: Readonly<Record<Kind, readonly number[]>>[];
  /** After each third. */
  readonly memory: readonly Memory[];
}

/**
 * Mixed reads, writes, transfers and questions against one server: latency in the last third against the first, and
 * memory at the end against that after the first third, when caches are full. 60 seconds by default
 * (decisions/performance#long-load).
 */
export async function* run(seconds = 60): AsyncGenerator<Case> {
  const { times, memory } = await soak(seconds);
  const [first, , last] = times;
  for (const kind of Object.keys(senders) as Kind[]) {
    const [start = [], end = []] = [first?.[kind], last?.[kind]];
    yield {
      name: `${kind}s`,
      numbers: {
        rate: perSecond(times.reduce((sum, third) => sum + third[kind].length, 0) / seconds),
        p50: ms(median(end)),
        p99: ms(quantile(end, 0.99)),
      },
      ratios: {
        p50: ratio(median(end), median(start), { to: "the first third", better: "lower" }),
        p99: ratio(quantile(end, 0.99), quantile(start, 0.99), { to: "the first third", better: "lower" }),
      },
    };
  }
  const [early, , late] = memory;
  if (!early || !late) throw new Error("the memory was not measured");
  yield {
    name: "memory",
    numbers: { live: mebibytes(late.live), process: mebibytes(late.rss) },
    ratios: { live: ratio(late.live, early.live, { to: "after the first third", better: "lower" }) },
    note: isFlat(early, late) ? "flat" : "it grows",
  };
  yield { name: "errors", numbers: { errors: count(0, "errors") }, note: "the first one ends the run" };
}

/**
 * Whether live memory stays the same while twice as many requests follow as came before. A leak grows with the
 * requests, so it would double what the first third left; caches that are not yet full add a few percent.
 */
export function isFlat(early: Pick<Memory, "live">, late: Pick<Memory, "live">): boolean {
  return late.live <= early.live * 1.15 + 4 * 2 ** 20;
}

/**
 * @param pause milliseconds between an answer and the next request of the same sender, to leave processors to others
 * @throws {Error} at the first request that fails or is answered wrongly
 */
export async function soak(seconds: number, pause = 0): Promise<Soak> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const server = fork(child, [join(folder, "zonewright.db"), token], { execArgv: ["--expose-gc", "--import", "tsx"] });
  const [{ url, port }] = (await once(server, "message")) as [{ url: string; port: number }];
  const pool = new Pool(url, { connections: 8 });
  try {
    const senderOf = await prepare(pool, { host: "127.0.0.1", port });
    const times: Record<Kind, number[]>[] = [];
    const memory: Memory[] = [];
    for (let third = 0; third < 3; third++) {
      const measured: Record<Kind, number[]> = { read: [], write: [], transfer: [], question: [] };
      times.push(measured);
      const until = performance.now() + (seconds * 1000) / 3;
      const kinds = (Object.keys(senders) as Kind[]).flatMap((kind) =>
        Array.from({ length: senders[kind] }, () => kind),
      );
      await Promise.all(
        kinds.map(async (kind, sender) => {
          while (performance.now() < until) {
            const started = performance.now();
            await senderOf[kind](sender);
            measured[kind].push(performance.now() - started);
            if (pause > 0) await setTimeout(pause);
          }
        }),
      );
      memory.push(await memoryOf(server));
    }
    return { times, memory };
  } finally {
    await pool.destroy();
    server.kill("SIGKILL");
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function memoryOf(server: ChildProcess): Promise<Memory> {
  server.send("memory");
  const [memory] = (await once(server, "message")) as [Memory];
  return memory;
}

/** Fills the zone, and returns how each kind of sender sends its next request. */
async function prepare(
  pool: Pool,
  address: ServerAddress,
): Promise<Readonly<Record<Kind, (sender: number) => Promise<void>>>> {
  const call = async (method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const reply = await pool.request({ method, path: `/v4${path}`, headers, body: body ? JSON.stringify(body) : null });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
    return JSON.parse(text);
  };
  const domain = { domain: zone.slice(0, -1), type: "master", soa_email: "ops@example.net", axfr_ips: ["127.0.0.1"] };
  const { id } = await call("POST", "/domains", domain);
  const create = async (n: number) => {
    const record = { type: "A", name: `h${n}`, target: `192.0.2.${n % 256}` };
    return (await call("POST", `/domains/${id}/records`, record)).id as number;
  };
  const ids: number[] = [];
  for (let n = 0; n < size; n++) ids.push(await create(n));
  let [read, asked, next] = [0, 0, size];
  return {
    async read() {
      const n = read++;
      if (n % 10 === 0) await call("GET", `/domains/${id}/records?page_size=25&page=${1 + (n % 20)}`);
      else await call("GET", `/domains/${id}`);
    },
    // The first half of the records stays for questions; a write replaces one of the others.
    async write(sender) {
      const slot = size / 2 + ((next++ * 7 + sender) % (size / 2));
      const old = ids[slot];
      ids[slot] = -1;
      if (old === undefined || old < 0) return; // another sender replaces it
      await call("DELETE", `/domains/${id}/records/${old}`);
      ids[slot] = await create(slot);
    },
    async transfer() {
      const { records } = await transferZone({ zone, server: address });
      if (records.length < size - senders.write) throw new Error(`a transfer has ${records.length} records`);
    },
    async question() {
      const name = domainName(`h${asked++ % (size / 2)}.soak.example.`);
      const { rcode, answers } = await ask(address, { question: { name, type: "A", class: dnsClass.in } });
      if (rcode !== 0 || answers.length !== 1) throw new Error(`${name}: rcode ${rcode}, ${answers.length} answers`);
    },
  };
}
