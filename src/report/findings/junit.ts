import { commandLine, type Door } from "../../diagnostics/advice.ts";
import { formatProblem } from "../../diagnostics/frame.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import { junitText, type TestCase } from "../format/junit.ts";
import type { Findings } from "./findings.ts";

/** Findings as JUnit XML: a test case for each zone file, which fails when the file has an error. */
export function findingsJunit(
  { problems, files, lineOf }: Pick<Findings, "problems" | "files" | "lineOf">,
  suite = commandLine({ run: "validate" }),
  door: Door = "cli",
): string {
  const byFile = new Map(files.map((file) => [file, [] as Problem[]]));
  const elsewhere: Problem[] = [];
  for (const found of problems) {
    // A finding in an included file belongs to the zone that includes the file.
    const file = (found.via?.at(-1) ?? found.place)?.file;
    (byFile.get(file ?? "") ?? elsewhere).push(found);
  }
  const cases = [...byFile].map(([file, found]) => ({ file, found }));
  if (elsewhere.length > 0) cases.push({ file: "(all zones)", found: elsewhere });
  return junitText([
    {
      name: suite,
      cases: cases.map(({ file, found }) => testCase(file, found, (found) => formatProblem(found, lineOf, door))),
    },
  ]);
}

function testCase(file: string, found: readonly Problem[], textOf: (found: Problem) => string): TestCase {
  const text = (list: readonly Problem[]) => list.map(textOf).join("\n\n");
  const errors = found.filter(isError);
  const others = found.filter((found) => !isError(found));
  return {
    className: "zones",
    name: file,
    ...(errors.length > 0 && {
      failure: { message: errors.map(({ summary }) => summary).join("; "), text: text(errors) },
    }),
    ...(others.length > 0 && { output: text(others) }),
  };
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}
