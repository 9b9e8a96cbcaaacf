import type { Rule } from "../lookup/rule.ts";
import { findTypography } from "../name/straight-text.ts";
import { fromOctets, splitText, toOctets } from "../name/text.ts";
import { intendedKind, straightPolicy, txtText } from "../policies/kind.ts";
import { quote } from "../rdata/field.ts";

export const textTypography: Rule = {
  id: "text-typography",
  types: ["TXT", "SPF"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT", "SPF")) {
      for (const record of records) {
        const straight = straightPolicy(record);
        if (straight === undefined) continue;
        const kind = intendedKind(straight) ?? "DKIM";
        const found = findTypography(fromOctets(txtText(record)));
        const form =
          zone.zone.fileFormat === "bind" ? splitText(toOctets(straight)).map(quote).join(" ") : `"${straight}"`;
        yield {
          summary: `${zone.show(owner)} ${record.type}: the ${kind} record contains ${found}`,
          at: record,
          fix: `Write ${form}.`,
        };
      }
    }
  },
};
