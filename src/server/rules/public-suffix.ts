import { getPublicSuffix } from "tldts";

/**
 * Whether a domain is a suffix below which the public registers names (publicsuffix.org, both sections), such as `co.uk`,
 * `github.io` or `in-addr.arpa`. Its holder would answer for names that others have registered.
 */
export function isPublicSuffix(domain: string): boolean {
  const name = domain.toLowerCase().replace(/^\*\./, "");
  if (!name.includes(".")) return false; // no domain has one label
  return getPublicSuffix(name, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) === name;
}
