import { plainQuoted } from "../../diagnostics/plain.ts";

/** A value as indented JSON with a final line end, safe for terminals and CI logs. */
export function jsonText(value: unknown): string {
  return `${plainQuoted(JSON.stringify(value, undefined, 2))}\n`;
}
