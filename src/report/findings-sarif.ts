import { plain } from "../diagnostics/plain.ts";
import type { Place, Problem } from "../diagnostics/problem.ts";
import { type ProblemId, registry } from "../diagnostics/registry.ts";
import type { Findings } from "./findings.ts";
import { jsonText } from "./json-text.ts";

/**
 * Findings as SARIF 2.1.0 (OASIS), which code hosts show at the lines of a pull request. They reject findings without a
 * place, so findings about no file are placed at the config.
 */
export function findingsSarif({ problems }: Findings, version: string): string {
  const rules = [...new Set(problems.map(({ id }) => id))].sort();
  const log = {
    ...sarifHead,
    runs: [
      {
        tool: sarifTool(rules, version),
        columnKind,
        results: problems.map((found) => sarifResult(found, rules)),
      },
    ],
  };
  return jsonText(log);
}

export const sarifHead = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0" };

export const columnKind = "utf16CodeUnits";

/** The description of this program, and of the rules in the order of their indexes. */
export function sarifTool(rules: readonly ProblemId[], version: string) {
  const informationUri = "https://github.com/zonewright/zonewright";
  return { driver: { name: "zonewright", informationUri, version, rules: rules.map(descriptor) } };
}

function descriptor(id: ProblemId) {
  const { why, set } = registry[id];
  return { id, shortDescription: { text: why }, properties: { tags: [set] } };
}

/** A finding; its rule is one of `rules`. */
export function sarifResult(
  { id, severity, summary, detail, fix, place, via = [] }: Problem,
  rules: readonly ProblemId[],
) {
  const text = [`${summary}.`, detail, fix].filter((part) => part !== undefined).join(" ");
  return {
    ruleId: id,
    ruleIndex: rules.indexOf(id),
    level: severity,
    message: { text: plain(text) },
    locations: [location(place ?? { file: "zonewright.yaml", line: 1, column: 1, length: 1 })],
    ...(via.length > 0 && {
      relatedLocations: via.map((each) => ({ ...location(each), message: { text: "included here" } })),
    }),
  };
}

function location({ file, line, column, length }: Place) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uri(file) },
      region: { startLine: line, startColumn: column, endColumn: column + length },
    },
  };
}

/** A path as a URI reference, relative to the working folder as code hosts require. */
function uri(file: string): string {
  const path = file
    .split("/")
    .map((part) => encodeURIComponent(part.replace(/\p{Surrogate}/gu, "\ufffd")))
    .join("/");
  return path.startsWith("/") ? `file://${path}` : path;
}
