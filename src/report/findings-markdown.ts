import { count } from "../diagnostics/plain.ts";
import type { Problem, Severity } from "../diagnostics/problem.ts";
import type { Findings } from "./findings.ts";
import { codeSpan, prose } from "./markdown.ts";
import { fitSections, section } from "./markdown-sections.ts";

/** Findings as Markdown, for the summary of a job: the verdict, then errors, warnings and notes as far as they fit. */
export function findingsMarkdown(
  { problems, zones, records, templates = 0 }: Omit<Findings, "lineOf" | "files">,
  budget?: number,
): string {
  const rows = (wanted: Severity) => problems.filter(({ severity }) => severity === wanted).map(row);
  const [errors, warnings, notes] = [rows("error"), rows("warning"), rows("note")];
  const totals = [
    ...(templates > 0 ? [count(templates, "template")] : []),
    ...(zones > 0 || templates === 0 ? [count(zones, "zone"), count(records, "record")] : []),
  ];
  const verdict = errors.length > 0 ? `${count(errors.length, "error")}` : "valid";
  return fitSections(budget, `### Zone files: ${verdict}\n\n${totals.join(", ")}\n`, [
    section("Errors", "error", errors),
    section("Warnings", "warning", warnings),
    section("Notes", "note", notes),
  ]);
}

function row({ id, summary, fix, place }: Problem): string {
  const where = place ? ` · ${codeSpan(`${place.file}:${place.line}`)}` : "";
  return `- ${prose(summary)} (${codeSpan(id)})${where}\n${fix === undefined ? "" : `  - ${prose(fix)}\n`}`;
}
