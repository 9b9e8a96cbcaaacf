import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endpointsIn } from "../../../src/contract/endpoints/index.ts";
import { lacking } from "./lacking.ts";
import type { Outcome, Suite } from "./suite.ts";
import { suites } from "./suites.ts";

/**
 * `npm run judge:clients [-- NAME…] [-- --write] [-- --failures]`: runs the tests of clients against a server in
 * profile live and prints the table of docs/server/clients.md. `--write` replaces the rows of these clients there,
 * `--failures` prints each failed test with the end of its output. Fails if a failure has no known cause.
 */
const page = fileURLToPath(new URL("../../../docs/server/clients.md", import.meta.url));
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--")).map((word) => word.toLowerCase());
const chosen = suites.filter(
  ({ client, tests }) => names.length === 0 || names.some((name) => `${client} ${tests}`.toLowerCase().includes(name)),
);
if (chosen.length === 0) {
  console.error(`No client is called so: ${suites.map(({ client }) => client).join("; ")}`);
  process.exit(2);
}

const unknownCause = "not explained";

const paths = endpointsIn("live").map(([, { path }]) => path);
const served = paths.map((path) => new RegExp(`^/v4(?:beta)?${path.replace(/\{\w+\}/g, "[^/]+")}/?$`));

/**
 * The path in a failed test's output or requests that the server does not have, such as `/vpcs`: the first that is not
 * `harmless`, or the last if its refusal ended the test.
 */
function findUnserved({ output, requests = [] }: Outcome, harmless: ReadonlySet<string>): string | undefined {
  const paths = [...listUnserved(output, requests)];
  const told = output.replace(/^.*\[WARN\].*$/gm, "");
  const isRefused = /does not have this endpoint|\[404\] Not found|\[405\] Method Not Allowed/.test(told);
  return paths.find((path) => !harmless.has(path)) ?? (isRefused ? paths.at(-1) : undefined);
}

function listUnserved(output: string, requests: Outcome["requests"] = []): ReadonlySet<string> {
  const named = output.matchAll(/(?:GET|POST|PUT|DELETE) (\/v4[^\s?]+?): \[(404|405|501)\]/g);
  const replies = [...[...named].map(([, path = "", status]) => ({ path, status: Number(status) })), ...requests];
  const unserved = replies.filter(
    ({ path, status }) =>
      [405, 501].includes(status) || (status === 404 && !served.some((pattern) => pattern.test(path))),
  );
  return new Set(unserved.map(({ path }) => areaOf(path)));
}

/** All of an area that is not served, or the collection in it. */
function areaOf(path: string): string {
  const parts = path.split("/").slice(2);
  const isServedArea = paths.some((path) => path.startsWith(`/${parts[0]}/`));
  return isServedArea ? `/${parts.filter((part) => !/\d/.test(part)).join("/")}` : `/${parts[0]}`;
}

/** Cause of a failed test. */
function explain(outcome: Outcome, { reasons = [] }: Suite, harmless: ReadonlySet<string>): string {
  const known = reasons.find(({ found }) => found.test(outcome.output));
  if (known) return known.reason;
  const path = findUnserved(outcome, harmless);
  if (path !== undefined) return `zonewright does not serve \`${path}\``;
  return lacking.find(({ found }) => found.test(outcome.output))?.reason ?? unknownCause;
}

function groupByReason(failed: readonly (readonly [reason: string, Outcome])[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>();
  for (const [reason, outcome] of failed) groups.set(reason, [...(groups.get(reason) ?? []), outcome]);
  return groups;
}

interface Line {
  readonly row: string;
  readonly unexplained: number;
}

async function judge(suite: Suite): Promise<Line | undefined> {
  const missing = suite.missing();
  if (missing !== undefined) {
    console.error(`${suite.client}: skipped, because it needs ${missing}`);
    return undefined;
  }
  const version = await suite.version();
  const outcomes = await suite.run();
  const count = (result: Outcome["result"]) => outcomes.filter((outcome) => outcome.result === result).length;
  // What tests ask that pass without it is the cause of no failure.
  const passed = outcomes.filter(({ result }) => result === "passed");
  const harmless = new Set(passed.flatMap(({ requests }) => [...listUnserved("", requests)]));
  const failed = outcomes
    .filter(({ result }) => result === "failed")
    .map((outcome) => [explain(outcome, suite, harmless), outcome] as const);
  if (words.includes("--failures"))
    for (const [reason, { test, output }] of failed)
      console.error(`--- ${suite.client}: ${test}: ${reason}\n${output.slice(-3000)}\n`);
  const causes = groupByReason(failed);
  const why = [...causes].sort(([, a], [, b]) => b.length - a.length).map(([reason, of]) => `${of.length}: ${reason}`);
  const cells = [suite.client, version, suite.tests, count("passed"), failed.length, count("skipped"), why.join("; ")];
  return { row: `| ${cells.join(" | ")} |`, unexplained: causes.get(unknownCause)?.length ?? 0 };
}

const lines = new Map<Suite, Line>();
for (const suite of chosen) {
  const line = await judge(suite);
  if (line === undefined) continue;
  lines.set(suite, line);
  console.log(line.row);
}

if (words.includes("--write")) {
  const [before = "", table = "", after = ""] = splitPage(readFileSync(page, "utf8"));
  const old = table.trim().split("\n").slice(2);
  const rows = suites.map(
    (suite) =>
      lines.get(suite)?.row ??
      old.find((line) => line.startsWith(`| ${suite.client} | `) && line.includes(` | ${suite.tests} | `)) ??
      `| ${suite.client} | not run | ${suite.tests} |  |  |  |  |`,
  );
  const head = ["client", "version", "tests", "passed", "failed", "skipped", "causes of failures"];
  const lead = [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`];
  writeFileSync(page, `${before}\n${[...lead, ...rows].join("\n")}\n\n${after}`);
}

if ([...lines.values()].some(({ unexplained }) => unexplained > 0)) process.exitCode = 1;

/** The page before, between and after its two marks. */
function splitPage(text: string): string[] {
  const start = text.indexOf("<!-- judged");
  const begin = text.indexOf("\n", start) + 1;
  const end = text.indexOf("<!-- end of judged", begin);
  return [text.slice(0, begin), text.slice(begin, end), text.slice(end)];
}
