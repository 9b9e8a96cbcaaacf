// @suite long
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { programWords } from "../cli/process.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { readMarks, suitesMarked } from "../suite-marks.ts";
import { buildForTests, runBare } from "./built.ts";

const root = resolve(import.meta.dirname, "../..");

/** The packages of the driver of PostgreSQL, which npm installs beside zonewright. */
const ofPostgres = [
  "pg",
  "pg-cloudflare",
  "pg-connection-string",
  "pg-int8",
  "pg-pool",
  "pg-protocol",
  "pg-types",
  "pgpass",
  "postgres-array",
  "postgres-bytea",
  "postgres-date",
  "postgres-interval",
  "split2",
  "xtend",
];

/** Suites of other things: the files that the npm package loads, and kills by a module that Node is told to load. */
const unfit = /^test\/(packaging\/|cli\/start\.|targets\/.*kills\.)/;

/** The suites that run the program as a process of its own. */
const suitesOfProgram = [...readMarks().keys()].filter((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return !unfit.test(file) && /\b(?:new Program\(|programWords\b)/.test(text);
});

describe.skipIf(isMissing("postject"))("the single executable", () => {
  let built: Awaited<ReturnType<typeof buildForTests>>;

  beforeAll(async () => {
    built = await buildForTests();
  });

  afterAll(() => built.remove());

  function emptyFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-bare-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  /** A folder with the example zones, and one that has errors. */
  function project(): string {
    const folder = emptyFolder();
    cpSync(join(root, "zones"), join(folder, "zones"), { recursive: true });
    mkdirSync(join(folder, "broken"));
    writeFileSync(join(folder, "broken/example.org.yaml"), "records:\n  www: { A: 192.0.2.999 }\n  x: { SRV: 1 2 }\n");
    return folder;
  }

  test.each([
    "--version",
    "help",
    "help zone-files",
    "help server",
    "help open-records",
    "man --source",
    "completion bash",
    "init --from example --yes",
    "validate",
    "validate --zones broken",
    "validate --zones broken --report sarif",
    "explain caa-issue-missing",
    "fmt --check",
    "export --to bind",
    "export --to json",
    "set www A 192.0.2.7 --zone example.com",
    "plan --api-url http://127.0.0.1:1 --report json",
    "server backup copy.db --data saved",
    "nonsense",
  ])("says what the npm package says: zonewright %s", (command) => {
    const words = command.split(" ");
    const [node, main] = programWords as [string, string];
    const [own, other] = [project(), project()];
    const shown = (folder: string, text: string) => text.replaceAll(folder, "/project");
    const { code, out, talk } = runBare(other, node, main, ...words);
    const expected = { code, out: shown(other, out), talk: shown(other, talk) };
    const found = runBare(own, built.program, ...words);
    expect({ ...found, out: shown(own, found.out), talk: shown(own, found.talk) }).toEqual(expected);
    expect(found.out + found.talk).not.toBe("");
    expect(spawnSync("diff", ["-r", own, other], { encoding: "utf8" }).stdout).toBe("");
  });

  test("works alone in a folder: the demo, with the API and the database", () => {
    const folder = emptyFolder();
    copyFileSync(built.program, join(folder, "zonewright"));
    const { code, out, talk } = runBare(folder, "./zonewright", "demo");
    expect({ code, talk: talk.split("\n").filter((line) => /error|warning/i.test(line)) }).toEqual({
      code: 0,
      talk: [],
    });
    expect(out).toContain("# 39 live records, and the same records in the exported files.");
  });

  test("pins the action to the commit that it was built from", () => {
    const folder = project();
    expect(runBare(folder, built.program, "init", "--ci", "github", "--yes").code).toBe(0);
    const commit = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim();
    const workflow = readFileSync(join(folder, ".github/workflows/zonewright-plan.yml"), "utf8");
    expect(workflow).toContain(`uses: zonewright/zonewright@${commit} # v`);
  });

  test("comes with the licences of Node and of every package in it", () => {
    const text = readFileSync(join(built.folder, "licenses.txt"), "utf8");
    const names = (text: string) =>
      [...text.matchAll(/^(@?[a-z][a-z0-9/-]*) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name);
    const ofNpm = names(readFileSync(join(root, "dist/cli/licenses.txt"), "utf8"));
    expect(names(text)).toEqual([...ofNpm, ...ofPostgres].sort());
    expect(text).toMatch(/^Node\.js\n\n/);
  });

  /** Runs suites in a process of their own; returns the last line of its output, which counts the tests. */
  function runSuites(node: string, env: Record<string, string>, suites: readonly string[]): string {
    const words = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "main", ...suites];
    const { CI: _, ZONEWRIGHT_AFTER_RUN: __, ...outer } = process.env;
    const options = { cwd: root, env: { ...outer, ...env }, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
    const { stdout } = spawnSync(node, words, options);
    return stdout.trim().split("\n").slice(-3).join("\n");
  }

  test("the suites that run the program pass with it", () => {
    const suites = isNightly ? suitesOfProgram : ["test/cli/program.test.ts", "test/cli/serve.test.ts"];
    expect(runSuites(process.execPath, { ZONEWRIGHT_TEST_PROGRAM: built.program }, suites)).toMatch(
      /^[1-9]\d* passed, 0 failed/m,
    );
  });

  test("the suites of the store pass with its SQLite", () => {
    const node = join(root, "packaging/binary/node_modules", `node-${process.platform}-${process.arch}`, "bin/node");
    const suites = isNightly
      ? suitesMarked("postgres")
      : ["sqlite", "wal", "group-commit", "store"].map((name) => `test/server/${name}.test.ts`);
    expect(runSuites(node, { ZONEWRIGHT_TEST_SQLITE: "node" }, suites)).toMatch(/^[1-9]\d* passed, 0 failed/m);
  });
});
