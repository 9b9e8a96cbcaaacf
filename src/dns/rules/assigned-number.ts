import type { Rule } from "../lookup/rule.ts";
import { readField } from "../rdata/record-type.ts";
import { distinct } from "../zone/zone.ts";

/** Fields and their assigned numbers (IANA). TLSA also has 255 for private use. */
const assigned: readonly { type: string; field: string; name: string; numbers: readonly number[] }[] = [
  { type: "DS", field: "digest_type", name: "digest type", numbers: [1, 2, 3, 4, 5, 6] },
  { type: "SSHFP", field: "algorithm", name: "algorithm", numbers: [1, 2, 3, 4, 6] },
  { type: "SSHFP", field: "fingerprint_type", name: "fingerprint type", numbers: [1, 2] },
  ...["TLSA", "SMIMEA"].flatMap((type) => [
    { type, field: "usage", name: "usage", numbers: [0, 1, 2, 3, 255] },
    { type, field: "selector", name: "selector", numbers: [0, 1, 255] },
    { type, field: "matching_type", name: "matching type", numbers: [0, 1, 2, 255] },
  ]),
];

export const assignedNumber: Rule = {
  id: "assigned-number",
  types: assigned.map(({ type }) => type),
  *check(zone) {
    for (const { type, field, name, numbers } of assigned) {
      for (const { owner, records } of zone.sets(type)) {
        for (const record of distinct(records)) {
          const number = Number(readField(record.data, { name: field }));
          if (numbers.includes(number)) continue;
          yield {
            summary: `${zone.show(owner)} ${type} has the ${name} ${number}, which is not assigned`,
            at: record,
            fix: "Copy the record again, or check the order of its numbers.",
          };
        }
      }
    }
  },
};
