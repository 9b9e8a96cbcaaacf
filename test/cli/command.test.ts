import { expect, test } from "vitest";
import { choice, defineCommand, flag, list, requireFlag, text } from "../../src/cli/command.ts";
import { exitCode } from "../../src/cli/exit-code.ts";

test("the compiler knows every flag and argument of a command", () => {
  const command = defineCommand({
    example: "",
    arguments: { "<file>": "", "[run]": "", "[zones...]": "" },
    flags: {
      yes: flag(""),
      out: text("<file>", ""),
      wait: text("<time>", "", "1m"),
      allow: list("<guards>", ""),
      report: choice("<format>", ["text", "json"], "", "text"),
      to: requireFlag(choice("<format>", ["bind", "yaml"], "")),
    },
    run(_, { file, run, zones }, { yes, out, wait, allow, report, to, ...others }) {
      const args: readonly [string, string | undefined, readonly string[]] = [file, run, zones];
      const words: readonly [string, "text" | "json", "bind" | "yaml"] = [wait, report, to];
      const optional: { yes?: boolean; out?: string; allow?: string[] } = {
        ...(yes && { yes }),
        ...(out !== undefined && { out }),
        ...(allow && { allow }),
      };
      // @ts-expect-error: it may be left out
      const always: string = out;
      // @ts-expect-error: not one of its words
      const isSarif = report === "sarif";
      // @ts-expect-error: misspelt
      const misspelt = others.alow;
      // @ts-expect-error: no value of such a flag
      const initial = text("<time>", "", 60);
      return [args, words, optional, always, isSarif, misspelt, initial].length === 7 ? exitCode.done : exitCode.failed;
    },
  });
  expect(Object.keys(command.flags ?? {})).toEqual(["yes", "out", "wait", "allow", "report", "to"]);
});
