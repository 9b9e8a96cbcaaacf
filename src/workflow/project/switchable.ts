import { advise, type Fix } from "../../diagnostics/advice.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import {
  isProblemId,
  type ProblemId,
  problemIds,
  type RegisteredProblem,
  registry,
  renamedIds,
} from "../../diagnostics/registry.ts";
import { allKinds } from "./target-kind.ts";

/** The sets of rules whose severity the config can set as a whole. */
export const ruleSets = ["api", "dns", "practice"] as const;

export function isRule(id: ProblemId): boolean {
  return (ruleSets as readonly string[]).includes(registry[id].set);
}

/** Whether a rule is a limit on single records; a record that exceeds it is not sent. */
export function isRecordLimit(id: string): boolean {
  return allKinds.some(({ recordLimits }) => recordLimits.has(id));
}

/** Whether the service rejects violations, whatever the config says. */
export function isStrict(id: string): boolean {
  return allKinds.some(({ strictRules }) => strictRules.has(id));
}

/** The rules whose severity the config and zone files can set. */
export const adjustableRules: readonly ProblemId[] = problemIds.filter((id) => isRule(id) && !isStrict(id)).sort();

/** The reason why the severity of an id cannot be set, and the fix; undefined if it can. */
export function explainFixedSeverity(id: string): { summary: string; fix: Fix } | undefined {
  if ((adjustableRules as readonly string[]).includes(id)) return undefined;
  if (isStrict(id)) return { summary: `${id} cannot be lowered: the API rejects such zones`, fix: "Fix the zone." };
  if (isProblemId(id)) return { summary: `${id} is not a rule about zones and cannot be lowered`, fix: "Remove it." };
  const near = renamedIds.get(id) ?? nearest(id, adjustableRules);
  return {
    summary: `"${id}" is not a rule`,
    fix: near ? `Did you mean "${near}"?` : advise`Run ${{ run: "explain" }} to list all rules.`,
  };
}

/** Severities that the config can give a rule or a set of rules. */
export function severitiesOf(id: string): readonly string[] {
  const isNeverOff = id === "api" || isRecordLimit(id);
  return ["error", "warning", "note", ...(isNeverOff ? [] : ["off"])];
}

/** Rules that zone files can lower; notes cannot be lowered. */
export const lowerableRules: readonly RegisteredProblem[] = adjustableRules
  .map((id) => registry[id])
  .filter(({ severity }) => severity !== "note");
