import { count } from "../../diagnostics/quantities.ts";
import { type Counted, checkCounts, checkRun, countLimits, countThresholds } from "../risk/counts.ts";
import type { Guard } from "../risk/guard.ts";

/** Many changes in place: a typing error can do as much damage as a deletion. */
export const manyChanges: Guard = {
  guard: "G13",
  formerIdOfRun: "G14",
  title: "many changes",
  about: "changes many records in place in one zone, in one run, or in many zones",
  counts: `Counts the \`~\` in the header of the plan, and in the headers of all zones: settings, and records changed in place, including changes of only the TTL. ${countLimits("changes")}`,
  thresholds: countThresholds,
  ofCatalogs: true,
  examples: {
    valid: ["- h{1..25} A 192.0.2.1", "+ h{1..25} A 192.0.2.2", "  h{26..300} A 192.0.2.1"],
    invalid: {
      lines: ["- h{1..4} A 192.0.2.1", "+ h{1..4} A 192.0.2.2", "  h5 A 192.0.2.1"],
      finding: "example.com: changes 4 of 5 records in place; the limit is 3",
    },
    invalidOfRun: {
      lines: ["- h{1..26} A 192.0.2.1", "+ h{1..26} A 192.0.2.2", "  h{27..300} A 192.0.2.1"],
      finding: "this run: changes 26 records in place in one run; the limit is 25",
      zone: "*",
    },
  },
  *check(zone, context) {
    yield* checkCounts(zone, context, "change", ({ records, settings }, all) =>
      changesText(records > 0 ? `${records} of ${all} records` : "", settings),
    );
  },
  *checkRun(context) {
    const textOf = ({ records, settings }: Counted) =>
      changesText(records > 0 ? count(records, "record") : "", settings);
    const inZones = ({ records, settings }: Counted) =>
      `changes ${[records > 0 ? "records" : "", settings > 0 ? "settings" : ""].filter(Boolean).join(" and ")} in place`;
    yield* checkRun(context, "change", textOf, inZones);
  },
};

function changesText(records: string, settings: number): string {
  const all = [records, settings > 0 ? count(settings, "setting") : ""].filter((text) => text !== "");
  return `changes ${all.join(" and ")} in place`;
}
