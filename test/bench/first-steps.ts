import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dnscontrol, octodns } from "../updates/peers.ts";
import { key, startUpdateServer, type UpdateServer, zoneOfNumber } from "../updates/servers.ts";
import { type Case, count, mebibytes, seconds } from "./case.ts";
import { measureProcess, type ProcessCost } from "./process-cost.ts";
import { program } from "./programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const domain = zoneOfNumber(0).slice(0, -1);

/** Records that every tool knows, with one word of the data of each. */
const records: Readonly<Record<string, string>> = {
  "@ NS ns1.example.net.": "ns1.example.net",
  "@ NS ns2.example.net.": "ns2.example.net",
  "@ A 192.0.2.10": "192.0.2.10",
  "@ AAAA 2001:db8::10": "2001:db8::10",
  "@ MX 10 mail": "MX|mx_record",
  '@ TXT "v=spf1 mx -all"': "v=spf1 mx -all",
  '@ CAA 0 issue "ca.example.net"': "ca.example.net",
  "www CNAME @": "CNAME|cname",
  "mail A 192.0.2.25": "192.0.2.25",
  "mail AAAA 2001:db8::25": "2001:db8::25",
  "_sip._tcp SRV 10 20 5060 sip": "5060",
  "sip A 192.0.2.60": "192.0.2.60",
};

const zoneText = (zone: string) =>
  `$ORIGIN ${zone}\n$TTL 3600\n@ SOA ns1.example.net. hostmaster 1 3600 600 86400 300\n${Object.keys(records).join("\n")}\n`;

interface Place {
  readonly folder: string;
  readonly port: number;
}

/** Files and commands of a user of the tool, after its documentation. */
interface Tool {
  readonly name: string;
  readonly program: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files that the user writes before the import. */
  files(place: Place): Readonly<Record<string, string>>;
  /** Reads the zone of the name server into files. */
  importing(place: Place): readonly (readonly string[])[];
  /** The file with the records, from then on edited by the user. */
  readonly zoneFile: string;
  /** Edits without which the first plan would change the imported records. */
  readonly finish?: (text: string) => string;
  readonly plan: readonly string[];
  readonly isEmptyPlan: RegExp;
  /** A text of the zone file for each mistake, and what replaces it. */
  readonly mistakes: Readonly<Record<Mistake, readonly [string | RegExp, string]>>;
}

type Mistake = "an address with a number too many" | "a target without its final dot" | "an MX record to an address";

const secret = { id: key.name.replace(/\.$/, ""), algorithm: "hmac-sha256" };

const tools: readonly Tool[] = [
  {
    name: "zonewright",
    program: [process.execPath, program],
    // BIND's own key file, which is on the name server already.
    files: () => ({}),
    importing: ({ folder, port }) => {
      const keyFile = join(dirname(folder), "bind.key");
      writeFileSync(keyFile, `key "${key.name}" { algorithm ${secret.algorithm}; secret "${key.secret}"; };\n`);
      return [["init", "--from", "rfc2136", `127.0.0.1:${port}`, "--zone", domain, "--tsig-key", keyFile, "--yes"]];
    },
    zoneFile: `zones/${domain}.yaml`,
    plan: ["plan"],
    isEmptyPlan: /nothing to do/,
    mistakes: {
      "an address with a number too many": ["192.0.2.60", "192.0.2.600"],
      "a target without its final dot": ["5060 sip", "5060 sip.example.net"],
      "an MX record to an address": ["10 mail", "10 192.0.2.25"],
    },
  },
  {
    name: "octoDNS",
    program: [octodns],
    files: ({ port }) => ({
      "config.yaml": `providers:
  server:
    class: octodns_bind.Rfc2136Provider
    host: 127.0.0.1
    port: ${port}
    key_name: ${secret.id}
    key_secret: ${key.secret}
    key_algorithm: ${secret.algorithm}
  files:
    class: octodns.provider.yaml.YamlProvider
    directory: zones
zones:
  ${domain}.:
    sources: [files]
    targets: [server]
`,
    }),
    importing: () => [["--config-file", "config.yaml", "--output-dir", "zones", `${domain}.`, "server"]],
    zoneFile: `zones/${domain}.yaml`,
    plan: ["--config-file", "config.yaml"],
    isEmptyPlan: /No changes were planned/,
    mistakes: {
      "an address with a number too many": ["192.0.2.60", "192.0.2.600"],
      "a target without its final dot": [`target: sip.${domain}.`, "target: sip.example.net"],
      "an MX record to an address": [`exchange: mail.${domain}.`, "exchange: 192.0.2.25"],
    },
  },
  {
    name: "DNSControl",
    program: [dnscontrol],
    files: ({ port }) => ({
      "creds.json": `{
  "server": {
    "TYPE": "AXFRDDNS",
    "master": "127.0.0.1:${port}",
    "update-key": "${secret.algorithm}:${secret.id}:${key.secret}",
    "transfer-key": "${secret.algorithm}:${secret.id}:${key.secret}"
  }
}
`,
    }),
    importing: () => [["get-zones", "--format=js", "--out=dnsconfig.js", "server", domain]],
    zoneFile: "dnsconfig.js",
    finish: (text) => text.replace(/^.*no_ns.*\n/m, "").replace(/\/\/(NAMESERVER.*)\),/g, "$1), NAMESERVER_TTL(3600),"),
    plan: ["preview", "--no-colors"],
    isEmptyPlan: /Done\. 0 corrections/,
    mistakes: {
      "an address with a number too many": ["192.0.2.60", "192.0.2.600"],
      "a target without its final dot": [`"sip.${domain}."`, '"sip.example.net"'],
      "an MX record to an address": [`10, "mail.${domain}."`, '10, "192.0.2.25"'],
    },
  },
  {
    name: "Terraform",
    program: ["terraform"],
    env: { TF_CLI_CONFIG_FILE: "terraformrc" },
    files: ({ port }) => ({ "main.tf": terraformText(port) }),
    importing: () => [
      ["plan", "-no-color", "-generate-config-out=zone.tf"],
      ["apply", "-no-color", "-auto-approve"],
    ],
    zoneFile: "zone.tf",
    plan: ["plan", "-no-color"],
    isEmptyPlan: /No changes\./,
    mistakes: {
      "an address with a number too many": ["192.0.2.60", "192.0.2.600"],
      "a target without its final dot": [/(target +=) "sip.*"/, '$1 "sip.example.net"'],
      "an MX record to an address": [/(exchange +=) "mail.*"/, '$1 "192.0.2.25"'],
    },
  },
];

