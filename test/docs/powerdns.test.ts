// @suite long
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { apiKey, rrset, startPowerDns } from "../targets/powerdns/servers.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/migrate-from-powerdns.md";

/** The zones of the page as PowerDNS has them before. */
async function startServer() {
  // Nothing is resolved: the settings say that ALIAS records are answered.
  const server = await startPowerDns({ "expand-alias": "yes", resolver: "127.0.0.1:53" });
  onTestFinished(server.stop);
  const soa = (zone: string) => rrset(zone, "SOA", `ns1.${zone} hostmaster.${zone} 1 10800 3600 604800 300`);
  const create = (zone: string, kind: string, ...rrsets: object[]) =>
    server.call("POST", "/zones", { name: zone, kind, nameservers: [], rrsets: [soa(zone), ...rrsets] });
  await create(
    "example.com.",
    "Master",
    rrset("example.com.", "NS", "ns1.example.com.", "ns2.example.com."),
    rrset("example.com.", "MX", "10 mail.example.com."),
    rrset("ns1.example.com.", "A", "192.0.2.53"),
    rrset("ns2.example.com.", "A", "192.0.2.54"),
    rrset("mail.example.com.", "A", "192.0.2.25"),
    rrset("www.example.com.", "A", "192.0.2.10"),
    { ...rrset("old.example.com.", "A"), records: [{ content: "192.0.2.66", disabled: true }] },
  );
  await create(
    "example.net.",
    "Native",
    rrset("example.net.", "NS", "ns1.example.com."),
    rrset("example.net.", "ALIAS", "www.example.com."),
  );
  await server.call("POST", "/zones", { name: "example.org.", kind: "Slave", masters: ["192.0.2.1"], nameservers: [] });
  return server;
}

test.skipIf(isMissing("pdns_server"))(
  `${path}: from a running PowerDNS to changes by git`,
  async () => {
    const server = await startServer();
    const desk = new Desk({ "keys/pdns": apiKey });
    desk.secrets.push(apiKey);
    desk.width = 100;
    const run = async (command: string): Promise<string> => {
      const screen = new Screen();
      const local = command.replaceAll("http://127.0.0.1:8081", server.url).replaceAll("../keys", "keys");
      const [, words] = /^zonewright (.*)$/.exec(local) ?? [];
      if (words !== undefined) {
        const { out, talk } = await desk.run(shellWords(words), { output: screen });
        expect(out + talk).not.toContain("internal error");
      } else if (/^pdnsutil /.test(local))
        await server.call("PATCH", "/zones/example.com.", { rrsets: [rrset("new.example.com.", "A", "192.0.2.99")] });
      else screen.addOut(execFileSync("sh", ["-ec", local], { cwd: desk.folder, encoding: "utf8" }));
      desk.now = new Date(desk.now.getTime() + 60_000);
      return screen.text
        .replaceAll(server.url, "http://127.0.0.1:8081")
        .replaceAll(/(\d{8}T\d{6}\.\d{3}Z)-[0-9a-f]{6}/g, "$1-7c90a1");
    };
    const page = readPage(path);
    let shown = "";
    let at = 0;
    for (const { 0: all, index, 1: body = "" } of page.matchAll(/^```console\n(.*?)^```$/gms)) {
      shown += `${page.slice(at, index)}\`\`\`console\n`;
      at = index + all.length;
      for (const [, command = ""] of body.matchAll(/^\$ (.+)$/gm)) shown += `$ ${command}\n${await run(command)}`;
      shown += "```";
    }
    await expect(shown + page.slice(at)).toMatchFileSnapshot(join(root, path));
  },
  120_000,
);
