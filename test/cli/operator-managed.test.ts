import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readSecretKeyFile } from "../../src/server/areas/managed/secret-key.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { isMissing } from "../judges.ts";
import { refused, start } from "../server/start.ts";
import { Desk } from "./run.ts";

let desk: Desk;
let store: Store;
let api: Awaited<ReturnType<typeof start>>;

beforeEach(async () => {
  desk = new Desk();
  const data = join(desk.folder, ".zonewright/data");
  store = await openStore(join(data, "zonewright.db"));
  onTestFinished(() => store.close());
  api = await start({ store, secretKey: () => readSecretKeyFile(join(data, "secret.key")) });
});

const addCredential = (label: string, username: string, password: string) =>
  api.call("POST", "/managed/credentials", { label, username, password });
const done = (talk: string, out = "") => ({ code: 0, out, talk });
const failed = (code: number, talk: string) => ({ code, out: "", talk });

test("credentials are listed without their secrets, and decrypted one by one", async () => {
  const list = () => desk.run("server operator credential list");
  expect(await list()).toEqual(done("no credentials\n"));
  await addCredential("web", "root", "correct horse");
  await addCredential("db", "admin", 'new\u001b[31m"line');
  expect(await list()).toEqual(
    done("", "id  account  label  last decrypted\n1   admin    web    -\n2   admin    db     -\n"),
  );
  expect(await desk.run("server operator credential show 1")).toEqual(
    done("", "username  root\npassword  correct horse\n"),
  );
  expect((await desk.run("server operator credential show 2")).out).toBe(
    'username  admin\npassword  "new\\u001b[31m\\"line" (a JSON string, for characters that cannot be seen)\n',
  );
  expect(await list()).toEqual(
    done(
      "",
      "id  account  label  last decrypted\n1   admin    web    2026-03-04T12:00:00\n2   admin    db     2026-03-04T12:00:00\n",
    ),
  );
  expect((await api.call("GET", "/managed/credentials/1")).body.last_decrypted).toBe("2026-03-04T12:00:00");
});

