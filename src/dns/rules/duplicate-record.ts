import type { Rule } from "../lookup/rule.ts";
import { canonical } from "../zone/zone.ts";

export const duplicateRecord: Rule = {
  id: "duplicate-record",
  *check(zone) {
    for (const types of zone.owners.values()) {
      for (const { owner, type, records } of types.values()) {
        if (records.length === 1) continue;
        const seen = new Set<string>();
        for (const record of records) {
          const value = canonical(record);
          if (seen.has(value)) {
            yield {
              summary: `${zone.show(owner)} ${type} ${value} is listed twice`,
              at: record,
              fix: "Remove one of them.",
            };
          }
          seen.add(value);
        }
      }
    }
  },
};
