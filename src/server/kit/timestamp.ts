/** A moment as the API writes it: `YYYY-MM-DDTHH:MM:SS`, UTC, no zone letter (decisions/documents#conventions). */
export function timestamp(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

/** A moment to the millisecond, in the order of `timestamp`: a job may take less than a second. */
export function exactTimestamp(moment: Date): string {
  return moment.toISOString().slice(0, -1);
}

/** The moment of a timestamp. */
export function parseTimestamp(timestamp: string): Date {
  return new Date(`${timestamp}Z`);
}
