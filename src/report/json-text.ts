import { plainQuoted } from "../diagnostics/plain.ts";

/** A value as JSON, indented, with a final line end, safe to look at in a terminal or a CI's log. */
export function jsonText(value: unknown): string {
  return `${plainQuoted(JSON.stringify(value, undefined, 2))}\n`;
}
