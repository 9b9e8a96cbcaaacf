import { type RecordChange, type Step, subject, type ZonePlan } from "../planner/change.ts";
import type { DesiredRecord } from "../zone/desired-live.ts";
import { placeOf, rdataText, type ZoneSettings } from "../zone/zone.ts";
import { jsonText } from "./json-text.ts";
import type { PlanReport } from "./plan-text.ts";

/**
 * A plan as JSON for programs: changes in the order of their writes, names absolute, times in seconds, `ttl_sec` 0 for
 * the zone's own. Of a new zone every setting is a change from null.
 */
export function planJson({ plan, notes, writes }: PlanReport): string {
  const report = {
    in_sync: plan.zones.length === 0,
    zones: plan.zones.map(zoneJson),
    zones_in_sync: plan.inSync,
    unmanaged: plan.unmanaged,
    writes,
    notes: notes.map(({ severity, rule, summary, at }) => ({ severity, rule, summary, at })),
  };
  return jsonText(report);
}

function zoneJson({ zone, domainId, settings, steps, unchanged }: ZonePlan) {
  return {
    zone: zone.name,
    file: zone.file,
    domain_id: domainId ?? null,
    creates_domain: domainId === undefined,
    settings: domainId === undefined ? newSettings(zone.settings) : settings,
    changes: steps.flatMap(stepJson),
    records_unchanged: unchanged,
  };
}

function newSettings(settings: ZoneSettings) {
  return Object.entries(settings).map(([name, after]) => ({ name, before: null, after }));
}

function stepJson({ kind, writes, gapSeconds }: Step) {
  return writes.map((change) => ({
    action: change.kind,
    owner: subject(change).owner,
    type: subject(change).type,
    before: change.kind === "create" ? null : recordJson(change),
    after: change.kind === "delete" ? null : valueJson(change.after),
    ...(kind === "swap" && { swap: true, gap_sec: gapSeconds }),
    ...sourceJson(subject(change)),
  }));
}

function recordJson(change: Exclude<RecordChange, { kind: "create" }>) {
  return { id: change.before.id, ...valueJson(change.before) };
}

function valueJson(record: DesiredRecord) {
  return { ttl_sec: record.ttl ?? 0, rdata: rdataText(record) };
}

function sourceJson(record: DesiredRecord) {
  const place = placeOf(record);
  return place ? { source: `${place.file}:${place.line}` } : {};
}
