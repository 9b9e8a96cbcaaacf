import { nameKey } from "../../dns/name/name.ts";
import type { JournalLineOf } from "../../executor/journal/journal-line.ts";
import { listRuns, readRun } from "../../executor/journal/runs.ts";
import { effectKey } from "../../planner/approval/rolled-back.ts";

/**
 * Keys of the effects that earlier runs wrote from this checkout with the approval of a plan. The events of these
 * writes are not edits by others when the plan is resumed; a note still lists them. `nonce` is that of the plan.
 */
export function findOwnEffects(folder: string, nonce: string): Set<string> {
  const runs = listRuns(folder).filter((run) => run.approvedPlans?.some((plan) => plan.nonce === nonce));
  return new Set(
    runs.flatMap(({ id }) => readRun(folder, id).flatMap((entry) => (entry.kind === "intent" ? keysOf(entry) : []))),
  );
}

function keysOf({ zone, records = [], settings = [] }: JournalLineOf<"intent">): string[] {
  const name = nameKey(zone);
  const ofRecords = records.flatMap(({ before, after }) => [before ?? after].flatMap((one) => one ?? []));
  return [
    ...ofRecords.map(({ owner, type }) => effectKey({ zone: name, name: nameKey(owner), type })),
    ...settings.map((setting) => effectKey({ zone: name, name, type: setting.name })),
  ];
}
