import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { programWords } from "../cli/process.ts";
import { startNameServer } from "../dns/transfer/nameservers.ts";
import { domainName } from "../names.ts";
import { cleanEnv, runProgram } from "../run-program.ts";
import { type Case, count as quantity, ratio, seconds } from "./case.ts";
import { median } from "./median.ts";

const count = Number(process.env.BENCH_ZONES ?? 200);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };
const secret = Buffer.from(key.secret).toString("base64");
const zones = Array.from({ length: count }, (_, index) => `zone${index}.example.`);

/** Each zone has records of the usual types, one in four also of rare ones. */
const zoneText = (index: number) => `
@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 7 14400 3600 1209600 300
@ 3600 NS ns1.example.net.
@ 3600 NS ns2.example.net.
@ 300 A 192.0.2.1
@ 300 A 192.0.2.2
@ 900 AAAA 2001:db8::1
@ 3600 MX 10 mail
@ 1800 TXT "v=spf1 mx -all"
@ 1800 TXT "zone ${index}"
@ 3600 CAA 0 issue "ca.example.net"
@ 3600 CAA 128 iodef "mailto:security@example.net"
@ 3600 HTTPS 1 . alpn=h2
mail 300 A 192.0.2.25
mail 600 AAAA 2001:db8::25
www 3600 CNAME @
* 3600 A 192.0.2.99
*.wild 3600 TXT "any name"
a\\.b 300 A 192.0.2.3
text 300 TXT "${"x".repeat(255)}" "${"y".repeat(200)}"
quotes 300 TXT "a \\"quoted\\" text; with \\\\ and \\195\\164"
_sip._tcp 3600 SRV 10 20 5060 mail
old 3600 DNAME new.example.net.
child 3600 NS ns.example.org.
child 3600 DS 12345 13 2 ${"AB".repeat(32)}
_dns 3600 SVCB 1 mail alpn=dot port=853
place 3600 LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
enum 3600 NAPTR 100 10 "U" "E2U+sip" "!^.*$!sip:info@example.net!" .
1 3600 PTR host.example.net.
host 3600 SSHFP 4 2 ${"CD".repeat(32)}
_443._tcp 3600 TLSA 3 1 1 ${"EF".repeat(32)}
key._openpgpkey 3600 OPENPGPKEY AQIDBA==
key._smimecert 3600 SMIMEA 3 0 0 01020304
${index % 4 === 3 ? rareRecords : ""}`;

const rareRecords = `_ftp._tcp 3600 URI 10 1 "ftp://ftp.example.net/"
new 3600 TYPE65280 \\# 4 01020304
old-spf 3600 SPF "v=spf1 -all"
machine 3600 HINFO "PC" "Linux"
person 3600 RP admin.example.net. text
cert 3600 CERT PKIX 1 8 AQIDBA==
`;

interface Tool {
  readonly name: string;
  readonly program: string;
  /**
   * Writes the tool's configuration, and returns its command lines. They run one after the other, also after one that
   * fails.
   */
  prepare(folder: string, server: ServerAddress): readonly (readonly string[])[];
  /** The records that it wrote or listed: `owner type` of each, as in `dig`. */
  records(folder: string, output: string): string[];
}

