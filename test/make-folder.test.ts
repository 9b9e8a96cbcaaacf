import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../src/file-system.ts";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("makes a folder and its parents with the given mode", () => {
  const folder = scratch();
  expect(makeFolder(join(folder, "a/b/c"), 0o700)).toBe(true);
  for (const made of ["a", "a/b", "a/b/c"]) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test("keeps an existing folder unchanged", () => {
  const folder = scratch();
  makeFolder(join(folder, "a"), 0o755);
  expect(makeFolder(join(folder, "a"), 0o700)).toBe(false);
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o755);
});

test("a folder that cannot be made is an immediate error", () => {
  const folder = scratch();
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file/a"))).toThrow();
  expect(() => makeFolder("/proc/zonewright/a")).toThrow(/ENOENT/);
});
