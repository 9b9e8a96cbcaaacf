import { count } from "../../diagnostics/quantities.ts";
import { checkCounts, checkRun, countLimits, countThresholds } from "../risk/counts.ts";
import type { Guard } from "../risk/guard.ts";

export const manySwaps: Guard = {
  guard: "G34",
  title: "many swaps",
  about: "swaps many records in one zone, in one run, or in many zones",
  counts: `Counts the \`⇄\` in the header of the plan, and in the headers of all zones. ${countLimits("swaps")}`,
  thresholds: countThresholds,
  examples: {
    valid: ["- h{1..25} A 192.0.2.1", "+ h{1..25} CNAME x.example.net.", "  h{26..300} A 192.0.2.1"],
    invalid: {
      lines: ["- h{1..4} A 192.0.2.1", "+ h{1..4} CNAME x.example.net.", "  h5 A 192.0.2.1"],
      finding: "example.com: swaps 4 of 5 records; the limit is 3",
    },
    invalidOfRun: {
      lines: ["- h{1..26} A 192.0.2.1", "+ h{1..26} CNAME x.example.net.", "  h{27..300} A 192.0.2.1"],
      finding: "this run: swaps 26 records in one run; the limit is 25",
      zone: "*",
    },
  },
  *check(zone, context) {
    yield* checkCounts(zone, context, "swap", ({ records }, all) => `swaps ${records} of ${all} records`);
  },
  *checkRun(context) {
    yield* checkRun(
      context,
      "swap",
      ({ records }) => `swaps ${count(records, "record")}`,
      () => "swaps records",
    );
  },
};
