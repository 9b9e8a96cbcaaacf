import type { Place, Problem } from "../../diagnostics/problem.ts";
import { repositoryPath } from "../format/repository-path.ts";
import { annotationCommand, annotationOf } from "../format/workflow-command.ts";
import type { Findings } from "./findings.ts";

/** Findings as workflow commands of GitHub Actions, which shows them at their lines. All text is escaped. */
export function findingsGithub({ problems }: Findings, folder?: string): string {
  const placed = (place: Place) => ({ ...place, file: repositoryPath(place.file, folder) });
  const inRepository = ({ place, via, ...found }: Problem): Problem => ({
    ...found,
    ...(place && { place: placed(place) }),
    ...(via && { via: via.map(placed) }),
  });
  return problems.map((found) => annotationCommand(annotationOf(inRepository(found), "cli"))).join("");
}
