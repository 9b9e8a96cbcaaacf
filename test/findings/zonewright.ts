import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../src/cli/program.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { Case } from "./cases.ts";

export interface Finding {
  readonly severity: "error" | "warning" | "note";
  readonly rule: string;
  readonly summary: string;
  /** The owner name that it is about, in full; the apex if its place is not a record. */
  readonly owner: string;
  /** Whether the block expects a finding at this name. */
  readonly isExpected: boolean;
}

/** Limits of the API that reject correct records: they say nothing about DNS. */
const limits =
  "type-unsupported srv-owner srv-target caa-flags caa-tag root-target wildcard-first priority-range name-characters " +
  "name-length target-characters text-utf8";
const config = `rules: { ${limits
  .split(" ")
  .map((rule) => `${rule}: note`)
  .join(", ")} }\n`;

/** The warnings and errors of `zonewright validate`. */
export async function validate({ zones }: Case): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-findings-"));
  try {
    mkdirSync(join(folder, "zones"));
    writeFileSync(join(folder, "zonewright.yaml"), config);
    for (const { name, text } of zones) writeFileSync(join(folder, "zones", `${name}.zone`), text);
    const { findings } = await run(folder, ["validate", "--report", "json"]);
    return findings
      .filter(({ severity }) => severity !== "note")
      .map(({ severity, rule, summary, at }) => {
        const zone = zones.find(({ name }) => at?.file === `zones/${name}.zone`) ?? zones[0];
        const owner = zone?.lines[(at?.line ?? 1) - 1]?.owner ?? `${zone?.name}.`;
        const isExpected = zone?.lines.some((line) => line?.isFaulty === true && line.owner === owner) ?? false;
        return { severity, rule, summary, owner, isExpected };
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Report {
  readonly findings: (Pick<Finding, "severity" | "rule" | "summary"> & { at?: { file: string; line?: number } })[];
}

async function run(cwd: string, words: string[]): Promise<Report> {
  let out = "";
  let talk = "";
  const style = { color: false, unicode: true };
  const terminal: Terminal = {
    cwd,
    env: {},
    print: (text) => {
      out += text;
    },
    log: (text) => {
      talk += text;
    },
    printStyle: style,
    logStyle: style,
    ask: undefined,
    signal: new AbortController().signal,
    nonce: () => "0".repeat(32),
    now: () => new Date("2026-03-04T12:00:00Z"),
    sleep: async () => {},
    readInput: async () => "",
    repeat: () => () => {},
    printWidth: () => undefined,
    logWidth: () => undefined,
    pid: 1,
    isAlive: () => false,
    resolvers: () => [],
  };
  await runProgram(terminal, words);
  if (!out.startsWith("{")) throw new Error(out + talk);
  return JSON.parse(out);
}
