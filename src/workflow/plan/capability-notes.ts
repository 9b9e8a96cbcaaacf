import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, nameKey, relativeTo, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { setKeyOf } from "../../dns/zone/zone.ts";
import { type Plan, subject } from "../../planner/changes/change.ts";
import type { TargetKind } from "../../targets/target.ts";

interface ZonesToPlan {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  readonly deletions: readonly LiveZone[];
}

/** @throws {ProblemError} `zone-not-creatable` for zones to create or delete on a service that does neither. */
export function refuseZoneWrites(
  { name, capabilities }: Pick<TargetKind, "name" | "capabilities">,
  { desired, live, deletions }: ZonesToPlan,
): void {
  if (capabilities.zones !== "neither") return;
  const missing = desired.filter((zone) => !live.has(nameKey(zone.name)));
  const refused = [
    ...missing.map((zone) =>
      problem("zone-not-creatable", `${textOf(zone)} does not exist on the ${name}, where zones cannot be created`, {
        fix: "Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.",
        owner: zone.name,
      }),
    ),
    ...deletions.map((zone) =>
      problem("zone-not-creatable", `${textOf(zone)} stays on the ${name}, where zones cannot be deleted`, {
        fix: "Have the operator of the service remove the zone.",
        owner: zone.name,
      }),
    ),
  ];
  if (refused.length > 0) throw new ProblemError(refused);
}

/**
 * Refuses changes for which no message has room, before anything is written.
 * @throws {ProblemError} `update/too-large`
 */
export function refuseTooLarge({ tooLarge = [] }: Pick<Plan, "tooLarge">): void {
  const refused = new Map<string, Problem>();
  for (const { zone, writes } of tooLarge) {
    const sets = new Map(writes.map(subject).map((record) => [setKeyOf(record), record]));
    const [first, ...more] = sets.values();
    if (first === undefined) continue;
    const name = `${escapeControl(relativeTo(first.owner, zone))} ${first.type}`;
    const others = more.length > 0 ? ` and ${count(more.length, "other RRset")}` : "";
    const summary = `${textOf({ name: zone })}: the change of ${name}${others} and the stored records that it replaces do not fit into one update`;
    const fix =
      "Remove the RRset with one apply, and add it with the next one; its name has no such records in between.";
    refused.set(summary, problem("update/too-large", summary, { fix, owner: first.owner }));
  }
  if (refused.size > 0) throw new ProblemError([...refused.values()]);
}

/** Tells whether edits by others can be lost where records are read with their zone, not right before each change. */
export function lockNotes({ zones }: Pick<Plan, "zones">, { ids, lock }: TargetKind["capabilities"]): Problem[] {
  if (zones.length === 0) return [];
  if (lock !== "none") {
    const summary =
      lock === "rrset"
        ? "the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs"
        : "the service refuses a write if someone else changed its records since they were read";
    return [problem("lock", summary)];
  }
  if (ids === "stored") return [];
  const summary =
    "the service has no lock: edits by others between the read of a zone and its writes may be overwritten";
  return [problem("no-lock", summary)];
}

function textOf({ name }: Pick<DesiredZone, "name">): string {
  return escapeControl(withoutDot(name));
}
