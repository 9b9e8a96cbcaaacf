import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import { checkAcross } from "../../dns/across.ts";
import { checkZone } from "../../dns/check.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { applyScope } from "../../planner/match/scope.ts";
import { mapItems, type TaskContext } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import { applySeverities } from "../project/severities.ts";
import type { SkippedZone } from "../zones/skip-invalid.ts";
import { findingKey } from "./plan-findings.ts";

interface Checked {
  /** Warnings and notes that the files alone do not show. */
  readonly notes: readonly Problem[];
  /** Zones with errors. */
  readonly skipped: readonly SkippedZone[];
}

/**
 * Checks the records of files that manage a part of their zones, or point into such a zone, with the live records that
 * the files do not manage. `known` are the findings of the files.
 * @throws {ProblemError} with the errors, unless `skipInvalid` leaves the zones out
 */
export async function checkWithLive(
  project: Pick<Project, "switches" | "isStrict" | keyof TaskContext>,
  { desired, live }: { readonly desired: readonly DesiredZone[]; readonly live: ReadonlyMap<NameKey, LiveZone> },
  known: readonly Problem[],
  { skipInvalid }: { readonly skipInvalid?: boolean },
): Promise<Checked> {
  if (!desired.some(isPartial)) return { notes: [], skipped: [] };
  const zones = desired.map((zone) => completeZone(zone, live.get(nameKey(zone.name))));
  const across = checkAcross(zones);
  const keys = new Set(known.map(findingKey));
  const notes: Problem[] = [];
  const skipped: SkippedZone[] = [];
  const found = await mapItems(project, ["checking zones", "zone"], zones, (zone, index) => [
    ...(isPartial(desired[index]) ? checkZone(zone) : []),
    ...(across[index] ?? []),
  ]);
  for (const [index, zone] of zones.entries()) {
    // Without a place it is about a live record, which is left to others.
    const fresh = applySeverities(found[index] ?? [], zone, project.switches, project.isStrict).filter(
      (one) => one.place !== undefined && !keys.has(findingKey(one)),
    );
    const errors = fresh.filter(({ severity }) => severity === "error");
    if (errors.length === 0) notes.push(...fresh);
    else {
      const { name, file = "" } = zone;
      skipped.push({
        name: nameKey(name),
        file,
        reason: `${file} does not fit the records that it does not manage`,
        errors,
      });
    }
  }
  if (skipped.length > 0 && !skipInvalid) throw new ProblemError(skipped.flatMap(({ errors }) => errors));
  return { notes, skipped };
}

function isPartial(zone: DesiredZone | undefined): boolean {
  return zone?.scope !== undefined && (zone.scope.manage === "listed" || zone.scope.ignore.length > 0);
}

/** The zone as it will be, including what its file does not manage. */
function completeZone(desired: DesiredZone, live: LiveZone | undefined): Zone {
  const { name, settings, excused, dotlessTargets = [], file, fileFormat, places = {}, scope } = desired;
  return {
    name,
    settings,
    records: applyScope(desired, live).records,
    places,
    dotlessTargets,
    ...(excused && { excused }),
    ...(file !== undefined && { file }),
    ...(fileFormat && { fileFormat }),
    // Without a live zone, the other records stay unknown.
    ...(live === undefined && scope && { scope }),
  };
}
