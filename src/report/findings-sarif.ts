import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Findings } from "./findings.ts";

/** Findings as SARIF 2.1.0, which code hosts show at the lines of a pull request. */
export function findingsSarif({ diagnostics }: Findings, version: string): string {
  const rules = [...new Set(diagnostics.map(({ rule }) => rule))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "zonewright", version, rules: rules.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((diagnostic) => result(diagnostic, rules)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function result({ severity, rule, summary, detail, fix, at }: Diagnostic, rules: readonly string[]) {
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: [`${summary}.`, detail, fix].filter((part) => part !== undefined).join(" ") },
    ...(at && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: at.file.split("/").map(encodeURIComponent).join("/") },
            region: { startLine: at.line, startColumn: at.column, endColumn: at.column + at.length },
          },
        },
      ],
    }),
  };
}
