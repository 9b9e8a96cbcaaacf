import { adviceText, type Door } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";

/** The summary and fix of a problem as sentences, without control characters. */
export function briefText(found: Problem, door: Door): string {
  const { fix = "" } = found;
  return escapeControl([summaryText(found, door), adviceText(fix, door)].filter(Boolean).join(". "));
}

/** The summary, reason and fix of a problem as sentences on one line, without control characters. */
export function problemText(found: Problem, door: Door = "cli"): string {
  const { detail, fix } = found;
  const summary = summaryText(found, door);
  const headline = /[.?!]$/.test(summary) ? summary : `${summary}.`;
  return escapeControl(
    [headline, detail, fix].flatMap((part) => (part === undefined ? [] : adviceText(part, door))).join(" "),
  );
}
