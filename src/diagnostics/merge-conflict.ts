import { type Problem, problem } from "./problem.ts";
import type { SourceText } from "./source-text.ts";

/** The one error for a file with a marker of a merge, which may be the only one that is left. */
export function findConflict(source: SourceText): Problem | undefined {
  const marker = /^(?:(?:<{7}|\|{7}|>{7})(?: [^\r\n]*)?|={7})\r?$/m.exec(source.text);
  if (!marker) return undefined;
  const fix = "Keep one of the two sides, and remove the lines that start with <<<<<<<, ======= and >>>>>>>.";
  const place = source.place(marker.index, marker.index + marker[0].trimEnd().length);
  return problem("merge-conflict", "the file has an unresolved merge conflict", { place, fix });
}
