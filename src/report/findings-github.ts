import type { Findings } from "./findings.ts";
import { annotationCommand, annotationOf } from "./workflow-command.ts";

/** Findings as workflow commands of GitHub Actions, which shows them at their lines. All text is escaped. */
export function findingsGithub({ problems }: Findings): string {
  return problems.map((found) => annotationCommand(annotationOf(found))).join("");
}
