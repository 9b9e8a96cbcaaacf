import { plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../dns/name.ts";
import type { Observed, PlanningOptions } from "./plan-report.ts";
import { type Project, toName } from "./project.ts";
import { existingZones, type ReadZones } from "./zones.ts";

/**
 * The domains that somebody named to be deleted. None goes that a file describes, whichever zones are read.
 * @throws {ProblemError} `delete-zone-file`; `zone-name`
 */
export function toDelete(project: Project, options: PlanningOptions, read: ReadZones): NameKey[] {
  const names = [...new Set((options.deleteZone ?? []).map((name) => nameKey(toName(name))))];
  if (names.length === 0) return [];
  for (const { zone, file } of [...read.zones, ...existingZones(project)]) {
    if (!names.includes(nameKey(zone.name))) continue;
    const fix = "Remove the file from git, or do not ask for the zone to be deleted.";
    throw new ProblemError(
      problem("delete-zone-file", `${plain(zone.name.slice(0, -1))} is described by ${plain(file)}, so it stays`, {
        fix,
      }),
    );
  }
  return names;
}

/** @throws {ProblemError} `delete-zone-unknown` for what is not there. */
export function refuseUnknown({ deleteZone = [] }: PlanningOptions, { live }: Observed): void {
  const gone = deleteZone.filter((name) => !live.has(nameKey(toName(name))));
  if (gone.length === 0) return;
  throw new ProblemError(
    gone.map((name) =>
      problem(
        "delete-zone-unknown",
        `${plain(name)} cannot be deleted: the account has no such domain, or this token does not see it`,
        { fix: "Name a domain of the account. zonewright plan lists those that no file describes." },
      ),
    ),
  );
}
