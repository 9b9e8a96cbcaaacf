import { formatProblem } from "../diagnostics/frame.ts";
import { plain } from "../diagnostics/plain.ts";
import type { Problem } from "../diagnostics/problem.ts";
import type { Findings } from "./findings.ts";

/** Findings as JUnit XML: a test case for each zone file, which fails when the file has an error. */
export function findingsJunit({ problems, files, lineOf }: Findings): string {
  const byFile = new Map(files.map((file) => [file, [] as Problem[]]));
  const elsewhere: Problem[] = [];
  for (const found of problems) {
    // A finding in an included file belongs to the zone that includes the file.
    const file = (found.via?.at(-1) ?? found.place)?.file;
    (byFile.get(file ?? "") ?? elsewhere).push(found);
  }
  const cases = [...byFile].map(([file, found]) => ({ file, found }));
  if (elsewhere.length > 0) cases.push({ file: "(all zones)", found: elsewhere });
  const failures = cases.filter(({ found }) => found.some(isError)).length;
  const lines = cases.map(({ file, found }) => testCase(file, found, lineOf));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}">`,
    `<testsuite name="zonewright validate" tests="${cases.length}" failures="${failures}">`,
    ...lines,
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(file: string, found: readonly Problem[], lineOf: Findings["lineOf"]): string {
  const text = (list: readonly Problem[]) => list.map((found) => formatProblem(found, lineOf)).join("\n\n");
  const errors = found.filter(isError);
  const others = found.filter((found) => !isError(found));
  const failure =
    errors.length > 0
      ? `<failure message="${xml(plain(errors.map(({ summary }) => summary).join("; ")))}">${xml(text(errors))}</failure>`
      : "";
  const output = others.length > 0 ? `<system-out>${xml(text(others))}</system-out>` : "";
  return `<testcase classname="zones" name="${xml(plain(file))}">${failure}${output}</testcase>`;
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}

/** Escapes text for XML 1.0, and removes characters that XML does not allow. */
function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
