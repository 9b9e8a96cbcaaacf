import type { ZoneRecord } from "../zone.ts";

export type PolicyKind = "SPF" | "DMARC" | "MTA-STS" | "TLSRPT" | "BIMI" | "DKIM";

/**
 * The beginning of each policy text. All start with `v=`, which is optional in DKIM keys (RFC 6376 §3.6.1). SPF alone
 * ignores case (RFC 7208 §12); the others are compared octet by octet (RFC 7489 §6.4, RFC 8461 §3.1, RFC 8460 §3).
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

/** Like `policyKind`, but ignores case and blanks: the kind that the author intended. */
export function intendedKind(text: string): PolicyKind | undefined {
  const word = /^\s*v\s*=\s*(spf1|dmarc1|stsv1|tlsrptv1|bimi1|dkim1)(?:[\s;]|$)/i.exec(text)?.[1]?.toLowerCase();
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

/** True for a text with the quotes or escaped semicolons of another file format, which `text-quoting` reports. */
export function hasForeignQuoting(text: string): boolean {
  return /^".*"$/s.test(text) || text.includes("\\;");
}

/** The text of a TXT record: its strings joined without a blank (RFC 7208 §3.3, RFC 6376 §3.6.2.2), as octets. */
export function textOf({ data }: Pick<ZoneRecord<"TXT">, "data">): string {
  return data.strings.join("");
}
