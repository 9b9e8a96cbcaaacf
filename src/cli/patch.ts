import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { plain } from "../diagnostics/plain.ts";

/** A unified diff, safe to show: nothing in it that a terminal or a CI obeys. */
export function patchText(oldFile: string, newFile: string, before: string, after: string): string {
  const headers = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(oldFile, newFile, before, after, undefined, undefined, headers)
    .split("\n")
    .map((line) => plain(line.replaceAll("\t", "    ")).replace(/^(\s*):(?=:)/, "$1\\x3a"))
    .join("\n");
}
