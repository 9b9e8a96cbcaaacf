import type { Rule } from "../lookup/rule.ts";
import { fromOctets } from "../name/text.ts";
import { distinct } from "../zone/zone.ts";

export const uriSyntax: Rule = {
  id: "uri-syntax",
  types: ["URI"],
  *check(zone) {
    for (const { owner, records } of zone.sets("URI")) {
      for (const record of distinct(records)) {
        const uri = fromOctets(record.data.target);
        if (/^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(uri)) continue;
        yield {
          summary: `${zone.show(owner)} URI has ${uri === "" ? "no URI" : `"${uri}", which is no URI`}`,
          at: record,
          fix: 'Write an absolute URI, in a form such as "https://example.com/".',
        };
      }
    }
  },
};