const tools: readonly Tool[] = [
  {
    name: "zonewright",
    program: programWords[0],
    prepare(folder, { host, port }) {
      writeFileSync(join(folder, "zones.txt"), zones.join("\n"));
      const keyText = `key "${key.name}" { algorithm ${key.algorithm}; secret "${secret}"; };\n`;
      writeFileSync(join(folder, "transfer.key"), keyText);
      const from = [
        "--zones-file",
        "zones.txt",
        "--tsig-key",
        "transfer.key",
        "--from",
        `${host}:${port}`,
        "--resolver",
        `${host}:${port}`,
      ];
      return [[...programWords.slice(1), "import", "axfr", ...from, "--report", "json"]];
    },
    records(_, output) {
      const report = JSON.parse(output.slice(0, output.lastIndexOf("\n}\n") + 3));
      const entries = report.zones.flatMap(({ zone, ledger }: { zone: string; ledger: { entries: object[] } }) =>
        ledger.entries.map((entry) => ({ zone, ...entry })),
      );
      return entries.map(
        ({ zone, owner, type }: Record<string, string>) => `${absolute(owner ?? "", `${zone}.`)} ${type}`,
      );
    },
  },
  {
    name: "octoDNS",
    program: process.env.ZONEWRIGHT_OCTODNS_DUMP ?? "octodns-dump",
    prepare(folder, { host, port }) {
      const transfer = `{ class: octodns_bind.AxfrSource, host: ${host}, port: ${port}, key_name: "${key.name}", key_secret: "${secret}", key_algorithm: ${key.algorithm} }`;
      const yaml = "{ class: octodns.provider.yaml.YamlProvider, directory: out }";
      const listed = zones.map((zone) => `  ${zone}: { sources: [server], targets: [files] }\n`).join("");
      writeFileSync(
        join(folder, "config.yaml"),
        `providers:\n  server: ${transfer}\n  files: ${yaml}\nzones:\n${listed}`,
      );
      mkdirSync(join(folder, "out"));
      return [["--config-file", "config.yaml", "--output-dir", "out", "--lenient", "*", "server"]];
    },
    records(folder) {
      const files = readdirSync(join(folder, "out"));
      return files.flatMap((file) =>
        octodnsRecords(readFileSync(join(folder, "out", file), "utf8"), file.slice(0, -4)),
      );
    },
  },
  {
    name: "DNSControl",
    program: process.env.ZONEWRIGHT_DNSCONTROL ?? "dnscontrol",
    prepare(folder, { host, port }) {
      const transferKey = `${key.algorithm}:${key.name}:${secret}`;
      const server = { TYPE: "AXFRDDNS", master: `${host}:${port}`, "transfer-key": transferKey };
      writeFileSync(join(folder, "creds.json"), JSON.stringify({ server }));
      // A command for each zone: a record of an unknown type ends the command.
      return zones.map((zone) => ["get-zones", "--format=tsv", `--out=${zone}tsv`, "server", zone.slice(0, -1)]);
    },
    records(folder) {
      const files = readdirSync(folder).filter((file) => file.endsWith(".tsv"));
      const lines = files.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean));
      return lines.map((line) => {
        const [name, , , , type] = line.split("\t");
        return `${name}. ${type}`;
      });
    },
  },
];

/** The records of an octoDNS file: each owner has one entry or a list of entries, each with one value or several. */
function octodnsRecords(text: string, zone: string): string[] {
  interface Entry {
    readonly type: string;
    readonly values?: readonly unknown[];
  }
  const owners = (parse(text) ?? {}) as Record<string, Entry | readonly Entry[]>;
  return Object.entries(owners).flatMap(([owner, entries]) =>
    [entries].flat().flatMap(({ type, values = [0] }) => values.map(() => `${absolute(owner || "@", zone)} ${type}`)),
  );
}

function absolute(owner: string, zone: string): string {
  if (owner === "@") return zone;
  return owner.endsWith(".") ? owner : `${owner}.${zone}`;
}

/**
 * The same zones from a BIND by zonewright, octoDNS and DNSControl: the time, and the records that are neither in their
 * output nor mentioned. `dig` and BIND say which records there are. SOA records do not count: each tool makes its own.
 */
