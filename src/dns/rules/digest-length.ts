import { count } from "../../diagnostics/quantities.ts";
import type { Rule } from "../lookup/rule.ts";
import { readField } from "../rdata/record-type.ts";
import { recordTypes } from "../types/index.ts";

const digests = recordTypes.flatMap(({ type, fields }) =>
  fields.flatMap((field) => (field.digestOf ? [{ type, field, ...field.digestOf }] : [])),
);

export const digestLength: Rule = {
  id: "digest-length",
  types: digests.map(({ type }) => type),
  *check(zone) {
    for (const { type, field, algorithm, octets } of digests) {
      for (const { owner, records } of zone.sets(type)) {
        for (const record of records) {
          const expected = octets[Number(readField(record.data, { name: algorithm }))];
          const length = String(readField(record.data, field)).length / 2;
          if (expected === undefined || length === expected) continue;
          yield {
            summary: `${zone.show(owner)} ${type}: the ${field.name} has ${count(length, "octet")} instead of ${expected}`,
            at: record,
            fix: "Copy the complete value again.",
          };
        }
      }
    }
  },
};
