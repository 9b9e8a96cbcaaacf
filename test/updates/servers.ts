import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "libsql";
import { askSoa } from "../../src/dns-client/ask.ts";
import { freePort, knotServer } from "../dns/transfer/nameservers.ts";
import { domainName } from "../names.ts";

/** A name server with zones that take updates which are signed with the key. */
export interface UpdateServer {
  readonly port: number;
  /** Everything that the server has printed. */
  log(): string;
  /** Waits until the server has loaded the zone, and signed it if it signs. */
  untilServed(zone: string): Promise<void>;
  stop(): Promise<void>;
}

export const key = { name: "updates.", secret: Buffer.from("a secret for updates of tests").toString("base64") };

interface Setup {
  readonly folder: string;
  readonly port: number;
  readonly zones: readonly { readonly name: string; readonly file: string }[];
}

/** The program and arguments that serve this. */
type Prepare = (setup: Setup) => readonly [program: string, ...args: string[]];

/** The records of a zone as a server has it at first, with a TTL of 300 seconds, without its SOA record. */
export const zoneRecords = `@ NS ns1
@ NS ns2
@ MX 10 host
ns1 A 192.0.2.1
ns2 A 192.0.2.2
ns3 A 192.0.2.3
ns4 A 192.0.2.4
www A 192.0.2.10
www A 192.0.2.11
host A 192.0.2.20
alias CNAME www
dname DNAME example.net.
a.tree A 192.0.2.30
`;

export const zoneText = (name: string): string =>
  `$ORIGIN ${name}\n$TTL 300\n@ SOA ns1 hostmaster 1 3600 600 86400 60\n${zoneRecords}`;

const bind =
  (...lines: readonly string[]): Prepare =>
  ({ folder, port, zones }) => {
    const config = join(folder, "named.conf");
    const zone = ({ name, file }: Setup["zones"][number]) =>
      `zone "${name}" { type primary; file "${file}"; allow-update { key "${key.name}"; }; ${lines.join(" ")} };\n`;
    writeFileSync(
      config,
      `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no; allow-transfer { any; }; check-names primary ignore;
};
controls {};
key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };
dnssec-policy any-ttl { keys { csk lifetime unlimited algorithm ecdsa256; }; max-zone-ttl P20W; };
${zones.map(zone).join("")}`,
    );
    return ["named", "-g", "-n", "1", "-c", config];
  };

const knot =
  (...lines: readonly string[]): Prepare =>
  ({ folder, port, zones }) => {
    const config = join(folder, "knot.conf");
    const zone = ({ name, file }: Setup["zones"][number]) =>
      [`  - domain: "${name}"`, `file: "${file}"`, "acl: updates", "zonefile-sync: -1", ...lines].join("\n    ");
    writeFileSync(
      config,
      `${knotServer(folder, port)}key:
  - id: "${key.name}"
    algorithm: hmac-sha256
    secret: "${key.secret}"
acl:
  - id: transfers
    action: transfer
    address: 127.0.0.1
  - id: updates
    action: [update, transfer]
    key: "${key.name}"
zone:
${zones.map(zone).join("\n").replaceAll("acl: updates", "acl: [updates, transfers]")}
`,
    );
    return ["knotd", "-c", config];
  };

interface PowerDnsOptions {
  readonly isSigned?: boolean;
  readonly soaEdit?: string;
  /** Whether the key may not do it; the address may not either. */
  readonly refuses?: "transfers" | "updates";
}

