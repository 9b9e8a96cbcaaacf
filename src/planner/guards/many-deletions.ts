import { count } from "../../diagnostics/quantities.ts";
import { checkCounts, checkRun, countLimits, countThresholds } from "../risk/counts.ts";
import type { Guard } from "../risk/guard.ts";

export const manyDeletions: Guard = {
  guard: "G01",
  formerIdOfRun: "G02",
  title: "many deletions",
  about: "deletes many records in one zone, in one run, or in many zones",
  counts: `Counts the \`-\` in the header of the plan, and in the headers of all zones: deleted records, but neither swaps nor records of which an equal one stays. ${countLimits("deletions")}`,
  thresholds: countThresholds,
  ofCatalogs: true,
  examples: {
    valid: ["- h{1..25} A 192.0.2.1", "  h{26..300} A 192.0.2.1"],
    invalid: {
      lines: ["- h{1..4} A 192.0.2.1", "  h5 A 192.0.2.1"],
      finding: "example.com: deletes 4 of 5 records; the limit is 3",
    },
    invalidOfRun: {
      lines: ["- h{1..26} A 192.0.2.1", "  h{27..300} A 192.0.2.1"],
      finding: "this run: deletes 26 records in one run; the limit is 25",
      zone: "*",
    },
  },
  *check(zone, context) {
    yield* checkCounts(zone, context, "delete", ({ records }, all) => `deletes ${records} of ${all} records`);
  },
  *checkRun(context) {
    yield* checkRun(
      context,
      "delete",
      ({ records }) => `deletes ${count(records, "record")}`,
      () => "deletes records",
    );
  },
};
