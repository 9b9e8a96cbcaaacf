import { execSync } from "node:child_process";
import type { Bench, Case } from "./case.ts";
import { compareResults } from "./compare.ts";
import { caseLines } from "./print.ts";
import { type BenchResult, describeRun, readResult, writeResult } from "./result.ts";

interface Entry {
  /** One line for the help. */
  readonly about: string;
  /** The meaning of the bench's number, if it takes one. */
  readonly number?: string;
  readonly load: () => Promise<{ run: Bench }>;
}

/** All benches; decisions/performance#measurement tells on which machine, and how their results are read. */
const benches: Readonly<Record<string, Entry>> = {
  apply: { about: "apply and plan of a zone of 12,000 records and of 1,000 zones", load: () => import("./apply.ts") },
  creates: {
    about: "creates of records at one name, with none and with 10,000 there",
    load: () => import("./creates.ts"),
  },
  "first-steps": {
    about: "installation, first import, first plan and three mistakes, beside other tools",
    load: () => import("./first-steps.ts"),
  },
  fmt: { about: "formatting a zone of 20,000 records", load: () => import("./fmt.ts") },
  health: {
    about: "the latency of /healthz during work on a domain of 100,000 records",
    load: () => import("./health.ts"),
  },
  hostile: {
    about: "/healthz under load of one kind of request, and attacks on the name server",
    load: () => import("./hostile.ts"),
  },
  html: { about: "HTML reports of large plans; with Chromium, until they are shown", load: () => import("./html.ts") },
  import: { about: "`import axfr`, and the apply after it", load: () => import("./import.ts") },
  names: {
    about: "answers of the name server over UDP and TCP, beside Knot and NSD",
    load: () => import("./names.ts"),
  },
  nodes: { about: "requests about 10,000 nodes", load: () => import("./nodes.ts") },
  peers: { about: "the work of docs/compare.md, beside other tools", load: () => import("./peers.ts") },
  plan: { about: "from files to the printed plan, beside octoDNS and DNSControl", load: () => import("./plan.ts") },
  planner: { about: "planning alone, without files and API", load: () => import("./planner.ts") },
  serve: { about: "requests in a second, beside servers that store nothing", load: () => import("./serve.ts") },
  slaves: { about: "the transfer of a slave zone, beside Knot", number: "records", load: () => import("./slaves.ts") },
  soak: { about: "mixed load without pause: latency and memory", number: "seconds", load: () => import("./soak.ts") },
  stale: { about: "old answers after a change, of several servers under load", load: () => import("./stale.ts") },
  start: { about: "the CPU time of `--version`, `validate` and `plan` of one zone", load: () => import("./start.ts") },
  transfer: { about: "a zone as messages of a transfer, without a network", load: () => import("./transfer.ts") },
  updates: {
    about: "dynamic updates of BIND, Knot and PowerDNS, beside nsupdate and octodns-bind",
    load: () => import("./updates.ts"),
  },
  validate: { about: "`validate` of many zones", load: () => import("./validate.ts") },
  yaml: { about: "reading YAML zone files, beside the YAML library", load: () => import("./yaml.ts") },
  zonefile: { about: "reading master files, beside named-checkzone", load: () => import("./zonefile.ts") },
};

/**
 * `npm run bench -- NAME...` measures, with `all` every bench; `--json` also writes the result to a file. `soak` and
 * `slaves` take a number. `npm run bench -- compare OLD NEW` compares two such files. Exit codes: 1 if a bench failed,
 * a ratio regressed, or no ratio is in both files; 3 for a file that is not a result; 64 for other words.
 */
const words = process.argv.slice(2);
if (words.length === 0 || words.includes("--help") || words.includes("-h")) console.log(helpText());
else if (words[0] === "compare") compare(words.slice(1));
else await measure(words);

function helpText(): string {
  const lines = Object.entries(benches).map(([name, { about, number }]) => {
    const usage = number === undefined ? name : `${name} [${number}]`;
    return `  ${usage.padEnd(17)} ${about}`;
  });
  return [
    "npm run bench -- NAME... [--json]      measures; --json also writes the result to a file in .bench",
    "npm run bench -- compare OLD NEW       compares two such files, and fails if a ratio is worse",
    "",
    ...lines,
    `  ${"all".padEnd(17)} all of them; takes more than an hour`,
  ].join("\n");
}

function compare(files: readonly string[]): void {
  const [before, after] = files;
  if (before === undefined || after === undefined || files.length > 2)
    return fail(64, "compare takes two files: npm run bench -- compare OLD NEW");
  try {
    const { lines, compared, regressions } = compareResults(readResult(before), readResult(after));
    console.log(lines.join("\n"));
    if (compared === 0) return fail(1, "No ratio is in both files. Measure the same benches twice, with --json.");
    process.exitCode = regressions > 0 ? 1 : 0;
  } catch (error) {
    fail(3, error instanceof Error ? error.message : String(error));
  }
}

async function measure(words: readonly string[]): Promise<void> {
  const isNumber = (word: string) => /^\d+$/.test(word);
  const numbers = words.filter(isNumber);
  const names = words.filter((word) => word !== "--json" && !isNumber(word));
  const unknown = names.find((name) => name !== "all" && !Object.hasOwn(benches, name));
  if (unknown !== undefined) return fail(64, `Unknown bench "${unknown}". npm run bench -- --help lists them.`);
  if (names.length === 0) return fail(64, "Name a bench. npm run bench -- --help lists them.");
  if (numbers.length > 0 && (numbers.length > 1 || names.length > 1 || benches[names[0] ?? ""]?.number === undefined))
    return fail(64, `Unexpected number ${numbers.at(-1)}: only soak and slaves take one, each run alone.`);
  execSync("npm run build --silent", {
    cwd: new URL("../..", import.meta.url),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const run = describeRun(new Date());
  const results: BenchResult[] = [];
  for (const [name, { load }] of Object.entries(benches)) {
    if (!names.includes("all") && !names.includes(name)) continue;
    console.log(`\n${name}`);
    results.push({ name, ...(await measureBench(load, numbers.map(Number)[0])) });
  }
  if (words.includes("--json")) console.log(`\nwrote ${writeResult({ ...run, benches: results })}`);
}

function fail(exitCode: number, message: string): void {
  console.error(message);
  process.exitCode = exitCode;
}

/** The cases of a bench, printed as they come. An error ends it, not the benches after it. */
async function measureBench(
  load: () => Promise<{ run: Bench }>,
  argument: number | undefined,
): Promise<Omit<BenchResult, "name">> {
  const cases: Case[] = [];
  try {
    const { run } = await load();
    for await (const measured of run(argument)) {
      console.log(caseLines(measured, cases.at(-1)?.group).join("\n"));
      cases.push(measured);
    }
    return { cases };
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    return { cases, error: error instanceof Error ? error.message : String(error) };
  }
}
