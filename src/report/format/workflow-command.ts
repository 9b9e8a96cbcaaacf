import type { Door } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import type { Place, Problem } from "../../diagnostics/problem.ts";
import { problemText } from "../text/problem-text.ts";

/** A message that GitHub shows at a line of a pull request, or beside it if it has no place. */
export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  /** Its line ends are kept; other control characters are escaped. */
  readonly message: string;
  readonly place?: Place | undefined;
}

export function annotationOf(found: Problem, door: Door): Annotation {
  const { id, severity, place, via = [] } = found;
  const included = via.map(({ file, line }) => `Included in ${escapeControl(file)}:${line}.`);
  const message = [problemText(found, door), ...included].join(" ");
  return { level: severity === "note" ? "notice" : severity, title: id, message, place };
}

/** An annotation as a workflow command, a line that the runner obeys. All text is escaped. */
export function annotationCommand({ level, title, message, place: at }: Annotation): string {
  const place = at
    ? [`file=${property(at.file)}`, `line=${at.line}`, `col=${at.column}`, `endColumn=${at.column + at.length}`]
    : [];
  const lines = message.split("\n").map((line) => data(escapeControl(line)));
  return `::${level} ${[...place, `title=${property(title)}`].join(",")}::${lines.join("%0A")}\n`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(escapeControl(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
