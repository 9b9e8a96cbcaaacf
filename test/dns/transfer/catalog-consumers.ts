import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import { onTestFinished } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { domainName } from "../../names.ts";
import { knotServer } from "./nameservers.ts";

/** A secondary that takes its zones from a catalog zone. */
export interface Consumer {
  readonly port: number;
  log(): string;
}

interface Setup {
  readonly folder: string;
  readonly port: number;
  /** The port of the primary. */
  readonly primary: number;
  readonly catalog: string;
}

type Prepare = (setup: Setup) => readonly [program: string, ...words: string[]];

const bind: Prepare = ({ folder, port, primary, catalog }) => {
  const config = join(folder, "named.conf");
  writeFileSync(
    config,
    `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no; allow-transfer { any; };
  serial-query-rate 1000; transfers-in 50; transfers-per-ns 50;
  catalog-zones { zone "${catalog}" default-primaries { 127.0.0.1 port ${primary}; } min-update-interval 1; };
};
controls {};
zone "${catalog}" { type secondary; file "catalog.db"; primaries { 127.0.0.1 port ${primary}; }; };
`,
  );
  return ["named", "-g", "-n", "1", "-c", config];
};

const knot: Prepare = ({ folder, port, primary, catalog }) => {
  const config = join(folder, "knot.conf");
  writeFileSync(
    config,
    `${knotServer(folder, port)}remote:
  - id: primary
    address: 127.0.0.1@${primary}
acl:
  - id: primary
    address: 127.0.0.1
    action: [notify, transfer]
template:
  - id: default
    storage: "${folder}"
    master: primary
    acl: primary
  - id: member
    storage: "${folder}"
    master: primary
    acl: primary
zone:
  - domain: "${catalog}"
    catalog-role: interpret
    catalog-template: member
`,
  );
  return ["knotd", "-c", config];
};

const powerDns: Prepare = ({ folder, port, primary, catalog }) => {
  const file = join(folder, "pdns.sqlite3");
  const database = new Database(file);
  database.exec(readFileSync("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql", "utf8"));
  database.close();
  const settings = {
    launch: "gsqlite3",
    "gsqlite3-database": file,
    "local-address": "127.0.0.1",
    "local-port": String(port),
    "socket-dir": folder,
    secondary: "yes",
    "allow-notify-from": "127.0.0.1",
    "allow-axfr-ips": "127.0.0.1",
    "xfr-cycle-interval": "1",
    // Two threads would lock each other out of SQLite, and a member that should leave would stay for ever.
    "retrieval-threads": "1",
    "gsqlite3-pragma-journal-mode": "WAL",
    "security-poll-suffix": "",
    "cache-ttl": "0",
    "query-cache-ttl": "0",
    "negquery-cache-ttl": "0",
    "zone-cache-refresh-interval": "0",
  };
  writeFileSync(
    join(folder, "pdns.conf"),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const tool = (...words: string[]) =>
    execFileSync("pdnsutil", [`--config-dir=${folder}`, ...words], { stdio: "pipe" });
  tool("create-secondary-zone", catalog, `127.0.0.1:${primary}`);
  tool("set-kind", catalog, "consumer");
  return ["pdns_server", `--config-dir=${folder}`, "--daemon=no", "--guardian=no"];
};

export const consumers = { BIND: bind, Knot: knot, PowerDNS: powerDns } as const satisfies Record<string, Prepare>;

export type ConsumerName = keyof typeof consumers;

/** Starts a secondary on a port; it ends with the test. */
export function startConsumer(name: ConsumerName, setup: Omit<Setup, "folder">): Consumer {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-consumer-"));
  const [program, ...words] = consumers[name]({ ...setup, folder });
  const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => log.push(String(chunk)));
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
    rmSync(folder, { recursive: true, force: true });
  });
  return { port: setup.port, log: () => log.join("") };
}

/** Waits until the secondary serves exactly these of some zones, and returns those that it serves at the end. */
export async function untilServes(
  { port, log }: Consumer,
  all: readonly string[],
  wanted: Readonly<Record<string, number>>,
): Promise<void> {
  const serial = async (zone: string) => {
    const bounds = { timeoutMs: 500, attempts: 1 };
    const soa = await askSoa({ host: "127.0.0.1", port }, domainName(`${zone}.`), { bounds }).catch(() => undefined);
    return soa?.data.serial;
  };
  let found: Record<string, number | undefined> = {};
  for (let asked = 0; asked < 1500; asked++) {
    found = Object.fromEntries(await Promise.all(all.map(async (zone) => [zone, await serial(zone)])));
    if (all.every((zone) => found[zone] === wanted[zone])) return;
    await wait(20);
  }
  throw new Error(`the secondary serves ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}\n${log()}`);
}
