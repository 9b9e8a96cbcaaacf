import { count } from "../../diagnostics/quantities.ts";
import { isServed } from "../changes/change.ts";
import { countKind, limitOf } from "../risk/counts.ts";
import { countAll, type Guard, wideFinding } from "../risk/guard.ts";

/** The first fill of a zone, as after an import, is not blocked: the zone is empty or not yet served. */
export const manyCreates: Guard = {
  guard: "G33",
  title: "many creates",
  about: "creates many records in one zone that is served and has records",
  counts:
    "Counts the `+` in the header of the plan. The limit is `zone_creates_least`, or `zone_creates_percent` of the records in the zone if that is more, but then at most `zone_creates_most`. There is no limit for a zone that is new, empty or not served yet.",
  thresholds: ["zone_creates_least", "zone_creates_percent", "zone_creates_most"],
  examples: {
    valid: ["  h{1..4} A 192.0.2.1", "+ n{1..25} A 192.0.2.1"],
    invalid: {
      lines: ["  h{1..4} A 192.0.2.1", "+ n{1..26} A 192.0.2.1"],
      finding: "example.com: creates 26 records in a zone of 4; the limit is 25",
    },
  },
  *check(zone, { thresholds }) {
    const all = countAll(zone.before);
    if (all === 0 || !isServed(zone.plan).before) return;
    const { zone_creates_least: least, zone_creates_percent: percent, zone_creates_most: most } = thresholds;
    const { records, effects } = countKind(zone, "create");
    const limit = limitOf(all, least, percent, most);
    if (records > limit)
      yield wideFinding(`creates ${count(records, "record")} in a zone of ${all}; the limit is ${limit}`, effects());
  },
};
