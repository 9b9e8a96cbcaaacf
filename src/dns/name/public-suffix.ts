import { suffixList } from "../../lazy-packages.ts";
import { asName, type Name, type NameKey, nameKey } from "./name.ts";

/** Both sections of the list of publicsuffix.org; names are taken as they are. */
const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/**
 * Whether a domain is a suffix below which the public registers names (publicsuffix.org), such as `co.uk`, `github.io`
 * or `in-addr.arpa`. Its owner would answer for names that others have registered.
 */
export function isPublicSuffix(domain: string): boolean {
  const name = domain.toLowerCase().replace(/^\*\./, "");
  if (!name.includes(".")) return false; // no domain has one label
  return suffixList().getPublicSuffix(name, options) === name;
}

/** Whether a name ends in a top-level domain or another suffix of the list, and not in just any label. */
export function endsInSuffix(name: string): boolean {
  const { isIcann, isPrivate } = suffixList().parse(name.toLowerCase(), options);
  return isIcann === true || isPrivate === true;
}

/** The registered domain that a name belongs to (RFC 7489 §3.2); undefined for a public suffix. */
export function organizationalDomain(name: Name): NameKey | undefined {
  const domain = suffixList().getDomain(nameKey(name).replace(/\.$/, ""), options);
  return domain === null ? undefined : nameKey(asName(`${domain}.`));
}
