import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { guardIds } from "../../src/planner/blocks/guards.ts";
import { nsupdate } from "../targets/rfc2136/nsupdate.ts";
import { startUpdateRelay, type UpdateRelay } from "../targets/rfc2136/update-relay.ts";
import { type Configuration, key, startUpdateServer, type UpdateServer, zoneOfNumber, zoneText } from "./servers.ts";

/**
 * `npm run build && npm run judge:updates -- peers [NAME…]`: makes the same ten edits with octodns-bind, DNSControl and
 * zonewright on BIND and Knot, and prints the table of docs/compare.md. The zones are read by dig, and the files by
 * named-compilezone. octodns-sync with octodns-bind, and dnscontrol, have to be on PATH, or named by
 * ZONEWRIGHT_OCTODNS_SYNC and ZONEWRIGHT_DNSCONTROL. A program that is missing is left out.
 */
const root = resolve(import.meta.dirname, "../..");
const servers: readonly Configuration[] = ["BIND", "Knot", "Knot, signed"];
const ofSigner = new Set(["SOA", "RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY", "TYPE65534"]);

/** An edit of the zone that the servers begin with. */
type Edit = (text: string) => string;

const edits: Readonly<Record<string, Edit>> = {
  "apex NS: both servers replaced": (text) => text.replace("@ NS ns1\n@ NS ns2\n", "@ NS ns3\n@ NS ns4\n"),
  "apex NS: one server replaced, and another TTL": (text) =>
    text.replace("@ NS ns1\n@ NS ns2\n", "@ 600 NS ns1\n@ 600 NS ns3\n"),
  "apex NS: TTL": (text) => text.replace("@ NS ns1\n@ NS ns2\n", "@ 600 NS ns1\n@ 600 NS ns2\n"),
  "A → CNAME": (text) => text.replace("www A 192.0.2.10\nwww A 192.0.2.11\n", "www CNAME host\n"),
  "CNAME → A": (text) => text.replace("alias CNAME www\n", "alias A 192.0.2.40\n"),
  "CNAME → CNAME": (text) => text.replace("alias CNAME www\n", "alias CNAME host\n"),
  "CNAME: TTL": (text) => text.replace("alias CNAME www\n", "alias 600 CNAME www\n"),
  "A: TTL": (text) => text.replaceAll("www A ", "www 600 A "),
  "A: one more, and another TTL": (text) => `${text.replaceAll("www A ", "www 600 A ")}www 600 A 192.0.2.12\n`,
  "a delegation with DS": (text) =>
    `${text}child NS ns.child\nns.child A 192.0.2.50\nchild DS 12345 13 2 ${"AB".repeat(32)}\n`,
};

/** A program that brings a zone into the state of its file. */
export interface Peer {
  readonly name: string;
  /** Prepares a folder with zone files; returns the command that applies one zone. */
  prepare(folder: string, port: number): (zone: string) => readonly [program: string, ...words: string[]];
  /** The name of the file of a zone, below the folder. */
  readonly file: (zone: string) => string;
}

export const octodns = process.env.ZONEWRIGHT_OCTODNS_SYNC ?? "octodns-sync";
export const dnscontrol = process.env.ZONEWRIGHT_DNSCONTROL ?? "dnscontrol";
const secret = { id: key.name.replace(/\.$/, ""), algorithm: "hmac-sha256" };

