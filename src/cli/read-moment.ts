import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";

/** The value of a flag as a later moment: a day, or a time in UTC. @throws {ProblemError} `usage` */
export function readMoment(name: string, text: string, now: Date): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const moment = new Date(isDay ? `${text}T00:00:00Z` : `${text.replace(/Z$/, "")}Z`);
  const isWritten = isDay || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/.test(text);
  // Date parses 30 February as 2 March.
  const isKnown = isWritten && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.slice(0, 10));
  if (!isKnown)
    throw usageError(
      `${name} must be a time in UTC, such as 2030-01-31 or 2030-01-31T12:00:00, not "${escapeControl(text)}".`,
    );
  if (moment <= now) throw usageError(`${name} "${text}" is in the past.`);
  return moment;
}
