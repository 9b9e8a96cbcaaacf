import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Checkpointer, largestLog } from "../../src/server/store/sqlite/checkpointer.ts";
import { openDatabase } from "../../src/server/store/sqlite/libsql.ts";
import { openStore } from "../../src/server/store/store.ts";
import { start } from "./start.ts";

function emptyPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "zonewright.db");
}

const logOf = (path: string) => statSync(`${path}-wal`).size;

test("a due checkpoint truncates the log without loss", async () => {
  const path = emptyPath();
  const database = openDatabase(path, 0);
  database.exec("pragma journal_mode = wal");
  database.exec("create table t (x)");
  const errors: unknown[] = [];
  const checkpointer = new Checkpointer(path, 100_000, (error) => errors.push(error));
  const before = logOf(path);
  await checkpointer.look();
  expect(logOf(path)).toBe(before);
  for (let round = 0; round < 3; round++) {
    database.prepare("insert into t values (?)").run(["x".repeat(200_000)]);
    expect(logOf(path)).toBeGreaterThan(200_000);
    await checkpointer.look();
    expect(logOf(path)).toBe(0);
  }
  expect(database.prepare("select count(*) as rows from t").all([])).toEqual([[3]]);
  expect(errors).toEqual([]);
  await checkpointer.close();
  database.close();
});

test("the log of a running server shrinks after load", async () => {
  const path = emptyPath();
  const store = await openStore(path);
  onTestFinished(() => store.close());
  const { call, domain } = await start({ store });
  const id = await domain("example.com", [{ type: "A", target: "192.0.2.1" }]);
  for (let round = 0; round < 140; round++)
    expect((await call("POST", `/domains/${id}/records`, { type: "TXT", target: "x".repeat(60_000) })).status).toBe(
      round < 139 ? 200 : 400,
    );
  // It has grown beyond the limit once at the least; the checkpoint runs beside this thread.
  while (logOf(path) >= largestLog) await new Promise((resolve) => setImmediate(resolve));
  expect(statSync(path).size).toBeGreaterThan(largestLog);
  expect((await call("GET", `/domains/${id}/records?page_size=25`)).body.results).toBe(140);
});

test("closing waits for a running checkpoint", async () => {
  const path = emptyPath();
  const store = await openStore(path);
  const { call, domain } = await start({ store });
  const id = await domain("example.com");
  for (let round = 0; round < 80; round++)
    await call("POST", `/domains/${id}/records`, { type: "TXT", target: "x".repeat(60_000) });
  await store.close();
  const again = await openStore(path);
  const { length } = await again.read((db) => db.selectFrom("records").select("id").execute());
  expect(length).toBe(80);
  await again.close();
});
