import type { AcrossRule } from "../rule.ts";
import { targets } from "../zone.ts";

export const targetElsewhere: AcrossRule = {
  id: "target-elsewhere",
  *check(zone, zones) {
    const mistyped = new Set(zone.zone.dotlessTargets.map(({ name }) => name));
    for (const record of zone.zone.records) {
      for (const target of targets(record)) {
        const other = zones.of(target);
        if (!other || other === zone || mistyped.has(target) || other.answers(target)) continue;
        yield {
          summary: `${zone.show(record.owner)} ${record.type} points to "${target}", which does not exist in the zone "${other.zone.name}"`,
          at: record,
          fix: `Add "${other.show(target)}" to "${other.zone.file ?? other.zone.name}", or change the target.`,
        };
      }
    }
  },
};
