import { usageError } from "../diagnostics/problem.ts";

/**
 * An id of an object that the command `list` shows.
 * @throws {ProblemError} `usage`
 */
export function readId(what: string, text: string, list: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw usageError(`name the ${what} by its id, a number; \`zonewright ${list}\` shows it.`);
}
