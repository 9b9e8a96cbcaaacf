import { advise } from "../../diagnostics/advice.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { usageError } from "../../diagnostics/problem.ts";
import type { GuardBlock } from "../../planner/blocks/find-blocks.ts";
import { findGuard, guardIds, isBlockOf } from "../../planner/blocks/guards.ts";
import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";

/**
 * Whether the approval in a plan file covers a block of the remaining plan: its findings must be the same. Numbers in
 * them may differ, because the remainder of a plan never exceeds the approved plan.
 */
export function wasAllowed(
  { guard, zone, state, texts, facts = [] }: PlanFile["guards"][number],
  block: GuardBlock,
): boolean {
  const isSame = state === "allowed" && isBlockOf(guard, block) && zone === block.zone;
  const withoutNumbers = (text: string) => text.replace(/\d+/g, "#");
  return (
    isSame &&
    block.findings.every((finding) => {
      const form = finding.isWide ? withoutNumbers : (text: string) => text;
      const isKnown = (text: string, known: readonly string[]) => known.map(form).includes(form(text));
      return isKnown(finding.text, texts) && (finding.facts ?? []).every((fact) => isKnown(fact, facts));
    })
  );
}

/** @throws {ProblemError} `usage` for an unknown guard. */
export function readAllowedGuards(list: readonly string[]): string[] {
  return readGuards(list, (word, why) =>
    usageError(advise`${{ set: "allow", to: word }}: ${why.replace(/[^?]$/, "$&.")}`),
  );
}

/**
 * The ids of guards in words, which may be lists with commas, and former ids.
 * @throws the error that `refuse` makes of the reason
 */
export function readGuards(list: readonly string[], refuse: (word: string, why: string) => Error): string[] {
  return list
    .flatMap((text) => {
      const words = text.split(",").filter((word) => word.trim() !== "");
      if (words.length === 0) throw refuse(text, "it names no guard");
      return words;
    })
    .map((word) => {
      const id = word.trim().toUpperCase();
      if (findGuard(id)) return id;
      const near = nearest(id, guardIds);
      throw refuse(
        word,
        `this guard does not exist. ${near ? `Did you mean "${near}"?` : `Guards: ${guardIds.join(", ")}`}`,
      );
    });
}
