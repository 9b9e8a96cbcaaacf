import { advise, type Fix } from "../../diagnostics/advice.ts";
import type { Examination } from "../start/doctor.ts";

export const docs = advise`${{ run: "help", args: ["ci"] }} lists the settings.`;

/** A line about what `doctor --ci` cannot see. */
export function notChecked(subject: string, what: string, next: Fix = docs): Examination {
  return { subject, state: "warn", text: `not checked: ${what}`, next };
}
