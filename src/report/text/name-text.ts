import { escapeControl } from "../../diagnostics/escape.ts";
import { type Name, withoutDot } from "../../dns/name/name.ts";

/** A name in a report: without its final dot, and escaped. */
export function nameText(name: Name): string {
  return escapeControl(withoutDot(name));
}
