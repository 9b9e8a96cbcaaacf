import { plain } from "../../diagnostics/plain.ts";
import type { Problem } from "../../diagnostics/problem.ts";

/** The summary, reason and fix of a problem as sentences on one line, without control characters. */
export function problemText({ summary, detail, fix }: Problem): string {
  const headline = /[.?!]$/.test(summary) ? summary : `${summary}.`;
  return plain([headline, detail, fix].filter((part) => part !== undefined).join(" "));
}
