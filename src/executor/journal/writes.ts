import { isServed, type SettingChange, writesOf, type ZonePlan } from "../../planner/changes/change.ts";

/** Settings of a zone to write before its records, and those to write after. Each list is one write, or none. */
export function settingWrites(plan: ZonePlan): { first: readonly SettingChange[]; last: readonly SettingChange[] } {
  const { domainId, settings, zone } = plan;
  if (domainId === undefined) {
    // Created disabled: a half-filled zone is never served.
    const last = { name: "status", before: "disabled", after: "active" } as const;
    return { first: [], last: zone.settings.status === "disabled" ? [] : [last] };
  }
  // A zone that is not served needs no order.
  const served = isServed(plan);
  if (served.before && !served.after) return { first: settings, last: [] };
  // A slave refuses records, so the change to master comes first; activation still waits for the records.
  const becomesMaster = settings.some(({ name, after }) => name === "type" && after === "master");
  if (!becomesMaster) return { first: [], last: settings };
  const isActivation = ({ name, after }: SettingChange) => name === "status" && after === "active";
  return { first: settings.filter((change) => !isActivation(change)), last: settings.filter(isActivation) };
}

/** Number of writes of a zone plan: the domain, its records, its settings. */
export function countWrites(plan: ZonePlan): number {
  const { first, last } = settingWrites(plan);
  const others = [plan.domainId === undefined, first.length > 0, last.length > 0].filter(Boolean).length;
  return writesOf(plan).length + others;
}
