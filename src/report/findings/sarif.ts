import { adviceText, type Door } from "../../diagnostics/advice.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import { registry } from "../../diagnostics/registry.ts";
import { type SarifFinding, type SarifRule, sarifLog } from "../format/sarif.ts";
import { problemText } from "../text/problem-text.ts";
import type { Findings } from "./findings.ts";

/** Findings as SARIF: errors first, so that these stay if there are too many findings. */
export function findingsSarif(
  { problems }: Pick<Findings, "problems">,
  version: string,
  folder?: string,
  door?: Door,
): string {
  const ofLevel = (wanted: Problem["severity"]) => problems.filter(({ severity }) => severity === wanted);
  const findings = [...ofLevel("error"), ...ofLevel("warning"), ...ofLevel("note")].map((found) =>
    problemFinding(found, door),
  );
  return sarifLog({ version, findings, describe: problemRule, folder });
}

/** A problem as a finding of a log. */
export function problemFinding(found: Problem, door?: Door): SarifFinding {
  const { id, severity, place, via } = found;
  return { rule: id, level: severity, text: problemText(found, door), place, via };
}

/** The rule of the problems with an id of the registry. */
export function problemRule(id: string): SarifRule {
  const entry = Object.entries(registry).find(([known]) => known === id)?.[1];
  if (!entry) throw new Error(`no problem has the id ${id}`);
  return { id, shortDescription: { text: adviceText(entry.why, "cli") }, properties: { tags: [entry.set] } };
}
