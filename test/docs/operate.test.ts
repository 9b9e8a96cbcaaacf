// @suite long

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiOf, Program, programWords } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { findPostgres, isMissing } from "../judges.ts";
import { startCluster } from "../server/cluster.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/server/operate.md"), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
const token = "secret-for-tests";

function block(words: string): string {
  return blocks.find((block) => block.includes(words)) ?? expect.fail(words);
}

/** A shell in the desk's folder, where `zonewright` is this program. */
function shell(desk: Desk, env: Record<string, string> = {}) {
  const bin = join(desk.folder, "bin");
  mkdirSync(bin);
  const words = programWords.map((word) => `"${word}"`).join(" ");
  writeFileSync(join(bin, "zonewright"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "zonewright"), 0o755);
  const path = [bin, findPostgres(), process.env.PATH].filter((part) => part !== undefined).join(":");
  return (script: string) =>
    execFileSync("sh", ["-ec", script], {
      cwd: desk.folder,
      env: { ...process.env, PATH: path, ...env },
      encoding: "utf8",
    });
}

async function serve(desk: Desk, env: Record<string, string> = {}) {
  const program = new Program(desk.folder, `serve --port 0 --token ${token} --rate-limit 0`, env);
  const api = await apiOf(program, token);
  const stop = async () => {
    program.kill("SIGINT");
    await program.end();
  };
  return { ...api, stop };
}

const domain = (name: string) => ({ domain: name, type: "master", soa_email: "hostmaster@example.com" });

test("every block of the page runs here", () => {
  const words = [
    "sendmail",
    "zones-backup.db\n",
    "--force",
    "pg_dump",
    "cp zones-backup.db",
    "pg_restore",
    "server copy",
    "healthz",
    "/metrics",
  ];
  expect(words.map(block)).toEqual(blocks);
});

test("messages are handed to sendmail, and removed once it has taken them", () => {
  const desk = new Desk();
  const run = shell(desk);
  const send = () => run(`mkdir -p mail/new; ${block("sendmail")}`);
  const listMessages = () => readdirSync(join(desk.folder, "mail/new"));
  send();
  for (const name of ["one", "two"]) desk.write(`mail/new/${name}`, `Subject: ${name}\r\n\r\nIt is down.\r\n`);
  const program = join(desk.folder, "bin/sendmail");
  writeFileSync(program, "#!/bin/sh\nexit 75\n", { mode: 0o755 });
  expect(send).toThrow();
  expect(listMessages()).toEqual(["one", "two"]);
  writeFileSync(program, '#!/bin/sh\necho "$@" >> sent\ncat >> sent\n');
  send();
  expect(listMessages()).toEqual([]);
  const sent = (name: string) => `-t -i\nSubject: ${name}\r\n\r\nIt is down.\r\n`;
  expect(readFileSync(join(desk.folder, "sent"), "utf8")).toBe(sent("one") + sent("two"));
});

test("health, backup while the server runs, restore", async () => {
  const desk = new Desk();
  const run = shell(desk);
  const first = await serve(desk);
  await first.call("POST", "/domains", domain("example.com"));
  const ask = (words: string) => run(block(words).replace("http://127.0.0.1:4119", first.url));
  expect(ask("healthz")).toBe('{"status":"ok"}');
  expect(ask("/metrics")).toContain('zonewright_http_requests_total{method="GET",endpoint="none",status="200"} 1\n');
  const saved = /^database in \.zonewright\/data saved as zones-backup\.db, \d+ KiB\n$/;
  expect(run(block("zones-backup.db\n"))).toMatch(saved);
  await first.call("POST", "/domains", domain("example.net"));
  expect(run(block("--force"))).toMatch(saved);
  await first.call("POST", "/domains", domain("lost.example"));
  await first.stop();
  run(block("cp zones-backup.db"));
  expect(statSync(join(desk.folder, ".zonewright/data")).mode & 0o777).toBe(0o700);
  const second = await serve(desk);
  const { body } = await second.call("GET", "/domains");
  expect(body.data.map(({ domain }: { domain: string }) => domain)).toEqual(["example.com", "example.net"]);
  expect((await second.call("POST", "/domains", domain("later.example"))).body.domain).toBe("later.example");
  await second.stop();
});

test.skipIf(isMissing("postgres"))("moves from SQLite to PostgreSQL", async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  const desk = new Desk();
  const env = { DATABASE_URL: cluster.url("postgres") };
  const run = shell(desk, env);
  const first = await serve(desk);
  await first.call("POST", "/domains", domain("example.com"));
  const key = (await first.call("GET", "/managed/credentials/sshkey")).body;
  await first.stop();
  const before = readFileSync(join(desk.folder, ".zonewright/data/zonewright.db"));
  const out = run(`${block("server copy")}printf %s "$ZONEWRIGHT_SECRET_KEY"`);
  const secretKey = readFileSync(join(desk.folder, ".zonewright/data/secret.key"), "utf8").trim();
  expect(out).toMatch(/^table +rows\naccounts +1\n(.*\n)*domains +1\n/);
  expect(out.endsWith(`\n${secretKey}`)).toBe(true);
  expect(readFileSync(join(desk.folder, ".zonewright/data/zonewright.db"))).toEqual(before);
  const second = await serve(desk, { ...env, ZONEWRIGHT_SECRET_KEY: secretKey });
  const { body } = await second.call("GET", "/domains");
  expect(body.data.map(({ domain }: { domain: string }) => domain)).toEqual(["example.com"]);
  expect((await second.call("GET", "/managed/credentials/sshkey")).body).toEqual(key);
  expect((await second.call("POST", "/domains", domain("later.example"))).body.id).toBe(2);
  await second.stop();
});

test.skipIf(isMissing("postgres"))("backs up and restores PostgreSQL", async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  const env = { DATABASE_URL: cluster.url("postgres") };
  const desk = new Desk();
  const run = shell(desk, env);
  const first = await serve(desk, env);
  await first.call("POST", "/domains", domain("example.com"));
  run(block("pg_dump"));
  await first.call("POST", "/domains", domain("lost.example"));
  await first.stop();
  run(block("pg_restore"));
  const second = await serve(desk, env);
  const { body } = await second.call("GET", "/domains");
  expect(body.data.map(({ domain }: { domain: string }) => domain)).toEqual(["example.com"]);
  expect((await second.call("POST", "/domains", domain("later.example"))).body.id).toBe(2);
  await second.stop();
});
