import { count as plural } from "../../diagnostics/plain.ts";
import { type ChangeKind, isServed, type RecordChange } from "../changes/change.ts";
import { type Effect, recordEffect } from "../changes/effects.ts";
import { countAll, type Finding, type Guard, type RunContext, wideFinding, type ZoneChange } from "./guard.ts";

/** Changes of one kind, as many as the header of the plan shows. */
interface Counted {
  readonly records: number;
  readonly settings: number;
  readonly effects: () => Effect[];
}

/**
 * Counts the changes of a zone by the signs of the header: `+`, `~`, `⇄` and `-`. A swap is one change. The line of a
 * new or deleted zone is not counted.
 */
function countKind(zone: ZoneChange, kind: ChangeKind): Counted {
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
function limitOf(all: number, least: number, percent: number, most: number): number {
  return Math.max(least, Math.min(Math.floor((all * percent) / 100), most));
}

/** Blocks more changes of a kind than the thresholds for deletions allow in a zone. */
function* checkZone(
  zone: ZoneChange,
  { thresholds }: RunContext,
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
function* checkRun(
  { zones, thresholds: { run_deletes, run_zones } }: RunContext,
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

export const zoneDeletions: Guard = {
  guard: "G01",
  title: "many deletions",
  about: "many deletions in one zone",
  *check(zone, context) {
    yield* checkZone(zone, context, "delete", ({ records }, all) => `deletes ${records} of ${all} records`);
  },
};

export const runDeletions: Guard = {
  guard: "G02",
  title: "many deletions in one run",
  about: "many deletions in one run, or in many zones",
  *checkRun(context) {
    const textOf = ({ records }: Counted) => `deletes ${plural(records, "record")}`;
    yield* checkRun(context, "delete", textOf, () => "deletes records");
  },
};

/** Many changes in place: a typing error can do as much damage as a deletion. */
export const zoneChanges: Guard = {
  guard: "G13",
  title: "many changes",
  about: "many changes in place in one zone",
  *check(zone, context) {
    yield* checkZone(zone, context, "change", ({ records, settings }, all) =>
      changesText(records > 0 ? `${records} of ${all} records` : "", settings),
    );
  },
};

export const runChanges: Guard = {
  guard: "G14",
  title: "many changes in one run",
  about: "many changes in place in one run, or in many zones",
  *checkRun(context) {
    const textOf = ({ records, settings }: Counted) =>
      changesText(records > 0 ? plural(records, "record") : "", settings);
    const inZones = ({ records, settings }: Counted) =>
      `changes ${[records > 0 ? "records" : "", settings > 0 ? "settings" : ""].filter(Boolean).join(" and ")} in place`;
    yield* checkRun(context, "change", textOf, inZones);
  },
};

function changesText(records: string, settings: number): string {
  const all = [records, settings > 0 ? plural(settings, "setting") : ""].filter((text) => text !== "");
  return `changes ${all.join(" and ")} in place`;
}

/** The first fill of a zone, as after an import, is not blocked: the zone is empty or not yet served. */
export const zoneCreates: Guard = {
  guard: "G33",
  title: "many creates",
  about: "many records are created in one zone that is served and has records",
  *check(zone, { thresholds }) {
    const all = countAll(zone.before);
    if (all === 0 || !isServed(zone.plan).before) return;
    const { zone_creates_least: least, zone_creates_percent: percent, zone_creates_most: most } = thresholds;
    const { records, effects } = countKind(zone, "create");
    const limit = limitOf(all, least, percent, most);
    if (records > limit)
      yield wideFinding(`creates ${plural(records, "record")} in a zone of ${all}; the limit is ${limit}`, effects());
  },
};

export const swaps: Guard = {
  guard: "G34",
  title: "many swaps",
  about: "many swaps in one zone, in one run, or in many zones",
  *check(zone, context) {
    yield* checkZone(zone, context, "swap", ({ records }, all) => `swaps ${records} of ${all} records`);
  },
  *checkRun(context) {
    yield* checkRun(
      context,
      "swap",
      ({ records }) => `swaps ${plural(records, "record")}`,
      () => "swaps records",
    );
  },
};
