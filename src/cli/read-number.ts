import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";

/** The value of a flag as a number. @throws {ProblemError} `usage` */
export function readNumber(name: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw usageError(`${name} needs a whole number of at least ${least}, not "${escapeControl(text)}".`);
}
