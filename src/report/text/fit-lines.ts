import { columns, wrap } from "./columns.ts";

/**
 * Breaks lines at spaces, so that they fit a terminal of `width` columns; in a pipe, where it is undefined, lines stay
 * whole. Further lines are indented like the first one, or below its last column. Lines of files stay whole, and a
 * command to paste continues after a backslash.
 */
export function fitLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .flatMap((line) => (columns(line) <= width || sourceLine.test(line) ? [line] : fitLine(line, width)))
    .join("\n");
}

/** A line of a file below a finding, and its underlining. */
const sourceLine = /^ *\d* \| /;

/** A line that is a command without quotes, whose words can be moved to further lines. */
const commandLine = /^ *(?:\$ )?(?:export|git|npm|zonewright) [^'"]*$/;

function fitLine(line: string, width: number): string[] {
  const isCommand = commandLine.test(line);
  const hang = hangOf(line, width);
  const parts = wrap(line, isCommand ? width - 2 : width, hang);
  return parts.map((part, index) => (isCommand && index < parts.length - 1 ? `${part} \\` : part));
}

/** The indent of further lines: the start of the last column in the left half, else that of the line, or 4. */
function hangOf(line: string, width: number): number {
  const starts = [...line.matchAll(/\S {2,}(?=\S)/g)].map(({ index, 0: gap }) => columns(line.slice(0, index) + gap));
  const column = starts.filter((start) => start <= width / 2).at(-1);
  return column ?? (columns(/^ */.exec(line)?.[0] ?? "") || 4);
}
