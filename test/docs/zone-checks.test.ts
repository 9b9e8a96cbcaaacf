import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { shellWord } from "../../src/diagnostics/shell-word.ts";
import { askSoa } from "../../src/dns-client/ask.ts";
import { programWords } from "../cli/process.ts";
import { dig } from "../dns/transfer/dig.ts";
import { freePort, type Running, startNameServer } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { readPage } from "./page.ts";

const page = readPage("docs/name-servers.md");
const name = "example.com.";

/** A version of the zone, which BIND serves whether it is valid or not. */
const version = (serial: number, more = "") => `$TTL 300
@ SOA ns1 hostmaster ${serial} 3600 600 86400 60
@ NS ns1
@ NS ns2.example.net.
@ TXT "v=spf1 mx -all"
@ MX 10 mail
ns1 A 192.0.2.1
mail A 192.0.2.25
www CNAME mail
*.wild A 192.0.2.9
sub NS ns.sub
sub NS ns.example.net.
ns.sub A 192.0.2.7
${more}`;

const secondPolicy = '@ TXT "v=spf1 -all"\n';
const refusal = 'example.com: error[single-policy] @ has 2 TXT records that start with "v=spf1"';

/** The block of the page that begins so. */
function block(kind: string, first: string): string {
  return page.split(`\`\`\`${kind}\n${first}`)[1]?.split("```")[0] ?? expect.fail(first);
}

/** A folder with programs, of which `zonewright` is one. */
function programFolder(programs: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-checks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = programWords.map(shellWord).join(" ");
  for (const [file, text] of Object.entries({ zonewright: `#!/bin/sh\nexec ${own} "$@"\n`, ...programs })) {
    writeFileSync(join(folder, file), text);
    chmodSync(join(folder, file), 0o755);
  }
  return folder;
}

/** The zone with this serial as `dnssec-signzone` signs it, with NSEC or NSEC3 records. */
function signed(serial: number, ...words: string[]): string {
  const folder = programFolder();
  writeFileSync(join(folder, "zone"), version(serial));
  const run = (program: string, ...words: string[]) => execFileSync(program, words, { cwd: folder, stdio: "pipe" });
  for (const flag of [["-f", "KSK"], []]) run("dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", ...flag, "example.com");
  run("dnssec-signzone", "-q", "-S", ...words, "-o", "example.com", "-f", "signed", "zone");
  return readFileSync(join(folder, "signed"), "utf8");
}

const serialOf = async (server: Running) => (await askSoa(server, domainName(name))).data.serial;

test.skipIf(isMissing("named", "nsd", "dig", "dnssec-signzone"))(
  "the lines for NSD: a secondary serves the last valid zone of its primary",
  async () => {
    const verifier = block("text", "# nsd.conf, for a secondary\n").replace("/usr/local/bin", programFolder());
    const port = await freePort();
    const primary = await startNameServer("bind", {
      zones: { [name]: version(1) },
      notify: { host: "127.0.0.1", port },
    });
    onTestFinished(primary.stop);
    const secondary = await startNameServer("nsd", {
      zones: {},
      port,
      nsd: `${verifier}  port: ${await freePort()}\n`,
      secondary: { primary, zones: [name] },
    });
    onTestFinished(secondary.stop);
    const served = async (text: string, serial: number) => {
      primary.rewrite(name, text);
      await expect.poll(() => serialOf(secondary)).toBe(serial);
    };
    await served(version(2, "new A 192.0.2.2\n"), 2);
    primary.rewrite(name, version(3, secondPolicy));
    await expect.poll(() => secondary.log()).toMatch(/verifier for zone \S+ \(pid \d+\) exited with 3/);
    expect(await serialOf(primary)).toBe(3);
    expect(await serialOf(secondary)).toBe(2);
    expect((await dig(secondary, name, "TXT")).filter(Boolean)).toEqual(['example.com. 300 IN TXT "v=spf1 mx -all"']);
    expect(secondary.log()).toContain(refusal);
    await served(version(4), 4);
    await served(signed(5), 5);
    await served(signed(6, "-3", "-", "-A"), 6);
    expect(secondary.log().match(/error\[/g), "what was valid left no line").toHaveLength(1);
  },
  60_000,
);

test.skipIf(isMissing("kzonesign"))("the script for Knot commits or aborts, after a zone as Knot writes it", () => {
  const folder = programFolder({
    knotc: '#!/bin/sh\necho "knotc $*"\n',
    "check-zone": `#!/bin/sh\n#${block("sh", "#!/bin/sh\n# check-zone")}`,
  });
  const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
  const answer = (text: string) => {
    writeFileSync(join(folder, "zone"), text);
    const options = { cwd: folder, env, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(join(folder, "check-zone"), ["example.com", "zone"], options);
    return [status, stdout, stderr];
  };
  mkdirSync(join(folder, "keys"));
  const config = join(folder, "knot.conf");
  writeFileSync(join(folder, "plain"), version(1));
  writeFileSync(
    config,
    `database:\n  storage: "${folder}/keys"\nzone:\n  - domain: ${name}\n    file: "${folder}/plain"\n    dnssec-signing: on\n`,
  );
  execFileSync("kzonesign", ["-c", config, "-o", join(folder, "keys"), name], { stdio: "pipe" });
  const dump = readFileSync(join(folder, "keys", "plain"), "utf8");
  expect(dump).toContain("RRSIG");
  expect(answer(dump)).toEqual([0, "knotc zone-commit example.com\n", ""]);
  expect(answer(dump + secondPolicy.replace("@", name).replace(" TXT", " 300 TXT"))).toEqual([
    0,
    "knotc zone-abort example.com\n",
    `${refusal}\n`,
  ]);
});

test.skipIf(isMissing("named", "dig"))(
  "the hook for Cascade transfers the zone, and ends with 0 or another code",
  async () => {
    const folder = programFolder({ hook: `#!/bin/sh -e\n${block("sh", "#!/bin/sh -e\n")}` });
    const server = await startNameServer("bind", { zones: { [name]: version(1) } });
    onTestFinished(server.stop);
    const run = (zone: string, { port } = server) => {
      // Cascade runs its hooks by sh -c, with these variables.
      const { status, stderr } = spawnSync("sh", ["-c", join(folder, "hook")], {
        encoding: "utf8",
        env: {
          PATH: `${folder}${delimiter}${process.env.PATH}`,
          CASCADE_ZONE: zone,
          CASCADE_SERIAL: "1",
          CASCADE_SERVER: `127.0.0.1:${port}`,
          CASCADE_SERVER_IP: "127.0.0.1",
          CASCADE_SERVER_PORT: String(port),
        },
      });
      return [status, stderr];
    };
    expect(run("example.com")).toEqual([0, ""]);
    expect(run("example.net"), "a transfer that fails").toEqual([
      3,
      "example.net: error[zone-empty] the file contains no zone\n",
    ]);
    server.rewrite(name, version(2, secondPolicy));
    await expect.poll(() => serialOf(server)).toBe(2);
    expect(run("example.com")).toEqual([3, `${refusal}\n`]);
  },
);
