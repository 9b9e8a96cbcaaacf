import type { Diagnostic, Place } from "./diagnostic.ts";
import { plain } from "./plain.ts";

const widest = 120;

/**
 * A diagnostic as text: headline, place, the source line with the fault underlined, why and what to do.
 * `sourceLine` gives the text of a line of a file, without its line end.
 */
export function formatDiagnostic(diagnostic: Diagnostic, sourceLine?: (place: Place) => string | undefined): string {
  const { severity, rule, summary, detail, fix, at } = diagnostic;
  const lines = [`${severity}[${rule}] ${plain(summary)}`];
  if (at) {
    lines.push(`  ${plain(at.file)}:${at.line}:${at.column}`);
    const text = sourceLine?.(at);
    if (text !== undefined) lines.push(...frame(text, at));
  }
  const advice = [detail, fix].filter((part) => part !== undefined).join(" ");
  if (advice !== "") lines.push(`  ${plain(advice)}`);
  return lines.join("\n");
}

function frame(text: string, { line, column, length }: Place): string[] {
  const gutter = String(line).padStart(5);
  const start = Math.max(0, column - 1 - Math.floor(widest / 2));
  const from = text.length <= widest ? 0 : start;
  const shown = text.slice(from, from + widest);
  const before = [...plain(shown.slice(0, column - 1 - from).replaceAll("\t", " "))].length;
  const marked = plain(shown.slice(column - 1 - from, column - 1 - from + length).replaceAll("\t", " "));
  return [
    `${gutter} | ${plain(shown.replaceAll("\t", " "))}`,
    `      | ${" ".repeat(before)}${"^".repeat(Math.max(1, [...marked].length))}`,
  ];
}
