import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { freePort, startNameServer, untilServed } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/name-servers.md";
const page = readPage(path);
const zone = `$TTL 1h
@ SOA ns1 hostmaster 7 7200 3600 1209600 300
@ NS ns1
@ NS ns2
@ MX 10 mail
ns1 A 192.0.2.1
ns2 A 192.0.2.2
mail A 192.0.2.25
www A 192.0.2.10
`;
const secret = Buffer.from("a secret of this test").toString("base64");
const keyText = `key "office" { algorithm hmac-sha256; secret "${secret}"; };\n`;

/** The block of the page that begins so. */
function block(kind: string, first: string): string {
  return page.split(`\`\`\`${kind}\n${first}`)[1]?.split("```")[0] ?? expect.fail(first);
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-name-servers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** BIND with the lines of the page, and its key. */
async function startBind(): Promise<{ port: number; keyFile: string }> {
  const folder = temporaryFolder();
  execFileSync("sh", ["-ec", `tsig-keygen${block("sh", "tsig-keygen")}`], { cwd: folder });
  writeFileSync(join(folder, "example.com.zone"), zone);
  const config = (_: string, port: number) => {
    const text = `options {
  directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  pid-file none; session-keyfile none; lock-file none; recursion no; dnssec-validation no; notify no;
};
controls {};
${block("text", "# named.conf\n")}`;
    writeFileSync(join(folder, "named.conf"), text);
    execFileSync("named-checkconf", ["named.conf"], { cwd: folder });
    return text;
  };
  const { port, stop } = await startNameServer("bind", { folder, zones: { "example.com.": zone }, config });
  onTestFinished(stop);
  return { port, keyFile: join(folder, "office.key") };
}

/** Knot with the lines of the page. */
async function startKnot(): Promise<{ port: number }> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "example.com.zone"), zone);
  const config = (_: string, port: number) => {
    const text = `server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
database:
    storage: "${folder}"
template:
  - id: default
    storage: "${folder}"
${block("yaml", "# knot.conf\n").replace("SECRET", secret)}`;
    writeFileSync(join(folder, "knot.conf"), text);
    execFileSync("knotc", ["-c", join(folder, "knot.conf"), "conf-check"]);
    return text;
  };
  const { port, stop } = await startNameServer("knot", { folder, zones: { "example.com.": zone }, config });
  onTestFinished(stop);
  return { port };
}

/** PowerDNS with the lines and the commands of the page. */
async function startPowerDns(): Promise<{ port: number }> {
  const folder = temporaryFolder();
  const [port, file] = [await freePort(), join(folder, "pdns.sqlite3")];
  const database = new Database(file);
  database.exec(readFileSync("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql", "utf8"));
  database.close();
  const own = `launch=gsqlite3\ngsqlite3-database=${file}\ngsqlite3-dnssec=yes\nlocal-address=127.0.0.1\nlocal-port=${port}\nsocket-dir=${folder}\nallow-axfr-ips=\nsecurity-poll-suffix=\n`;
  writeFileSync(join(folder, "pdns.conf"), own + block("text", "# pdns.conf\n"));
  writeFileSync(join(folder, "zone"), zone);
  const flag = `--config-dir=${folder}`;
  execFileSync("pdnsutil", [flag, "load-zone", "example.com", join(folder, "zone")], { stdio: "pipe" });
  const commands = `pdnsutil${block("sh", "pdnsutil")}`.replaceAll("pdnsutil", `pdnsutil ${flag}`);
  execFileSync("sh", ["-ec", commands.replace("SECRET", secret)], { stdio: "pipe" });
  const child = spawn("pdns_server", [flag, "--daemon=no", "--guardian=no"], { stdio: "ignore" });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  await untilServed(child, { host: "127.0.0.1", port }, "example.com.", () => undefined);
  return { port };
}

/** A desk beside which the key is. */
function deskBeside(keyFile: string | undefined) {
  const desk = new Desk();
  const key = `${desk.folder}.key`;
  onTestFinished(() => rmSync(key, { force: true }));
  if (keyFile === undefined) writeFileSync(key, keyText);
  else copyFileSync(keyFile, key);
  desk.secrets.push(/secret "(.+)"/.exec(readFileSync(key, "utf8"))?.[1] ?? expect.fail("no secret"));
  desk.now = new Date(); // the server compares clocks
  desk.width = 100;
  desk.shown.push([basename(key), "office.key"]);
  return { desk, key: basename(key) };
}

test.skipIf(isMissing("named", "dig"))(
  "docs/name-servers.md: the way from a running BIND to pull requests",
  async () => {
    const { port, keyFile } = await startBind();
    const { desk, key } = deskBeside(keyFile);
    const server = "127.0.0.1:5300";
    desk.shown.push([`127.0.0.1:${port}`, server]);
    desk.write("add-by-hand", `server 127.0.0.1 ${port}\nupdate add shop.example.com 3600 A 192.0.2.44\nsend\n`);
    const env = { ...process.env };
    for (const role of ["AUTHOR", "COMMITTER"])
      Object.assign(env, { [`GIT_${role}_NAME`]: "A", [`GIT_${role}_EMAIL`]: "a@example.com" });
    let shown = "";
    let at = 0;
    for (const { 1: body = "", index } of page.matchAll(/^```console\n(.*?)^```$/gms)) {
      const start = index + "```console\n".length;
      shown += page.slice(at, start);
      at = start + body.length;
      for (const [, command = ""] of body.matchAll(/^\$ (.+)$/gm)) {
        const local = command.replace(server, `127.0.0.1:${port}`).replace("office.key", key);
        const screen = new Screen();
        if (command.startsWith("zonewright ")) await desk.run(shellWords(local.slice(11)), { output: screen });
        else screen.addOut(execFileSync("sh", ["-ec", local], { cwd: desk.folder, env, encoding: "utf8" }));
        const constant = desk.shown.reduce((all, [varying, word]) => all.replaceAll(varying, word), screen.text);
        shown += `$ ${command}\n${constant}`;
      }
    }
    await expect(shown + page.slice(at)).toMatchFileSnapshot(join(root, path));
  },
);

test.skipIf(isMissing("knotd", "pdns_server", "pdns-backend-sqlite3")).each([
  ["Knot", startKnot],
  ["PowerDNS", startPowerDns],
] as const)("docs/name-servers.md: the lines for %s let zonewright plan and apply", async (_, start) => {
  const { port } = await start();
  const { desk, key } = deskBeside(undefined);
  const init = `init --from rfc2136 127.0.0.1:${port} --zone example.com --tsig-key ../${key} --target office --yes`;
  expect(await desk.run(init)).toMatchObject({ code: 0, talk: "" });
  const file = "zones/example.com.yaml";
  desk.write(file, desk.read(file).replace("192.0.2.25", "192.0.2.26"));
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  const { out } = await desk.run("doctor");
  expect(out).toContain("ok    updates      accepted, signed with the key office (hmac-sha256)\n");
});
