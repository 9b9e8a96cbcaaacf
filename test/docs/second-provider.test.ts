// @suite long
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { startFileServer } from "../targets/files/file-servers.ts";
import { key, startUpdateServer } from "../updates/servers.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/second-provider.md";

const soa = "@ SOA ns1.example.net. hostmaster 1 14400 3600 1209600 300\n";
const before = `$ORIGIN example.com.\n$TTL 3600\n${soa}@ NS ns1.example.net.\nwww A 192.0.2.80\n`;
const parentText = (serial: number, ...servers: readonly string[]) => `$ORIGIN com.
@ 3600 SOA a.example.net. hostmaster.example.net. ${serial} 3600 600 86400 60
@ 3600 NS a.example.net.
${servers.map((name) => `example 172800 NS ${name}\n`).join("")}`;

/** The servers of the two providers and of the parent zone, as they are before. */
async function startServers(desk: Desk) {
  const office = await startUpdateServer(({ folder, port }) => {
    writeFileSync(join(folder, "example.com.zone"), before);
    writeFileSync(
      join(folder, "named.conf"),
      `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no; allow-transfer { any; };
};
controls {};
key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };
zone "example.com" { type primary; file "example.com.zone"; allow-update { key "${key.name}"; }; };
`,
    );
    return ["named", "-g", "-n", "1", "-c", join(folder, "named.conf")];
  }, 1);
  const fleet = await startFileServer("bind", { "example.com": join(desk.folder, "srv/example.com.zone") });
  const parentFile = join(desk.folder, "com.zone");
  writeFileSync(parentFile, parentText(1, "ns1.example.net.", "ns2.example.org."));
  const parent = await startFileServer("bind", { com: parentFile });
  for (const server of [office, fleet, parent]) onTestFinished(() => server.stop());
  await office.untilServed("example.com.");
  const leave = () => {
    writeFileSync(parentFile, parentText(2, "ns1.example.net."));
    const [program = "", ...words] = parent.reload;
    execFileSync(
      program,
      words.map((word) => word.replace("{zone}", "com")),
    );
  };
  return { office, fleet, parent, leave };
}

test.skipIf(isMissing("named", "dig"))(
  `${path}: a provider is added, and leaves again`,
  async () => {
    const desk = new Desk({ "keys/office": `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n` });
    desk.sleep = (ms) => wait(ms);
    desk.now = new Date(); // that of the server, which checks signatures
    desk.width = 100;
    desk.env.PATH = process.env.PATH;
    const { office, fleet, parent, leave } = await startServers(desk);
    desk.resolvers = [`127.0.0.1:${parent.port}`];
    const [officeAt, fleetAt] = [office, fleet].map(({ port }) => `127.0.0.1:${port}`);
    const page = readPage(path);
    const [, config = ""] = /```yaml\n(# zonewright\.yaml\n.*?)```/s.exec(page) ?? [];
    desk.write(
      "zonewright.yaml",
      config
        .replace("server: 192.0.2.1", `server: "${officeAt}"`)
        .replace("../keys", "keys")
        .replace("[ns1.example.net]", `{ ns1.example.net: "${officeAt}" }`)
        .replace("/srv/zones", "srv")
        .replace('[rndc, reload, "{zone}"]', JSON.stringify(fleet.reload))
        .replace("verify_at: 192.0.2.2", `verify_at: ${fleetAt}`)
        .replace("[ns2.example.org]", `{ ns2.example.org: "${fleetAt}" }`),
    );
    const [, file = ""] = /```bind\n(; zones\/example\.com\.zone\n.*?)```/s.exec(page) ?? [];
    const alone = file.replace(/.*ns2\.example\.org\.\n/, "");
    desk.write("zones/example.com.zone", file);
    const run = async (command: string): Promise<string> => {
      const [, words] = /^zonewright (.*)$/.exec(command) ?? [];
      const screen = new Screen();
      if (words === undefined) {
        const [port] = command.includes("192.0.2.1 ") ? [office.port] : [fleet.port];
        const dig = command.replace(/@192\.0\.2\.\d/, `-p ${port} @127.0.0.1`);
        screen.addOut(execFileSync("sh", ["-ec", `${dig} | sort`], { encoding: "utf8" }));
      } else await desk.run(shellWords(words), { output: screen });
      return screen.text
        .replaceAll(`${officeAt}`, "192.0.2.1:53")
        .replaceAll(`${fleetAt}`, "192.0.2.2:53")
        .replaceAll(/until \d{4}-\d\d-\d\dT[\d:]+Z/g, "until 2026-12-02T10:24:00Z")
        .replaceAll(/until: \d{4}-\d\d-\d\d/g, "until: 2026-12-30")
        .replaceAll(/(effects:? )"?[0-9a-f]{8,16}"?/g, "$1…");
    };
    let deletions = 0;
    let shown = "";
    let at = 0;
    for (const { 0: all, index, 1: body = "" } of page.matchAll(/^```console\n(.*?)^```$/gms)) {
      shown += `${page.slice(at, index)}\`\`\`console\n`;
      at = index + all.length;
      for (const [, command = ""] of body.matchAll(/^\$ (.+)$/gm)) {
        if (command.includes("--delete-zone") && ++deletions === 1) {
          desk.write("zones/example.com.zone", alone);
          expect((await desk.run("apply --yes --allow G04,G01")).code).toBe(0);
          leave();
          desk.write("zones/example.com.zone", `;@ targets: office\n${alone}`);
        } else if (command.includes("--delete-zone")) desk.now = new Date(desk.now.getTime() + 172_801_000);
        shown += `$ ${command}\n${await run(command)}`;
      }
      shown += "```";
    }
    await expect(shown + page.slice(at)).toMatchFileSnapshot(join(root, path));
  },
  120_000,
);
