import { plain } from "../diagnostics/plain.ts";
import type { Place, Problem } from "../diagnostics/problem.ts";
import type { Findings } from "./findings.ts";
import { jsonText } from "./json-text.ts";

/** What the log says of the program and its rules. */
export interface SarifTool {
  readonly version: string;
  /** The reason of a rule in a sentence, and the set that it belongs to. */
  readonly describe: (rule: string) => { readonly why: string; readonly set: string } | undefined;
}

/**
 * Findings as SARIF 2.1.0 (OASIS), which code hosts show at the lines of a pull request. They refuse a finding without a
 * place, so one that is of no file stands at the config.
 */
export function findingsSarif({ problems }: Findings, { version, describe }: SarifTool): string {
  const rules = [...new Set(problems.map(({ id }) => id))].sort();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "zonewright",
            informationUri: "https://github.com/zonewright/zonewright",
            version,
            rules: rules.map((id) => descriptor(id, describe(id))),
          },
        },
        columnKind: "utf16CodeUnits",
        results: problems.map((found) => result(found, rules)),
      },
    ],
  };
  return jsonText(log);
}

function descriptor(id: string, rule: { why: string; set: string } | undefined) {
  return { id, ...(rule && { shortDescription: { text: rule.why }, properties: { tags: [rule.set] } }) };
}

function result({ severity, id: rule, summary, detail, fix, place: at, via = [] }: Problem, rules: readonly string[]) {
  const text = [`${summary}.`, detail, fix].filter((part) => part !== undefined).join(" ");
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: plain(text) },
    locations: [location(at ?? { file: "zonewright.yaml", line: 1, column: 1, length: 1 })],
    ...(via.length > 0 && {
      relatedLocations: via.map((place) => ({ ...location(place), message: { text: "included here" } })),
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

/** A path as a URI reference: relative to the folder of the run, as code hosts want it. */
function uri(file: string): string {
  const path = file.split("/").map((part) => encodeURIComponent(part.replace(/\p{Surrogate}/gu, "\ufffd"))).join("/"); // biome-ignore format: one thought
  return path.startsWith("/") ? `file://${path}` : path;
}
