import type { Bench, Case } from "./case.ts";
import { compareResults } from "./compare.ts";
import { caseLines } from "./print.ts";
import { type BenchResult, describeRun, readResult, writeResult } from "./result.ts";

const benches: Record<string, () => Promise<{ run: Bench }>> = {
  apply: () => import("./apply.ts"),
  creates: () => import("./creates.ts"),
  fmt: () => import("./fmt.ts"),
  health: () => import("./health.ts"),
  hostile: () => import("./hostile.ts"),
  html: () => import("./html.ts"),
  import: () => import("./import.ts"),
  names: () => import("./names.ts"),
  nodes: () => import("./nodes.ts"),
  peers: () => import("./peers.ts"),
  plan: () => import("./plan.ts"),
  planner: () => import("./planner.ts"),
  serve: () => import("./serve.ts"),
  slaves: () => import("./slaves.ts"),
  soak: () => import("./soak.ts"),
  start: () => import("./start.ts"),
  transfer: () => import("./transfer.ts"),
  validate: () => import("./validate.ts"),
  yaml: () => import("./yaml.ts"),
  zonefile: () => import("./zonefile.ts"),
};

/**
 * `npm run bench -- NAME...` measures, without a name or with `all` every bench; `--json` also writes the result to a
 * file. A number is the argument of the bench. `npm run bench -- compare OLD NEW` compares two such files. Exit code 1:
 * a bench failed, or a ratio regressed.
 */
const words = process.argv.slice(2);
if (words[0] === "compare" && words.length === 3) compare(words[1] ?? "", words[2] ?? "");
else await measure(words);

function compare(before: string, after: string): void {
  const { lines, regressions } = compareResults(readResult(before), readResult(after));
  console.log(lines.join("\n"));
  process.exitCode = regressions > 0 ? 1 : 0;
}

async function measure(words: readonly string[]): Promise<void> {
  const isNumber = (word: string) => /^\d+$/.test(word);
  const names = words.filter((word) => word !== "--json" && word !== "all" && !isNumber(word));
  const argument = words.filter(isNumber).map(Number)[0];
  const unknown = names.find((name) => !(name in benches));
  if (unknown !== undefined) {
    const known = [...Object.keys(benches), "all", "compare OLD NEW"].join(", ");
    console.error(`Unknown bench "${unknown}" (known: ${known}).`);
    process.exitCode = 64;
    return;
  }
  const run = describeRun(new Date());
  const results: BenchResult[] = [];
  for (const [name, load] of Object.entries(benches)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name}`);
    results.push({ name, ...(await measureBench(load, argument)) });
  }
  if (words.includes("--json")) console.log(`\nwrote ${writeResult({ ...run, benches: results })}`);
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