/** Every RRset is imported by its own block; the provider has no CAA records and does not find the NS of an apex. */
function terraformText(port: number): string {
  const sets = {
    "dns_a_record_set.apex": "",
    "dns_aaaa_record_set.apex": "",
    "dns_mx_record_set.apex": "",
    "dns_txt_record_set.apex": "",
    "dns_cname_record.www": "www.",
    "dns_a_record_set.mail": "mail.",
    "dns_aaaa_record_set.mail": "mail.",
    "dns_srv_record_set.sip": "_sip._tcp.",
    "dns_a_record_set.sip": "sip.",
  };
  const imports = Object.entries(sets).map(([to, owner]) => `import {\n  to = ${to}\n  id = "${owner}${domain}."\n}\n`);
  return `provider "dns" {
  update {
    server        = "127.0.0.1"
    port          = ${port}
    transport     = "tcp"
    key_name      = "${key.name}"
    key_algorithm = "${secret.algorithm}"
    key_secret    = "${key.secret}"
  }
}
${imports.join("")}`;
}

/**
 * The first steps of a new user with each tool, on the same zone of the same BIND: the installation, the import, the
 * first plan, and three mistakes (docs/compare.md). octodns-sync and octodns-dump with octodns-bind, and dnscontrol,
 * have to be on PATH or named by ZONEWRIGHT_OCTODNS_SYNC and ZONEWRIGHT_DNSCONTROL, terraform on PATH, and the folder
 * of its provider `dns` in ZONEWRIGHT_TERRAFORM_DNS_PROVIDER. A tool that is missing is left out.
 */
export async function* run(): AsyncGenerator<Case> {
  yield* measureInstalls();
  const server = await startUpdateServer("BIND", 1, zoneText);
  try {
    await server.untilServed(`${domain}.`);
    const cases: Case[] = [];
    for (const tool of tools) cases.push(...(await measureTool(tool, server)));
    // By step, so that the tools stand under each other.
    for (const group of new Set(cases.map(({ group }) => group))) yield* cases.filter((one) => one.group === group);
  } finally {
    await server.stop();
  }
}

interface Install {
  readonly commands: readonly string[];
  /** The file or folder that counts, without caches. */
  readonly installed: string;
}

