import { asName, type NameKey, nameKey } from "../name.ts";
import { organizationalDomain } from "../public-suffix.ts";
import { parseTags, valuesOf } from "./tags.ts";

/** The domains other than its own to which the DMARC policy of a domain sends reports (RFC 9990 §4). */
export function reportHosts(text: string, domain: NameKey): readonly NameKey[] {
  const list = parseTags(text);
  const hosts = ["rua", "ruf"]
    .flatMap((tag) => valuesOf(list, tag))
    .flatMap((value) => value.split(","))
    .flatMap((uri) => /^\s*mailto:[^!?]*@([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?\s*(?:[!?]|$)/i.exec(uri)?.[1] ?? []);
  return [...new Set(hosts.map((host) => nameKey(asName(`${host}.`))))].filter(
    (host) => ownerOf(host) !== ownerOf(domain),
  );
}

/** The organizational domain of a name; for a public suffix, the name itself. */
function ownerOf(name: NameKey): NameKey {
  return organizationalDomain(name) ?? name;
}
