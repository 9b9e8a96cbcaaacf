import type { Door } from "../../diagnostics/advice.ts";
import { count } from "../../diagnostics/quantities.ts";

/** The size of a report in Markdown, and where to find all of it. */
export interface MarkdownLimits {
  /** Most octets in UTF-8; what does not fit is counted. */
  readonly budget?: number;
  /** Most columns of a value; longer ones are shortened in the middle. */
  readonly valueWidth?: number;
  /** The address of the full report (http or https), for what does not fit. */
  readonly reportUrl?: string | undefined;
  /** The door whose words advice uses; the command line by default. */
  readonly door?: Door;
}

/** Part of a report. Its rows are shown from the first one on, as many as fit. */
export interface Section {
  /** Printed before the first row, with its line ends. */
  readonly head: string;
  readonly rows: readonly (string | Row)[];
  /** The noun for a row, such as `deletion`. */
  readonly what: string;
  /** The rank of rows that are texts; default 0. */
  readonly rank?: number;
}

/** A row that stands for several of its kind, or is shown before others if not all fit. */
export interface Row {
  readonly text: string;
  readonly count: number;
  /** Rows of a lower rank get their place first, in whatever section they stand. */
  readonly rank: number;
}

export function section(title: string, what: string, rows: Section["rows"], rank = 0): Section {
  return { head: `\n**${title}**\n`, rows, what, rank };
}

/**
 * The head, and of each section as many rows as fit into a number of octets; the rest is counted. `end` is added if
 * something does not fit.
 */
export function fitSections(budget: number | undefined, head: string, all: readonly Section[], end = ""): string {
  return fitRows(budget, head, all, end).text;
}

/** As many rows as fit, as in `fitSections`, and the sections from which something was left out. */
export function fitRows(
  budget: number | undefined,
  head: string,
  all: readonly Section[],
  end: string,
): { readonly text: string; readonly cut: ReadonlySet<Section> } {
  const sections = all
    .filter(({ rows }) => rows.length > 0)
    .map((part) => {
      const rows = part.rows.map((row) =>
        typeof row === "string" ? { text: row, count: 1, rank: part.rank ?? 0 } : row,
      );
      return { part, rows, shown: new Set<Row>(), isFull: false };
    });
  let left =
    (budget ?? Number.POSITIVE_INFINITY) -
    utf8Length(head + end) -
    sections.reduce((sum, { part, rows }) => sum + utf8Length(`${part.head}${notShown(part, rows)} more`), 0);
  const ranked = sections.flatMap((section) => section.rows.map((row) => ({ section, row })));
  for (const { section, row } of ranked.sort((a, b) => a.row.rank - b.row.rank)) {
    const size = utf8Length(row.text);
    if (size > left) section.isFull = true;
    if (section.isFull) continue;
    left -= size;
    section.shown.add(row);
  }
  let text = head;
  const cut = new Set<Section>();
  for (const { part, rows, shown } of sections) {
    text += part.head + rows.flatMap((row) => (shown.has(row) ? [row.text] : [])).join("");
    if (shown.size === rows.length) continue;
    const rest = rows.filter((row) => !shown.has(row));
    text += notShown(part, rest, shown.size > 0);
    cut.add(part);
  }
  return { text: cut.size > 0 ? text + end : text, cut };
}

/** Parts of which each has its share of the octets that those before it leave; a line end goes between two. */
export function shareBudget<P extends { readonly text: string }>(
  budget: number | undefined,
  parts: readonly ((limits: { readonly budget?: number }) => P)[],
): P[] {
  let left = budget;
  return parts.map((render, index) => {
    const part = render(left === undefined ? {} : { budget: Math.floor(left / (parts.length - index)) });
    if (left !== undefined) left -= utf8Length(part.text) + 1;
    return part;
  });
}

function notShown({ what }: Section, rest: readonly Row[], isSome = false): string {
  const left = rest.reduce((sum, row) => sum + row.count, 0);
  return `\n${count(left, isSome ? `more ${what}` : what)} ${left === 1 ? "does" : "do"} not fit here\n`;
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}
