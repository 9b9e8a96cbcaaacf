import type { Diagnostic, Place } from "../diagnostics/diagnostic.ts";
import { type Name, relativeTo } from "../dns/name.ts";

/** The note that a name in another script counts as its `xn--` labels. */
export function convertedNote(written: string, name: Name, origin: Name, at: Place | undefined): Diagnostic {
  const ascii = written.endsWith(".") || origin === "." ? name : relativeTo(name, origin);
  const summary = `${written} is stored as ${ascii}`;
  return { severity: "note", rule: "idn-converted", summary, ...(at && { at }) };
}