export const powerDns =
  ({ isSigned = false, soaEdit, refuses }: PowerDnsOptions = {}): Prepare =>
  ({ folder, port, zones }) => {
    const file = join(folder, "pdns.sqlite3");
    const database = new Database(file);
    database.exec(readFileSync("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql", "utf8"));
    const settings = {
      launch: "gsqlite3",
      "gsqlite3-database": file,
      "gsqlite3-dnssec": "yes",
      "local-address": "127.0.0.1",
      "local-port": String(port),
      "socket-dir": folder,
      "allow-axfr-ips": refuses === "transfers" ? "" : "127.0.0.1",
      dnsupdate: refuses === "updates" ? "no" : "yes",
      "allow-dnsupdate-from": "127.0.0.1",
      "dname-processing": "yes",
      "security-poll-suffix": "",
    };
    const text = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, "pdns.conf"), text.join(""));
    const tool = (...words: string[]) =>
      execFileSync("pdnsutil", [`--config-dir=${folder}`, ...words], { stdio: "ignore" });
    for (const { name, file } of zones) tool("load-zone", name, file);
    if (isSigned) tool("secure-zone", ...zones.map(({ name }) => name));
    const owner = key.name.replace(/\.$/, "");
    const add = "INSERT INTO domainmetadata (domain_id, kind, content) SELECT id, ?, ? FROM domains";
    database
      .prepare("INSERT INTO tsigkeys (name, algorithm, secret) VALUES (?, 'hmac-sha256', ?)")
      .run(owner, key.secret);
    database.prepare(add).run("TSIG-ALLOW-DNSUPDATE", owner);
    if (refuses !== "transfers") database.prepare(add).run("TSIG-ALLOW-AXFR", owner);
    if (soaEdit !== undefined) database.prepare(add).run("SOA-EDIT", soaEdit);
    database.close();
    return ["pdns_server", `--config-dir=${folder}`, "--daemon=no", "--guardian=no"];
  };

/** The configurations, by their names in tables. */
export const configurations = {
  BIND: bind(),
  "BIND, `dnssec-policy`": bind("dnssec-policy any-ttl;"),
  "BIND, `inline-signing`": bind("dnssec-policy any-ttl; inline-signing yes;"),
  Knot: knot(),
  "Knot, signed": knot("dnssec-signing: on"),
  PowerDNS: powerDns(),
  "PowerDNS, signed": powerDns({ isSigned: true }),
  "PowerDNS, signed, `SOA-EDIT`": powerDns({ isSigned: true, soaEdit: "INCEPTION-INCREMENT" }),
} as const satisfies Record<string, Prepare>;

export type Configuration = keyof typeof configurations;

/** Servers that refuse each update which requires the SOA record as it is served. */
export const withOtherSoa: ReadonlySet<Configuration> = new Set([
  "BIND, `inline-signing`",
  "PowerDNS, signed, `SOA-EDIT`",
]);

/** The zone with this number, from 0. */
export function zoneOfNumber(index: number): string {
  return `z${String(index + 1).padStart(2, "0")}.example.`;
}

/** Starts a server with `z01.example.` and so on, of the same content; it may still load them. */
export async function startUpdateServer(
  configuration: Configuration | Prepare,
  count: number,
  text: (zone: string) => string = zoneText,
): Promise<UpdateServer> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-updates-"));
  mkdirSync(join(folder, "zones"));
  const port = await freePort();
  const zones = Array.from({ length: count }, (_, index) => {
    const name = zoneOfNumber(index);
    const file = join(folder, "zones", name);
    writeFileSync(file, text(name));
    return { name, file };
  });
  const prepare = typeof configuration === "string" ? configurations[configuration] : configuration;
  const [program, ...words] = prepare({ folder, port, zones });
  const child: ChildProcess = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const log: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => log.push(String(chunk)));
  const closed = once(child, "close");
  const stop = async () => {
    child.kill("SIGKILL");
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  const untilServed = async (zone: string) => {
    for (let asked = 0; child.exitCode === null && asked < 3000; asked++) {
      const soa = await askSoa({ host: "127.0.0.1", port }, domainName(zone), {
        bounds: { timeoutMs: 200, attempts: 1 },
      }).catch(() => undefined);
      if (soa) return;
      await wait(10);
    }
    throw new Error(`${zone} is not served by ${program}\n${log.join("")}`);
  };
  return { port, log: () => log.join(""), untilServed, stop };
}
