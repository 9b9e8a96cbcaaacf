import { escapeControl, escapeQuoted } from "../../diagnostics/escape.ts";
import type { Place } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { jsonText } from "./json-text.ts";
import { utf8Length } from "./markdown-sections.ts";
import { repositoryPath } from "./repository-path.ts";

/** A rule of a log: an id, and what it is about. */
export interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly properties: { readonly tags: readonly string[] };
}

/** A finding at a place; without one it is placed at the config, because code hosts reject findings without a place. */
export interface SarifFinding {
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  /** Its line ends are kept; other control characters are escaped. */
  readonly text: string;
  readonly place: Place | undefined;
  /** The places that include the file of `place`. */
  readonly via?: readonly Place[] | undefined;
}

/** GitHub refuses more results, and larger files; its limit is for the compressed file. */
export const sarifLimits = { results: 25_000, octets: 10_000_000 };

export const sarifHead = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0" };

export const columnKind = "utf16CodeUnits";

/** Content of a log of one run. */
interface SarifRun {
  readonly version: string;
  /** Sorted by importance, if the last findings may be left out. */
  readonly findings: readonly SarifFinding[];
  /** The description of the rule with an id. */
  readonly describe: (id: string) => SarifRule;
  /** Tells logs of one program apart: a code host replaces the findings of the earlier log with the same one. */
  readonly category?: string;
  /** The working folder in the repository; empty at its top. */
  readonly folder?: string | undefined;
}

/**
 * A log in SARIF 2.1.0 (OASIS), which code hosts show at the lines of a pull request. The findings beyond the limits
 * are left out and counted in a notification.
 */
export function sarifLog({ version, findings, describe, category, folder }: SarifRun, limits = sarifLimits): string {
  const all = findings.slice(0, limits.results);
  const rules = [...new Set(all.map(({ rule }) => rule))].sort();
  const results: string[] = [];
  // Room for the head, and for the notification that counts the rest.
  let left = limits.octets - utf8Length(jsonText(rules.map(describe))) - 4000;
  for (const finding of all) {
    // A line each: with indents, 25,000 results would exceed the limit.
    const line = escapeQuoted(JSON.stringify(sarifResult(finding, rules, folder)));
    left -= utf8Length(line) + 2;
    if (left < 0) break;
    results.push(line);
  }
  const omitted = findings.length - results.length;
  const log = jsonText({
    ...sarifHead,
    runs: [
      {
        tool: sarifTool(rules.map(describe), version),
        ...(category !== undefined && { automationDetails: { id: `${category}/` } }),
        columnKind,
        ...(omitted > 0 && { invocations: [{ executionSuccessful: true, ...notification(omitted) }] }),
        results: [],
      },
    ],
  });
  const at = log.lastIndexOf("[]") + 1;
  return results.length === 0 ? log : `${log.slice(0, at)}\n${results.join(",\n")}\n      ${log.slice(at)}`;
}

function notification(omitted: number) {
  const text = `${count(omitted, "further finding")} left out: code hosts accept a limited number.`;
  return { toolExecutionNotifications: [{ level: "warning", message: { text } }], properties: { omitted } };
}

/** The description of this program, and of the rules in the order of their indexes. */
export function sarifTool(rules: readonly SarifRule[], version: string) {
  const informationUri = "https://github.com/zonewright/zonewright";
  return { driver: { name: "zonewright", informationUri, version, rules } };
}

/** A finding; its rule is one of `rules`. Its files are relative to `folder` of the repository. */
export function sarifResult(
  { rule, level, text, place, via = [] }: SarifFinding,
  rules: readonly string[],
  folder?: string,
) {
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level,
    message: { text: text.split("\n").map(escapeControl).join("\n") },
    locations: [location(place ?? configPlace, folder)],
    ...(via.length > 0 && {
      relatedLocations: via.map((each) => ({ ...location(each, folder), message: { text: "included here" } })),
    }),
  };
}

/** The place of a finding that is about no file. */
export const configPlace: Place = { file: "zonewright.yaml", line: 1, column: 1, length: 1 };

function location({ file, line, column, length }: Place, folder: string | undefined) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uri(repositoryPath(file, folder)) },
      region: { startLine: line, startColumn: column, endColumn: column + length },
    },
  };
}

/** A path as a URI reference. */
function uri(file: string): string {
  const path = file
    .split("/")
    .map((part) => encodeURIComponent(part.replace(/\p{Surrogate}/gu, "\ufffd")))
    .join("/");
  return path.startsWith("/") ? `file://${path}` : path;
}
