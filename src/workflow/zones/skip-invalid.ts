import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone } from "../../dns/zone/desired-live.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { findStatedName } from "../../formats/stated-name.ts";
import type { Dependent } from "../../planner/dependents.ts";
import { newPlanFix } from "../../planner/plan-file/plan-file.ts";
import type { PlanningTarget } from "../../targets/target.ts";
import type { Project } from "../project/project.ts";
import { InvalidZonesError } from "./invalid-zones.ts";
import { resolveZones } from "./resolve-nodes.ts";
import type { ReadZones } from "./zones.ts";

/** A zone that a plan leaves out. */
export interface SkippedZone {
  readonly name: NameKey;
  readonly file: string;
  /** Why, without its name and a full stop. */
  readonly reason: string;
  /** The errors of its file; empty if the zone depends on another one that is left out. */
  readonly errors: readonly Problem[];
  /** The record that depends on the other zone. */
  readonly record?: ZoneRecord;
}

/**
 * Zones with errors as a plan leaves them out. `reasonOf`: why, from the path of the file.
 * @throws {ProblemError} their errors, unless `skipInvalid`
 */
export function skipZones(
  found: readonly { readonly zone: Pick<DesiredZone, "name" | "file">; readonly errors: readonly Problem[] }[],
  skipInvalid: boolean | undefined,
  reasonOf: (file: string) => string,
): SkippedZone[] {
  if (found.length > 0 && !skipInvalid) throw new ProblemError(found.flatMap(({ errors }) => errors));
  return found.map(({ zone: { name, file = "" }, errors }) => ({
    name: nameKey(name),
    file,
    reason: reasonOf(file),
    errors,
  }));
}

/** No plan was made, because zones are invalid. */
export class NoPlanError extends ProblemError {
  override readonly cause: InvalidZonesError;

  constructor(cause: InvalidZonesError) {
    super(cause.problems);
    this.cause = cause;
  }
}

interface ValidZones {
  readonly desired: readonly DesiredZone[];
  readonly notes: readonly Problem[];
  readonly invalid: readonly SkippedZone[];
}

/**
 * The zones of files as the service will store them, without those with errors if `skipInvalid` says so.
 * @throws {NoPlanError} otherwise, or if an error belongs to no zone, or if no zone is left
 */
export async function validZones(
  project: Project,
  read: ReadZones,
  context: { readonly target: PlanningTarget; readonly skipInvalid: boolean | undefined },
): Promise<ValidZones> {
  try {
    return { ...(await resolveZones(project, read, context.target)), invalid: [] };
  } catch (error) {
    if (!(error instanceof InvalidZonesError)) throw error;
    if (!context.skipInvalid || !error.canSkip) throw new NoPlanError(error);
    const named = error.invalid.map(({ read, errors }) => ({ read: withName(read), errors }));
    const names = new Set(named.map(({ read }) => read.zone.name));
    const isInvalid = (zone: ZoneOfFile) => error.invalid.some(({ read }) => read === zone);
    // A file that could not be read may be the second one of a zone.
    const others = read.zones.filter((one) => names.has(nameKey(one.zone.name)) && !isInvalid(one));
    const all = [...named, ...others.map((read) => ({ read, errors: [] }))];
    const zones = read.zones.filter((one) => !isInvalid(one) && !others.includes(one));
    // The rest may have further errors, such as labels of nodes that do not exist.
    const rest = await validZones(
      project,
      withoutZones(
        read,
        zones,
        all.map(({ read }) => read),
      ),
      context,
    );
    const invalid = all.map(({ read: { zone, file }, errors }): SkippedZone => {
      const reason = errors.length > 0 ? `has ${count(errors.length, "error")}` : "is not its only file";
      return { name: nameKey(zone.name), file, reason: `${file} ${reason}`, errors };
    });
    return { ...rest, invalid: [...invalid, ...rest.invalid] };
  }
}

/** The zone with the name that its file states, which its reader may have missed. */
function withName(read: ZoneOfFile): ZoneOfFile {
  return { ...read, zone: { ...read.zone, name: findStatedName(read) ?? read.zone.name } };
}

function withoutZones(read: ReadZones, zones: readonly ZoneOfFile[], out: readonly ZoneOfFile[]): ReadZones {
  return {
    ...read,
    zones,
    // Errors are those of zones, and were reported.
    problems: read.problems.filter(({ severity }) => severity !== "error"),
    leftOut: [...(read.leftOut ?? []), ...out],
  };
}

export function skippedDependent(dependent: Dependent, zones: readonly DesiredZone[]): SkippedZone {
  const { zone, reason, record } = dependent;
  const { file = "" } = zones.find(({ name }) => nameKey(name) === zone) ?? {};
  return { name: zone, file, reason, errors: [], record };
}

/** The note about a zone that is left out. */
export function skippedNote({ name, reason, errors, record }: SkippedZone): Problem {
  const place = record ? placeWithIncludes(record) : { place: errors[0]?.place };
  return problem("zone-skipped", `${withoutDot(name)} is left out: ${reason}`, place);
}

/**
 * Refuses to apply a plan whose zones have come to depend on those that it left out.
 * @throws {ProblemError} `plan-skipped`
 */
export function refuseDependents(dependents: readonly Dependent[]): void {
  if (dependents.length === 0) return;
  throw new ProblemError(
    dependents.map(({ on, reason }) =>
      problem("plan-skipped", `${reason}, and the plan left out ${withoutDot(on)}`, { fix: newPlanFix }),
    ),
  );
}
