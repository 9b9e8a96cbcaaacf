import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, programFolders } from "../judges.ts";
import type { Case, CaseRecord } from "./cases.ts";
import { type Program, run, type Verdict, withFullName } from "./program.ts";

/** The number of numeric fields before the text of RDATA, of types whose builders take one argument for each field. */
const numbers: Record<string, number> = {
  A: 0,
  AAAA: 0,
  CNAME: 0,
  DNAME: 0,
  NS: 0,
  PTR: 0,
  MX: 1,
  SRV: 3,
  SSHFP: 2,
  TLSA: 3,
  DS: 3,
  HTTPS: 1,
  SVCB: 1,
  NAPTR: 2,
};

/**
 * `dnscontrol check`; ZONEWRIGHT_DNSCONTROL names the program if it is neither on PATH nor in .judges/bin. With the
 * BIND provider alone in pkg/providers/_all/all.go, it is built from its source in a minute.
 */
export async function dnscontrol(): Promise<Program[]> {
  const installed = programFolders.map((folder) => join(folder, "dnscontrol")).find((file) => existsSync(file));
  const program = process.env.ZONEWRIGHT_DNSCONTROL ?? installed ?? findProgram("dnscontrol");
  if (!program) return [];
  const version = /\d+\.\d+\.\d+/.exec(await run([program, "version"]))?.[0] ?? "unknown";
  const ask = async (cases: readonly Case[]) => {
    const verdicts: Verdict[] = [];
    for (const each of cases) verdicts.push(await check(program, each));
    return verdicts;
  };
  return [{ name: "DNSControl", version, ask }];
}

async function check(program: string, each: Case): Promise<Verdict> {
  const domains = each.zones.map(({ name, lines }) => {
    // The provider of BIND zone files writes the SOA record and these name servers.
    const records = lines.flatMap((record) =>
      record && (record.isFaulty || each.records.includes(record)) ? [call(record, each)] : [],
    );
    if (records.includes(undefined)) return undefined;
    const head = `D("${name}", NewRegistrar("none"), DnsProvider(NewDnsProvider("bind")), DefaultTTL(3600)`;
    return `${[head, ...records].join(",\n  ")});\n`;
  });
  if (each.hasSettings || domains.includes(undefined)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "zonewright-findings-"));
  try {
    const nameServers = ["ns1.example.net.", "ns2.example.net."];
    const bind = { TYPE: "BIND", directory: "zones", default_ns: nameServers };
    writeFileSync(join(folder, "creds.json"), JSON.stringify({ bind, none: { TYPE: "NONE" } }));
    writeFileSync(join(folder, "dnsconfig.js"), domains.join(""));
    const output = await run([program, "check"], { cwd: folder });
    const lines = output.split("\n").map((line) => line.replace(/^[\d/]+ [\d:]+ /, ""));
    return lines.filter((line) => /^(?:ERROR|WARNING|executing|panic)/.test(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The call that makes a record; undefined if DNSControl has none for its type or its values. */
function call(record: CaseRecord, each: Case): string | undefined {
  const { zone, owner, ttl, type } = record;
  const data = withFullName(record, each);
  const apex = `${zone}.`;
  if (owner !== apex && !owner.endsWith(`.${apex}`)) return undefined;
  const name = owner === apex ? "@" : owner.slice(0, -apex.length - 1);
  const words = [...data.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([word]) => unquote(word));
  const end = ttl === 3600 ? "" : `, TTL(${ttl})`;
  const build = (...args: unknown[]) =>
    `${type}(${[name, ...args].map((arg) => JSON.stringify(arg)).join(", ")}${end})`;
  if (type === "NS" && name === "@") return `NAMESERVER(${JSON.stringify(data)})`;
  if (type === "TXT") return data.includes(";") && !data.includes('"') ? undefined : build(words.join(""));
  if (type === "CAA") {
    const [flags, tag, value] = words;
    if (flags !== "0" && flags !== "128") return undefined;
    return build(tag, value).replace(/\)$/, flags === "128" ? ", CAA_CRITICAL)" : ")");
  }
  const count = numbers[type];
  if (count === undefined) return undefined;
  const texts = words.slice(count);
  const rest =
    type === "HTTPS" || type === "SVCB"
      ? [texts[0], texts.slice(1).join(" ")]
      : ["DS", "SSHFP", "TLSA"].includes(type)
        ? [texts.join("")]
        : texts;
  const leading = words.slice(0, count).map(Number);
  return leading.some(Number.isNaN) ? undefined : build(...leading, ...rest);
}

function unquote(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, "$1") : word;
}
