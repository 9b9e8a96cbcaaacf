import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { ask, askSoa } from "../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { apiOf, Program as Zonewright } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { freePort, type Program, programs } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/server/serve-at-scale.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({ kind, text }));
const host = "127.0.0.1";

function block(kind: string, words = ""): string {
  return blocks.find((block) => block.kind === kind && block.text.includes(words))?.text ?? expect.fail(kind);
}

/** The page's addresses, and their replacements on this machine. */
interface Machines {
  readonly primary: ServerAddress;
  readonly ports: Readonly<Record<Program, number>>;
}

const places: Record<Program, string> = { bind: "198.51.100.1", knot: "198.51.100.2", nsd: "198.51.100.3" };

/**
 * Where a program keeps what it would keep in folders of the system: the page's configuration, in a folder of its own.
 */
const own: Record<Program, (text: string, folder: string) => string> = {
  bind: (text, folder) =>
    text
      .replace(
        'directory "/var/cache/bind";',
        `directory "${folder}"; pid-file none; session-keyfile none; lock-file none; listen-on-v6 { none; };`,
      )
      .concat("controls {};\n"),
  knot: (text, folder) =>
    text.replace("server:\n", `server:\n    rundir: ${folder}\n`).replaceAll("/var/lib/knot", folder),
  nsd: (text, folder) =>
    text
      .replace("/var/lib/nsd", folder)
      .replace(
        "server:\n",
        `server:\n  username: ""\n  pidfile: ${folder}/pid\n  xfrdfile: ${folder}/xfrd\n  zonelistfile: ${folder}/list\n  xfrdir: ${folder}\n`,
      )
      // The port of its control channel is the same for every NSD of the machine.
      .concat("remote-control:\n  control-enable: no\n"),
};

/** Addresses of the page become ports of this machine. */
function here(text: string, { primary, ports }: Machines): string {
  let local = text
    .replaceAll(/192\.0\.2\.53(:| port |@)53\b/g, `${host}$1${primary.port}`)
    .replaceAll("192.0.2.53", host);
  for (const program of programs) {
    const { [program]: port } = ports;
    local = local
      .replace(`port 53 { ${places[program]}; }`, `port ${port} { ${host}; }`)
      .replace(`${places[program]}@53`, `${host}@${port}`)
      .replace(`--secondary ${places[program]}`, `--secondary ${host}:${port}`);
  }
  return local;
}

test.skipIf(isMissing("named", "knotd", "nsd"))(
  "the page's primary and its three kinds of secondaries: a change through the API arrives by NOTIFY",
  async () => {
    const { folder } = new Desk();
    execFileSync("sh", ["-ec", block("sh", "tsig-keygen")], { cwd: folder });
    const secret = /secret "([^"]+)"/.exec(readFileSync(join(folder, "keys.conf"), "utf8"))?.[1] ?? "";
    const ports = { bind: await freePort(), knot: await freePort(), nsd: await freePort() };
    const machines = { primary: { host, port: await freePort() }, ports };
    const command = here(block("sh", "zonewright serve"), machines).trim().replace("zonewright ", "");
    const server = new Zonewright(folder, `${command} --port 0 --ephemeral --token secret-for-tests`);
    const { call } = await apiOf(server);
    await server.says(/names are answered on /);
    const post = async (path: string, body: object) => expect((await call("POST", path, body)).status).toBe(200);
    await post("/domains", { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" });

    const secondary = { primary: machines.primary, zones: ["example.com."] };
    for (const program of programs) {
      const text = here(block(program), machines)
        .replaceAll("SECRET", secret)
        .replace("keys.conf", join(folder, "keys.conf"));
      const config = (its: string) => own[program](text, its);
      await useNameServer(program, { zones: {}, secondary, port: ports[program], config });
    }
    await post("/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
    const { data } = await askSoa(machines.primary, domainName("example.com."));
    for (const program of programs) {
      const at = { host, port: ports[program] };
      while ((await askSoa(at, domainName("example.com."))).data.serial !== data.serial) await wait(10);
      const said = async (name: string, type: string) =>
        (await ask(at, { question: { name: domainName(name), type, class: 1 } })).answers
          .map((record) => rdataText(record))
          .sort();
      expect([program, await said("www.example.com.", "A")]).toEqual([program, ["192.0.2.1"]]);
      expect(await said("example.com.", "NS")).toEqual(["ns1.example.net.", "ns2.example.net.", "ns3.example.net."]);
    }
    server.kill("SIGTERM");
    expect((await server.end()).talk).not.toContain(secret);
  },
);
