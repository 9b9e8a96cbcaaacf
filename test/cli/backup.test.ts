import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/server/store/store.ts";
import { apiOf, Program } from "./process.ts";
import { Desk } from "./run.ts";

const token = "secret-for-tests";
const domain = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };
const saved = (file: string) => ({
  code: 0,
  out: expect.stringMatching(new RegExp(`^database in \\.zonewright/data saved as ${file}, \\d+ KiB\n$`)),
  talk: "",
});

/** A desk with a database that has no server. */
async function withDatabase(): Promise<Desk> {
  const desk = new Desk();
  expect((await desk.run("server token create")).code).toBe(0);
  return desk;
}

test("a backup beside a busy server is consistent and blocks no writer", async () => {
  const desk = new Desk();
  const program = new Program(desk.folder, `serve --port 0 --token ${token} --rate-limit 0`);
  const { call } = await apiOf(program, token);
  await call("POST", "/domains", domain);
  let [stored, isOver] = [0, false];
  const write = async () => {
    while (!isOver) {
      const record = { type: "TXT", name: `h${stored}`, target: "x".repeat(2000) };
      expect((await call("POST", "/domains/1/records", record)).status).toBe(200);
      stored++;
    }
  };
  const writing = write();
  const counts: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = stored;
    expect(await desk.run(`server backup copy${round}.db`)).toEqual(saved(`copy${round}\\.db`));
    const copy = await openStore(join(desk.folder, `copy${round}.db`));
    const { records, events } = await copy.read(async (db) => ({
      records: await db.selectFrom("records").select("name").execute(),
      events: await db.selectFrom("events").select("id").where("action", "=", "dns_record_create").execute(),
    }));
    await copy.close();
    // A record is stored together with its event.
    expect(events.length).toBe(records.length);
    expect(records.map(({ name }) => name)).toEqual(records.map((_, index) => `h${index}`));
    expect(records.length).toBeGreaterThanOrEqual(before);
    counts.push(records.length);
  }
  isOver = true;
  await writing;
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
});

test("a backup is readable by its owner only, and an existing file is replaced only on request", async () => {
  const desk = await withDatabase();
  const path = join(desk.folder, "copy.db");
  expect(await desk.run("server backup copy.db")).toEqual(saved("copy\\.db"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "mine");
  expect(await desk.run("server backup copy.db")).toEqual({
    code: 1,
    out: "",
    talk: "error[backup-exists] copy.db already exists\n  Name another file, or replace this one with --force.\n",
  });
  expect(readFileSync(path, "utf8")).toBe("mine");
  expect(await desk.run("server backup copy.db --force")).toEqual(saved("copy\\.db"));
  expect(readFileSync(path, "latin1")).toMatch(/^SQLite format 3\0/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("replaces a symbolic link at the destination instead of following it", async () => {
  const desk = await withDatabase();
  writeFileSync(join(desk.folder, "other"), "mine");
  symlinkSync("other", join(desk.folder, "copy.db"));
  expect(await desk.run("server backup copy.db")).toMatchObject({ code: 1 });
  expect(await desk.run("server backup copy.db --force")).toEqual(saved("copy\\.db"));
  expect(readFileSync(join(desk.folder, "other"), "utf8")).toBe("mine");
});

describe("refuses without leaving a file behind", () => {
  test.each<[string, string, (desk: Desk) => void, string]>([
    [
      "no database",
      "server backup copy.db --data elsewhere",
      () => {},
      "error[store-missing] no database found in elsewhere\n  Run the command in the folder where `zonewright serve` was started, or name its data folder with --data.\n",
    ],
    [
      "no folder",
      "server backup nowhere/copy.db",
      () => {},
      "error[backup-write] the backup nowhere/copy.db cannot be written\n  The folder nowhere does not exist. Name a file in a folder that this user may write, on a disk with space left.\n",
    ],
    [
      "a folder in its place",
      "server backup folder --force",
      (desk) => mkdirSync(join(desk.folder, "folder")),
      "error[backup-write] the backup folder cannot be written\n  folder is a folder. Name a file in a folder that this user may write, on a disk with space left.\n",
    ],
    [
      "an invalid database",
      "server backup copy.db",
      (desk) => {
        const path = join(desk.folder, ".zonewright/data/zonewright.db");
        for (const log of ["wal", "shm"]) rmSync(`${path}-${log}`, { force: true });
        writeFileSync(path, "$ORIGIN example.com.\n".repeat(100));
      },
      "error[backup-write] the backup copy.db cannot be written\n  The database file is not a SQLite database. Name the folder of the database with --data.\n",
    ],
  ])("%s", async (_, command, damage, talk) => {
    const desk = await withDatabase();
    damage(desk);
    const before = readdirSync(desk.folder);
    expect(await desk.run(command)).toEqual({ code: 1, out: "", talk });
    expect(readdirSync(desk.folder)).toEqual(before);
  });

  test("refers PostgreSQL users to its own tool", async () => {
    const desk = new Desk();
    const env = { DATABASE_URL: "postgres://user:very-secret@localhost/zones" };
    desk.secrets.push("very-secret");
    expect(await desk.run("server backup copy.db", { env })).toEqual({
      code: 1,
      out: "",
      talk: 'error[backup-postgres] DATABASE_URL names a PostgreSQL database, and backup copies SQLite files\n  Use the program of PostgreSQL: pg_dump --format=custom --file=zonewright.dump "$DATABASE_URL"\n',
    });
  });
});
