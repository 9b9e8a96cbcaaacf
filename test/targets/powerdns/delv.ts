import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PowerDnsServer } from "./servers.ts";

const run = promisify(execFile);

/** The answer to a question about a signed zone as BIND's validator prints it, with the zone's keys as anchors. */
export async function delv(server: PowerDnsServer, zone: string, name: string, type: string): Promise<string> {
  const keys = (await server.call("GET", `/zones/${zone}/cryptokeys`)) as { dnskey: string }[];
  const anchors = keys.map(({ dnskey }) => {
    const [flags, protocol, algorithm, key] = dnskey.split(" ");
    return `trust-anchors { "${zone}" static-key ${flags} ${protocol} ${algorithm} "${key}"; };\n`;
  });
  const folder = mkdtempSync(join(tmpdir(), "zonewright-delv-"));
  try {
    writeFileSync(join(folder, "anchors"), anchors.join(""));
    const words = ["@127.0.0.1", "-p", String(server.port), "-a", join(folder, "anchors"), `+root=${zone}`];
    const { stdout, stderr } = await run("delv", [...words, "+nocrypto", "+nottl", "+noclass", name, type]);
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
