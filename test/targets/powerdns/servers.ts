import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import { freePort } from "../../dns/transfer/nameservers.ts";

/** A PowerDNS with its API. */
export interface PowerDnsServer {
  /** The port of name service, which allows transfers. */
  readonly port: number;
  readonly apiPort: number;
  readonly url: string;
  /** A request to the API as another client makes it. @throws for an error */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The file of its SQLite database. */
  readonly database: string;
  /** Everything that the server has printed. */
  log(): string;
  stop(): Promise<void>;
}

export const apiKey = "a-key-of-the-api-of-tests";

/** Starts a PowerDNS without zones, with further settings. */
export async function startPowerDns(settings: Readonly<Record<string, string>> = {}): Promise<PowerDnsServer> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-powerdns-"));
  const [port, apiPort] = [await freePort(), await freePort()];
  const file = join(folder, "pdns.sqlite3");
  const database = new Database(file);
  database.exec(readFileSync("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql", "utf8"));
  database.close();
  const all = {
    launch: "gsqlite3",
    "gsqlite3-database": file,
    "gsqlite3-dnssec": "yes",
    "gsqlite3-pragma-synchronous": "0",
    "local-address": "127.0.0.1",
    "local-port": String(port),
    "socket-dir": folder,
    "allow-axfr-ips": "127.0.0.1",
    api: "yes",
    "api-key": apiKey,
    webserver: "yes",
    "webserver-address": "127.0.0.1",
    "webserver-port": String(apiPort),
    "webserver-allow-from": "127.0.0.1",
    "security-poll-suffix": "",
    "dname-processing": "yes",
    "zone-cache-refresh-interval": "0",
    "cache-ttl": "0",
    "query-cache-ttl": "0",
    "negquery-cache-ttl": "0",
    ...settings,
  };
  writeFileSync(
    join(folder, "pdns.conf"),
    Object.entries(all)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const child: ChildProcess = spawn("pdns_server", [`--config-dir=${folder}`, "--daemon=no", "--guardian=no"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => log.push(String(chunk)));
  const closed = once(child, "close");
  const url = `http://127.0.0.1:${apiPort}`;
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await fetch(`${url}/api/v1/servers/localhost${path}`, {
      method,
      headers: { "X-API-Key": apiKey, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  for (let asked = 0; ; asked++) {
    const isReady = await call("GET", "").then(
      () => true,
      () => false,
    );
    if (isReady) break;
    if (child.exitCode !== null || asked > 1000) throw new Error(`PowerDNS does not start\n${log.join("")}`);
    await wait(10);
  }
  const stop = async () => {
    child.kill("SIGKILL");
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, apiPort, url, call, database: file, log: () => log.join(""), stop };
}

/** The zones of PowerDNS in two forms: as they are, and signed by `signZone` once they exist. */
export const configurations = ["plain", "signed"] as const;
export type Configuration = (typeof configurations)[number];

/** Has PowerDNS sign a zone, from then on at each answer. */
export async function signZone(server: PowerDnsServer, zone: string): Promise<void> {
  await server.call("PUT", `/zones/${zone}`, { dnssec: true });
}

/** An RRset to store, as another client sends it. */
export function rrset(name: string, type: string, ...contents: readonly string[]) {
  return { name, type, ttl: 300, changetype: "REPLACE", records: contents.map((content) => ({ content })) };
}
