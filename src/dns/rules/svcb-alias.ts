import type { Rule } from "../lookup/rule.ts";
import { nameKey } from "../name/name.ts";
import { distinct } from "../zone/zone.ts";

/** The faults of records in alias mode, with the priority 0 (RFC 9460 §2.4.2). */
export const svcbAlias: Rule = {
  id: "svcb-alias",
  types: ["SVCB", "HTTPS"],
  *check(zone) {
    for (const { owner, type, records } of zone.sets("SVCB", "HTTPS")) {
      const aliases = distinct(records).filter(({ data }) => data.priority === 0);
      const about = `${zone.show(owner)} ${type}`;
      for (const record of aliases) {
        if (record.data.params.length > 0)
          yield {
            summary: `${about} is an alias with parameters, which clients ignore`,
            at: record,
            fix: "Remove the parameters, or write the priority 1.",
          };
        if (nameKey(record.data.target) === owner)
          yield { summary: `${about} is an alias of its own name`, at: record, fix: "Name the host of the service." };
      }
      const [first, second] = aliases;
      if (first && records.some(({ data }) => data.priority !== 0))
        yield {
          summary: `${about} is an alias beside other records, which clients ignore`,
          at: first,
          fix: "Keep either the alias or the others.",
        };
      else if (second) yield { summary: `${about} is more than one alias`, at: second, fix: "Keep one of them." };
    }
  },
};
