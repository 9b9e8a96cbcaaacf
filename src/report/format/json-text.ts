import { escapeQuoted } from "../../diagnostics/escape.ts";
import { inCommandLineWords } from "../../diagnostics/problem.ts";

/** A value as indented JSON with a final line end, safe for terminals and CI logs. */
export function jsonText(value: unknown): string {
  return `${jsonLine(value, 2)}\n`;
}

/** A value as JSON, in which advice has the words of the command line. */
export function jsonLine(value: unknown, indent?: number): string {
  return escapeQuoted(JSON.stringify(value, inCommandLineWords, indent));
}
