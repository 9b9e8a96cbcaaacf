import { basename, join } from "node:path";
import pMap from "p-map";
import { type Server, withServer } from "./server.ts";
import { clientsFolder, type Outcome, runProgram } from "./suite.ts";

interface Ways {
  /** The folder in which tests read files. */
  readonly cwdOf?: (program: string) => string;
  /** Names of the tests to run; all by default. */
  readonly only?: RegExp;
  /** Words of `zonewright serve`. */
  readonly options?: readonly string[];
}

/**
 * Runs each test of compiled Go tests in a process and with a server of its own, because many leave something behind.
 */
export async function runGoTests(
  programs: readonly string[],
  envOf: (server: Server) => Record<string, string>,
  { cwdOf, only = /^/, options = [] }: Ways = {},
): Promise<Outcome[]> {
  const runOn = (file: string, words: readonly string[], server: Server) =>
    runProgram([file, ...words], {
      cwd: cwdOf?.(file) ?? server.folder,
      env: { HOME: server.folder, ...envOf(server) },
      seconds: 300,
    });
  const listed = await pMap(
    programs,
    async (program) => {
      const file = join(clientsFolder, program);
      const { value } = await withServer((server) => runOn(file, ["-test.list", "^Test"], server));
      const tests = value.text.split("\n").filter((line) => /^Test\w+$/.test(line) && only.test(line));
      if (tests.length === 0) return [{ file, test: "", output: value.text }];
      return tests.map((test) => ({ file, test, output: "" }));
    },
    { concurrency: 2 },
  );
  return pMap(
    listed.flat(),
    async ({ file, test, output }): Promise<Outcome> => {
      if (test === "") return { test: `${basename(file)}: no test starts`, result: "failed", output };
      const words = ["-test.v", "-test.run", `^${test}$`, "-test.timeout", "240s"];
      const { value, requests } = await withServer((server) => runOn(file, words, server), options);
      const [, word] = new RegExp(`^--- (PASS|FAIL|SKIP): ${test} `, "m").exec(value.text) ?? [];
      const result = word === "PASS" ? "passed" : word === "SKIP" ? "skipped" : "failed";
      console.error(`${result} ${test}`); // they take minutes
      return { test, result, output: value.text, requests };
    },
    { concurrency: 8 },
  );
}
