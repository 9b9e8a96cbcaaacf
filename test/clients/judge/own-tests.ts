import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clientsFolder, type Outcome, runProgram, type Suite, versionOf } from "./suite.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Our own tests of a program, in a file of vitest. Files that end in `judge.ts` are not part of `npm test`. */
export function ownTests(
  client: string,
  file: string,
  version: readonly string[],
  missing: () => string | undefined,
  env: Record<string, string> = {},
): Suite {
  return {
    client,
    tests: `[our tests](../../${file})`,
    missing,
    version: () => versionOf(version, clientsFolder),
    run: () => runVitest(file, env),
  };
}

async function runVitest(file: string, env: Record<string, string>): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-judge-"));
  try {
    const home = process.env.HOME ?? folder;
    const results = join(folder, "results.json");
    const config = file.endsWith(".judge.ts") ? ["--config", "test/clients/judge.config.ts"] : ["--project", "main"];
    const words = ["vitest", "run", ...config, "--reporter", "json", "--outputFile", results, file];
    const { text } = await runProgram(["npx", ...words], { cwd: root, env: { HOME: home, ...env }, seconds: 900 });
    const { testResults } = JSON.parse(readFileSync(results, "utf8")) as { testResults: FileResult[] };
    const assertions = testResults.flatMap(({ assertionResults }) => assertionResults);
    if (assertions.length === 0) return [{ test: file, result: "failed", output: text }];
    return assertions.map(({ fullName, status, failureMessages }) => ({
      test: fullName,
      result: status === "passed" || status === "failed" ? status : "skipped",
      output: failureMessages.join("\n"),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface FileResult {
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}
