import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSpf, type SpfTerm } from "../../../src/dns/policies/spf.ts";

/** By hand from RFC 7208 §4.6.1, §5, §6, §7.1 and §12: a term as it is read, or `!problem` and what it starts like. */
describe("SPF terms", () => {
  test.each<[string, string]>([
    ["all", "+all"],
    ["-ALL", "-all"],
    ["~all", "~all"],
    ["?all", "?all"],
    ["all:x.example", "!unexpected-value all"],
    ["all/8", "!unexpected-value all"],
    ["--all", "!unknown undefined"],
    ["-all.", "!unknown all"],
    ["mx-all", "!unknown mx"],
    ["include:_spf.example.net", "+include _spf.example.net"],
    ["Include:_SPF.Example.net.", "+include _SPF.Example.net."],
    ["include", "!no-value include"],
    ["include:", "!no-value include"],
    ["include:localhost", "!domain include"],
    ["include:192.0.2.1", "!domain include"],
    ["include:x.example/24", "!domain include"],
    ["include=x.example", "!unexpected-value include"],
    ["-include:x.123a", "-include x.123a"],
    ["include:x.a-b", "+include x.a-b"],
    ["include:x.-b", "!domain include"],
    ["a", "+a"],
    ["a/24", "+a /24"],
    ["a//64", "+a //64"],
    ["a/24//64", "+a /24 //64"],
    ["a:x.example/0", "+a x.example /0"],
    ["a/33", "!prefix a"],
    ["a/08", "!prefix a"],
    ["a//129", "!prefix a"],
    ["a/", "!prefix a"],
    ["a:", "!no-value a"],
    ["a/24/64", "!prefix a"],
    ["mx:%{d2}", "+mx %{d2}"],
    ["mx:%{d}.example/24", "+mx %{d}.example /24"],
    ["mx:%{i/}.example.net", "+mx %{i/}.example.net"],
    ["ptr", "+ptr"],
    ["?ptr:example.com", "?ptr example.com"],
    ["ptr/24", "!unexpected-value ptr"],
    ["ip4:192.0.2.1", "+ip4 192.0.2.1"],
    ["ip4:192.0.2.0/24", "+ip4 192.0.2.0 /24"],
    ["ip4:0.0.0.0/0", "+ip4 0.0.0.0 /0"],
    ["ip4", "!no-value ip4"],
    ["ip4:192.0.2", "!address ip4"],
    ["ip4:192.0.02.1", "!address ip4"],
    ["ip4:2001:db8::1", "!address ip4"],
    ["ip4:192.0.2.0/33", "!prefix ip4"],
    ["ip4:192.0.2.0/", "!prefix ip4"],
    ["ip4:192.0.2.0//24", "!prefix ip4"],
    ["ip4=192.0.2.1", "!unexpected-value ip4"],
    ["ip6:2001:DB8::/32", "+ip6 2001:DB8:: //32"],
    ["ip6:::1", "+ip6 ::1"],
    ["ip6:2001:db8::/129", "!prefix ip6"],
    ["ip6:192.0.2.1", "!address ip6"],
    ["exists:%{ir}.%{v}._spf.%{d2}", "+exists %{ir}.%{v}._spf.%{d2}"],
    ["exists:%{x}.example.net", "!domain exists"],
    ["exists:%example.net", "!domain exists"],
    ["exists", "!no-value exists"],
    ["redirect=_spf.example.net", "redirect=_spf.example.net"],
    ["REDIRECT=_spf.example.net", "redirect=_spf.example.net"],
    ["redirect=", "!no-value redirect"],
    ["redirect:_spf.example.net", "!unknown redirect"],
    ["-redirect=_spf.example.net", "!unknown redirect"],
    ["exp=explain._spf.%{d}", "exp=explain._spf.%{d}"],
    ["x-thing=%%ok", "x-thing=%%ok"],
    ["x=%bad", "!domain x"],
    ["x=", "x="],
    ["1x=2", "!unknown undefined"],
    ["ipv4:192.0.2.1", "!unknown undefined"],
    ["192.0.2.1", "!unknown undefined"],
    ["-", "!unknown undefined"],
    ["v=spf1", "v=spf1"],
    ["mx\t-all", "!octet mx"],
    ["a:b\u00fccher.example", "!octet a"],
  ])("%j is %s", (term, expected) => {
    expect(parseSpf(`v=spf1 ${term}`)?.terms.map(written)).toEqual([expected]);
  });
});

function written(term: SpfTerm): string {
  if (term.kind === "malformed") return `!${term.problem} ${term.name}`;
  if (term.kind === "modifier") return `${term.name}=${term.value}`;
  const { qualifier, name, value, prefix4, prefix6 } = term;
  const parts = [
    value,
    prefix4 === undefined ? prefix4 : `/${prefix4}`,
    prefix6 === undefined ? prefix6 : `//${prefix6}`,
  ];
  return [`${qualifier}${name}`, ...parts.filter((part) => part !== undefined)].join(" ");
}

test.each(["", "spf1", "v=spf10", "v=spf1\t-all", " v=spf1 -all", "v=spf2.0/pra", "v=DMARC1"])(
  "%j is not SPF",
  (text) => {
    expect(parseSpf(text)).toBeUndefined();
  },
);

test("any number of spaces separates terms", () => {
  expect(parseSpf("V=Spf1")?.terms).toEqual([]);
  expect(parseSpf("v=spf1   mx  -all ")?.terms.map(({ text }) => text)).toEqual(["mx", "-all"]);
});

test("never throws, and loses no term", () => {
  const unit = fc.constantFrom(
    ..."v=spf1 +-~?:/.%{}dialmxncue0123456789_\t".split(""),
    " mx",
    " ip4:",
    " include:",
    "all",
  );
  fc.assert(
    fc.property(fc.string({ unit }), (rest) => {
      const text = `v=spf1 ${rest}`;
      const { terms = [] } = parseSpf(text) ?? {};
      for (const term of terms)
        if (term.kind !== "malformed" && term.value !== undefined) expect(term.text).toContain(term.value);
      expect(terms.map((term) => term.text)).toEqual(rest.split(" ").filter(Boolean));
    }),
  );
});
