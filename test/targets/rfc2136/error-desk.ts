import { chmodSync } from "node:fs";
import { join } from "node:path";
import { Desk } from "../../cli/run.ts";
import { key, zoneText } from "../../updates/servers.ts";

export const zone = "z01.example.";

/** The key in the form of BIND's configuration. */
export const keyText = ({ name = key.name, secret = key.secret, algorithm = "hmac-sha256" } = {}): string =>
  `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };\n`;

/** The records of the zone on a server, without its SOA record. */
export const stored = zoneText(zone).replace(/^@ SOA.*\n/m, "");

export interface ErrorDeskOptions {
  readonly key?: string | undefined;
  /** Settings of the target beside its server. */
  readonly settings?: string;
  /** The records of the file. */
  readonly records?: string;
}

/** A desk with the zone in a file, which has one record more than the server, and a target for the server. */
export function errorDesk(at: string, options: ErrorDeskOptions = {}): Desk {
  const { key: text = keyText(), settings = "", records = `${stored}new A 192.0.2.40\n` } = options;
  const desk = new Desk({
    "zonewright.yaml": `targets:\n  office: { kind: rfc2136, server: "${at}", tsig_key_file: keys/office${settings} }\nzones: zones\n`,
    "keys/office": text,
    "zones/z01.example.zone": records,
  });
  chmodSync(join(desk.folder, "keys/office"), 0o600);
  desk.secrets.push(key.secret);
  desk.now = new Date(); // the server compares clocks
  desk.shown.push([at, "SERVER"]);
  return desk;
}

/** A desk for a target without a key. */
export function keylessDesk(at: string): Desk {
  const desk = errorDesk(at);
  desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace(/, tsig_key_file: [^ ]+/, ""));
  return desk;
}

const every = ["plan", "apply --yes", "doctor"] as const;

/** The messages of commands about a server, without the changes of plans; commands with equal ones have one entry. */
export async function sectionOf(title: string, desk: Desk, commands: readonly string[] = every): Promise<string> {
  const results = new Map<string, string[]>();
  for (const command of commands) {
    const { code, out, talk } = await desk.run(command);
    const found = command === "doctor" ? ofTarget(out) : (out.match(/^(?:warning|plan:|applied).*\n/gm) ?? []).join("");
    const text = constant(`${command.startsWith("apply") ? "" : found}${talk}[${code}]\n`);
    results.set(text, [...(results.get(text) ?? []), command]);
  }
  return `# ${title}\n${[...results].map(([text, commands]) => `$ ${commands.join(", ")}\n${text}`).join("")}`;
}

/** Times, runs and versions of servers are shown as words. */
export function constant(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{6}\b/g, "RUN")
    .replaceAll(/^(ok +server +).*$/gm, "$1VERSION");
}

/** The lines of `doctor` about the target. */
function ofTarget(out: string): string {
  const lines = out.split(/^(?=\S)/m);
  return lines.slice(lines.findIndex((line) => /^\w+ +runs /.test(line)) + 1).join("");
}
