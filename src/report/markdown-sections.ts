import { count } from "../diagnostics/plain.ts";

/** Part of a report. Its rows are shown from the first one on, as many as fit. */
export interface Section {
  /** Printed before the first row, with its line ends. */
  readonly head: string;
  readonly rows: readonly string[];
  /** The noun for a row, such as `deletion`. */
  readonly what: string;
}

/** A section with a title. */
export function section(title: string, what: string, rows: readonly string[]): Section {
  return { head: `\n**${title}**\n`, rows, what };
}

/**
 * The head, and of each section as many rows as fit into a number of octets; the rest is counted. `end` is added if
 * something does not fit.
 */
export function fitSections(budget: number | undefined, head: string, all: readonly Section[], end = ""): string {
  const sections = all.filter(({ rows }) => rows.length > 0);
  let text = head;
  let left =
    (budget ?? Number.POSITIVE_INFINITY) -
    octets(head + end) -
    sections.reduce((sum, part) => sum + octets(`${part.head}${notShown(part, 0)} more`), 0);
  let isCut = false;
  for (const part of sections) {
    let shown = 0;
    text += part.head;
    for (const row of part.rows) {
      const size = octets(row);
      if (size > left) break;
      left -= size;
      text += row;
      shown++;
    }
    if (shown === part.rows.length) continue;
    text += notShown(part, shown);
    isCut = true;
  }
  return isCut ? text + end : text;
}

function notShown({ rows, what }: Section, shown: number): string {
  const left = rows.length - shown;
  return `\n${count(left, shown > 0 ? `more ${what}` : what)} ${left === 1 ? "does" : "do"} not fit here\n`;
}

export function octets(text: string): number {
  return Buffer.byteLength(text);
}
