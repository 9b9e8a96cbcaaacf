import { advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { isProblemId, problemIds, type RegisteredProblem, registry, renamedIds } from "../../diagnostics/registry.ts";
import { findGuard, guards } from "../../planner/blocks/guards.ts";
import type { Guard } from "../../planner/risk/guard.ts";

export type Explanation =
  /** `formerId` is the id in the question, if the rule has been renamed. */
  | { readonly kind: "rule"; readonly rule: RegisteredProblem; readonly formerId?: string }
  /** `formerId` is the id in the question, if the guard has taken over what it meant: its check of the whole run. */
  | { readonly kind: "guard"; readonly guard: Guard; readonly formerId?: string }
  | { readonly kind: "term"; readonly term: Term };

/** Words of plans and files that are explained like rules. */
export const terms = ["acks", "effects"] as const;
export type Term = (typeof terms)[number];

/** The ids of all guards, such as `G05`, and the changes that each blocks. */
export const guardMeanings: ReadonlyMap<string, string> = new Map(guards.map(({ guard, about }) => [guard, about]));

/**
 * Finds the rule, guard or term that a word names: `G05`, `acks`, `private-address`, or `error[private-address]` as
 * copied from a finding.
 * @throws {ProblemError} `rule-unknown`
 */
export function explain(word: string): Explanation {
  const term = terms.find((known) => known === word.toLowerCase().replace(/\.yaml$/, ""));
  if (term) return { kind: "term", term };
  const guardId = word.toUpperCase().replace(/^G0*(\d)$/, "G0$1");
  const guard = findGuard(guardId);
  if (guard) return { kind: "guard", guard, ...(guard.guard !== guardId && { formerId: guardId }) };
  const id = word.replace(/^(?:\w+)?\[(.*)\]$/, "$1").toLowerCase();
  if (isProblemId(id)) return { kind: "rule", rule: registry[id] };
  const renamed = renamedIds.get(id);
  if (renamed) return { kind: "rule", rule: registry[renamed], formerId: id };
  const near = nearest(id, terms) ?? nearest(id, problemIds);
  const fix = near
    ? `Did you mean "${near}"?`
    : advise`Run ${{ run: "explain" }} to list all rules, guards and exit codes.`;
  throw problemError("rule-unknown", `"${escapeControl(word)}" is not a rule, guard or exit code`, { fix });
}