async function* measureInstalls(): AsyncGenerator<Case> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  try {
    execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
    const installs: Readonly<Record<string, Install>> = {
      "zonewright: npm install": {
        commands: ["npm init -y", "npm install ./zonewright-*.tgz"],
        installed: "node_modules",
      },
      "zonewright: build of the executable": {
        commands: [`git clone -q ${root} clone`, "cd clone && npm ci --silent && npm run --silent build:binary"],
        installed: "clone/build/zonewright",
      },
      "octoDNS: pip install": {
        commands: ["python3 -m venv venv", "venv/bin/pip install -q octodns octodns-bind"],
        installed: "venv",
      },
    };
    for (const [name, { commands, installed }] of Object.entries(installs)) {
      const cwd = mkdtempSync(join(folder, "install-"));
      execFileSync("sh", ["-c", `cp ${folder}/*.tgz .`], { cwd });
      const costs = [];
      for (const command of commands) costs.push(await measureProcess(["sh", "-c", command], { cwd }));
      const failed = costs.find(({ code }) => code !== 0);
      const [size] = execFileSync("du", ["-sk", join(cwd, installed)], { encoding: "utf8" }).split("\t");
      yield {
        group: "install, with an empty cache",
        name,
        numbers: { ...timeOf(costs), disk: mebibytes(Number(size) * 1024) },
        ...(failed && { note: `failed: ${failed.talk.trim().split("\n").at(-1)}` }),
      };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTool(tool: Tool, server: UpdateServer): Promise<Case[]> {
  const { name } = tool;
  const above = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const folder = join(above, "project");
  mkdirSync(folder);
  try {
    if (spawnSync(tool.program[0] ?? "", ["--version"]).error) return [{ name, note: "not measured: not on PATH" }];
    const place = { folder, port: server.port };
    if (name === "Terraform") writeFileSync(join(folder, "terraformrc"), providerOf());
    const files = tool.files(place);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    const start = (words: readonly string[]) =>
      measureProcess([...programOf(tool, words), ...words], { cwd: folder, ...(tool.env && { env: tool.env }) });
    const path = join(folder, tool.zoneFile);

    const imported: ProcessCost[] = [];
    mkdirSync(dirname(path), { recursive: true });
    for (const words of tool.importing(place)) imported.push(await start(words));
    const draft = readFileSync(path, "utf8");
    const untouched = await start(tool.plan);
    const text = tool.finish?.(draft) ?? draft;
    writeFileSync(path, text);
    const planned = tool.finish ? await start(tool.plan) : untouched;

    const cases: Case[] = [
      {
        group: "first import, of a zone with 12 records",
        name,
        numbers: {
          ...timeOf(imported),
          commands: count(imported.length, "commands"),
          lines: count(linesOf(Object.values(files).join("")), "lines written"),
          missing: count(missingOf(text).length, "missing"),
        },
        note: `lacks ${missingOf(text).join(", ") || "nothing"}`,
      },
      {
        group: "first plan, of the imported zone",
        name,
        numbers: { ...timeOf([planned]), lines: count(changedLines(draft, text), "lines edited before") },
        note: `${emptiness(tool, untouched)} at first, then ${emptiness(tool, planned)}`,
      },
    ];
    for (const [mistake, [from, to]] of Object.entries(tool.mistakes)) {
      const wrong = text.replace(from, to);
      if (wrong === text) throw new Error(`${name}: ${tool.zoneFile} has no ${from}\n${text}`);
      writeFileSync(path, wrong);
      const cost = await start(tool.plan);
      cases.push({
        group: mistake,
        name,
        numbers: { ...timeOf([cost]), lines: count(linesOf(cost.out + cost.talk), "lines printed") },
        note: verdictOf(cost, to),
      });
    }
    return cases;
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
}

/** The tool's program; octoDNS has one for each command, side by side. */
function programOf({ name, program }: Tool, words: readonly string[]): readonly string[] {
  return name === "octoDNS" && words.includes("--output-dir") ? [octodns.replace(/sync$/, "dump")] : program;
}

function providerOf(): string {
  const folder = resolve(process.env.ZONEWRIGHT_TERRAFORM_DNS_PROVIDER ?? ".");
  return `provider_installation {\n  dev_overrides { "hashicorp/dns" = "${folder}" }\n  direct {}\n}\n`;
}

const timeOf = (costs: readonly ProcessCost[]) => ({
  time: seconds(costs.reduce((sum, { wallSeconds }) => sum + wallSeconds, 0)),
});

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "").length;

/** The lines of a text that another lacks. */
function changedLines(before: string, after: string): number {
  const kept = new Set(after.split("\n"));
  return before.split("\n").filter((line) => !kept.has(line)).length;
}

/** The records of which nothing is in the file, comments aside. */
function missingOf(text: string): string[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(?:\/\/|#)/.test(line))
    .join("\n");
  return Object.entries(records)
    .filter(([, word]) => !new RegExp(word.replaceAll(".", "\\.").replace("\\.*", ".*")).test(lines))
    .map(([record]) => record);
}

function emptiness({ isEmptyPlan }: Tool, { code, out, talk }: ProcessCost): string {
  return code === 0 && isEmptyPlan.test(out + talk) ? "nothing to change" : `changes (exit code ${code})`;
}

/** Whether the mistake is refused, and where the message says that it is. */
function verdictOf({ code, out, talk }: ProcessCost, wrong: string): string {
  const said = out + talk;
  if (code === 0) return "planned as it is";
  const value = wrong.replace(/^\D*\d* ?"?(?=[\w.]+"?$)/, "").match(/[\w.]+(?="?$)/)?.[0] ?? wrong;
  const line = /:\d+:\d+|line \d+|\[line:\d+/.test(said) ? "a line of the file" : "no line";
  const named = said.includes(value) ? "the value" : "not the value";
  const crash = /^panic:|^Traceback/m.exec(said) ? ", with a stack trace" : "";
  return `refused (exit code ${code}), names ${line} and ${named}${crash}`;
}
