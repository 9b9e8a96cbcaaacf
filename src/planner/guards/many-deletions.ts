import { count } from "../../diagnostics/plain.ts";
import {
  type Counted,
  checkRun,
  checkZone,
  runLimit,
  runThresholds,
  zoneLimit,
  zoneThresholds,
} from "../risk/counts.ts";
import type { Guard } from "../risk/guard.ts";

export const manyDeletions: Guard = {
  guard: "G01",
  title: "many deletions",
  about: "many deletions in one zone",
  counts: `Counts the \`-\` in the header of the plan: deleted records, but neither swaps nor records of which an equal one stays. ${zoneLimit}`,
  thresholds: zoneThresholds,
  examples: {
    ok: ["- h{1..3} A 192.0.2.1", "  h{4..5} A 192.0.2.1"],
    ko: {
      lines: ["- h{1..4} A 192.0.2.1", "  h5 A 192.0.2.1"],
      finding: "example.com: deletes 4 of 5 records; the limit is 3",
    },
  },
  *check(zone, context) {
    yield* checkZone(zone, context, "delete", ({ records }, all) => `deletes ${records} of ${all} records`);
  },
};

export const runDeletions: Guard = {
  guard: "G02",
  title: "many deletions in one run",
  about: "many deletions in one run, or in many zones",
  counts: `Counts the \`-\` in the headers of all zones of the plan. ${runLimit}`,
  thresholds: runThresholds,
  examples: {
    ok: ["- h{1..25} A 192.0.2.1", "  h{26..300} A 192.0.2.1"],
    ko: {
      lines: ["- h{1..26} A 192.0.2.1", "  h{27..300} A 192.0.2.1"],
      finding: "this run: deletes 26 records in one run; the limit is 25",
      zone: "*",
    },
  },
  *checkRun(context) {
    const textOf = ({ records }: Counted) => `deletes ${count(records, "record")}`;
    yield* checkRun(context, "delete", textOf, () => "deletes records");
  },
};
