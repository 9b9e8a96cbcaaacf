import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { bundleProgram } from "../../packaging/program.ts";
import { Program } from "./process.ts";
import { apiDesk, Desk } from "./run.ts";

const root = `${pathToFileURL(join(import.meta.dirname, "../.."))}/`;

const { metafile } = await bundleProgram();

/**
 * The modules of the program and the packages that a run of the program loads, sorted. V8 lists every script for its
 * coverage; what a script of the bundle contains, the bundler knows.
 */
async function modulesOf(desk: Desk, command: string, code = 0): Promise<string[]> {
  const folder = join(desk.folder, "coverage");
  const run = new Program(desk.folder, command, { ...desk.env, NODE_V8_COVERAGE: folder });
  const end = await run.end();
  expect(end.code, end.talk).toBe(code);
  const urls = readdirSync(folder).flatMap((file) =>
    (JSON.parse(readFileSync(join(folder, file), "utf8")).result as { url: string }[]).map(({ url }) => url),
  );
  const scripts = urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length));
  const modules = scripts.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? { [path]: {} }));
  const names = modules.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  return [...new Set(names)].sort();
}

test.each(["--version", "--help"])("%s loads only the commands' names and summaries", async (flag) => {
  expect(await modulesOf(new Desk(), flag)).toEqual([
    "commander",
    "src/cli/command.ts",
    "src/cli/exit-code.ts",
    "src/cli/main.ts",
    "src/cli/program.ts",
    "src/cli/terminal.ts",
    "src/packaged-file.ts",
    "src/workflow/exit-code.ts",
    "src/workflow/run-context.ts",
    "src/workflow/version.ts",
  ]);
});

test("validate loads neither what calls the API nor what plans and applies", async () => {
  const desk = new Desk();
  desk.write("zones/example.com.yaml", "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n");
  const loaded = await modulesOf(desk, "validate");
  expect(loaded.filter((name) => !name.startsWith("src/"))).toEqual(["commander", "picocolors", "yaml", "zod"]);
  const others = /^src\/(client|contract\/endpoints|dns-client|executor|github|planner|server)\//;
  expect(loaded.filter((name) => others.test(name))).toEqual(["src/planner/work.ts"]);
});

test("the program contains the messages of zod in English only", () => {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : []));
  const languages = used.flatMap((path) => /\/zod\/v4\/locales\/(.*)\.js$/.exec(path)?.[1] ?? []);
  expect(languages).toEqual(["en"]);
});

/** The rooms and packages that only a server needs. */
const ofServer = /^(src\/server\/|@hono\/|hono$|kysely$|libsql$|@libsql\/|pg($|-))/;

test.each([
  ["validate", 0],
  ["fmt --check", 0],
  ["plan", 0],
  ["plan --report json", 0],
  ["explain private-address", 0],
  ["runs", 0],
])("%s loads no server code", async (command, code) => {
  const desk = await apiDesk({
    "zones/example.com.yaml": "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n",
  });
  const loaded = await modulesOf(desk, command, code);
  expect(loaded.filter((name) => ofServer.test(name))).toEqual([]);
  expect(loaded).toContain("src/cli/main.ts");
});