export const peers: readonly Peer[] = [
  {
    name: "octodns-bind",
    file: (zone) => join("zones", `${zone}zone`),
    prepare(folder, port) {
      const zones = [...Object.keys(edits), overtaken].map(
        (_, index) => `  ${zoneOfNumber(index)}: {sources: [files], targets: [server]}\n`,
      );
      const config = join(folder, "production.yaml");
      writeFileSync(
        config,
        `providers:
  files: {class: octodns_bind.ZoneFileSource, directory: ${join(folder, "zones")}, file_extension: .zone}
  server: {class: octodns_bind.Rfc2136Provider, host: 127.0.0.1, port: ${port}, key_name: ${secret.id}, key_secret: ${key.secret}, key_algorithm: ${secret.algorithm}}
zones:
${zones.join("")}`,
      );
      return (zone) => [octodns, "--config-file", config, "--doit", "--force", zone];
    },
  },
  {
    name: "AXFRDDNS",
    file: (zone) => join("zones", `${zone}zone`),
    prepare(folder, port) {
      const updateKey = `${secret.algorithm}:${secret.id}:${key.secret}`;
      const server = { master: `127.0.0.1:${port}`, "update-mode": "tcp", "transfer-mode": "tcp", nameservers: "" };
      const credentials = {
        server: { TYPE: "AXFRDDNS", ...server, "update-key": updateKey, "transfer-key": updateKey },
      };
      writeFileSync(join(folder, "creds.json"), JSON.stringify(credentials));
      return (zone) => {
        const records = wantedOf(join(folder, this.file(zone)), zone);
        writeFileSync(join(folder, "dnsconfig.js"), dnsConfigOf(zone, records));
        return [dnscontrol, "push", "--no-colors"];
      };
    },
  },
  {
    name: "zonewright",
    file: (zone) => join("zones", `${zone}zone`),
    prepare(folder, port) {
      writeFileSync(join(folder, "key"), `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`);
      const target = `{ kind: rfc2136, server: "127.0.0.1:${port}", tsig_key_file: key }`;
      writeFileSync(join(folder, "zonewright.yaml"), `targets:\n  office: ${target}\n`);
      const main = [process.execPath, join(root, "dist/cli/main.js")] as const; // npm run build
      return (zone) => [...main, "apply", zone.slice(0, -1), "--yes", "--allow", guards];
    },
  },
];

const hasTarget = new Set(["CNAME", "MX", "NS"]);

/** The configuration of DNSControl with the records of a zone. */
export function dnsConfigOf(zone: string, records: ReadonlySet<string>): string {
  const lines = [...records].map((record) => {
    const [owner = "", ttl, type, ...data] = record.split(" ");
    if (owner === "@" && type === "NS") return `  NAMESERVER("${data.join("")}.${zone}"), NAMESERVER_TTL(${ttl})`;
    const spell = (word: string) => (hasTarget.has(type ?? "") && !word.endsWith(".") ? `${word}.${zone}` : word);
    const fields = data.map((word) => (/^\d+$/.test(word) ? word : JSON.stringify(spell(word))));
    return `  ${type}(${[JSON.stringify(owner), ...fields, `TTL(${ttl})`].join(", ")})`;
  });
  const provider = 'DnsProvider(NewDnsProvider("server"))';
  return `D("${zone.slice(0, -1)}", NewRegistrar("none"), ${provider},\n${lines.join(",\n")});\n`;
}

/** Every guard: the tables are about what servers get. */
export const guards = guardIds.join(",");

/** Runs a program; its exit code counts, and what it prints does not. */
async function exitCodeOf([program, ...words]: readonly [string, ...string[]], cwd: string): Promise<number> {
  try {
    await promisify(execFile)(program, words, { cwd, maxBuffer: 2 ** 26 });
    return 0;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code === "number") return code;
    throw error;
  }
}

/** The records of a text in master form, without those of the server. */
function recordsOf(text: string, zone: string): Set<string> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  const records = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , type = ""]) => !ofSigner.has(type));
  return new Set(
    records.map(([owner, ttl, , type, ...data]) => {
      const short = (name: string) => (name === zone ? "@" : name.replace(`.${zone}`, ""));
      const fields = type === "DS" ? [...data.slice(0, 3), data.slice(3).join("")] : data.map(short);
      return [short(owner ?? ""), ttl, type, ...fields].join(" ");
    }),
  );
}

function live(zone: string, port: number): Set<string> {
  const words = ["-r", "@127.0.0.1", "-p", String(port), zone, "AXFR", "+noall", "+answer", "+nosplit"];
  const { stdout } = spawnSync("dig", words, { encoding: "utf8" });
  return recordsOf(stdout, zone);
}

export function wantedOf(file: string, zone: string): Set<string> {
  const { stdout } = spawnSync("named-compilezone", ["-q", "-i", "none", "-k", "ignore", "-o", "-", zone, file], {
    encoding: "utf8",
  });
  return recordsOf(stdout, zone);
}

