import type { Rule } from "../lookup/rule.ts";
import { type Mechanism, type SpfTerm, spfOf } from "../policies/spf.ts";

export const spfOpen: Rule = {
  id: "spf-open",
  types: ["TXT", "SPF"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT", "SPF")) {
      for (const record of records) {
        for (const term of spfOf(record)?.terms ?? []) {
          const fix = adviceFor(term);
          if (fix === undefined) continue;
          const does = term.kind === "mechanism" && term.name === "ptr" ? "requires reverse lookups" : effectOf(term);
          yield { summary: `${zone.show(owner)} ${record.type}: the SPF term "${term.text}" ${does}`, at: record, fix };
        }
      }
    }
  },
};

/** The shortest prefixes that one owner may have, by the largest allocations. */
const shortest = { prefix4: 8, prefix6: 19 };

/** Whether a mechanism passes mail from whole parts of the internet. */
function isHuge({ name, qualifier, prefix4 = 32, prefix6 = 128 }: Mechanism): boolean {
  const hasAddresses = name === "ip4" || name === "ip6" || name === "a" || name === "mx";
  return hasAddresses && qualifier !== "-" && (prefix4 < shortest.prefix4 || prefix6 < shortest.prefix6);
}

function effectOf(term: SpfTerm): string {
  const isAll = term.kind === "mechanism" && (term.name === "all" || term.prefix4 === 0 || term.prefix6 === 0);
  return isAll ? "allows every host to send mail" : "allows the hosts of many networks to send mail";
}

function adviceFor(term: SpfTerm): string | undefined {
  if (term.kind !== "mechanism") return undefined;
  if (term.name === "all" && term.qualifier === "+") return 'Write "-all" or "~all".';
  if (isHuge(term)) return "List the networks of your own mail servers alone.";
  return term.name === "ptr" ? "List the hosts with ip4, ip6, a or mx instead." : undefined;
}
