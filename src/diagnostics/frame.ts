import { adviceText, type Door } from "./advice.ts";
import { escapeControl, escapeLine } from "./escape.ts";
import { type Place, type Problem, summaryText } from "./problem.ts";

const widest = 120;
const longest = 500;
/** Part of a command would be another command, so only endless values are cut. */
const longestAdvice = 2_000;

/**
 * A problem as text: headline, place, the source line with the fault underlined, why and what to do.
 * `sourceLine` gives the text of a line of a file, without its line end.
 */
export function formatProblem(
  found: Problem,
  sourceLine?: (place: Place) => string | undefined,
  door: Door = "cli",
): string {
  const { severity, id, detail, fix, place, via = [] } = found;
  const lines = [`${severity}[${id}] ${escapeControl(sliceWhole(summaryText(found, door), 0, longest))}`];
  if (place) {
    lines.push(`  ${escapeLine(place.file)}:${place.line}:${place.column}`);
    const text = sourceLine?.(place);
    if (text !== undefined) lines.push(...frame(text, place));
    lines.push(...via.map(({ file, line }) => `  included in ${escapeControl(file)}:${line}`));
  }
  const advice = [detail, fix].flatMap((part) => (part === undefined ? [] : adviceText(part, door))).join(" ");
  if (advice !== "") lines.push(`  ${escapeLine(sliceWhole(advice, 0, longestAdvice))}`);
  return lines.join("\n");
}

function frame(text: string, { line, column, length }: Place): string[] {
  const gutter = String(line).padStart(5);
  const start = Math.max(0, column - 1 - Math.floor(widest / 2));
  const from = text.length <= widest ? 0 : start;
  const to = from + widest;
  const before = columnWidth(text, from, column - 1);
  const marked = columnWidth(text, column - 1, Math.min(to, column - 1 + length));
  return [
    `${gutter} | ${printableText(text, from, to)}`,
    `${" ".repeat(gutter.length)} | ${" ".repeat(before)}${"^".repeat(Math.max(1, marked))}`,
  ];
}

function columnWidth(text: string, from: number, to: number): number {
  return [...printableText(text, from, to)].length;
}

function printableText(text: string, from: number, to: number): string {
  return escapeControl(sliceWhole(text, from, to).replaceAll("\t", " "));
}

/** The characters from one offset up to another, with surrogate pairs at the edges kept whole. */
function sliceWhole(text: string, from: number, to: number): string {
  const isPair = (at: number) => at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
  return text.slice(isPair(from) ? from - 1 : from, isPair(to) ? to + 1 : to);
}
