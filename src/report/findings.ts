import { formatProblem } from "../diagnostics/frame.ts";
import { count, plain } from "../diagnostics/plain.ts";
import type { Place, Problem } from "../diagnostics/problem.ts";
import { jsonText } from "./json-text.ts";
import { type Palette, palette, type Style } from "./palette.ts";

/** Findings of `validate`. */
export interface Findings {
  readonly problems: readonly Problem[];
  /** The files of the zones. */
  readonly files: readonly string[];
  readonly zones: number;
  readonly records: number;
  readonly lineOf: (place: Place) => string | undefined;
}

/** Maximum number of notes per rule; further ones are counted. */
const mostNotes = 3;

/** Findings as text: errors and warnings with their source lines, notes on one line each, then the counts. */
export function findingsText({ problems, zones, records, lineOf }: Findings, style: Style): string {
  const colors = palette(style);
  const blocks = problems
    .filter(({ severity }) => severity !== "note")
    .map((found) => colored(formatProblem(found, lineOf), found, colors));
  const notes = noteLines(problems, colors);
  if (notes.length > 0) blocks.push(notes.join("\n"));
  const verdict = problems.some(({ severity }) => severity === "error")
    ? colors.red("not valid")
    : colors.blue("valid");
  const totals = [count(zones, "zone"), count(records, "record"), ...severityCounts(problems)].join(`, `);
  return `${[...blocks, `${verdict}: ${totals}`].join("\n\n")}\n`;
}

/** Findings as JSON: an object with counts and a flat list, for programs. */
export function findingsJson({ problems, zones, records }: Findings): string {
  return jsonText({ zones, records, findings: flatFindings(problems) });
}

/** The problems that stopped a command, as a JSON list. */
export function problemsJson(problems: readonly Problem[]): string {
  return jsonText({ findings: flatFindings(problems) });
}

function flatFindings(problems: readonly Problem[]) {
  return problems.map(({ severity, id, summary, detail, fix, place, via }) => ({
    severity,
    rule: id,
    summary,
    detail,
    fix,
    at: place,
    via: via && via.length > 0 ? via : undefined,
  }));
}

/** Problems without counts. */
export function problemsText(problems: readonly Problem[], lineOf: Findings["lineOf"], style: Style): string {
  const colors = palette(style);
  return problems.map((found) => `${colored(formatProblem(found, lineOf), found, colors)}\n`).join("\n");
}

function noteLines(problems: readonly Problem[], colors: Palette): string[] {
  const byRule = new Map<string, Problem[]>();
  for (const note of problems.filter(({ severity }) => severity === "note")) {
    byRule.set(note.id, [...(byRule.get(note.id) ?? []), note]);
  }
  return [...byRule].flatMap(([rule, notes]) => [
    ...notes.slice(0, mostNotes).map((note) => {
      const where = note.place ? `  ${plain(note.place.file)}:${note.place.line}` : "";
      return colored(`note[${rule}] ${plain(note.summary)}${colors.dim(where)}`, note, colors);
    }),
    ...(notes.length > mostNotes
      ? [
          colored(
            `note[${rule}] and ${notes.length - mostNotes} more; --report json lists all`,
            { severity: "note" },
            colors,
          ),
        ]
      : []),
  ]);
}

function severityCounts(problems: readonly Problem[]): string[] {
  return (["error", "warning", "note"] as const)
    .map((severity) => [problems.filter((found) => found.severity === severity).length, severity] as const)
    .filter(([number]) => number > 0)
    .map(([number, severity]) => count(number, severity));
}

function colored(text: string, { severity }: Pick<Problem, "severity">, { red, yellow, cyan }: Palette): string {
  const paint = { error: red, warning: yellow, note: cyan }[severity];
  const end = text.indexOf("]") + 1;
  return paint(text.slice(0, end)) + text.slice(end);
}
