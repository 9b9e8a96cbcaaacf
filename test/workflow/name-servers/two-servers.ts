import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";
import { key, startUpdateServer } from "../../updates/servers.ts";

/** The zone z01.example with these name servers of example.net. */
export const zoneText = (servers: string, www = "192.0.2.1"): string => `$ORIGIN z01.example.
$TTL 300
@ SOA ns1.example.net. hostmaster 1 3600 600 86400 60
${servers
  .split(" ")
  .map((name) => `@ NS ${name}.example.net.\n`)
  .join("")}www A ${www}
`;

/** The NS records that a server answers with, by dig. */
export function nsOf(port: number, name = "z01.example"): string[] {
  const words = ["@127.0.0.1", "-p", `${port}`, "+norec", "+noall", "+answer", "NS", name];
  const text = execFileSync("dig", words).toString();
  return [...text.matchAll(/\sNS\s+(\S+)/g)].map(([, server = ""]) => server).sort();
}

/** A project whose zone is on a BIND by updates (`office`, ns1.example.net) and on another by files (`fleet`, ns2). */
export async function twoServers() {
  const desk = new Desk();
  const office = await startUpdateServer("BIND", 1, () => zoneText("ns1"));
  onTestFinished(() => office.stop());
  await office.untilServed("z01.example.");
  const served = join(desk.folder, "srv");
  mkdirSync(served);
  const fleet = await startFileServer("bind", { "z01.example": join(served, "z01.example.zone") });
  onTestFinished(() => fleet.stop());
  desk.write("office.key", `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`);
  const [officeAt, fleetAt] = [office, fleet].map(({ port }) => `127.0.0.1:${port}`);
  const text = `targets:
  office:
    kind: rfc2136
    server: ${officeAt}
    tsig_key_file: office.key
    nameservers: { ns1.example.net: "${officeAt}" }
  fleet:
    kind: files
    folder: srv
    check: ${JSON.stringify(fleet.check)}
    reload: ${JSON.stringify(fleet.reload)}
    verify_at: ${fleetAt}
    nameservers: { ns2.example.net: "${fleetAt}" }
zones: { path: zones, targets: [office, fleet] }
`;
  desk.write("zonewright.yaml", text);
  const run = async (words: string) => {
    const { PATH, HOME } = process.env;
    const { code, ...texts } = await new Program(desk.folder, words, { PATH, HOME }).end();
    const shown = (text: string) => text.replaceAll(`${office.port}`, "OFFICE").replaceAll(`${fleet.port}`, "FLEET");
    return { code, out: shown(texts.out), talk: shown(texts.talk) };
  };
  return { desk, office, fleet, run, text };
}
