// @suite long

import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pMap from "p-map";
import { expect, test } from "vitest";
import { bundle } from "../../packaging/program.ts";
import { Program } from "./process.ts";
import { apiDesk, Desk } from "./run.ts";

const root = `${pathToFileURL(join(import.meta.dirname, "../.."))}/`;

const { metafile } = await bundle("dist/cli");

const emptySnapshot = JSON.stringify({
  format: "zonewright.snapshot/1",
  time: "2026-03-04T12:00:00Z",
  target: { api: "https://api.example.net", account: null },
  domains: [],
});

/**
 * The modules of the program and the packages that a run of the program loads, sorted; `whileRunning` uses it. V8 lists
 * every script for its coverage; what a script of the bundle contains, the bundler knows.
 */
async function modulesOf(
  desk: Desk,
  command: string,
  code = 0,
  whileRunning: (run: Program) => Promise<void> = async () => {},
): Promise<string[]> {
  const folder = join(desk.folder, "coverage");
  const run = new Program(desk.folder, command, { ...desk.env, NODE_V8_COVERAGE: folder });
  await whileRunning(run);
  const end = await run.end();
  expect(end.code, end.talk).toBe(code);
  const urls = readdirSync(folder).flatMap((file) =>
    (JSON.parse(readFileSync(join(folder, file), "utf8")).result as { url: string }[]).map(({ url }) => url),
  );
  const scripts = urls.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length));
  const modules = scripts.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? { [path]: {} }));
  const names = modules.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  // `lazy-` loads modules of Node later, and `entry:` is only imports.
  return [...new Set(names)].filter((name) => !/^(lazy-|entry:)/.test(name)).sort();
}

test("each file of the program that is loaded later can be loaded first", async () => {
  const entries = Object.entries(metafile.outputs).filter(
    ([path, { entryPoint }]) => entryPoint && path.endsWith(".js"),
  );
  const later = entries.flatMap(([path]) => (path.endsWith("/main.js") ? [] : path));
  expect(later).toContainEqual(expect.stringContaining("/plan-"));
  const run = promisify(execFile);
  const cwd = fileURLToPath(root);
  const load = (path: string) => run(process.execPath, [path], { cwd }).then(({ stderr }) => stderr, String);
  const talks = await pMap(later, async (path) => [path, await load(path)], { concurrency: 2 });
  expect(talks.filter(([, talk]) => talk !== "")).toEqual([]);
});

test.each(["--version", "--help"])("%s loads only the commands' names and summaries", async (flag) => {
  expect(await modulesOf(new Desk(), flag)).toEqual([
    "commander",
    "src/cli/cache-scripts.ts",
    "src/cli/exit-code.ts",
    "src/cli/main.ts",
    "src/cli/optimize-late.ts",
    "src/cli/program.ts",
    "src/cli/terminal.ts",
    "src/diagnostics/shell-word.ts",
    "src/packaged-file.ts",
    "src/report/text/columns.ts",
    "src/workflow/project/exit-code.ts",
    "src/workflow/project/run-context.ts",
    "src/workflow/project/version.ts",
  ]);
});

test.each([
  ["--version", 0, ""],
  [
    "validate",
    3,
    "error[project-missing] there is no project here: FOLDER has neither zonewright.yaml nor a folder zones",
  ],
])("%s in a folder that was removed", async (command, code, headline) => {
  const { folder } = new Desk();
  const removed = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"];
  const end = await new Program(folder, command, {}, removed).end();
  const [first = ""] = end.talk.replaceAll(join(folder, "gone"), "FOLDER").split("\n");
  expect([end.code, first]).toEqual([code, headline]);
});

test("validate loads neither what calls the API nor what plans and applies", async () => {
  const desk = new Desk();
  desk.write("zones/example.com.yaml", "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n");
  const loaded = await modulesOf(desk, "validate");
  expect(loaded.filter((name) => !name.startsWith("src/"))).toEqual(["commander", "picocolors", "zod"]);
  const others =
    /^src\/(client|contract\/(endpoints|resources\/(?!node-label))|dns-client|executor|formats\/foreign\/(?!endings)|github|planner|server)\/|\/(write|rewrite)\.ts$/;
  expect(loaded.filter((name) => others.test(name))).toEqual([
    "src/dns-client/server-address.ts", // reads the addresses of a config
    "src/planner/order/work.ts",
  ]);
});

test("a plan against a snapshot loads neither the client nor the list of endpoints", async () => {
  const desk = new Desk();
  desk.write("zones/example.com.yaml", "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n");
  desk.write("live.json", emptySnapshot);
  const loaded = await modulesOf(desk, "plan --against live.json");
  expect(loaded.filter((name) => !name.startsWith("src/"))).toEqual(["commander", "p-map", "picocolors", "zod"]);
  // `server-address.ts`, which opens nothing, may be joined with modules that this plan needs.
  const others =
    /^src\/(client\/client\.ts|contract\/endpoints\/|dns-client\/(?!server-address)|github|report\/.*(junit|markdown|sarif)|server)/;
  expect(loaded.filter((name) => others.test(name))).toEqual([]);
});

test("a file outside the plain subset of YAML loads the YAML library, in one file", async () => {
  const desk = new Desk();
  desk.write("zones/example.com.yaml", "soa_email: &a a@example.com\nrecords: {www: {A: 192.0.2.1}}\n");
  expect(await modulesOf(desk, "validate")).toContain("yaml");
});

test("validate loads none of Node's modules that take long", async () => {
  const desk = new Desk();
  desk.write("zones/example.com.yaml", "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n");
  const loaded = join(desk.folder, "loaded.json");
  const hook = join(desk.folder, "hook.cjs");
  const write = `require("fs").writeFileSync(${JSON.stringify(loaded)}, JSON.stringify(process.moduleLoadList))`;
  writeFileSync(hook, `process.on("exit", () => ${write});`);
  const end = await new Program(desk.folder, "validate", { ...desk.env, NODE_OPTIONS: `--require=${hook}` }).end();
  expect(end.code, end.talk).toBe(0);
  const modules = (JSON.parse(readFileSync(loaded, "utf8")) as string[]).map((name) => name.split(" ").at(-1));
  const slow = ["child_process", "crypto", "dns", "http", "readline", "worker_threads"];
  expect(slow.filter((name) => modules.includes(name))).toEqual([]);
  expect(modules).toContain("fs");
});

test("the program contains the messages of zod in English only", () => {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : []));
  const languages = used.flatMap((path) => /\/zod\/v4\/locales\/(.*)\.js$/.exec(path)?.[1] ?? []);
  expect(languages).toEqual(["en"]);
});

const ofMetrics = ["@opentelemetry/api", "bintrees", "prom-client", "tdigest"];

test.each([
  ["/metrics", ofMetrics],
  ["/readyz", []],
])("a server that was asked for %s has loaded %j of the packages for metrics", async (path, expected) => {
  const loaded = await modulesOf(new Desk(), "serve --port 0 --ephemeral", 0, async (run) => {
    const [, url = ""] = await run.says(/^(http:\/\/\S+)\n/);
    expect((await fetch(url + path)).status).toBe(200);
    run.kill("SIGINT");
  });
  expect(loaded.filter((name) => ofMetrics.includes(name))).toEqual(expected);
});

/** The rooms and packages that only a server needs. */
const ofServer =
  /^(src\/server\/|@hono\/|hono$|kysely$|libsql$|@libsql\/|pg($|-)|prom-client$|tdigest$|bintrees$|@opentelemetry\/)/;

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
