import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../judges.ts";
import type { Case } from "./cases.ts";
import { isAboutTexts, type Program, run, type Verdict } from "./program.ts";

interface Checker {
  readonly program: string;
  readonly version: string[];
  args(zone: string, file: string): string[];
  /** Lines that are no finding. */
  readonly noise: RegExp;
}

/**
 * The programs with which name servers check a zone file, at their most careful. named-checkzone looks at the zone
 * alone (`-i local`): `-i full` asks the resolver of the machine for names outside of it.
 */
const checkers: readonly Checker[] = [
  {
    program: "named-checkzone",
    version: ["-v"],
    args: (zone, file) => [
      ..."-i local -k warn -m warn -M warn -n warn -r warn -S warn -T warn -W warn".split(" "),
      zone,
      file,
    ],
    noise: /: loaded serial \d+$|^OK$|: not loaded due to errors\.$/,
  },
  {
    program: "kzonecheck",
    version: ["--version"],
    args: (zone, file) => ["-o", zone, file],
    noise: /^No semantic error found$|^Warning: zone .* (?:is not signed)|^$|^Error summary:|^Serious semantic error/,
  },
  {
    program: "nsd-checkzone",
    version: ["-h"],
    args: (zone, file) => [zone, file],
    noise: /^zone \S+ is ok$|^zone \S+ file \S+ has \d+ errors$/,
  },
];

export async function nameServers(): Promise<Program[]> {
  const installed = checkers.filter(({ program }) => findProgram(program));
  return Promise.all(
    installed.map(async (checker) => ({
      name: checker.program,
      version: await versionOf(checker),
      ask: async (cases) => {
        const verdicts: Verdict[] = [];
        for (const each of cases) verdicts.push(await ask(checker, each));
        return verdicts;
      },
    })),
  );
}

async function versionOf({ program, version }: Checker): Promise<string> {
  // nsd-checkzone does not tell its own.
  const words = program === "nsd-checkzone" ? ["nsd", "-v"] : [program, ...version];
  return /\d+\.\d+(?:\.\d+)?/.exec(await run(words))?.[0] ?? "unknown";
}

async function ask(checker: Checker, each: Case): Promise<Verdict> {
  if (each.hasSettings || isAboutTexts(each)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "zonewright-findings-"));
  try {
    const messages: string[] = [];
    for (const { name, text } of each.zones) {
      const file = join(folder, "zone");
      writeFileSync(file, text);
      const output = await run([checker.program, ...checker.args(name, file)]);
      const lines = output.split("\n").map((line) => line.replaceAll(`${folder}/`, "").trim());
      messages.push(...lines.filter((line) => line !== "" && !checker.noise.test(line)));
    }
    return messages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
