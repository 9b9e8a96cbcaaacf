import { noteOf } from "../../planner/plan-file/plan-file.ts";
import type { Comparison } from "../../workflow/compare/compare.ts";
import type { ResultsOfTargets } from "../../workflow/zones/each-target.ts";
import { jsonText } from "../format/json-text.ts";

/** The comparisons with several targets, for programs. */
export function comparisonsJson({ done, failed }: ResultsOfTargets<Comparison>): string {
  return jsonText({
    targets: done.map(({ target, value }) => ({ target, ...value })),
    failed: failed.map(({ target, problems }) => ({ target, problems: problems.map(noteOf) })),
  });
}
