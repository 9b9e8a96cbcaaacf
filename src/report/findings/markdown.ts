import { adviceText, type Door } from "../../diagnostics/advice.ts";
import { type Problem, type Severity, summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { FailedTarget } from "../../planner/plan-file/plan-set.ts";
import { codeSpan, prose } from "../format/markdown.ts";
import { fitSections, section } from "../format/markdown-sections.ts";
import { type Findings, foldFindings, groupNotes, moreText } from "./findings.ts";

/** Findings as Markdown, for the summary of a job: the verdict, then errors, warnings and notes as far as they fit. */
export function findingsMarkdown(
  { problems, zones, records, templates = 0 }: Omit<Findings, "lineOf" | "files">,
  budget?: number,
  door: Door = "cli",
): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const totals = [
    ...(templates > 0 ? [count(templates, "template")] : []),
    ...(zones > 0 || templates === 0 ? [count(zones, "zone"), count(records, "record")] : []),
  ];
  const verdict = errors > 0 ? count(errors, "error") : "valid";
  return problemsMarkdown(`### Zone files: ${verdict}\n\n${totals.join(", ")}\n`, problems, budget, door);
}

/** Problems below a head with its line ends, errors first, as far as they fit into a number of octets. */
export function problemsMarkdown(
  head: string,
  problems: readonly Problem[],
  budget?: number,
  door: Door = "cli",
): string {
  const rows = (wanted: Severity) =>
    foldFindings(problems.filter(({ severity }) => severity === wanted)).map(
      ({ found, others }) =>
        row(found, door) + (others.length > 0 ? `- ${prose(moreText(found, others, door))}\n` : ""),
    );
  return fitSections(budget, head, [
    section("Errors", "error", rows("error")),
    section("Warnings", "warning", rows("warning")),
    section("Notes", "note", rows("note")),
  ]);
}

/** Warnings and notes as rows with their severities; equal ones are folded, and further notes of a rule are counted. */
export function noteRows(problems: readonly Problem[], door: Door = "cli"): string[] {
  const warnings = problems.filter(({ severity }) => severity !== "note");
  const notes = groupNotes(problems.filter(({ severity }) => severity === "note"));
  return [
    ...foldFindings(warnings).flatMap(({ found, others }) => [
      noteRow(found, door),
      ...(others.length > 0 ? [`- ${prose(moreText(found, others, door))}\n`] : []),
    ]),
    ...notes.flatMap(({ rule, shown, rest }) => [
      ...shown.map((note) => noteRow(note, door)),
      ...(rest.length > 0 ? [`- note: and ${rest.length} more (${codeSpan(rule)})\n`] : []),
    ]),
  ];
}

function noteRow(found: Problem, door: Door): string {
  const { severity, place } = found;
  const where = place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : "";
  return `- ${severity}: ${prose(summaryText(found, door))}${where}\n${severity === "note" ? "" : adviceRow(found, door)}`;
}

/** An empty item below a paragraph would be the underline of a heading. */
function adviceRow({ fix = "" }: Problem, door: Door): string {
  const text = prose(adviceText(fix, door));
  return text === "" ? "" : `  - ${text}\n`;
}

/** The problems that stopped a command, as Markdown; `title` names its result, and `reason` is a line about them. */
export function failureMarkdown(
  title: string,
  problems: readonly Problem[],
  {
    budget,
    reason = "",
    door = "cli",
  }: { readonly budget?: number; readonly reason?: string; readonly door?: Door } = {},
): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const head = `### ${title}: stopped by ${count(errors, "error")}\n`;
  return problemsMarkdown(reason === "" ? head : `${head}\n${prose(reason.trimEnd())}\n`, problems, budget, door);
}

function row(found: Problem, door: Door): string {
  const { id, place } = found;
  const where = place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : "";
  return `- ${prose(summaryText(found, door))} (${codeSpan(id)})${where}\n${adviceRow(found, door)}`;
}

/** The most octets of the problems of a target on which a command failed. */
const mostOfFailure = 4000;

/** Why a command failed on targets, a text for each; `title` names its result. */
export function failuresMarkdown(title: string, failed: readonly FailedTarget[], door: Door): string[] {
  return failed.map(({ target, problems }) =>
    failureMarkdown(`${title} on ${target}`, problems, { budget: mostOfFailure, door }),
  );
}
