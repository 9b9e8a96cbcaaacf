import type { ChangeKind, RecordChange } from "../changes/change.ts";
import { type Effect, recordEffect } from "../changes/effects.ts";
import { countAll, type Finding, type GuardContext, wideFinding, type ZoneChange } from "./guard.ts";

/** The thresholds of a kind of changes, in a zone and in a run. */
export const countThresholds = [
  "zone_deletes_least",
  "zone_deletes_percent",
  "zone_deletes_most",
  "run_deletes",
  "run_zones",
] as const;

/** The limits of a kind of changes, such as `swaps`. */
export function countLimits(kind: string): string {
  return `The limit is \`zone_deletes_least\`, or \`zone_deletes_percent\` of the records in the zone if that is more, but then at most \`zone_deletes_most\`. For all zones together, the limits are \`run_deletes\` ${kind}, and \`run_zones\` zones with ${kind}.`;
}

/** Changes of one kind, as many as the header of the plan shows. */
export interface Counted {
  readonly records: number;
  readonly settings: number;
  readonly effects: () => Effect[];
}

/**
 * Counts the changes of a zone by the signs of the header: `+`, `~`, `⇄` and `-`. A swap is one change. The line of a
 * new or deleted zone is not counted.
 */
export function countKind(zone: ZoneChange, kind: ChangeKind): Counted {
  const { plan } = zone;
  const isOfKind = (write: RecordChange) => (write.kind === "update" ? "change" : write.kind) === kind;
  const steps = plan.steps.filter((step) => (step.kind === "write" ? step.writes.some(isOfKind) : kind === "swap"));
  const writes = steps.flatMap((step) => (step.kind === "write" ? step.writes.filter(isOfKind) : step.writes));
  const settings = kind === "change" ? plan.settings.length : 0;
  return {
    records: kind === "swap" ? steps.length : writes.length,
    settings,
    effects: () => [
      ...(settings > 0 ? zone.effects.filter((effect) => effect.kind === "setting") : []),
      ...writes.map((write) => recordEffect(write, plan)),
    ],
  };
}

/** The number of records that may change in a zone of this size. */
export function limitOf(all: number, least: number, percent: number, most: number): number {
  return Math.max(least, Math.min(Math.floor((all * percent) / 100), most));
}

/** Blocks more changes of a kind than the thresholds for deletions allow in a zone. */
export function* checkCounts(
  zone: ZoneChange,
  { thresholds }: GuardContext,
  kind: ChangeKind,
  textOf: (counted: Counted, all: number) => string,
): Generator<Finding> {
  const { zone_deletes_least: least, zone_deletes_percent: percent, zone_deletes_most: most } = thresholds;
  const counted = countKind(zone, kind);
  const all = countAll(zone.before);
  const limit = limitOf(all, least, percent, most);
  if (counted.records + counted.settings > limit)
    yield wideFinding(`${textOf(counted, all)}; the limit is ${limit}`, counted.effects());
}

/** Blocks more changes of a kind than a run may have, or changes in more zones. */
export function* checkRun(
  { zones, thresholds: { run_deletes, run_zones } }: GuardContext,
  kind: ChangeKind,
  textOf: (counted: Counted) => string,
  inZones: (counted: Counted) => string,
): Generator<Finding> {
  const counted = zones.map((zone) => countKind(zone, kind)).filter(({ records, settings }) => records + settings > 0);
  const sum = (of: "records" | "settings") => counted.reduce((total, one) => total + one[of], 0);
  const total = {
    records: sum("records"),
    settings: sum("settings"),
    effects: () => counted.flatMap((one) => one.effects()),
  };
  if (total.records + total.settings > run_deletes)
    yield wideFinding(`${textOf(total)} in one run; the limit is ${run_deletes}`, total.effects());
  if (counted.length > run_zones)
    yield wideFinding(`${inZones(total)} in ${counted.length} zones; the limit is ${run_zones}`, total.effects());
}
