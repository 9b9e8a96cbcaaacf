import type { Problem } from "../../diagnostics/problem.ts";
import { digestJson, digestTargets } from "../changes/digests.ts";
import { checkPlan, checkShape, editedError, noteOf, parsePlan, type ReadPlan, statedFormat } from "./plan-file.ts";
import { type PlanFile, type PlanSet, planSetFormat, planSetSchema } from "./plan-schema.ts";
import type { SignatureRules } from "./plan-signature.ts";

/** A target that could not be planned, and why. */
export interface FailedTarget {
  readonly target: string;
  readonly problems: readonly Problem[];
}

/** One file with the plan files of several targets. */
export function planSet(plans: readonly PlanFile[], failed: readonly FailedTarget[]): PlanSet {
  const rest: Omit<PlanSet, "planDigest"> = {
    format: planSetFormat,
    plans: [...plans],
    ...(failed.length > 0 && {
      failed: failed.map(({ target, problems }) => ({ target, problems: problems.map(noteOf) })),
    }),
    effectDigest: digestOfPlans(plans),
  };
  return { ...rest, planDigest: digestJson(rest) };
}

/** The set with other plan files, for example with new signatures. */
export function withPlans({ planDigest, ...set }: PlanSet, change: (plan: PlanFile) => PlanFile): PlanSet {
  const rest = { ...set, plans: set.plans.map(change) };
  return { ...rest, planDigest: digestJson(rest) };
}

function digestOfPlans(plans: readonly PlanFile[]): string {
  return digestTargets(plans.map(({ target, effectDigest }) => ({ target: target.name ?? "", digest: effectDigest })));
}

/** The plans of a file: one, or one for each of several targets. */
export interface ReadPlans {
  readonly parts: readonly ReadPlan[];
  readonly isSet: boolean;
  /** The digest of all effects, and that of the file. */
  readonly effectDigest: string;
  readonly planDigest: string;
}

/**
 * Reads a file with one plan, or with the plans of several targets. Each of these has its own signature.
 * @throws {ProblemError} `plan-syntax`, `plan-format`, `plan-shape`, `plan-digest`, `plan-signature`
 */
export function readPlans(file: string, text: string, rules?: SignatureRules): ReadPlans {
  const value = parsePlan(file, text);
  if (statedFormat(value) !== planSetFormat) {
    const part = checkPlan(file, value, rules);
    const { effectDigest, planDigest } = part.plan;
    return { parts: [part], isSet: false, effectDigest, planDigest };
  }
  const set = checkShape(file, value, {
    schema: planSetSchema,
    format: planSetFormat,
    what: "a complete set of plans",
  });
  const { planDigest, ...rest } = value as PlanSet;
  const names = set.plans.map(({ target }) => target.name);
  const isWhole =
    digestJson(rest) === planDigest &&
    digestOfPlans(set.plans) === set.effectDigest &&
    new Set(names).size === names.length &&
    !names.includes(undefined);
  if (!isWhole) throw editedError(file);
  const parts = rest.plans.map((plan, index) => checkPlan(nameOfPart(file, names[index]), plan, rules));
  return { parts, isSet: true, effectDigest: set.effectDigest, planDigest };
}

/** A part of a file with the plans of several targets, in messages. */
export function nameOfPart(file: string, target: string | undefined): string {
  return `${file} (${target})`;
}
