import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/server/store/store.ts";
import { isMissing } from "../judges.ts";
import { start } from "../server/start.ts";
import { Desk } from "./run.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f admin@laptop\n";

let desk: Desk;
let api: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  desk = new Desk();
  desk.write("id.pub", key);
  const store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
  onTestFinished(() => store.close());
  api = await start({ store });
});

const useKey = (command: string) => desk.run(`server user key ${command}`);
const done = (talk: string, out = "") => ({ code: 0, out, talk });

const profile = async () => (await api.call("GET", "/profile")).body.authorized_keys;
const user = async () => (await api.call("GET", "/account/users/admin")).body.ssh_keys;
const deploy = (authorized_users: string[]) =>
  api.call("POST", "/node/instances", {
    region: "us-east",
    type: "g6-nanode-1",
    image: "node/debian12",
    root_pass: "correct Horse 7",
    authorized_users,
  });
const lastEvent = async () => {
  const [{ action, entity, username }] = (await api.call("GET", "/account/events")).body.data;
  return { action, entity, username };
};

test("adds, lists and removes a key, which the user's nodes can be deployed with", async () => {
  expect((await deploy(["admin"])).status).toBe(400);
  expect(await useKey("add admin id.pub")).toEqual(done('SSH key 1 "admin@laptop" added to user "admin"\n'));
  const entity = { label: "admin@laptop", id: 1, type: "user_ssh_key", url: "/v4/profile/sshkeys/1" };
  expect(await lastEvent()).toEqual({ action: "user_ssh_key_add", entity, username: "" });
  expect([await profile(), await user()]).toEqual([[key.trim()], ["admin@laptop"]]);
  expect((await deploy(["admin"])).status).toBe(200);
  expect(await useKey("list")).toEqual(
    done(
      "",
      [
        "id  user   label         created              type\n",
        "1   admin  admin@laptop  2026-03-04T12:00:00  ssh-ed25519\n",
      ].join(""),
    ),
  );
  expect(await useKey("remove 1")).toEqual(done('SSH key 1 "admin@laptop" removed from user "admin"\n'));
  expect(await lastEvent()).toEqual({ action: "user_ssh_key_delete", entity, username: "" });
  expect(await useKey("list")).toEqual(done("no SSH keys\n"));
  expect([await profile(), await user()]).toEqual([[], []]);
});

const [type, encoded] = key.split(" ");

test.each([
  ["as it is", key],
  ["with another comment", `${type} ${encoded} root@server\n`],
  ["without a comment", `${type} ${encoded}`],
  ["with more spaces", `  ${type}   ${encoded} admin@laptop  \n\n`],
  ["with padding", `${type} ${encoded}= admin@laptop\n`],
])("refuses a key that the user has already, %s; another user can have it", async (_, text) => {
  await useKey("add admin id.pub");
  desk.write("again.pub", text);
  const refused =
    'error[ssh-key-exists] user "admin" has this SSH key already: 1 "admin@laptop"\n' +
    "  To give it another label, remove it with `zonewright server user key remove 1` and add it again.\n";
  expect(await useKey("add admin again.pub --label other")).toEqual({ code: 3, out: "", talk: refused });
  expect([await profile(), await user()]).toEqual([[key.trim()], ["admin@laptop"]]);
  await api.mint({ username: "stranger" });
  expect((await useKey("add stranger again.pub --label other")).code).toBe(0);
  await useKey("remove 1");
  expect(await useKey("add admin again.pub --label other")).toEqual(done('SSH key 3 "other" added to user "admin"\n'));
});

test("only users of the account can be named, by their exact names", async () => {
  await api.mint({ username: "stranger" });
  await useKey("add admin id.pub");
  await useKey("add stranger id.pub --label other");
  const invalid = (index: number) => ({
    reason: `authorized_users[${index}] is not valid`,
    field: `authorized_users[${index}]`,
  });
  expect(await deploy(["admin", "stranger", "Admin", "nobody"])).toEqual({
    status: 400,
    body: { errors: [invalid(1), invalid(2), invalid(3)] },
  });
});

test.each([
  [
    "a private key",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n",
    "error[ssh-key] the file contains a private key\n" +
      "  Name the file of the public key, which ends in .pub; the private one was not stored.\n",
  ],
  [
    "another text",
    "hello\n",
    "error[ssh-key] the file does not contain a public SSH key\n" +
      "  Name a file with one line such as `ssh-ed25519 AAAA… user@host`, for example ~/.ssh/id_ed25519.pub.\n",
  ],
  [
    "two keys",
    key + key,
    "error[ssh-key] the file does not contain a public SSH key\n" +
      "  Name a file with one line such as `ssh-ed25519 AAAA… user@host`, for example ~/.ssh/id_ed25519.pub.\n",
  ],
])("refuses %s, and shows nothing of it", async (_, text, talk) => {
  desk.write("id.pub", text);
  expect(await useKey("add admin id.pub")).toEqual({ code: 3, out: "", talk });
});

test.each([
  ["add nobody id.pub", 'error[user-unknown] the user "nobody" does not exist'],
  ["add admin missing.pub", "error[file-read] missing.pub cannot be read"],
  ["remove 7", "error[ssh-key-unknown] SSH key 7 does not exist"],
])("refuses %s", async (command, talk) => {
  const answer = await useKey(command);
  expect([answer.code, answer.talk.slice(0, talk.length)]).toEqual([3, talk]);
});

test.skipIf(isMissing("ssh-keygen"))("accepts the keys that ssh-keygen makes", async () => {
  for (const type of ["ed25519", "ecdsa", "rsa"]) {
    execFileSync("ssh-keygen", [
      "-q",
      "-t",
      type,
      ...(type === "rsa" ? ["-b", "2048"] : []),
      "-N",
      "",
      "-C",
      `a ${type} key`,
      "-f",
      join(desk.folder, type),
    ]);
    expect((await useKey(`add admin ${type}.pub`)).code).toBe(0);
    expect((await profile()).at(-1)).toBe(readFileSync(join(desk.folder, `${type}.pub`), "utf8").trim());
  }
  expect(await user()).toEqual(["a ed25519 key", "a ecdsa key", "a rsa key"]);
});
