import { escapeControl } from "../../diagnostics/escape.ts";

/** A test case: it fails if it has a failure. */
export interface TestCase {
  readonly className: string;
  readonly name: string;
  readonly file?: string | undefined;
  /** A line, and the text below it. */
  readonly failure?: { readonly message: string; readonly text: string } | undefined;
  readonly output?: string | undefined;
}

/** Test cases under one name. */
export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

/** Test suites as JUnit XML, which CI systems show. */
export function junitText(suites: readonly TestSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(all)}>`,
    ...suites.flatMap(({ name, cases }) => [
      `<testsuite name="${attribute(name)}" ${counts(cases)}>`,
      ...cases.map(testCase),
      "</testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function counts(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure).length}"`;
}

function testCase({ className, name, file, failure, output }: TestCase): string {
  const place = file === undefined ? "" : ` file="${attribute(file)}"`;
  const failed = failure ? `<failure message="${attribute(failure.message)}">${lines(failure.text)}</failure>` : "";
  const printed = output === undefined ? "" : `<system-out>${lines(output)}</system-out>`;
  return `<testcase classname="${attribute(className)}" name="${attribute(name)}"${place}>${failed}${printed}</testcase>`;
}

/** Text on one line. */
function attribute(text: string): string {
  return escapeXml(escapeControl(text));
}

/** Text whose line ends are kept. Other control characters, which XML 1.0 does not allow, become visible escapes. */
function lines(text: string): string {
  return text
    .split("\n")
    .map((line) => escapeXml(escapeControl(line)))
    .join("\n");
}

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
