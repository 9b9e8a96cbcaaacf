import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { advise } from "../../src/diagnostics/advice.ts";
import { createFirstToken, createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { makePrivateFile } from "../../src/server/store/private-file.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { start } from "./start.ts";

let folder: string;
const open: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zonewright-"));
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

async function opened(path: string): Promise<Store> {
  const store = await openStore(path);
  open.push(store);
  return store;
}

describe("the database files are private to this user", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test("new folders and all files are private", async () => {
    const before = process.umask(0);
    try {
      const store = await opened(join(folder, "new", "data", "zonewright.db"));
      await createToken(store, { username: "admin", now: new Date() });
    } finally {
      process.umask(before);
    }
    expect([modeOf(join(folder, "new")), modeOf(join(folder, "new", "data"))]).toEqual(["700", "700"]);
    const files = readdirSync(join(folder, "new", "data"));
    expect(Object.fromEntries(files.map((file) => [file, modeOf(join(folder, "new", "data", file))]))).toEqual({
      "zonewright.db": "600",
      "zonewright.db-shm": "600",
      "zonewright.db-wal": "600",
    });
  });

  test("a database readable by others is made private; its folder stays as it is", async () => {
    const path = join(folder, "zonewright.db");
    writeFileSync(path, "");
    chmodSync(path, 0o644);
    chmodSync(folder, 0o755);
    await opened(path);
    expect([modeOf(path), modeOf(folder)]).toEqual(["600", "755"]);
  });

  test("readable files left by a killed process are made private", async () => {
    const path = join(folder, "zonewright.db");
    const files = ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix);
    for (const file of files) writeFileSync(file, "");
    for (const file of files) chmodSync(file, 0o666);
    makePrivateFile(path);
    expect(files.map(modeOf)).toEqual(["600", "600", "600", "600"]);
  });

  test.each(["", "-wal", "-shm", "-journal"])(
    "a symbolic link in the place of zonewright.db%s is refused",
    async (suffix) => {
      const path = join(folder, "zonewright.db");
      const elsewhere = join(folder, "elsewhere");
      writeFileSync(elsewhere, "kept");
      symlinkSync(elsewhere, path + suffix);
      const error = await openStore(path).catch((error) => error);
      expect(error.problems).toEqual([
        {
          id: "store-link",
          kind: "failed",
          severity: "error",
          summary: `cannot open the database ${path}: ${path}${suffix} is a symbolic link`,
          fix: advise`Remove the link, or name the folder that contains the real file with ${{ set: "data" }}.`,
        },
      ]);
      expect(readFileSync(elsewhere, "utf8")).toBe("kept");
    },
  );
});

test("files contain the hash of a token, never the token", async () => {
  const store = await opened(join(folder, "zonewright.db"));
  const token = (await createFirstToken(store, { username: "admin", now: new Date() })) ?? "";
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(await createFirstToken(store, { username: "admin", now: new Date() })).toBe(undefined);
  const bytes = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "latin1"))
    .join("");
  expect(bytes).not.toContain(token);
  expect(bytes).toContain(createHash("sha256").update(token).digest("hex"));
});

test("closing during a request fails only that request", async () => {
  const store = await openStore(":memory:");
  const work = store.write(async (db) => {
    await db.insertInto("accounts").values({ name: "a", created: "" }).execute();
    await store.close();
    await db.selectFrom("accounts").selectAll().execute();
  });
  await expect(work).rejects.toThrow(/database (connection )?is not open/);
});

describe("a database that cannot be written", () => {
  test.each([
    ["a full disk", sql`pragma max_page_count = 1`, "The service cannot write to its database: the disk is full"],
    ["a read-only one", sql`pragma query_only = 1`, "The service cannot write to its database: it is read-only"],
  ])("%s: the request fails with a reason and nothing is stored partially", async (_, damage, reason) => {
    const errors: unknown[] = [];
    const api = await start({ store: await opened(join(folder, "z.db")), onError: (error) => errors.push(error) });
    const id = await api.domain("example.com", [{ type: "TXT", target: "x".repeat(60_000) }]);
    await api.store.write((db) => damage.execute(db));
    const body = { errors: [{ reason }] };
    expect(await api.call("POST", `/domains/${id}/clone`, { domain: "example.net" })).toEqual({ status: 503, body });
    expect(errors).toHaveLength(1);
    const list = await api.call("GET", "/domains");
    expect([list.status, list.body.results]).toEqual([200, 1]);
  });
});

describe("openStore reports the problem, its place and a fix", () => {
  const fix = advise`With ${{ set: "data" }}, name a folder that this user may write, on a disk with space left.`;

  test("a folder that cannot be created", async () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "zonewright.db");
    await expect(openStore(path)).rejects.toMatchObject({
      name: "ProblemError",
      problems: [
        { id: "store-open", kind: "failed", severity: "error", summary: `cannot open the database ${path}`, fix },
      ],
    });
  });

  test("a folder that the system refuses to create", async () => {
    await expect(openStore("/proc/zonewright/zonewright.db")).rejects.toMatchObject({
      problems: [{ id: "store-open", detail: "it does not exist." }],
    });
  });

  test("a folder instead of the file", async () => {
    await expect(openStore(folder)).rejects.toMatchObject({
      problems: [{ id: "store-open", detail: "its file can neither be opened nor made." }],
    });
  });

  test("a file that is not a database", async () => {
    const path = join(folder, "zone.db");
    writeFileSync(path, "$ORIGIN example.com.\n".repeat(100));
    await expect(openStore(path)).rejects.toMatchObject({
      problems: [
        {
          id: "store-open",
          detail: "its file is not a database.",
          fix: advise`Move the file away, restore the last good backup, or name another folder with ${{ set: "data" }}.`,
        },
      ],
    });
  });
});

test("a boolean parameter is accepted", async () => {
  const store = await opened(":memory:");
  const { rows } = await store.read((db) => sql`select ${true} as yes, ${false} as no`.execute(db));
  expect(rows).toEqual([{ yes: 1, no: 0 }]);
});
