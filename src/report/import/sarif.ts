import { escapeQuoted } from "../../diagnostics/escape.ts";
import { aroundSummary, type Place, type Problem, problem, type Severity } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import type { LedgerClass, LedgerEntry } from "../../workflow/import/ledger.ts";
import type { ImportResult } from "../../workflow/import/zones.ts";
import { problemFinding, problemRule } from "../findings/sarif.ts";
import { columnKind, sarifHead, sarifResult, sarifTool } from "../format/sarif.ts";
import { describeImport, groupText, type ImportReport, isDnssec } from "./report.ts";

const severities: Readonly<Record<LedgerClass, Severity | undefined>> = {
  exact: undefined,
  normalised: "note",
  "left-to-the-service": undefined,
  unsupported: "warning",
  lost: "error",
};

/**
 * The ledger as SARIF 2.1.0: a finding for each record that the service will store differently or not at all, at its
 * place in the written file. The rules come last, because only one zone is in memory.
 */
export function importSarif(version: string, folder?: string): ImportReport {
  const rules: ProblemId[] = [];
  let isEmpty = true;
  const add = (found: Problem): string => {
    if (!rules.includes(found.id)) rules.push(found.id);
    const text = `${isEmpty ? "" : ","}\n${escapeQuoted(JSON.stringify(sarifResult(problemFinding(found), rules, folder)))}`;
    isEmpty = false;
    return text;
  };
  const { $schema, version: format } = sarifHead;
  return {
    begin: `{"$schema": ${JSON.stringify($schema)}, "version": "${format}", "runs": [{"results": [`,
    zone: (imported) => findingsOf(imported).map(add).join(""),
    end: () =>
      `\n], "columnKind": "${columnKind}", "tool": ${JSON.stringify(sarifTool(rules.map(problemRule), version))}}]}\n`,
  };
}

function findingsOf(imported: ImportResult): Problem[] {
  const zone = describeImport(imported);
  if (imported.state === "failed") return imported.problems.map((found) => aroundSummary(found, `${zone}: `));
  const { file, state, ledger, problems } = imported;
  const start: Place = { file, line: 1, column: 1, length: 1 };
  // The file of a kept zone has other lines.
  const placeOf = ({ written, place }: LedgerEntry) => (state === "kept" ? undefined : written) ?? place ?? start;
  const signing = ledger.entries.filter(isDnssec);
  const alone = ledger.entries.filter((entry) => !isDnssec(entry));
  const findings = [
    ...alone.map((entry) => ({ entry, many: 1 })),
    ...signing.slice(0, 1).map((entry) => ({ entry, many: signing.length })),
  ].flatMap(({ entry, many }) => {
    const severity = severities[entry.class];
    if (severity === undefined) return [];
    const summary = `${zone}: ${groupText(entry, many)} (${entry.class}): ${entry.reason ?? ""}`;
    return [problem(entry.rule ?? "import-changed", summary, { severity, fix: entry.fix, place: placeOf(entry) })];
  });
  return [...findings, ...problems.map((found) => ({ ...found, place: found.place ?? start }))];
}
