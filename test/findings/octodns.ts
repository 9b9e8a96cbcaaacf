import { existsSync } from "node:fs";
import { join } from "node:path";
import { judgesFolder } from "../judges.ts";
import { absolute, type Case, type CaseRecord } from "./cases.ts";
import { type Program, run } from "./program.ts";

const python = join(judgesFolder, "venv/bin/python");
const script = join(import.meta.dirname, "octodns.py");

/** Types of its YAML files; it leaves SOA to the DNS provider. */
const types =
  "A AAAA CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SRV SSHFP SVCB TLSA TXT URI SPF".split(" ");

/** The position of the name in RDATA. */
const targets: Record<string, number> = { MX: 1, NS: 0, CNAME: 0, DNAME: 0, PTR: 0, SRV: 3, HTTPS: 1, SVCB: 1, NAPTR: 5 };

/** octoDNS with its set of strict validators, and with those of best practice too. */
export async function octodns(): Promise<Program[]> {
  if (!existsSync(python)) return [];
  const version = (await run([python, "-c", "import octodns; print(octodns.__version__)"])).trim();
  const registered = "from octodns.record import Record; print(*Record._CLASSES)";
  const known = (await run([python, "-c", registered])).trim().split(" ");
  const sets = [["strict"], ["strict", "best-practice"]];
  return sets.map((sets) => ({
    name: `octoDNS ${sets.at(-1)}`,
    version,
    ask: async (cases) => {
      const input = JSON.stringify({ sets, cases: cases.map((each) => express(each, known)) });
      return JSON.parse(await run([python, script], { input })).map((verdict: string[] | null) => verdict ?? undefined);
    },
  }));
}

/** The RRsets of each zone; null for a case that no YAML file of octoDNS can express. */
function express(each: Case, known: readonly string[]): Record<string, unknown[]> | null {
  if (each.hasSettings) return null;
  const zones: Record<string, Map<string, [string, string, number, string[]]>> = {};
  const isExpressible = (record: CaseRecord) =>
    types.includes(record.type) && known.includes(record.type) && record.owner.endsWith(`.${record.zone}.`);
  for (const { name, lines } of each.zones) {
    const rrsets = new Map<string, [string, string, number, string[]]>();
    for (const record of lines) {
      if (!record || (record.type === "SOA" && !record.isFaulty)) continue;
      const isApex = record.owner === `${name}.`;
      if (!isApex && !isExpressible(record)) return null;
      if (isApex && !(types.includes(record.type) && known.includes(record.type))) return null;
      const key = `${record.owner} ${record.type}`;
      const rrset = rrsets.get(key) ?? [record.owner, record.type, record.ttl, []];
      // One TTL is given for all values.
      if (rrset[2] !== record.ttl) return null;
      rrset[3].push(withFullName(record, each.class === "dot"));
      rrsets.set(key, rrset);
    }
    zones[name] = rrsets;
  }
  return Object.fromEntries(Object.entries(zones).map(([name, rrsets]) => [name, [...rrsets.values()]]));
}

/**
 * RDATA with a full name in the place of a relative one, since octoDNS has only full names. A missing dot is kept where
 * that is the mistake.
 */
function withFullName({ type, data, zone }: CaseRecord, isKept: boolean): string {
  const words = data.split(" ");
  const position = targets[type];
  const name = position === undefined ? undefined : words[position];
  if (position === undefined || name === undefined || name.endsWith(".")) return data;
  if (/^[\d.]+$/.test(name) || (isKept && name.includes("."))) return data;
  return words.with?.(position, absolute(name, zone)).join(" ") ?? data;
}
