import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { createToken, hasTokens } from "../../src/server/tokens.ts";
import { refused, start } from "./start.ts";

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

test("everything is there again after a restart, and no id or serial comes twice", async () => {
  const path = join(folder, "data", "zonewright.db");
  const before = await start({ store: await openStore(path) });
  await before.domain("example.com", [{ type: "A", name: "www", target: "192.0.2.1" }]);
  await before.domain("example.net");
  await before.call("PUT", "/domains/1", { tags: ["prod"], axfr_ips: ["192.0.2.2"] });
  await before.call("DELETE", "/domains/2");
  const paths = ["/domains", "/domains/1", "/domains/1/records", "/domains/1/zone-file"];
  const seen = await Promise.all(paths.map((path) => before.call("GET", path)));
  await before.store.close();

  const after = await start({ store: await opened(path) });
  expect(await Promise.all(paths.map((path) => after.call("GET", path, undefined, { as: before.token })))).toEqual(
    seen,
  );
  expect(await after.domain("example.org")).toBe(3);
  await after.call("DELETE", "/domains/1/records/1");
  expect((await after.call("GET", "/domains/1/zone-file")).body.zone_file[2]).toContain(" 2026000002 ");
});

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

test("two programs may hold one file", async () => {
  const path = join(folder, "zonewright.db");
  const one = await start({ store: await opened(path) });
  const two = await start({ store: await opened(path) });
  const id = await one.domain("example.com");
  expect((await two.call("GET", `/domains/${id}`)).body.domain).toBe("example.com");
  expect(
    await two.call("POST", "/domains", { domain: "example.com", type: "slave", master_ips: ["192.0.2.1"] }),
  ).toEqual(refused(["DNS zone already exists.", "domain"]));
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

  test("a file of a newer zonewright", async () => {
    const path = join(folder, "zonewright.db");
    const store = await openStore(path);
    await store.write((db) => sql`insert into migrations (name) values ('9999-later')`.execute(db));
    await store.close();
    await expect(openStore(path)).rejects.toMatchObject({
      diagnostics: [{ rule: "store-newer", detail: "This one does not know 9999-later." }],
    });
  });
});

test("work that throws is undone", async () => {
  const store = await opened(":memory:");
  const failing = store.write(async (db) => {
    await db.insertInto("accounts").values({ name: "a", created: "" }).execute();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await store.read((db) => db.selectFrom("accounts").selectAll().execute())).toEqual([]);
});

test("a boolean is a value like another", async () => {
  const store = await opened(":memory:");
  const { rows } = await store.read((db) => sql`select ${true} as yes, ${false} as no`.execute(db));
  expect(rows).toEqual([{ yes: 1, no: 0 }]);
});
