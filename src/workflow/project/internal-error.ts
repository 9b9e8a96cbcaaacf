import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { createRedactor, tokenSecrets } from "../../client/secret.ts";
import { escapeLines } from "../../diagnostics/escape.ts";
import type { RunContext } from "./run-context.ts";

/**
 * The stack of an unexpected error, without the token and without control characters; or advice, if a file of the
 * program is missing, such as during an upgrade.
 */
export function internalErrorText({ env }: Pick<RunContext, "env">, error: unknown): string {
  const isFileMissing = error instanceof Error && "code" in error && missing.has(String(error.code));
  const stack = error instanceof Error && !isFileMissing ? (error.stack ?? error.message) : String(error);
  const text = escapeLines(createRedactor(tokenSecrets(env.ZONEWRIGHT_TOKEN?.trim())).text(withSources(stack)));
  if (isFileMissing) return `a file of zonewright is missing; install zonewright again\n${text}`;
  return `internal error in zonewright; please report it with this text:\n${text}`;
}

/** Node's codes for a module that is not found: by `import` and by `require`. */
const missing: ReadonlySet<string> = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

/** A stack with the places in the sources, where a source map lies beside the script. */
function withSources(stack: string): string {
  return stack.replace(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (place, url: string, line: string, column: string) => {
    try {
      const map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), "utf8")));
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!("originalSource" in entry)) return place;
      const source = new URL(entry.originalSource, url);
      return `${source.href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    } catch {
      return place; // no map, or not one of this script: the place in the script is better than none
    }
  });
}
