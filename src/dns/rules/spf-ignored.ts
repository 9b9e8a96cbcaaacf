import type { Rule } from "../lookup/rule.ts";
import { checkSpf, type SpfFault } from "../policies/check-spf.ts";
import type { SpfPolicy } from "../policies/spf.ts";

/** Terms that receivers do not read. */
export const spfIgnored: Rule = {
  id: "spf-ignored",
  types: ["TXT"],
  check: (zone) => checkSpf(zone, ignoredTerm),
};

function ignoredTerm({ terms }: SpfPolicy): SpfFault | undefined {
  const all = terms.findIndex((term) => term.kind === "mechanism" && term.name === "all");
  if (all === -1) return undefined;
  const ignored = terms.find(
    (term, index) =>
      (term.kind === "mechanism" && index > all) || (term.kind === "modifier" && term.name === "redirect"),
  );
  return ignored
    ? [
        `the SPF term "${ignored.text}" is ignored because of "${terms[all]?.text}"`,
        'Move it before "all", or remove it.',
      ]
    : undefined;
}
