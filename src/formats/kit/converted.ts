import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import { type Name, relativeTo } from "../../dns/name/name.ts";

/** The note that an internationalized name is converted to `xn--` labels. */
export function convertedNote(written: string, name: Name, origin: Name, at: Place | undefined): Problem {
  const ascii = written.endsWith(".") || origin === "." ? name : relativeTo(name, origin);
  const summary = `${written} is stored as ${ascii}`;
  return problem("idn-converted", summary, { place: at });
}
