import { expect, test } from "vitest";
import { intendedKind, policyKind, txtText } from "../../../src/dns/policies/kind.ts";

/**
 * The kind that receivers see, and the one that was meant, by RFC 7208 §4.5, 7489 §6.4, 8461 §3.1, 8460 §3, 6376
 * §3.6.1.
 */
test.each<[string, string | undefined, string | undefined]>([
  ["v=spf1", "SPF", "SPF"],
  ["V=SPF1 -all", "SPF", "SPF"],
  ["v=spf1\t-all", undefined, "SPF"],
  [" v=spf1 -all", undefined, "SPF"],
  ["v=spf10 -all", undefined, undefined],
  ["v=spf1;-all", undefined, "SPF"],
  ["v=DMARC1; p=none", "DMARC", "DMARC"],
  ["v = DMARC1 ;p=none", "DMARC", "DMARC"],
  ["v=DMARC1", "DMARC", "DMARC"],
  ["v=dmarc1; p=none", undefined, "DMARC"],
  ["v=DMARC1 p=none", undefined, "DMARC"],
  ["v=DMARC12; p=none", undefined, undefined],
  ["p=none; v=DMARC1", undefined, undefined],
  ["v=STSv1; id=1", "MTA-STS", "MTA-STS"],
  ["v=stsv1; id=1", undefined, "MTA-STS"],
  ["v=TLSRPTv1; rua=mailto:a@example.com", "TLSRPT", "TLSRPT"],
  ["v=tlsrptv1;", undefined, "TLSRPT"],
  ["v=BIMI1; l=https://example.com/a.svg", "BIMI", "BIMI"],
  ["v=DKIM1; p=AAAA", "DKIM", "DKIM"],
  [" v = DKIM1; p=AAAA", "DKIM", "DKIM"],
  ["v=dkim1; p=AAAA", undefined, "DKIM"],
  ["", undefined, undefined],
  ["google-site-verification=v=spf1", undefined, undefined],
])("%j", (text, seen, meant) => {
  expect([policyKind(text), intendedKind(text)]).toEqual([seen, meant]);
});

test("joins strings without a blank", () => {
  expect(txtText({ data: { strings: ["v=spf1 mx", "-all"] } })).toBe("v=spf1 mx-all");
});
