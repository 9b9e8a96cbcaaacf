import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { nameKey, relativeTo, withoutDot } from "../../dns/name/name.ts";
import { recordKeyOf, setKeyOf } from "../../dns/zone/zone.ts";
import type { Baseline } from "../../executor/journal/baseline.ts";
import { type Plan, ttlRaises, type ZonePlan } from "../../planner/changes/change.ts";
import type { Project } from "../project/project.ts";
import { baselinesOf } from "./baselines.ts";

/**
 * Tells TTLs that the plan raises to those that the last run has already written: a service that limits TTLs lowers
 * them again each time.
 */
export function loweredTtlNotes(project: Project, { zones }: Pick<Plan, "zones">): readonly Problem[] {
  const { ttlLimit } = project.target;
  const raising = ttlLimit === undefined ? [] : zones.filter((plan) => ttlRaises(plan).length > 0);
  if (raising.length === 0) return [];
  const baselines = baselinesOf(
    project,
    raising.map(({ zone }) => nameKey(zone.name)),
    new Map(),
  );
  return raising.flatMap((plan) => noteOf(plan, baselines.get(nameKey(plan.zone.name)), String(ttlLimit)));
}

function noteOf(plan: ZonePlan, baseline: Baseline | undefined, ttlLimit: string): readonly Problem[] {
  if (baseline?.state !== "known" || !baseline.isSaved) return [];
  const { zone } = plan;
  const left = new Map((baseline.zone?.records ?? []).map((record) => [recordKeyOf(record), record.ttl]));
  const again = ttlRaises(plan).filter(({ after }) => left.get(recordKeyOf(after)) === after.ttl);
  const [first, ...others] = [...new Map(again.map((change) => [setKeyOf(change.after), change])).values()];
  if (first === undefined) return [];
  const { before, after } = first;
  const more = others.length > 0 ? ` (and ${count(others.length, "other RRset")})` : "";
  const set = `${relativeTo(after.owner, zone.name)} ${after.type}`;
  const summary = `${escapeControl(`${withoutDot(zone.name)}: the last run wrote the TTL ${after.ttl} of ${set}`)}${more}, and the service has ${before.ttl}: it limits TTLs (${ttlLimit}), or someone else changed them`;
  const fix = "Raise the limit, or lower the TTLs in the file: otherwise each plan shows them again.";
  return [problem("ttl-lowered", summary, { fix, owner: after.owner })];
}
