import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort, knotServer, type Program, startNameServer } from "../../dns/transfer/nameservers.ts";

/** A name server that loads zone files from folders. */
export interface FileServer {
  readonly port: number;
  /** The programs of a target with its files. */
  readonly check: readonly string[];
  readonly reload: readonly string[];
  log(): string;
  stop(): Promise<void>;
}

interface Setup {
  readonly folder: string;
  readonly port: number;
  readonly control: number;
}

interface Kind {
  /** The configuration without its zones, and that of a zone. */
  readonly config: (setup: Setup) => string;
  readonly zone: (name: string, file: string) => string;
  readonly check: readonly string[];
  /** The program that controls the server, with its first arguments. */
  readonly control: (setup: Setup) => readonly string[];
  /** Its question whether the server runs, and its command to load a zone. */
  readonly status: string;
  readonly reload: string;
}

const secret = Buffer.from("a secret for tests of files").toString("base64");

const kinds: Record<Program, Kind> = {
  bind: {
    config: ({ folder, port, control }) => {
      writeFileSync(join(folder, "rndc.key"), `key "rndc-key" { algorithm hmac-sha256; secret "${secret}"; };\n`);
      return `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no; allow-transfer { any; }; ixfr-from-differences yes;
  notify-rate 1000; startup-notify-rate 1000; transfers-out 100;
};
include "${folder}/rndc.key";
controls { inet 127.0.0.1 port ${control} allow { 127.0.0.1; } keys { "rndc-key"; }; };
`;
    },
    zone: (name, file) => `zone "${name}" { type primary; file "${file}"; };\n`,
    check: ["named-checkzone", "-k", "fail", "-i", "local", "{zone}", "{file}"],
    control: ({ folder, control }) => ["rndc", "-s", "127.0.0.1", "-p", String(control), "-k", `${folder}/rndc.key`],
    status: "status",
    reload: "reload",
  },
  knot: {
    config: ({ folder, port }) => `${knotServer(folder, port)}acl:
  - id: transfers
    action: transfer
    address: 127.0.0.1
template:
  - id: default
    acl: transfers
    zonefile-sync: -1
    zonefile-load: difference
`,
    zone: (name, file) => ["zone:", `  - domain: "${name}"`, `    file: "${file}"`, ""].join("\n"),
    check: ["kzonecheck", "-o", "{zone}", "{file}"],
    control: ({ folder }) => ["knotc", "-s", `${folder}/knot.sock`, "-b"],
    status: "status",
    reload: "zone-reload",
  },
  nsd: {
    config: ({ folder, port }) => `server:
  server-count: 1
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  pidfile: "${folder}/nsd.pid"
  database: ""
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  zonelistfile: "${folder}/zone.list"
remote-control:
  control-enable: yes
  control-interface: ${folder}/nsd.sock
`,
    zone: (name, file) =>
      ["zone:", `  name: "${name}"`, `  zonefile: "${file}"`, "  provide-xfr: 127.0.0.1 NOKEY", ""].join("\n"),
    check: ["nsd-checkzone", "{zone}", "{file}"],
    control: ({ folder }) => ["nsd-control", "-c", `${folder}/config`],
    status: "status",
    reload: "reload",
  },
};

/**
 * Starts a server with zones whose files may not exist yet, by name; or with the configuration of its zones in `text`.
 */
export async function startFileServer(
  program: Program,
  zones: Readonly<Record<string, string>>,
  text?: string,
): Promise<FileServer> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-files-"));
  const { config, zone, check, control, status, reload } = kinds[program];
  const ofZones =
    text ??
    Object.entries(zones)
      .map(([name, file]) => zone(name, file))
      .join("");
  const setup = { folder, port: await freePort(), control: await freePort() };
  for (const file of Object.values(zones)) mkdirSync(dirname(file), { recursive: true });
  const server = await startNameServer(program, {
    zones: {},
    port: setup.port,
    folder,
    config: () => config(setup) + ofZones,
  });
  const [name = "", ...words] = control(setup);
  for (let asked = 0; ; asked++) {
    try {
      execFileSync(name, [...words, status], { stdio: "pipe" });
      break;
    } catch (error) {
      if (asked === 500) throw new Error(`${program} does not start\n${server.log()}`, { cause: error });
      await wait(20);
    }
  }
  return {
    port: setup.port,
    check,
    reload: [name, ...words, reload, "{zone}"],
    log: () => server.log(),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
