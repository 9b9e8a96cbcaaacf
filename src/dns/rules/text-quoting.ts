import type { Rule } from "../lookup/rule.ts";
import { hasForeignQuoting, straightPolicy, txtText } from "../policies/kind.ts";

export const textQuoting: Rule = {
  id: "text-quoting",
  types: ["TXT"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const text = txtText(record);
        if (!hasForeignQuoting(text) || straightPolicy(record) !== undefined) continue;
        yield {
          summary: `${zone.show(owner)} TXT has ${text.startsWith('"') ? "quotes around its text" : "backslashes before semicolons"}`,
          at: record,
          fix: "Remove them.",
        };
      }
    }
  },
};
