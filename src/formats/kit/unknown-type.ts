import { nearest } from "../../diagnostics/nearest.ts";
import { suggestedTypes } from "../../dns/types/index.ts";

const addressesOfTarget =
  "Some DNS providers answer such a record with the addresses of its target. Write the A and AAAA records of the target here, or a CNAME below the apex.";
const webServer = "A redirect is the work of a web server: write the A and AAAA records of one here.";

/** Types that control panels offer and DNS does not have, and what to write instead. */
const providerTypes: Readonly<Record<string, string>> = {
  ANAME: addressesOfTarget,
  FLATTEN: addressesOfTarget,
  R53_ALIAS: addressesOfTarget,
  FORWARD: webServer,
  FRAME: webServer,
  REDIRECT: webServer,
  URL: webServer,
  URL301: webServer,
  WEB: webServer,
};

/** The fix for a word that is not a record type. */
export function unknownTypeFix(word: string): string | undefined {
  const provided = providerTypes[word.toUpperCase()];
  if (provided !== undefined) return provided;
  if (/^A{2,}$/i.test(word)) return 'Did you mean "A" or "AAAA"?';
  const known = nearest(word, suggestedTypes);
  return known && `Did you mean "${known}"?`;
}
