import { existsSync } from "node:fs";
import { join } from "node:path";
import { judgesFolder } from "../judges.ts";
import type { Case, CaseRecord } from "./cases.ts";
import { type Program, run, withFullName } from "./program.ts";

const python = join(judgesFolder, "venv/bin/python");
const script = join(import.meta.dirname, "ask_octodns.py");

/** Types of its YAML files; it leaves SOA to the DNS provider. */
const types = "A AAAA CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SRV SSHFP SVCB TLSA TXT URI SPF".split(
  " ",
);

/** Advice to add something, or to use something newer: it says nothing about the records that a case has. */
const advice =
  /is missing (?:an?|MX|strict) |for redundancy|explicit .*issuewild|only ``iodef``|is deprecated|is not recommended/;

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
      const output = await run([python, script], { input });
      if (!output.startsWith("[")) throw new Error(output);
      return (JSON.parse(output) as (string[] | null)[]).map((verdict) =>
        verdict?.filter((message) => !advice.test(message)),
      );
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
      // Digits in groups are a matter of zone files.
      rrset[3].push(withFullName(record, each).replaceAll(/(?<=[0-9a-f]{16}) (?=[0-9a-f]{16})/gi, ""));
      rrsets.set(key, rrset);
    }
    zones[name] = rrsets;
  }
  return Object.fromEntries(Object.entries(zones).map(([name, rrsets]) => [name, [...rrsets.values()]]));
}
