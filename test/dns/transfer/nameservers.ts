import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import { askSoa } from "../../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { domainName } from "../../names.ts";

export type Program = "bind" | "knot" | "nsd";

export const programs: readonly Program[] = ["bind", "knot", "nsd"];

/** The judge that a name server is. */
export const binaries = { bind: "named", knot: "knotd", nsd: "nsd" } as const;

export interface Setup {
  /** Master files by the names of their zones. */
  readonly zones: Readonly<Record<string, string>>;
  readonly keys?: readonly Key[];
  /**
   * The clients that may transfer the zones; by default holders of one of the keys, or all clients if there is no key.
   */
  readonly transfer?: "nobody";
  /**
   * A primary, the zones that are transferred from there, and the key that a NOTIFY must be signed with; not BIND's.
   */
  readonly secondary?: {
    readonly primary: ServerAddress;
    readonly zones: readonly string[];
    readonly notice?: Key;
    /** How NSD asks for changes, which the others do over TCP. */
    readonly transport?: "UDP";
  };
  readonly port?: number;
  /** Settings of each primary zone in Knot's configuration, such as `dnssec-signing: on`. */
  readonly knotZone?: readonly string[];
  /** More clauses of NSD's configuration. */
  readonly nsd?: string;
  /** The configuration, instead of one that does what all this says. */
  readonly config?: (folder: string, port: number) => string;
  /** The folder in which the server starts, and where its configuration is; otherwise a new one. */
  readonly folder?: string;
  /** The servers to notify when a zone changes. */
  readonly notify?: ServerAddress;
  /** Whether zones that the server refuses to load are left out; otherwise it does not start. */
  readonly allowsRefused?: true;
}

export interface Running extends ServerAddress {
  /** The zones that the server refused to load, with its messages. */
  readonly refused: ReadonlyMap<string, string>;
  /** Everything that the server has printed. */
  log(): string;
  /** Gives a zone another master file, and has it loaded. */
  rewrite(zone: string, text: string): void;
  stop(): Promise<void>;
}

/**
 * Starts a name server on a free port of 127.0.0.1, as an ordinary process with all its files in a folder of its own.
 */
export async function startNameServer(program: Program, setup: Setup): Promise<Running> {
  const folder = setup.folder ?? mkdtempSync(join(tmpdir(), `zonewright-${program}-`));
  const address = { host: "127.0.0.1", port: setup.port ?? (await freePort()) };
  const zones = Object.entries(setup.zones).map(([name, text], index) => {
    const file = join(folder, `${index}.zone`);
    writeFileSync(file, text);
    return { name, file };
  });
  const config = join(folder, "config");
  writeFileSync(
    config,
    setup.config?.(folder, address.port) ?? configs[program]({ ...setup, folder, port: address.port, files: zones }),
  );
  const child = spawn(binaries[program], [...flags[program], config], {
    stdio: ["ignore", "pipe", "pipe"],
    ...(setup.folder !== undefined && { cwd: folder }),
  });
  const log: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => log.push(chunk));
  // NSD answers in processes of its own, which end shortly after the first one: then the streams are closed.
  const closed = once(child, "close");
  const stop = async () => {
    child.kill("SIGKILL");
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  const refused = new Map<string, string>();
  const reasonOf = (zone: string) => refusalOf(program, zone, Buffer.concat(log).toString());
  try {
    for (const name of [...Object.keys(setup.zones), ...(setup.secondary?.zones ?? [])]) {
      const reason = await untilServed(child, address, name, () => reasonOf(name));
      if (reason === undefined) continue;
      if (!setup.allowsRefused) throw new Error(reason);
      refused.set(name, reason);
    }
  } catch {
    await stop();
    throw new Error(`${program} does not serve\n${Buffer.concat(log)}`);
  }
  const rewrite = (zone: string, text: string) => {
    writeFileSync(zones.find(({ name }) => name === zone)?.file ?? "", text);
    child.kill("SIGHUP");
  };
  return { ...address, refused, log: () => Buffer.concat(log).toString(), rewrite, stop };
}

/**
 * Asks until there is an answer, or the reason why there will be none; a server that starts refuses connections, and
 * then the zone.
 */
export async function untilServed(
  child: ChildProcess,
  address: ServerAddress,
  zone: string,
  refusal: () => string | undefined,
): Promise<string | undefined> {
  for (let asked = 0; child.exitCode === null && asked < 2000; asked++) {
    try {
      await askSoa(address, domainName(zone), { bounds: { timeoutMs: 200, attempts: 1 } });
      return undefined;
    } catch {
      const reason = refusal();
      if (reason !== undefined) return reason;
      await wait(10);
    }
  }
  throw new Error(`${zone} is not served`);
}

/** The line of a server's log that says why it did not load a zone. */
function refusalOf(program: Program, zone: string, log: string): string | undefined {
  const name = zone.replace(/\.$/, "");
  const end = {
    bind: `zone ${name}/in: not loaded due to errors`,
    knot: `[${name}.] zone loader, failed to load zone`,
    nsd: `error: zone ${name}. file`,
  }[program];
  const lines = log.split("\n");
  const index = lines.findIndex((line) => line.toLowerCase().includes(end.toLowerCase()));
  return index < 0 ? undefined : (lines[index - 1] ?? "").replace(/^.*?error: /, "");
}

