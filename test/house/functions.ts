import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./files.ts";

export interface LongFunction {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Functions that the linter finds too long or too complex, by limits that are not those of `npm run check`. */
export function overgrownFunctions(limits: { readonly lines: number; readonly complexity: number }): {
  readonly long: readonly LongFunction[];
  readonly complex: readonly LongFunction[];
} {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-house-"));
  try {
    const complexity = {
      noExcessiveLinesPerFunction: { level: "error", options: { maxLines: limits.lines } },
      noExcessiveCognitiveComplexity: { level: "error", options: { maxAllowedComplexity: limits.complexity } },
    };
    const config = { root: true, linter: { rules: { preset: "none", complexity } } };
    writeFileSync(join(folder, "biome.json"), JSON.stringify(config));
    const words = ["biome", "lint", `--config-path=${folder}`, "--reporter=json", "--max-diagnostics=none", "src"];
    const { stdout } = spawnSync("npx", words, { cwd: root, encoding: "utf8", maxBuffer: 1e8 });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { category: string; message: string; location: { path: string; start: { line: number } } }[];
    };
    const of = (rule: string) =>
      diagnostics
        .filter(({ category }) => category === `lint/complexity/${rule}`)
        .map(({ message, location }) => ({ path: location.path, line: location.start.line, message }));
    return { long: of("noExcessiveLinesPerFunction"), complex: of("noExcessiveCognitiveComplexity") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
