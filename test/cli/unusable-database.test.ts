// @suite long

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/server/store/store.ts";
import { hasOwnDisk } from "./own-disk.ts";
import { Program, programWords } from "./process.ts";
import { Desk, lines } from "./run.ts";

const [root, other] = [0, 65534];
const as = (user: number) => ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];

/** Only root can become another user, who may not be able to read the program where the checkout is private. */
const canBecome = process.getuid?.() === 0 && canRunProgram();

function canRunProgram(): boolean {
  const [program = "", ...words] = [...as(other), ...programWords, "--version"];
  const folder = mkdtempSync(join(tmpdir(), "zonewright-user-"));
  chmodSync(folder, 0o755);
  const { status } = spawnSync(program, words, { cwd: folder, stdio: "ignore" });
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** A desk of the other user, with a database in `data` that has a token. */
async function deskOfOther() {
  const desk = new Desk();
  chmodSync(desk.folder, 0o755);
  chownSync(desk.folder, other, other);
  const run = async (command: string, before = as(other)) => {
    const { code, out, talk } = await new Program(desk.folder, command, {}, before).end();
    return { code, out, talk: talk.replaceAll(desk.folder, "/desk") };
  };
  expect(await run("server token create --data data")).toMatchObject({ code: 0 });
  const give = (file: string, mode: number, owner = other) => {
    chownSync(join(desk.folder, file), owner, owner);
    chmodSync(join(desk.folder, file), mode);
  };
  return { desk, run, give };
}

type Give = Awaited<ReturnType<typeof deskOfOther>>["give"];

const database = "data/zonewright.db";
const asThatUser = "Run the command as that user, or with --data, name a folder that this user may write.";
const not = (right: string, what: string) =>
  `this user (id ${other}) may not ${right} the ${what}, which belongs to another (id ${root}). ${asThatUser}`;
const notOwn = (what: string, path: string, command: string) =>
  `this user may not write its own ${what} ${path}. Allow it: \`${command}\`.`;
const copied = expect.stringMatching(/^database in data saved as copy\.db, \d+ KiB\n$/);

interface Case {
  readonly what: string;
  readonly prepare: (give: Give) => void;
  /** The reason and the advice of a command that writes. */
  readonly refusal: string;
  /** Whether the database can be opened all the same, and only a write fails. */
  readonly isReadable?: true;
  /** Whether a backup works; otherwise it has the same reason. */
  readonly hasBackup: boolean;
}

const cases: readonly Case[] = [
  {
    what: "a file that its owner may only read",
    prepare: (give) => give(database, 0o400),
    refusal: notOwn("file", `/desk/${database}`, `chmod u+rw /desk/${database}*`),
    isReadable: true,
    hasBackup: true,
  },
  {
    what: "a folder that its owner may only read",
    prepare: (give) => give("data", 0o500),
    refusal: notOwn("folder", "/desk/data", "chmod u+rwx /desk/data"),
    hasBackup: true,
  },
  {
    what: "a readable file of another user",
    prepare: (give) => give(database, 0o644, root),
    refusal: not("write", `file /desk/${database}`),
    isReadable: true,
    hasBackup: true,
  },
  {
    what: "a readable file in a folder of another user",
    prepare: (give) => {
      give(database, 0o644, root);
      give("data", 0o755, root);
    },
    refusal: not("write", `file /desk/${database}`),
    hasBackup: true,
  },
  {
    what: "an own file in a folder of another user",
    prepare: (give) => give("data", 0o755, root),
    refusal: not("write", "folder /desk/data"),
    hasBackup: true,
  },
  {
    what: "a file of another user that cannot be read",
    prepare: (give) => give(database, 0o600, root),
    refusal: not("read", `file /desk/${database}`),
    hasBackup: false,
  },
  {
    what: "a folder of another user that cannot be searched",
    prepare: (give) => give("data", 0o744, root),
    refusal: not("search", "folder /desk/data"),
    hasBackup: false,
  },
];

test.skipIf(!canBecome).each(cases)("$what", async ({ prepare, refusal, isReadable = false, hasBackup }) => {
  const { desk, run, give } = await deskOfOther();
  prepare(give);
  const cannotOpen = `error[store-open] cannot open the database /desk/${database}\n  ${refusal}\n`;
  const cannotWrite = lines`
    error[store-failed] The service cannot write to its database: it is read-only
      The database is /desk/${database}: ${refusal}
  `;
  const add = "server user add bob --data data";
  const refused = { code: 1, out: "", talk: isReadable ? cannotWrite : cannotOpen };
  expect(await run(add)).toEqual(refused);
  const list = await run("server token list --data data");
  expect(list).toEqual(
    isReadable ? { code: 0, out: expect.stringContaining("admin"), talk: "" } : { code: 1, out: "", talk: cannotOpen },
  );
  const before = readdirSync(desk.folder);
  const cannotRead = lines`
    error[backup-write] the backup copy.db cannot be written
      The database cannot be read: ${refusal}
  `;
  expect(await run("server backup copy.db --data data")).toEqual(
    hasBackup ? { code: 0, out: copied, talk: "" } : { code: 1, out: "", talk: cannotRead },
  );
  expect(readdirSync(desk.folder)).toEqual([...(hasBackup ? ["copy.db"] : []), ...before]);
  if (hasBackup) expect(await usersOf(desk, "copy.db")).toEqual(["admin"]);
  // The advice helps.
  const [, command] = /Allow it: `(.*)`/.exec(refusal) ?? [];
  if (command !== undefined) execFileSync("sh", ["-c", command.replaceAll("/desk", desk.folder)]);
  expect(await run(add, as(command === undefined ? root : other))).toMatchObject({ code: 0 });
});

test.skipIf(!canBecome)("a file in the write-ahead log's place that another user left", async () => {
  const { desk, run, give } = await deskOfOther();
  desk.write(`${database}-wal`, "");
  give(`${database}-wal`, 0o600, root);
  expect(await run("server token list --data data")).toEqual({
    code: 1,
    out: "",
    talk: `error[store-open] cannot open the database /desk/${database}\n  ${not("read", `file /desk/${database}-wal`)}\n`,
  });
});

test.skipIf(!canBecome)("a folder that cannot be made in that of another user", async () => {
  const { run, give } = await deskOfOther();
  give(".", 0o755, root);
  expect(await run("server user add bob --data new")).toEqual({
    code: 1,
    out: "",
    talk: `error[store-open] cannot open the database /desk/new/zonewright.db\n  ${not("write", "folder /desk")}\n`,
  });
});

test.skipIf(!hasOwnDisk)("a read-only disk: a backup elsewhere works, and a write has the reason", async () => {
  const desk = new Desk();
  expect(await new Program(desk.folder, "server token create --data data").end()).toMatchObject({ code: 0 });
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  const disk = ["unshare", "-Urm", "sh", "-c", mount, "data"];
  const run = async (command: string) => {
    const { code, out, talk } = await new Program(desk.folder, command, {}, disk).end();
    return { code, out, talk: talk.replaceAll(desk.folder, "/desk") };
  };
  expect(await run("server user add bob --data data")).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[store-open] cannot open the database /desk/${database}
        the disk of /desk/${database} is read-only. Mount it for writing, or with --data, name a folder on another disk.
    `,
  });
  expect(await run("server backup copy.db --data data")).toEqual({ code: 0, out: copied, talk: "" });
  expect(await usersOf(desk, "copy.db")).toEqual(["admin"]);
});

async function usersOf(desk: Desk, file: string): Promise<string[]> {
  const store = await openStore(join(desk.folder, file));
  const users = await store.read((db) => db.selectFrom("users").select("username").execute());
  await store.close();
  return users.map(({ username }) => username);
}
