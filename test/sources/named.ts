import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { masterText } from "../../src/report/master-text.ts";

/** BIND's programs, the judges of what a master file says. CI installs them. */
export const hasNamed = spawnSync("named-compilezone", ["-v"]).error === undefined;

/** Reading alone is judged: no look at other zones, host names, mail servers, policies. */
const readOnly = "-i none -k ignore -m ignore -n ignore -r ignore -M ignore -S ignore -T ignore -W ignore".split(" ");

export interface Compiled {
  /** What BIND read, spelled as `recordsText` does; undefined where it refuses the file. */
  readonly records: string | undefined;
  readonly messages: string;
}

/** What named-compilezone reads in a master file; a byte order mark, which BIND takes for a name, is taken off. */
export async function compileZone(zone: string, bytes: Uint8Array): Promise<Compiled> {
  const octets = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\u00ef\u00bb\u00bf/, "");
  return inFile(octets, async (file) => {
    const { isOk, stdout, stderr } = await run("named-compilezone", [...readOnly, "-s", "full", "-o", "-", zone, file]);
    return { records: isOk ? normal(stdout) : undefined, messages: stderr };
  });
}

/** What named-checkzone says of a zone that it refuses to serve; undefined where it accepts it. */
export async function checkZone(zone: string, text: string): Promise<string | undefined> {
  return inFile(Buffer.from(text).toString("latin1"), async (file) => {
    const { isOk, stdout, stderr } = await run("named-checkzone", ["-i", "local", zone, file]);
    return isOk ? undefined : stdout + stderr;
  });
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

function run(program: string, args: string[]): Promise<{ isOk: boolean; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { encoding: "latin1", maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ isOk: error === null, stdout, stderr });
    });
  });
}

/** The lines of a dump as `recordsText` writes them: single spaces, names in lower case, sorted, safe to show. */
function normal(dump: string): string {
  const lines = dump.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  return masterText([...new Set(lines.map(normalLine))].sort().join(""));
}

function normalLine(line: string): string {
  const [, owner = "", ttl, type = "", data = ""] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? [];
  return `${owner.toLowerCase()} ${ttl} IN ${type} ${rdata(type, data)}\n`;
}

function rdata(type: string, data: string): string {
  if (type === "TXT") return data;
  if (type === "CAA") return data.replace(/^\d+ \w+/, (head) => head.toLowerCase());
  return data.toLowerCase();
}
