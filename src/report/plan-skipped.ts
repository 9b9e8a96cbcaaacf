import { count, plain } from "../diagnostics/plain.ts";
import type { Problem } from "../diagnostics/problem.ts";
import type { PlanReport } from "../workflow/plan-report.ts";
import type { TestCase } from "./junit.ts";
import { nameText } from "./name-text.ts";

type Skipped = Pick<PlanReport, "skipped">;

/** The end of a verdict; empty if no zone is left out. */
export function skippedTexts({ skipped = [] }: Skipped): string[] {
  return skipped.length === 0 ? [] : [`${count(skipped.length, "zone")} left out`];
}

/** The errors of the zones that a plan leaves out. */
export function skippedErrors({ skipped = [] }: Skipped): Problem[] {
  return skipped.flatMap(({ errors }) => errors);
}

/** A failing test case for each zone that a plan leaves out. */
export function skippedCases({ skipped = [] }: Skipped): TestCase[] {
  return skipped.map(({ name, file, reason, errors }) => ({
    className: nameText(name),
    name: "left out",
    file,
    failure: {
      message: `left out: ${plain(reason)}`,
      text: errors.map(({ id, summary }) => `- error[${id}] ${plain(summary)}`).join("\n"),
    },
  }));
}