/** The difference of the live zone from its file, after the patience that signers need. */
async function differenceOf(zone: string, port: number, wanted: ReadonlySet<string>): Promise<string> {
  for (let left = 40; ; left--) {
    const now = live(zone, port);
    const lacks = [...wanted].filter((one) => !now.has(one));
    const keeps = [...now].filter((one) => !wanted.has(one));
    if (lacks.length + keeps.length === 0) return "";
    if (left === 0) {
      const list = (word: string, some: readonly string[]) =>
        some.length === 0 ? [] : [`${word} ${some.map((one) => `\`${one}\``).join(", ")}`];
      return [...list("lacks", lacks), ...list("keeps", keeps)].join("; ");
    }
    await wait(50);
  }
}

/** The cells of a program on a server: the result of each edit after the first run, and after a second one. */
async function judgePeer(peer: Peer, configuration: Configuration): Promise<string[]> {
  const server = await startUpdateServer(configuration, Object.keys(edits).length + 1);
  const folder = mkdtempSync(join(tmpdir(), "zonewright-peers-"));
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  try {
    const command = peer.prepare(folder, relay.port);
    const cells: string[] = [];
    for (const [index, edit] of Object.values(edits).entries()) {
      const zone = zoneOfNumber(index);
      await server.untilServed(zone);
      const file = join(folder, peer.file(zone));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, edit(zoneText(zone)));
      const wanted = wantedOf(file, zone);
      const code = await exitCodeOf(command(zone), folder);
      const first = await differenceOf(zone, server.port, wanted);
      const end = code === 0 ? "" : ` (exit code ${code})`;
      if (first === "") {
        cells.push(`done${end}`);
        continue;
      }
      const again = await exitCodeOf(command(zone), folder);
      const second = await differenceOf(zone, server.port, wanted);
      const then = second === "" ? "done" : second === first ? "the same" : second;
      cells.push(`${first} (exit code ${code}); after a second run: ${then} (exit code ${again})`);
    }
    return [...cells, await judgeOvertaken({ peer, folder, server, relay, command })];
  } finally {
    relay.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The edit of an RRset to which another client adds a record after it was read. */
const overtaken = "A, to which someone else adds another one meanwhile";

async function judgeOvertaken({ peer, folder, server, relay, command }: Overtaking): Promise<string> {
  const zone = zoneOfNumber(Object.keys(edits).length);
  await server.untilServed(zone);
  const file = join(folder, peer.file(zone));
  writeFileSync(file, zoneText(zone).replace("www A 192.0.2.10\n", "www A 192.0.2.12\n"));
  let isFirst = true;
  relay.onUpdate = async ({ forward, reply }) => {
    if (isFirst) await nsupdate(server, zone, ["update add www.ZONE A 198.51.100.7"]);
    isFirst = false;
    reply(await forward());
  };
  const code = await exitCodeOf(command(zone), folder);
  await differenceOf(zone, server.port, wantedOf(file, zone));
  const now = live(zone, server.port);
  const has = (address: string) => now.has(`www 300 A ${address}`);
  const own = has("192.0.2.12") && !has("192.0.2.10") ? "done" : has("192.0.2.12") ? "done in part" : "refused";
  const other = has("198.51.100.7") ? "the other record stays" : "the other record is lost";
  return `${own}, ${other} (exit code ${code})`;
}

interface Overtaking {
  readonly peer: Peer;
  readonly folder: string;
  readonly server: UpdateServer;
  readonly relay: UpdateRelay;
  readonly command: ReturnType<Peer["prepare"]>;
}

function isInstalled({ name }: Peer): boolean {
  const program = { "octodns-bind": octodns, AXFRDDNS: dnscontrol }[name];
  return program === undefined || canRun(program);
}

export function canRun(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** Prints the table of servers, by default of all. */
export async function printPeers(names: readonly string[]): Promise<void> {
  const columns: [string, string[]][] = [];
  for (const configuration of servers.filter((name) => names.length === 0 || names.includes(name)))
    for (const peer of peers.filter(isInstalled))
      columns.push([`${peer.name}, ${configuration}`, await judgePeer(peer, configuration)]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  console.log(
    [
      line(["edit", ...columns.map(([name]) => name)]),
      `|${"---|".repeat(columns.length + 1)}`,
      ...[...Object.keys(edits), overtaken].map((name, index) =>
        line([name, ...columns.map(([, cells]) => cells[index] ?? "")]),
      ),
    ].join("\n"),
  );
}
