import type { Problem } from "../diagnostics/problem.ts";
import type { Project } from "./project.ts";
import { checkZones, readZones } from "./zones.ts";

export interface Validation {
  readonly problems: readonly Problem[];
  /** The files of the zones. */
  readonly files: readonly string[];
  /** Numbers of zones and of records. */
  readonly zones: number;
  readonly records: number;
}

/**
 * Checks zone files: syntax, DNS rules, limits of the target. `names` are zones or files; all zones if empty.
 * @throws {ProblemError} if there is nothing to check.
 */
export async function validateZones(project: Project, names: readonly string[]): Promise<Validation> {
  const read = await readZones(project, names);
  const { problems } = await checkZones(read, project, project.target.accept);
  return {
    problems,
    files: read.zones.map(({ file }) => file),
    zones: read.zones.length,
    records: read.zones.reduce((sum, { zone }) => sum + zone.records.length, 0),
  };
}
