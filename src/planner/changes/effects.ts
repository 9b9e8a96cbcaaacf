import { createHash } from "node:crypto";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import { type SettingValue, zoneKindOf } from "../../dns/zone/zone-settings.ts";
import { type Plan, type RecordChange, subject, type ZonePlan } from "./change.ts";

/**
 * An effect of a plan, without ids and times, so that it is reproducible.
 *
 * | kind | name | type | before, after |
 * |---|---|---|---|
 * | create, change, delete | the owner | the record type | TTL in seconds and RDATA; `default(3600)` for the zone's own
 * TTL |
 * | setting | the zone | the setting | its value as JSON; a time in seconds, never 0; a list in lower case, sorted |
 * | domain | the zone | `master`, `slave`, or its `kind` | for a new zone: null, then "disabled" or "active"; for a
 * deleted one: its status and number of records, then null |
 */
export interface Effect {
  readonly zone: NameKey;
  readonly kind: "create" | "change" | "delete" | "setting" | "domain";
  readonly name: NameKey;
  readonly type: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The effects of a plan, sorted. A swap becomes deletes and creates; a duplicate record has an effect for each. */
export function effectsOf(plan: Effective): Effect[] {
  return sortEffects(listEffects(plan));
}

/** SHA-256 of the effects of a plan, in hexadecimal. */
export function digestPlan(plan: Effective): string {
  return digestEffects(listEffects(plan));
}

type Effective = Pick<Plan, "zones"> & Partial<Pick<Plan, "deletions">>;

function listEffects({ zones, deletions = [] }: Effective): Effect[] {
  const effects: Effect[] = [];
  for (const zone of zones) {
    for (const effect of zoneEffects(zone)) effects.push(effect);
    for (const { writes } of zone.steps) for (const write of writes) effects.push(recordEffect(write, zone));
  }
  for (const zone of deletions) effects.push(deletionEffect(zone));
  return effects;
}

export function deletionEffect({ name, settings, records }: LiveZone): Effect {
  const zone = nameKey(name);
  const type = zoneKindOf(settings);
  const { status = "active" } = settings;
  return { zone, kind: "domain", name: zone, type, before: `${status}, records: ${records.length}`, after: null };
}

/** SHA-256 of the set of effects and further facts, in hexadecimal. */
export function digestEffects(effects: readonly Effect[], facts: readonly string[] = []): string {
  const lines = [...effects.map(effectJson).sort(), ...[...new Set(facts)].sort().map((fact) => JSON.stringify(fact))];
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

export function recordEffect(change: RecordChange, { zone, defaultTtl }: ZonePlan): Effect {
  const { owner, type } = subject(change);
  return {
    zone: nameKey(zone.name),
    kind: change.kind === "update" ? "change" : change.kind,
    name: nameKey(owner),
    type,
    before: change.kind === "create" ? null : recordText(change.before, defaultTtl.before),
    after: change.kind === "delete" ? null : recordText(change.after, defaultTtl.after),
  };
}

function recordText(record: ZoneRecord, defaultTtl: number): string {
  return `${record.ttl ?? `default(${defaultTtl})`} ${canonical(record)}`;
}

export function zoneEffects({ zone, domainId, settings }: ZonePlan): Effect[] {
  const name = nameKey(zone.name);
  const effect = (rest: Pick<Effect, "kind" | "type" | "before" | "after">): Effect => ({ zone: name, name, ...rest });
  const text = (name: string, value: SettingValue | undefined) => settingText(name, value, zone.defaultTimes);
  if (domainId !== undefined)
    return settings.map(({ name, before, after }) =>
      effect({ kind: "setting", type: name, before: text(name, before), after: text(name, after) }),
    );
  const { type, kind, status = "active", ...rest } = zone.settings;
  return [
    effect({ kind: "domain", type: zoneKindOf(zone.settings), before: null, after: status }),
    ...Object.entries(rest).map(([name, value]) =>
      effect({ kind: "setting", type: name, before: null, after: text(name, value) }),
    ),
  ];
}

/** The value of a setting in an effect: JSON; times are never 0, lists are in lower case and sorted. */
export function settingText(
  name: string,
  value: SettingValue | undefined,
  defaultTimes: DesiredZone["defaultTimes"],
): string {
  if (Array.isArray(value)) return JSON.stringify([...new Set(value.map((item: string) => item.toLowerCase()))].sort());
  const zero = defaultTimes[name];
  return JSON.stringify(zero === undefined ? (value ?? "") : value || zero);
}

function sortEffects(effects: Effect[]): Effect[] {
  if (effects.length < 2) return effects;
  return effects
    .map((effect) => ({ effect, key: effectJson(effect) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ effect }) => effect);
}

/** An effect as JSON: equal for equal effects, and in the order of zones and names. */
export function effectJson({ zone, kind, name, type, before, after }: Effect): string {
  return JSON.stringify([zone, name, type, kind, before, after]);
}
