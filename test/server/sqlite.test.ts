import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { createToken, hasTokens } from "../../src/server/tokens.ts";
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

test("a token is in no file, its hash is", async () => {
  const store = await opened(join(folder, "zonewright.db"));
  expect(await hasTokens(store)).toBe(false);
  const token = await createToken(store, { username: "admin", now: new Date() });
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(await hasTokens(store)).toBe(true);
  const bytes = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "latin1"))
    .join("");
  expect(bytes).not.toContain(token);
  expect(bytes).toContain(createHash("sha256").update(token).digest("hex"));
});

test("closing in the middle of a request fails the request and nothing else", async () => {
  const store = await openStore(":memory:");
  const work = store.write(async (db) => {
    await db.insertInto("accounts").values({ name: "a", created: "" }).execute();
    await store.close();
    await db.selectFrom("accounts").selectAll().execute();
  });
  await expect(work).rejects.toThrow("The database connection is not open");
});

describe("a database that cannot write", () => {
  test.each([
    ["a full disk", sql`pragma max_page_count = 1`, "The service cannot write its database: the disk is full"],
    ["a read-only one", sql`pragma query_only = 1`, "The service cannot write its database: it is read-only"],
  ])("%s: the request fails with a reason, nothing is half stored", async (_, damage, reason) => {
    const heard: unknown[] = [];
    const api = await start({ store: await opened(join(folder, "z.db")), onError: (error) => heard.push(error) });
    const id = await api.domain("example.com", [{ type: "TXT", target: "x".repeat(60_000) }]);
    await api.store.read((db) => damage.execute(db));
    const body = { errors: [{ reason }] };
    expect(await api.call("POST", `/domains/${id}/clone`, { domain: "example.net" })).toEqual({ status: 503, body });
    expect(heard).toHaveLength(1);
    const list = await api.call("GET", "/domains");
    expect([list.status, list.body.results]).toEqual([200, 1]);
  });
});

describe("openStore says what, where and what to do", () => {
  const fix = "Name a file in a folder that this user may write, on a disk with space left.";

  test("a folder that cannot be made", async () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "zonewright.db");
    await expect(openStore(path)).rejects.toMatchObject({
      name: "Refusal",
      diagnostics: [{ severity: "error", rule: "store-open", summary: `cannot open the database ${path}`, fix }],
    });
  });

  test("a folder that the system lets nobody make", async () => {
    await expect(openStore("/proc/zonewright/zonewright.db")).rejects.toMatchObject({
      diagnostics: [{ rule: "store-open", detail: "it does not exist." }],
    });
  });

  test("a folder in the place of the file", async () => {
    await expect(openStore(folder)).rejects.toMatchObject({
      diagnostics: [{ rule: "store-open", detail: "its file can neither be opened nor made." }],
    });
  });

  test("a file that is no database", async () => {
    const path = join(folder, "zone.db");
    writeFileSync(path, "$ORIGIN example.com.\n".repeat(100));
    await expect(openStore(path)).rejects.toMatchObject({
      diagnostics: [{ rule: "store-open", detail: "file is not a database." }],
    });
  });
});

test("a boolean is a value like another", async () => {
  const store = await opened(":memory:");
  const { rows } = await store.read((db) => sql`select ${true} as yes, ${false} as no`.execute(db));
  expect(rows).toEqual([{ yes: 1, no: 0 }]);
});
