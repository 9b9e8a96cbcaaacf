import { type SpfTerm, spfOf } from "../policies/spf.ts";
import type { Rule } from "../rule.ts";

export const spfOpen: Rule = {
  id: "spf-open",
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT", "SPF")) {
      for (const record of records) {
        for (const term of spfOf(record)?.terms ?? []) {
          const fix = adviceFor(term);
          if (fix === undefined) continue;
          const does = fix.startsWith("Write") ? "allows every host to send mail" : "requires reverse lookups";
          yield { summary: `${zone.show(owner)} ${record.type}: the SPF term "${term.text}" ${does}`, at: record, fix };
        }
      }
    }
  },
};

function adviceFor(term: SpfTerm): string | undefined {
  if (term.kind !== "mechanism") return undefined;
  if (term.name === "all" && term.qualifier === "+") return 'Write "-all" or "~all".';
  return term.name === "ptr" ? "List the hosts with ip4, ip6, a or mx instead." : undefined;
}
