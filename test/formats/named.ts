import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { zoneFileText } from "../../src/formats/zone-file-text.ts";
import { runProgram } from "../run-program.ts";

/** Reading alone is judged: no look at other zones, host names, mail servers, policies. */
const readOnly = "-i none -k ignore -m ignore -n ignore -r ignore -M ignore -S ignore -T ignore -W ignore".split(" ");

export interface Compiled {
  /** The records as BIND reads them, spelled as in `recordsText`; undefined if it rejects the file. */
  readonly records: string | undefined;
  readonly messages: string;
}

/**
 * Reads a master file with named-compilezone. A byte order mark, which BIND takes for a name, is removed, and a newline
 * is added after a control entry at the end: BIND rejects one without ("extra input text"), but reads such a record,
 * and RFC 1035 §5.1 requires none. Included files are in `folder`.
 */
export async function compileZone(zone: string, bytes: Uint8Array, folder?: string): Promise<Compiled> {
  const octets = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .replace(/(?:^|\n)\$[^\n]+$/, "$&\n");
  const { isOk, stdout, stderr } = await runCompilezone(zone, octets, folder);
  return { records: isOk ? normal(stdout) : undefined, messages: stderr };
}

/** The output of named-compilezone, a record a line. @throws {Error} if it rejects the file */
export async function compileText(zone: string, octets: string): Promise<string> {
  const { isOk, stdout, stderr } = await runCompilezone(zone, octets);
  if (!isOk) throw new Error(stderr);
  return stdout;
}

function runCompilezone(zone: string, octets: string, folder?: string) {
  const args = [...readOnly, "-s", "full", "-o", "-", zone];
  return inFile(octets, (file) => run("named-compilezone", [...args, file], folder));
}

/** The output of named-checkconf, which loads zones as a name server does, with a line for each loaded zone. */
export async function loadZones(zones: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-test-"));
  try {
    const blocks = [...zones.keys()].map((name, index) => `zone "${name}" { type primary; file "${index}.zone"; };\n`);
    for (const [index, text] of [...zones.values()].entries()) writeFileSync(join(folder, `${index}.zone`), text);
    writeFileSync(
      join(folder, "named.conf"),
      `options { directory "${folder}"; check-names primary ignore; };\n${blocks.join("")}`,
    );
    const { stdout, stderr } = await run("named-checkconf", ["-z", join(folder, "named.conf")]);
    return (stdout + stderr).trimEnd().split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The records without the SOA and the apex NS set that the writer adds for name servers. */
export function withoutImplicit({ name, records }: Zone, text: string): string {
  const apex = name.toLowerCase();
  const isImplicit = (type: string) =>
    !records.some((record) => record.type === type && record.owner.toLowerCase() === apex);
  const types = ["SOA", "NS"].filter(isImplicit);
  return text
    .split("\n")
    .filter((line) => !types.some((type) => line.startsWith(`${apex} `) && line.split(" ")[3] === type))
    .join("\n");
}

async function inFile<T>(octets: string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-named-"));
  try {
    const file = join(folder, "zone");
    writeFileSync(file, octets, "latin1");
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(program: string, args: string[], cwd?: string) {
  const { code, out, talk } = await runProgram([program, ...args], { encoding: "latin1", ...(cwd && { cwd }) });
  if (typeof code !== "number") throw new Error(`${program} did not run: ${code}`);
  return { isOk: code === 0, stdout: out, stderr: talk };
}

/**
 * The lines of a dump, or of dig, as `recordsText` writes them: single spaces, names in lower case, sorted, safe to
 * show.
 */
export function normal(dump: string): string {
  const lines = dump.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return zoneFileText([...new Set(lines.map(normalLine))].sort().join(""));
}

function normalLine(line: string): string {
  const [, owner = "", ttl, type = "", data = ""] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? [];
  return `${owner.toLowerCase()} ${ttl} IN ${type} ${rdata(type, data)}\n`;
}

/**
 * Types that the BIND of Debian 12 (9.18) does not know: judged by hand from IANA's templates; ALIAS is no type of DNS.
 */
export const unknownToBind: readonly string[] = ["ALIAS", "CLA", "IPN"];

/** The parts of the data that are names or mnemonics whose letter case BIND ignores; other types have none. */
const caseless: Readonly<Record<string, readonly number[]>> = {
  ...{ NS: [0], CNAME: [0], PTR: [0], DNAME: [0], MX: [1], SRV: [3], SOA: [0, 1], RP: [0, 1], NAPTR: [5] },
  ...{
    RRSIG: [7],
    SIG: [7],
    NSEC: [0],
    NXT: [0],
    SVCB: [1],
    HTTPS: [1],
    DSYNC: [3],
    A6: [1, 2],
    AMTRELAY: [3],
    IPSECKEY: [3],
  },
  ...{
    AFSDB: [1],
    KX: [1],
    LP: [1],
    RT: [1],
    PX: [1, 2],
    MB: [0],
    MG: [0],
    MR: [0],
    MINFO: [0, 1],
    TALINK: [0, 1],
    "NSAP-PTR": [0],
  },
};

/** From which part on the data is one value, which BIND parts with spaces. */
const joined: Readonly<Record<string, number>> = {
  ...{ DS: 3, CDS: 3, DNSKEY: 3, CDNSKEY: 3, TLSA: 3, SMIMEA: 3, SSHFP: 2, OPENPGPKEY: 0, RRSIG: 8 },
  ...{
    SIG: 8,
    DLV: 3,
    TA: 3,
    KEY: 3,
    RKEY: 3,
    ZONEMD: 3,
    DHCID: 0,
    EID: 0,
    NIMLOC: 0,
    HHIT: 0,
    BRID: 0,
    CERT: 3,
    DOA: 4,
    SINK: 3,
  },
  ...{ IPSECKEY: 4 },
};

function rdata(type: string, data: string): string {
  const parts = data.match(/(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/g) ?? [];
  if (data.startsWith("\\# ")) return [...parts.slice(0, 2), parts.slice(2).join("")].join(" ").trimEnd();
  if (type === "NID" || type === "L64") return withFourDigits(data);
  const cased = parts.map((part, index) => (caseless[type]?.includes(index) ? part.toLowerCase() : part));
  const tail = joined[type] ?? cased.length;
  return [...cased.slice(0, tail), cased.slice(tail).join("")].join(" ").trimEnd();
}

/** A locator with four digits in each group, which BIND shortens and Knot requires. */
function withFourDigits(data: string): string {
  const [preference, locator = ""] = data.split(" ");
  const groups = locator.split(":").map((group) => group.padStart(4, "0"));
  return `${preference} ${groups.join(":")}`;
}