export async function* importWithPeers(): AsyncGenerator<Case> {
  const server = await startNameServer("bind", {
    zones: Object.fromEntries(zones.map((zone, index) => [zone, zoneText(index)])),
    keys: [key],
  });
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    const served: string[] = [];
    for (const zone of zones) served.push(...(await dig(server, zone)));
    const group = `${count} zones with ${served.length} records, from BIND`;
    const installed = tools.filter(({ program }) => spawnSync(program, ["--help"]).error === undefined);
    const times = new Map(installed.map(({ name }) => [name, [] as number[]]));
    const losses = new Map<string, Loss & { readonly failed: number }>();
    for (let round = 0; round < rounds; round++) {
      for (const tool of installed) {
        const cwd = mkdtempSync(join(folder, "tool-"));
        const commands = tool.prepare(cwd, server);
        const begin = performance.now();
        const results = [];
        for (const words of commands) results.push(await run(tool.program, words, cwd));
        times.get(tool.name)?.push((performance.now() - begin) / 1000);
        if (round > 0) continue;
        const output = results.map((result) => result.output).join("");
        const failed = results.filter((result) => result.isFailed);
        const errors = failed.map((result) => result.output).join("");
        losses.set(tool.name, {
          ...lossOf(served, tool.records(cwd, output), { output, errors }),
          failed: failed.length,
        });
      }
    }
    const own = times.get("zonewright") ?? [];
    for (const { name, program } of tools) {
      const all = times.get(name);
      const loss = losses.get(name);
      if (!all || !loss) {
        yield { group, name, note: `not measured: ${program} is not on PATH` };
        continue;
      }
      yield {
        group,
        name,
        numbers: {
          time: seconds(median(all)),
          "failed commands": quantity(loss.failed, "commands"),
          missing: quantity(loss.missing, "records"),
          "missing without a word": quantity(loss.silent, "records"),
        },
        ratios: name === "zonewright" ? {} : { "our time": ratio(own, all, { to: name, better: "lower" }) },
        ...(loss.types !== "" && { note: `types of those without a word: ${loss.types}` }),
      };
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The records of a zone, without SOA: `owner type` of each. */
async function dig({ host, port }: ServerAddress, zone: string): Promise<string[]> {
  const words = [
    `@${host}`,
    "-p",
    String(port),
    "-y",
    `${key.algorithm}:${key.name}:${secret}`,
    "+noall",
    "+answer",
    "+onesoa",
  ];
  const { output } = await run("dig", [...words, zone, "AXFR"], "/");
  const records = output.split("\n").filter((line) => /^\S+\s+\d+\s+IN\s/.test(line));
  if (records.length === 0) throw new Error(`dig finds no records of ${zone}\n${output}`);
  return records
    .map((line) => line.split(/\s+/))
    .filter(([, , , type]) => type !== "SOA")
    .map(([owner, , , type]) => `${owner} ${type}`);
}

interface Output {
  readonly output: string;
  /** Of the commands that failed. */
  readonly errors: string;
}

interface Loss {
  readonly missing: number;
  readonly silent: number;
  readonly types: string;
}

/** The records that are served but missing. Those of a type that the output names, or of a failed zone, have a word. */
function lossOf(served: readonly string[], written: readonly string[], { output, errors }: Output): Loss {
  const left = new Map<string, number>();
  for (const record of written) left.set(record, (left.get(record) ?? 0) + 1);
  const lost = served.filter((record) => {
    const many = left.get(record) ?? 0;
    left.set(record, many - 1);
    return many <= 0;
  });
  const typeOf = (record: string) => record.split(" ")[1] ?? "";
  const failedZones = zones.filter((zone) => errors.includes(zone));
  const named = new Set([...new Set(lost.map(typeOf))].filter((type) => new RegExp(`\\b${type}\\b`).test(output)));
  const silent = lost.filter(
    (record) => !named.has(typeOf(record)) && !failedZones.some((zone) => record.split(" ")[0]?.endsWith(zone)),
  );
  const types = [...new Set(silent.map(typeOf))].sort().join(", ");
  return { missing: lost.length, silent: silent.length, types };
}

/** The output of a program, and whether it failed. */
async function run(program: string, words: readonly string[], cwd: string) {
  const { code, out, talk } = await runProgram([program, ...words], { cwd, env: cleanEnv(cwd) });
  return { output: out + talk, isFailed: code !== 0 };
}
