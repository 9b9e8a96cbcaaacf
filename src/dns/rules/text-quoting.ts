import { textOf } from "../policies/kind.ts";
import type { Rule } from "../rule.ts";

export const textQuoting: Rule = {
  id: "text-quoting",
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const text = textOf(record);
        const isQuoted = /^".*"$/s.test(text);
        if (!isQuoted && !text.includes("\\;")) continue;
        yield {
          summary: `${zone.show(owner)} TXT has ${isQuoted ? "quotes around its text" : "backslashes before semicolons"}`,
          at: record,
          fix: "Remove them.",
        };
      }
    }
  },
};
