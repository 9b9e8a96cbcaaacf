import { nearest } from "../diagnostics/nearest.ts";
import {
  isProblemId,
  type ProblemId,
  problemIds,
  type RegisteredProblem,
  registry,
  renamedIds,
} from "../diagnostics/registry.ts";
import { targetKind } from "./target.ts";

/** The sets that the config can switch as a whole. */
export const ruleSets = ["api", "dns", "practice"] as const;

export function isRule(id: ProblemId): boolean {
  return (ruleSets as readonly string[]).includes(registry[id].set);
}

/** Is it a limit of single records? One that breaks it is left out of what is sent. */
export function isRecordLimit(id: string): boolean {
  return targetKind.recordLimits.has(id);
}

/** Does the service refuse what breaks the rule, whatever the config says? */
export function isStrict(id: string): boolean {
  return targetKind.strictRules.has(id);
}

/** The ids that the config can switch, and zone files can excuse. */
export const yielding: readonly ProblemId[] = problemIds.filter((id) => isRule(id) && !isStrict(id)).sort();

/** Why an id cannot be switched or excused, with what to do; undefined when it can. */
export function whyNotYielding(id: string): { summary: string; fix: string } | undefined {
  if ((yielding as readonly string[]).includes(id)) return undefined;
  if (isStrict(id)) return { summary: `${id} cannot be lowered: the API rejects such zones`, fix: "Fix the zone." };
  if (isProblemId(id)) return { summary: `${id} is not a rule about zones and cannot be lowered`, fix: "Remove it." };
  const near = renamedIds[id] ?? nearest(id, yielding);
  return {
    summary: `"${id}" is not a rule`,
    fix: near ? `Did you mean "${near}"?` : "Run zonewright explain to list all rules.",
  };
}

/** Severities that the config can give a rule or a set of rules. */
export function severitiesOf(id: string): readonly string[] {
  const isHeldBack = id === "api" || isRecordLimit(id);
  return ["error", "warning", "note", ...(isHeldBack ? [] : ["off"])];
}

/** Rules that zone files can excuse: a note cannot count for less. */
export const excusable: readonly RegisteredProblem[] = yielding
  .map((id) => registry[id])
  .filter(({ severity }) => severity !== "note");
