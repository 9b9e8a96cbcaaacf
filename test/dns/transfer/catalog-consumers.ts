import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import { onTestFinished } from "vitest";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { readPage } from "../../docs/page.ts";
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

const page = readPage("docs/name-servers.md");

/** Lines of the documentation that begin so, with the primary of a test. */
function linesOf(kind: string, first: string, primary: string): string {
  const [lines] = page.split(`\`\`\`${kind}\n${first}\n`)[1]?.split("```") ?? [];
  if (lines === undefined) throw new Error(`${first} is not in the documentation`);
  return lines.replaceAll("192.0.2.53", primary);
}

const bind: Prepare = ({ folder, port, primary, catalog }) => {
  const config = join(folder, "named.conf");
  const lines = linesOf("text", "# named.conf, of a secondary", `127.0.0.1 port ${primary}`);
  const own = `options {
  pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no;
  serial-query-rate 1000; transfers-in 50; transfers-per-ns 50;`;
  const text = lines
    .replace("options {", own)
    .replace("/var/cache/bind", folder)
    .replace(/(default-primaries \{.*?\});/, "$1 min-update-interval 1;");
  writeFileSync(config, `controls {};\n${text.replaceAll("catalog.example", catalog)}`);
  return ["named", "-g", "-n", "1", "-c", config];
};

const knot: Prepare = ({ folder, port, primary, catalog }) => {
  const config = join(folder, "knot.conf");
  const lines = linesOf("yaml", "# knot.conf, of a secondary", "127.0.0.1")
    .replace("address: 127.0.0.1", `address: 127.0.0.1@${primary}`)
    .replace("action: notify", "action: [notify, transfer]") // for tests that read zones from it
    .replace("template:\n", `template:\n  - id: default\n    storage: "${folder}"\n`)
    .replace("- id: member\n", `- id: member\n    storage: "${folder}"\n`);
  writeFileSync(config, knotServer(folder, port) + lines.replaceAll("catalog.example", catalog));
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
  const own = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, "pdns.conf"), own.join("") + linesOf("text", "# pdns.conf, of a secondary", "127.0.0.1"));
  const first = "pdnsutil create-secondary-zone catalog.example 192.0.2.53";
  const commands = `${first}\n${linesOf("sh", first, "")}`.replace("192.0.2.53", `127.0.0.1:${primary}`);
  const words = commands
    .replaceAll("pdnsutil", `pdnsutil --config-dir=${folder}`)
    .replaceAll("catalog.example", catalog);
  execFileSync("sh", ["-ec", words], { stdio: "pipe" });
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
