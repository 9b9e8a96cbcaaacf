import { asName, type NameKey, nameKey } from "../name/name.ts";
import { organizationalDomain } from "../name/public-suffix.ts";
import { listOf, oneOf, type TagPolicy, type TagRule, uris } from "./tag-rules.ts";
import { parseTags, valuesOf } from "./tags.ts";

const disposition: TagRule = { ...oneOf("none", "quarantine", "reject"), isVoid: () => true };
const reports = uris("mailto", "https", "http");

/** RFC 9989 §4.7. Older receivers also read pct, rf and ri (RFC 7489 §6.3). */
export const dmarc: TagPolicy = {
  name: "DMARC",
  version: "DMARC1",
  isAt: ([first]) => first === "_dmarc",
  // Receivers apply "none" if the policy asks for reports (RFC 9989 §4.10.1).
  isVoidWithout: (tags) => !tags.some(({ name, value }) => name === "rua" && reports.fits(value)),
  tags: {
    p: { ...disposition, isRequired: true },
    sp: disposition,
    np: disposition,
    pct: { fits: (value) => /^\d{1,3}$/.test(value) && Number(value) <= 100, form: "a number from 0 to 100" },
    adkim: oneOf("r", "s"),
    aspf: oneOf("r", "s"),
    fo: listOf("0", "1", "d", "s"),
    rf: listOf("afrf"),
    ri: { fits: (value) => /^\d{1,10}$/.test(value), form: "a number of seconds" },
    rua: reports,
    ruf: reports,
    psd: oneOf("y", "n", "u"),
    t: oneOf("y", "n"),
  },
};

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
