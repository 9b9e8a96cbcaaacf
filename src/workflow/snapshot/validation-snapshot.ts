import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { findPublishedSnapshot } from "../git/git-ref.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import type { ValidatingOptions } from "./validate.ts";

/**
 * The snapshot at `place`; without one the published snapshot, if this clone has it and it is of the API that the
 * project names: only the API has nodes. A published snapshot that cannot be read is only a note. Most checks have no
 * snapshot, so what reads it is loaded on demand.
 * @throws {ProblemError} as `readSnapshot`, for a snapshot that was asked for
 */
export async function findSnapshotToValidate(
  context: Pick<RunContext, "cwd" | "env" | "now">,
  project: Project,
  place?: string,
): Promise<ValidatingOptions> {
  const isOfApi = (project.view?.kind ?? "api") === "api";
  const found = place ?? (isOfApi ? findPublishedSnapshot(context, project) : undefined);
  if (found === undefined) return {};
  const { readSnapshot } = await import("./snapshot.ts");
  if (place !== undefined) return { against: readSnapshot(context, place) };
  try {
    const against = readSnapshot(context, found);
    const { findNamedApi } = await import("../connect/connect-api.ts");
    const api = findNamedApi(context, project);
    return api === undefined || api === against.source.api ? { against } : {};
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { missedSummary } = await import("../zones/dangling.ts");
    return { note: problem("freed-unknown", missedSummary(error.problem.summary)) };
  }
}