test.each([
  ["correct horse", "correct horse"],
  ['"quoted"', '"quoted"'],
  ["pässword €", "pässword €"],
  [" blanks ", '" blanks " (a JSON string, for characters that cannot be seen)'],
  ["##[group]", '"\\u0023#[group]" (a JSON string, for characters that cannot be seen)'],
  ["a\u200bb", '"a\\u200bb" (a JSON string, for characters that cannot be seen)'],
])("the password %j can be typed from %s", async (password, shown) => {
  await addCredential("web", "root", password);
  const { out } = await desk.run("server operator credential show 1");
  expect(out).toBe(`username  root\npassword  ${shown}\n`);
  const [, json] = /^password {2}(".*") \(a JSON/m.exec(out) ?? [];
  if (json !== undefined) expect(JSON.parse(json)).toBe(password);
});

test("a new password keeps the username; a deleted credential cannot be decrypted", async () => {
  await addCredential("web", "root", "correct horse");
  const update = (body: object) => api.call("POST", "/managed/credentials/1/update", body);
  const show = async () => (await desk.run("server operator credential show 1")).out;
  expect((await update({ password: "battery" })).status).toBe(200);
  expect(await show()).toBe("username  root\npassword  battery\n");
  await update({ password: "staple", username: null });
  expect(await show()).toBe("username  root\npassword  staple\n");
  await update({ password: "staple", username: "ops" });
  expect(await show()).toBe("username  ops\npassword  staple\n");
  await update({ password: "staple", username: "" });
  expect(await show()).toBe("username  \npassword  staple\n");
  await api.call("DELETE", "/managed/credentials/1");
  expect((await desk.run("server operator credential show 1")).talk).toMatch(/^error\[credential-unknown\]/);
});

test("a credential that does not exist, and no number", async () => {
  expect(await desk.run("server operator credential show 7")).toEqual(
    failed(
      3,
      "error[credential-unknown] credential 7 does not exist\n  Run `zonewright server operator credential list` to list the credentials.\n",
    ),
  );
  expect((await desk.run("server operator credential show web")).code).toBe(64);
});

test("credentials that were encrypted with another key", async () => {
  await addCredential("web", "root", "correct horse");
  desk.env.ZONEWRIGHT_SECRET_KEY = "00".repeat(32);
  const fix =
    "  Use the key of the server that stored it: its ZONEWRIGHT_SECRET_KEY, or the file secret.key in its data folder.\n";
  expect(await desk.run("server operator credential show 1")).toEqual(
    failed(1, `error[secret-key] credential 1 was encrypted with another key\n${fix}`),
  );
  expect((await api.call("GET", "/managed/credentials/1")).body.last_decrypted).toBe(null);
});

test("a server with another key: a new login replaces the old one, whose username is not lost silently", async () => {
  await addCredential("web", "root", "correct horse");
  const other = await start({ store, secretKey: () => Buffer.alloc(32) });
  const update = (body: object) => other.call("POST", "/managed/credentials/1/update", body);
  expect(await update({ password: "battery" })).toEqual(
    refused(["username is required: the stored one cannot be decrypted", "username"]),
  );
  expect((await desk.run("server operator credential show 1")).out).toBe("username  root\npassword  correct horse\n");
  expect((await update({ password: "battery", username: "root" })).status).toBe(200);
  desk.env.ZONEWRIGHT_SECRET_KEY = "00".repeat(32);
  expect((await desk.run("server operator credential show 1")).out).toBe("username  root\npassword  battery\n");
});

test("the key pair of an account stays the same until the operator renews it, also without the old secret key", async () => {
  const read = async (as?: string) =>
    (await api.call("GET", "/managed/credentials/sshkey", undefined, as === undefined ? {} : { as })).body.ssh_key;
  const first = await read();
  expect(await read()).toBe(first);
  expect(await read(await api.mint({ username: "stranger" }))).not.toBe(first);
  desk.env.ZONEWRIGHT_SECRET_KEY = "00".repeat(32);
  expect((await desk.run("server operator sshkey show admin")).talk).toMatch(/^error\[secret-key\]/);
  const { code, talk } = await desk.run("server operator sshkey renew admin");
  const second = await read();
  expect(second).not.toBe(first);
  expect({ code, talk }).toEqual({
    code: 0,
    talk: `new SSH key for the account "admin"; its public key is\n${second}\n`,
  });
  expect((await desk.run("server operator sshkey show admin")).talk).toContain(second);
  expect((await desk.run("server operator sshkey renew shop")).talk).toMatch(/^error\[account-unknown\]/);
});

test("managed monitoring is disabled and enabled", async () => {
  const run = (command: string) => desk.run(`server operator managed ${command} admin`);
  expect(await run("off")).toEqual(
    done(
      'managed monitoring of the account "admin" disabled: its services are kept, but not probed, and its users cannot see them\n',
    ),
  );
  expect(await run("off")).toEqual(done('managed monitoring of the account "admin" was disabled already\n'));
  expect(await run("on")).toEqual(
    done('managed monitoring of the account "admin" enabled: its services are probed, and its users can change them\n'),
  );
  expect((await desk.run("server operator managed off shop")).talk).toContain("error[account-unknown]");
});

test.skipIf(isMissing("ssh-keygen"))("ssh-keygen accepts the key, and finds the public one in it", async () => {
  const shown = (await api.call("GET", "/managed/credentials/sshkey")).body.ssh_key;
  const { code, out, talk } = await desk.run("server operator sshkey show admin");
  expect({ code, talk }).toEqual({
    code: 0,
    talk: `private SSH key for the account "admin"; its public key is\n${shown}\n`,
  });
  desk.write("key", out);
  const file = join(desk.folder, "key");
  execFileSync("chmod", ["600", file]);
  expect(execFileSync("ssh-keygen", ["-y", "-f", file]).toString()).toBe(`${shown}\n`);
  expect(execFileSync("ssh-keygen", ["-l", "-f", file]).toString()).toMatch(
    /^256 SHA256:\S{43} managed@zonewright \(ED25519\)\n$/,
  );
  // A signature of the private key is verified with the public one.
  desk.write("allowed", `operator ${shown}\n`);
  desk.write("text", "hello");
  execFileSync("ssh-keygen", ["-Y", "sign", "-n", "file", "-f", file, join(desk.folder, "text")], { stdio: "pipe" });
  const verify = ["-Y", "verify", "-n", "file", "-I", "operator"];
  const files = ["-f", join(desk.folder, "allowed"), "-s", join(desk.folder, "text.sig")];
  expect(execFileSync("ssh-keygen", [...verify, ...files], { input: "hello" }).toString()).toMatch(/^Good "file" sig/);
  expect((await desk.run("server operator sshkey show admin")).out).toBe(out);
});

test("the key is made at first need by the operator too, and is stored encrypted", async () => {
  const { out } = await desk.run("server operator sshkey show admin");
  const [, first = ""] = out.split("\n");
  expect((await api.call("GET", "/managed/credentials/sshkey")).status).toBe(200);
  const data = join(desk.folder, ".zonewright/data");
  for (const file of readdirSync(data)) expect(readFileSync(join(data, file), "latin1")).not.toContain(first);
});
