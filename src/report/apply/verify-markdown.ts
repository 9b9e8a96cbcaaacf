import { adviceText, type Door } from "../../diagnostics/advice.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { Check } from "../../executor/verify/verify.ts";
import { codeSpan, prose, tableRow } from "../format/markdown.ts";
import { fitSections } from "../format/markdown-sections.ts";
import { nameText } from "../text/name-text.ts";

/** The checks of a verification as Markdown: the verdict, then failures and everything else as far as it fits. */
export function verifyMarkdown(checks: readonly Check[], budget?: number, door: Door = "cli"): string {
  const number = (wanted: Check["verdict"]) => checks.filter(({ verdict }) => verdict === wanted).length;
  const counts = (["fail", "inconclusive", "pass"] as const).flatMap((verdict) =>
    number(verdict) > 0 ? [`${number(verdict)} ${verdict}`] : [],
  );
  const sorted = checks.toSorted((a, b) => weights[a.verdict] - weights[b.verdict]);
  const rows = sorted.map(({ zone, where, verdict, text }) =>
    tableRow([verdict, codeSpan(nameText(zone)), codeSpan(where), prose(adviceText(text, door))]),
  );
  const head = `### Verification: ${number("fail") > 0 ? "failed" : number("inconclusive") > 0 ? "inconclusive" : "passed"}\n\n${count(checks.length, "check")}: ${counts.join(", ")}\n`;
  const table = `\n${tableRow(["result", "zone", "where", "details"])}|---|---|---|---|\n`;
  return fitSections(budget, head, [{ head: table, rows, what: "check" }]);
}

const weights: Readonly<Record<Check["verdict"], number>> = { fail: 0, inconclusive: 1, pass: 2 };
