import { labels, type Name, nameKey } from "../name/name.ts";
import { findTypography, replaceTypography, straighten } from "../name/straight-text.ts";
import { fromOctets } from "../name/text.ts";
import type { ZoneRecord } from "../zone/zone.ts";

export type PolicyKind = "SPF" | "DMARC" | "MTA-STS" | "TLSRPT" | "BIMI" | "DKIM";

/**
 * The beginning of each policy text. All start with `v=`, which is optional in DKIM keys (RFC 6376 §3.6.1). SPF alone
 * ignores case (RFC 7208 §12); the others are compared octet by octet (RFC 9989 §4.8, RFC 8461 §3.1, RFC 8460 §3).
 */
const starts: readonly (readonly [PolicyKind, RegExp])[] = [
  ["SPF", /^v=spf1(?: |$)/i],
  ["DMARC", /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/],
  ["MTA-STS", /^v=STSv1[ \t]*(?:;|$)/],
  ["TLSRPT", /^v=TLSRPTv1[ \t]*(?:;|$)/],
  ["BIMI", /^v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/],
  ["DKIM", /^[ \t]*v[ \t]*=[ \t]*DKIM1[ \t]*(?:;|$)/],
];

/** The kind of policy, by the first words of the text. */
export function policyKind(text: string): PolicyKind | undefined {
  return starts.find(([, start]) => start.test(text))?.[0];
}

/** Like `policyKind`, but ignores case, blanks and typography: the kind that the author intended. */
export function intendedKind(text: string): PolicyKind | undefined {
  const start = /^\s*v\s*=\s*(spf1|dmarc1|stsv1|tlsrptv1|bimi1|dkim1)(?:[\s;]|$)/i;
  const word = start.exec(straighten(text))?.[1]?.toLowerCase();
  return word === undefined ? undefined : intended[word];
}

const intended: Readonly<Record<string, PolicyKind>> = {
  spf1: "SPF",
  dmarc1: "DMARC",
  stsv1: "MTA-STS",
  tlsrptv1: "TLSRPT",
  bimi1: "BIMI",
  dkim1: "DKIM",
};

/**
 * The plain form of a policy in typographic characters, with which receivers do not recognise it; undefined for any
 * other text.
 */
export function straightPolicy({ owner, data }: PolicyRecord): string | undefined {
  const { strings } = data;
  const text = fromOctets(txtText({ data }));
  if (findTypography(text) === undefined) return undefined;
  const straight = straightForm(owner, text);
  if (straight === undefined || intendedKind(straight) !== "SPF") return straight;
  const spaced = strings.map((string, index) => (isSpaceLost(strings[index - 1], string) ? ` ${string}` : string));
  return straightForm(owner, fromOctets(spaced.join("")));
}

/**
 * The plain form of a text at a name if it is a policy, without the backslashes of other file formats. A DKIM key needs
 * no version, so it is one by its owner.
 */
export function straightForm(owner: Name, text: string): string | undefined {
  const straight = straighten(text).replaceAll("\\;", ";");
  const isKey = isKeyOwner(labels(nameKey(owner))) && /(?:^|;)\s*p\s*=/.test(straight);
  return isKey || intendedKind(straight) !== undefined ? straight : undefined;
}

/**
 * Whether a name, in labels of lower case, is that of a DKIM key: a selector may have several labels (RFC 6376 §3.1).
 * `_adsp._domainkey` and `_domainkey` itself have other purposes (RFC 5617, RFC 4870).
 */
export function isKeyOwner([first = "", ...others]: readonly string[]): boolean {
  return others.includes("_domainkey") && !first.startsWith("_");
}

const spfTerm = /^[-+~?]?(?:(?:include|ip4|ip6|exists):|(?:redirect|exp)=|(?:all|a|mx|ptr)(?=[\s:/]|$))/i;

/** Whether a string begins with a term of SPF that runs into the string before: no space joins them (RFC 7208 §3.3). */
export function isSpaceLost(before: string | undefined, text: string): boolean {
  if (before === undefined || before === "" || before.length >= 255) return false;
  return !replaceTypography(fromOctets(before)).endsWith(" ") && spfTerm.test(straighten(fromOctets(text)));
}

/** The text of a policy as its author means it, in characters instead of octets. */
export function meantText(record: PolicyRecord): string {
  return straightPolicy(record) ?? fromOctets(txtText(record));
}

/** A TXT or SPF record. */
type PolicyRecord = Pick<ZoneRecord<"TXT">, "owner" | "data">;

/** True for a text with the quotes or escaped semicolons of another file format, which `text-quoting` reports. */
export function hasForeignQuoting(text: string): boolean {
  return /^".*"$/s.test(text) || text.includes("\\;");
}

/** The text of a TXT record: its strings joined without a blank (RFC 7208 §3.3, RFC 6376 §3.6.2.2), as octets. */
export function txtText({ data }: Pick<ZoneRecord<"TXT">, "data">): string {
  return data.strings.join("");
}
