import { count } from "../../diagnostics/plain.ts";
import { checkRun, checkZone, runThresholds, zoneLimit, zoneThresholds } from "../risk/counts.ts";
import type { Guard } from "../risk/guard.ts";

export const manySwaps: Guard = {
  guard: "G34",
  title: "many swaps",
  about: "many swaps in one zone, in one run, or in many zones",
  counts: `Counts the \`⇄\` in the header of the plan, and in the headers of all zones. ${zoneLimit} For all zones together, the limits are \`run_deletes\` swaps, and \`run_zones\` zones with swaps.`,
  thresholds: [...zoneThresholds, ...runThresholds],
  examples: {
    ok: ["- h{1..3} A 192.0.2.1", "+ h{1..3} CNAME x.example.net.", "  h{4..5} A 192.0.2.1"],
    ko: {
      lines: ["- h{1..4} A 192.0.2.1", "+ h{1..4} CNAME x.example.net.", "  h5 A 192.0.2.1"],
      finding: "example.com: swaps 4 of 5 records; the limit is 3",
    },
  },
  *check(zone, context) {
    yield* checkZone(zone, context, "swap", ({ records }, all) => `swaps ${records} of ${all} records`);
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
