import type { z } from "zod";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { decodeText } from "../../diagnostics/source-text.ts";
import type { ForeignFile } from "./foreign-format.ts";

/** The value of a file in JSON; undefined if it is not JSON. */
export function parseForeignJson({ bytes }: Pick<ForeignFile, "bytes">): unknown {
  const { text } = decodeText(bytes);
  if (!/^\s*\{/.test(text) || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether lists and maps are nested more deeply than any tool writes them, so that reading could exhaust the stack. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
    if (depth > 200) return true;
  }
  return false;
}

/** Whether a value is a map with these keys. */
export function hasKeys(value: unknown, ...keys: readonly string[]): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && keys.every((key) => Object.hasOwn(value, key));
}

/** The first difference of a file from its schema. The message has no values of the file, which may be secret. */
export function shapeProblem({ file }: Pick<ForeignFile, "file">, name: string, error: z.ZodError): Problem {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const summary = `${file} is not a valid ${name}: at ${escapeControl(path.replace(/^\./, "")) || "its top"}: ${issue?.message ?? ""}`;
  return problem("value-shape", summary, { fix: "Write the file with its tool again." });
}
