import { adviceText, type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { formatProblem } from "../../diagnostics/frame.ts";
import { type Place, type Problem, summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { groupBy } from "../../group-by.ts";
import { adjustableRules, severitiesOf } from "../../workflow/project/switchable.ts";
import { jsonText } from "../format/json-text.ts";
import { fitLines } from "../text/columns.ts";
import { type Palette, palette, type Style } from "../text/palette.ts";

/** Findings of `validate`. */
export interface Findings {
  readonly problems: readonly Problem[];
  /** The files of the zones. */
  readonly files: readonly string[];
  readonly zones: number;
  readonly records: number;
  /** Templates that were checked by themselves. */
  readonly templates?: number;
  readonly lineOf: (place: Place) => string | undefined;
}

/** Maximum number of notes per rule; further ones are counted. */
const mostNotes = 3;

/** Notes by rule: the first few, which are shown, and the rest. */
export function groupNotes(
  notes: readonly Problem[],
): { rule: string; shown: readonly Problem[]; rest: readonly Problem[] }[] {
  return [...groupBy(notes, ({ id }) => id)].map(([rule, all]) => ({
    rule,
    shown: all.slice(0, mostNotes),
    rest: all.slice(mostNotes),
  }));
}

/** More equal findings than these are shown as one with their number. */
const mostEqual = 3;

/** Warnings of one rule with the same advice, if they are many: the first, and the others. */
export function foldFindings(
  problems: readonly Problem[],
): readonly { readonly found: Problem; readonly others: readonly Problem[] }[] {
  const keyOf = ({ id, fix, severity }: Problem) =>
    severity === "error" || fix === undefined ? undefined : JSON.stringify([id, fix]);
  const equal = groupBy(problems, keyOf);
  return problems.flatMap((found) => {
    const key = keyOf(found);
    const [first, ...others] = key === undefined ? [] : (equal.get(key) ?? []);
    if (others.length < mostEqual) return [{ found, others: [] }];
    return found === first ? [{ found, others }] : [];
  });
}

/** The maximum number of places that the line about equal findings names. */
const mostPlaces = 5;

/** The line about findings that are equal to the one before it. */
export function moreText({ id, severity }: Problem, others: readonly Problem[], door: Door): string {
  const places = others.flatMap(({ place }) => (place ? [`${escapeControl(place.file)}:${place.line}`] : []));
  const shown = places.slice(0, mostPlaces).join(", ");
  const at = shown === "" ? "" : `: ${shown}${places.length > mostPlaces ? ", …" : ""}`;
  const severities = adjustableRules.includes(id) ? severitiesOf(id) : [];
  const off = severities.includes("off") ? `; \`rules: { ${id}: off }\` in zonewright.yaml switches them off` : "";
  return `${severity}[${id}] and ${others.length} more of the same${at}${allText(door)}${off}`;
}

/** The report that lists everything; empty for a door that has none. */
function allText(door: Door): string {
  return door === "cli" ? inWordsOf(door)`; ${{ set: "report", to: "json" }} lists all` : "";
}

/** Findings as text: errors and warnings with their source lines, notes on one line each, then the counts. */
export function findingsText(
  { problems, zones, records, templates = 0, lineOf }: Findings,
  style: Style,
  width?: number,
): string {
  const colors = palette(style);
  const blocks = foldFindings(problems.filter(({ severity }) => severity !== "note")).flatMap(({ found, others }) => [
    colorSeverity(formatProblem(found, lineOf, colors.door), found, colors),
    ...(others.length > 0 ? [colorSeverity(moreText(found, others, colors.door), found, colors)] : []),
  ]);
  const notes = noteLines(problems, colors);
  if (notes.length > 0) blocks.push(notes.join("\n"));
  const verdict = problems.some(({ severity }) => severity === "error")
    ? colors.red("not valid")
    : colors.blue("valid");
  const ofTemplates = templates > 0 ? [count(templates, "template")] : [];
  const ofZones = zones > 0 || templates === 0 ? [count(zones, "zone"), count(records, "record")] : [];
  const totals = [...ofTemplates, ...ofZones, ...severityCounts(problems)].join(`, `);
  return fitLines(`${[...blocks, `${verdict}: ${totals}`].join("\n\n")}\n`, width);
}

/** Findings as JSON: an object with counts and a flat list, for programs. */
export function findingsJson({ problems, zones, records, templates }: Findings): string {
  return jsonText({ ...(templates && { templates }), zones, records, findings: flatFindings(problems) });
}

/** The problems that stopped a command, as a JSON list. */
export function problemsJson(problems: readonly Problem[]): string {
  return jsonText({ findings: flatFindings(problems) });
}

function flatFindings(problems: readonly Problem[]) {
  return problems.map((found) => ({
    severity: found.severity,
    rule: found.id,
    summary: summaryText(found, "cli"),
    detail: found.detail && adviceText(found.detail, "cli"),
    fix: found.fix && adviceText(found.fix, "cli"),
    at: found.place,
    via: found.via && found.via.length > 0 ? found.via : undefined,
  }));
}

/** Problems without counts. */
export function problemsText(problems: readonly Problem[], lineOf: Findings["lineOf"], style: Style): string {
  const colors = palette(style);
  return problems
    .map((found) => `${colorSeverity(formatProblem(found, lineOf, colors.door), found, colors)}\n`)
    .join("\n");
}

function noteLines(problems: readonly Problem[], colors: Palette): string[] {
  return groupNotes(problems.filter(({ severity }) => severity === "note")).flatMap(({ rule, shown, rest }) => [
    ...shown.map((note) =>
      colorSeverity(
        `note[${rule}] ${escapeControl(summaryText(note, colors.door))}${colors.dim(placeAfter(note))}`,
        note,
        colors,
      ),
    ),
    ...(rest.length > 0
      ? [colorSeverity(`note[${rule}] and ${rest.length} more${allText(colors.door)}`, { severity: "note" }, colors)]
      : []),
  ]);
}

/** The file and line at the end of a line; empty for a problem of no file. */
export function placeAfter({ place }: Problem): string {
  return place ? `  ${escapeControl(place.file)}:${place.line}` : "";
}

function severityCounts(problems: readonly Problem[]): string[] {
  return (["error", "warning", "note"] as const)
    .map((severity) => [problems.filter((found) => found.severity === severity).length, severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => count(number, severity));
}

function colorSeverity(text: string, { severity }: Pick<Problem, "severity">, { red, yellow, cyan }: Palette): string {
  const paint = { error: red, warning: yellow, note: cyan }[severity];
  const end = text.indexOf("]") + 1;
  return paint(text.slice(0, end)) + text.slice(end);
}