/** A port that is free for TCP and UDP, below those that the system gives to sockets of any process at any time. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const [server, socket] = [createServer(), createSocket("udp4")];
  try {
    await Promise.all([
      once(server.listen(port, "127.0.0.1"), "listening"),
      once(socket.bind(port, "127.0.0.1"), "listening"),
    ]);
    return port;
  } catch {
    return await freePort(); // another process has it
  } finally {
    await Promise.all([
      new Promise((resolve) => server.close(resolve)),
      new Promise((resolve) => socket.close(() => resolve(undefined))),
    ]);
  }
}

interface Config extends Setup {
  readonly folder: string;
  readonly port: number;
  readonly files: readonly { readonly name: string; readonly file: string }[];
}

const flags: Record<Program, string[]> = { bind: ["-g", "-n", "1", "-c"], knot: ["-c"], nsd: ["-d", "-c"] };

/** The beginning of a configuration of Knot: what a server in a folder of its own needs. */
export const knotServer = (folder: string, port: number): string => `server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
    tcp-io-timeout: 10000
control:
    listen: "${folder}/knot.sock"
database:
    storage: "${folder}"
log:
  - target: stderr
    any: info
`;

const configs: Record<Program, (config: Config) => string> = {
  bind: ({ folder, port, keys = [], transfer, files, secondary, notify }) => {
    const allowed = transfer === "nobody" ? "none;" : keys.map(({ name }) => `key "${name}";`).join(" ") || "any;";
    return `
options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; ${notify ? `notify explicit; notify-delay 0; also-notify { ${notify.host} port ${notify.port}; };` : "notify no;"} minimal-responses yes; zero-no-soa-ttl no; dnssec-validation no; empty-zones-enable no; allow-transfer { ${allowed} };
  check-names primary ignore; check-integrity no; check-mx ignore; check-dup-records ignore; check-sibling no;
};
controls {};
${keys.map((key) => `key "${key.name}" { algorithm ${key.algorithm}; secret "${base64(key)}"; };`).join("\n")}
${files.map(({ name, file }) => `zone "${name}" { type primary; file "${file}"; };`).join("\n")}
${secondary?.zones.map((name, index) => `zone "${name}" { type secondary; file "s${index}"; primaries port ${secondary.primary.port} { ${secondary.primary.host}; }; };`).join("\n") ?? ""}
`;
  },
  knot: ({ folder, port, keys = [], transfer, files, secondary, notify, knotZone = [] }) => `
${knotServer(folder, port)}${keys.length > 0 ? "key:" : ""}
${keys.map((key) => `  - id: "${key.name}"\n    algorithm: ${key.algorithm}\n    secret: "${base64(key)}"`).join("\n")}
acl:
  - id: transfers
    action: transfer
${keys.length > 0 ? `    key: [${keys.map(({ name }) => `"${name}"`).join(", ")}]` : "    address: 127.0.0.1"}
${transfer === "nobody" ? "    deny: on" : ""}
  - id: notices
    action: notify
    address: 127.0.0.1
${secondary?.notice ? `    key: "${secondary.notice.name}"` : ""}
${secondary ? `remote:\n  - id: primary\n    address: ${secondary.primary.host}@${secondary.primary.port}` : ""}
${notify ? `remote:\n  - id: notified\n    address: ${notify.host}@${notify.port}` : ""}
zone:
${secondary?.zones.map((name) => `  - domain: "${name}"\n    storage: "${folder}"\n    master: primary\n    acl: [transfers, notices]`).join("\n") ?? ""}
${files.map(({ name, file }) => `  - domain: "${name}"\n    file: "${file}"\n    acl: transfers\n    zonefile-sync: -1\n    journal-content: none${notify ? "\n    notify: notified" : ""}${knotZone.map((line) => `\n    ${line}`).join("")}`).join("\n")}
`,
  nsd: ({ folder, port, keys = [], transfer, files, secondary, notify, nsd = "" }) => {
    const allowed = keys.length > 0 ? keys.map(({ name }) => name) : ["NOKEY"];
    const provide = transfer === "nobody" ? "" : allowed.map((key) => `  provide-xfr: 127.0.0.1 ${key}\n`).join("");
    return `
server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  xfrdir: "${folder}"
  server-count: 1
  verbosity: 2
  xfrd-reload-timeout: 0
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
${nsd}
${keys.map((key) => `key:\n  name: ${key.name}\n  algorithm: ${key.algorithm}\n  secret: "${base64(key)}"`).join("\n")}
${files.map(({ name, file }) => `zone:\n  name: ${name}\n  zonefile: "${file}"\n${provide}${notify ? `  notify: ${notify.host}@${notify.port} NOKEY\n` : ""}`).join("\n")}
${secondary?.zones.map((name) => `zone:\n  name: ${name}\n  zonefile: "${folder}/${name}zone"\n  request-xfr: ${secondary.transport ?? ""} ${secondary.primary.host}@${secondary.primary.port} NOKEY\n  allow-notify: 127.0.0.1 ${secondary.notice?.name ?? "NOKEY"}\n${provide}`).join("\n") ?? ""}
`;
  },
};

function base64({ secret }: Key): string {
  return Buffer.from(secret).toString("base64");
}
