import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from "diff";
import { escapeControl } from "../../diagnostics/escape.ts";
import { palette, type Style } from "../text/palette.ts";

/**
 * The minimal diff takes time and memory quadratic in the number of changes; beyond this number, one hunk contains all.
 */
const mostEdits = 1000;
const contextLines = 4;

/** A patch in the colours of a terminal. */
export function colorPatch(patch: string, style: Style): string {
  if (!style.color) return patch;
  const { red, blue, cyan, bold } = palette(style);
  let isHead = true;
  const colored = patch.split("\n").map((line) => {
    if (line.startsWith("@@")) isHead = false;
    if (line === "" || line.startsWith(" ")) return line;
    if (isHead) return bold(line);
    return line.startsWith("@@") ? cyan(line) : line.startsWith("-") ? red(line) : blue(line);
  });
  return colored.join("\n");
}

/** A unified diff that is safe to print: without control characters or CI commands. */
export function patchText(oldFile: string, newFile: string, before: string, after: string): string {
  const options = { headerOptions: FILE_HEADERS_ONLY, maxEditLength: mostEdits, context: contextLines };
  const patch =
    createTwoFilesPatch(oldFile, newFile, before, after, undefined, undefined, options) ??
    oneHunkPatch(oldFile, newFile, before, after);
  return patch
    .split("\n")
    .map((line) => escapeControl(line.replaceAll("\t", "    ")).replace(/^(\s*):(?=:)/, "$1\\x3a"))
    .join("\n");
}

/** A patch that replaces everything between the first and the last line that differ. */
function oneHunkPatch(oldFile: string, newFile: string, before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let tail = 0;
  while (tail < most - start && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const from = Math.max(0, start - contextLines);
  const behind = Math.min(tail, contextLines);
  const hunk: StructuredPatchHunk = {
    oldStart: from + 1,
    newStart: from + 1,
    oldLines: old.length - tail + behind - from,
    newLines: fresh.length - tail + behind - from,
    lines: [
      ...old.slice(from, start).flatMap((line) => diffLines(" ", line)),
      ...old.slice(start, old.length - tail).flatMap((line) => diffLines("-", line)),
      ...fresh.slice(start, fresh.length - tail).flatMap((line) => diffLines("+", line)),
      ...old.slice(old.length - tail, old.length - tail + behind).flatMap((line) => diffLines(" ", line)),
    ],
  };
  const names = { oldFileName: oldFile, newFileName: newFile, oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...names, hunks: [hunk] }, FILE_HEADERS_ONLY);
}

/** Lines, including their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffLines(mark: string, line: string): string[] {
  return line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"];
}
