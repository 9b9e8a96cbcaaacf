import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askSoa } from "../../src/dns-client/ask.ts";
import { Desk } from "../cli/run.ts";
import { freePort, type Program, startNameServer } from "../dns/transfer/nameservers.ts";
import { isMissing, type Judge } from "../judges.ts";
import { domainName } from "../names.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/import.md"), "utf8");
const host = "127.0.0.1";
const files = { bind: "named.conf", knot: "knot.conf", nsd: "nsd.conf" };
const binaries = { bind: "named", knot: "knotd", nsd: "nsd" } as const;

function block(kind: string, words = ""): string {
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.find(([, of, text = ""]) => of === kind && text.includes(words))?.[2] ?? expect.fail(kind);
}

/** The page's configuration, with the folders and the port of the test. */
const local: Record<Program, (text: string, folder: string, port: number) => string> = {
  bind: (text, folder, port) =>
    text
      .replaceAll("/var/cache/bind", folder)
      .replace(
        "listen-on port 53 { 192.0.2.53; };",
        `listen-on port ${port} { ${host}; }; listen-on-v6 { none; }; pid-file none; session-keyfile none; lock-file none;`,
      )
      .concat("controls {};\n"),
  knot: (text, folder, port) =>
    text
      .replaceAll("/var/lib/knot", folder)
      .replace("server:\n", `server:\n    rundir: ${folder}\n`)
      .replace("192.0.2.53@53", `${host}@${port}`),
  nsd: (text, folder, port) =>
    text
      .replaceAll("/var/lib/nsd", folder)
      .replace("192.0.2.53@53", `${host}@${port}`)
      .replace(
        "server:\n",
        `server:\n  username: ""\n  pidfile: ${folder}/pid\n  xfrdfile: ${folder}/xfrd\n  zonelistfile: ${folder}/list\n  xfrdir: ${folder}\n`,
      ),
};

const zoneText =
  "@ 3600 IN SOA ns1.example.org. hostmaster 7 7200 3600 1209600 300\n@ 3600 IN NS ns1.example.org.\nwww 3600 IN A 192.0.2.1\n";

/** The servers of the page, with the file that lists their zones. */
const servers: Record<
  string,
  {
    judges: Judge[];
    list: string;
    start: (desk: Desk, secret: string, port: number) => Promise<{ stop(): Promise<void> }>;
  }
> = {
  ...Object.fromEntries(
    (Object.keys(files) as Program[]).map((program) => [
      program,
      {
        judges: [binaries[program]],
        list: files[program],
        start: (desk: Desk, secret: string, port: number) => {
          const config = (folder: string) => {
            for (const zone of ["example.com", "example.net"]) writeFileSync(join(folder, `${zone}.zone`), zoneText);
            const text = local[program](block(program).replaceAll("SECRET", secret), folder, port);
            desk.write(files[program], text);
            return text;
          };
          return startNameServer(program, { zones: {}, port, config });
        },
      },
    ]),
  ),
  powerdns: { judges: ["pdns_server", "pdns-backend-bind"], list: "zones.txt", start: startPowerDns },
};

/** PowerDNS with two zone files, and the keys that the commands of the page allow. */
async function startPowerDns(desk: Desk, secret: string, port: number): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-powerdns-"));
  const zones = ["example.com", "example.net"];
  writeFileSync(join(folder, "zone"), zoneText);
  writeFileSync(
    join(folder, "named.conf"),
    zones.map((zone) => `zone "${zone}" { type master; file "${folder}/zone"; };\n`).join(""),
  );
  const backend = `launch=bind\nbind-config=${folder}/named.conf\nbind-dnssec-db=${folder}/keys\n`;
  const socket = `local-address=${host}\nlocal-port=${port}\nsocket-dir=${folder}\n`;
  writeFileSync(join(folder, "pdns.conf"), `${backend}${socket}allow-axfr-ips=\nsecurity-poll-suffix=\n`);
  const flag = `--config-dir=${folder}`;
  execFileSync("pdnsutil", [flag, "create-bind-db", join(folder, "keys")]);
  const commands = block("sh", "pdnsutil").replaceAll("SECRET", secret).replaceAll("pdnsutil", `pdnsutil ${flag}`);
  execFileSync("sh", ["-ec", commands], { cwd: desk.folder, stdio: "pipe" });
  const child = spawn("pdns_server", [flag, "--daemon=no", "--guardian=no"], { stdio: "ignore" });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { stop };
}

for (const [program, { judges, list, start }] of Object.entries(servers))
  test.skipIf(isMissing(...judges, "dig", "tsig-keygen"))(
    `${program} with the page's configuration gives its zones to who has the key, and the configuration lists them`,
    async () => {
      const desk = new Desk();
      execFileSync("sh", ["-ec", block("sh", "tsig-keygen")], { cwd: desk.folder });
      const keyFile = desk.read("transfer.key");
      const secret = /secret "([^"]+)"/.exec(keyFile)?.[1] ?? "";
      desk.secrets.push(secret);
      const port = await freePort();
      const running = await start(desk, secret, port);
      onTestFinished(() => running.stop());
      const isServed = () =>
        askSoa({ host, port }, domainName("example.net."))
          .then(() => true)
          .catch(() => false);
      await expect.poll(isServed).toBe(true);
      const command = `import axfr --zones-file ${list} --from ${host}:${port}`;
      // The first server refuses connections, so the second one is asked.
      const refused = await desk.run(command);
      expect([refused.code, Object.keys(desk.files()).filter((file) => file.startsWith("zones/"))]).toEqual([1, []]);
      expect(refused.talk).toContain("zonewright help import.md");
      const first = `--from ${host}:${await freePort()}`;
      const done = await desk.run(`${command.replace("--from", `${first} --from`)} --tsig-key transfer.key`);
      expect([done.code, done.out.match(/^wrote .*/gm)]).toEqual([
        0,
        ["example.com", "example.net"].map(
          (zone) => `wrote zones/${zone}.yaml: 3 records (1 exact, 2 left to the service)`,
        ),
      ]);
      const env = { ZONEWRIGHT_TSIG_KEY: `transfer:hmac-sha256:${secret}` };
      const again = await desk.run(command, { env });
      expect([again.code, again.out.match(/^unchanged /gm)?.length]).toEqual([0, 2]);
      expect(readFileSync(join(desk.folder, "zones/example.com.yaml"), "utf8")).toContain("www:\n    A: 192.0.2.1");
    },
  );
