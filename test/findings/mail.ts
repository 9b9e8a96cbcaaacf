import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProgram, judgesFolder } from "../judges.ts";
import type { Case, CaseRecord } from "./cases.ts";
import { serveCases } from "./dns.ts";
import { type Program, run } from "./program.ts";

/** Packages of this judge alone, in a virtual environment of their own. */
const packages = ["pyspf", "checkdmarc", "dkimpy"];
const needed = [...packages, "pynacl"];
const folder = join(judgesFolder, "findings");
const python = join(folder, "bin/python");
const script = join(import.meta.dirname, "ask_mail.py");

/** A policy to ask about: SPF and the like by the domain, DKIM by the name of the key. */
type Policy = [kind: "spf" | "dmarc" | "dkim" | "mta-sts" | "tlsrpt" | "bimi", name: string];

/** Advice about what a case does not have, and failed downloads: nothing leaves this machine. */
const advice =
  /tag value of none|rua tag|BIMI image|mark certificate|download|does not have any MX records|no MX records/i;

/** The programs for mail policies; `named` serves the zones to them. */
export async function mailPrograms(): Promise<Program[]> {
  if (!findProgram("named") || !findProgram("python3")) return [];
  if (!existsSync(python)) install();
  const freeze = await run([python, "-m", "pip", "freeze", "--disable-pip-version-check"]);
  return packages.map((name) => ({
    name,
    version: new RegExp(`^${name}==(.*)$`, "m").exec(freeze)?.[1] ?? "unknown",
    ask: async (cases) => {
      const policies = cases.map((each) => (each.hasSettings ? [] : policiesOf(each)));
      const asked = cases.flatMap((_, index) => (policies[index]?.length ? [index] : []));
      const dns = await serveCases(asked.flatMap((index) => cases[index] ?? []));
      try {
        const questions = asked.map((index, place) => ({ key: `case-${place}`, policies: policies[index] }));
        const input = JSON.stringify({ program: name, port: dns.port, secret: dns.secret, questions });
        const output = await run([python, script], { input });
        if (!output.startsWith("[")) throw new Error(output);
        const verdicts: (string[] | null)[] = JSON.parse(output);
        return cases.map((_, index) => verdicts[asked.indexOf(index)]?.filter((message) => !advice.test(message)));
      } finally {
        await dns.close();
      }
    },
  }));
}

function install(): void {
  const commands = [
    ["python3", "-m", "venv", folder],
    [python, "-m", "pip", "install", "--quiet", ...needed],
  ];
  for (const [program = "", ...args] of commands) spawnSync(program, args, { stdio: "inherit" });
}

/** The policies to ask about, from the names and the texts of the faulty records; of all in an odd case. */
function policiesOf({ records }: Case): Policy[] {
  const faulty = records.filter(({ isFaulty }) => isFaulty);
  const policies = (faulty.length > 0 ? faulty : records).flatMap(policyOf);
  return [...new Map(policies.map((policy) => [policy.join(" "), policy])).values()];
}

function policyOf({ owner, zone, type, data }: CaseRecord): Policy[] {
  if (!["TXT", "CNAME", "SPF"].includes(type)) return [];
  // A misspelled name is asked about as it was meant: the policy is not there.
  const name = owner
    .slice(0, -1)
    .replace(`${zone}.${zone}`, zone)
    .replace(/\._?domainkeys?\./, "._domainkey.");
  const text = data.toLowerCase();
  const below = (label: string) => (name.startsWith(`${label}.`) ? name.slice(label.length + 1) : name);
  if (/domainkeys?\./.test(name)) return [["dkim", name]];
  if (/_report\._dmarc/.test(name)) return [];
  if (/(?:^|\.)_?dmarc\./.test(name)) return [["dmarc", name.replace(/^.*?_?dmarc\./, "")]];
  if (name.includes("_mta-sts.")) return [["mta-sts", below("_mta-sts")]];
  if (name.includes("_tls.")) return [["tlsrpt", name.replace(/^.*(?:_tls|_smtp)\./, "")]];
  if (name.includes("_bimi.")) return [["bimi", name.replace(/^.*_bimi\./, "")]];
  if (text.includes("stsv1")) return [["mta-sts", below("mta-sts")]];
  const isSpf = /v=spf|^"spf\d/.test(text) && !name.startsWith("*");
  return [
    ...(isSpf ? [["spf", name] as Policy] : []),
    ...(text.includes("v=dmarc") ? [["dmarc", name] as Policy] : []),
  ];
}
