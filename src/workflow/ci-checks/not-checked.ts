import type { Examination } from "../start/doctor.ts";

export const docs = "`zonewright help ci` lists the settings.";

/** A line about what `doctor --ci` cannot see. */
export function notChecked(subject: string, what: string, next: string = docs): Examination {
  return { subject, state: "warn", text: `not checked: ${what}`, next };
}
