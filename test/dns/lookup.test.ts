import { describe, expect, test } from "vitest";
import { type Lookup, lookUp, substituteName } from "../../src/dns/lookup/lookup.ts";
import { type NameKey, nameKey, parent } from "../../src/dns/name/name.ts";
import { domainName } from "../names.ts";

/** A zone from lines `owner type value`, absolute names; a set is the text of its values. */
function zoneOf(origin: string, lines: string) {
  const apex = key(origin);
  const nodes = new Map<NameKey, Map<string, string>>([[apex, new Map()]]);
  for (const line of lines.trim().split("\n")) {
    const [first = "", type = "", ...value] = line.trim().split(/\s+/);
    const owner = key(first);
    for (let name = owner; name !== apex; name = parent(name)) if (!nodes.has(name)) nodes.set(name, new Map());
    nodes.get(owner)?.set(type, value.join(" "));
  }
  return { apex, rrsets: (name: NameKey) => nodes.get(name) };
}

const key = (text: string) => nameKey(domainName(text));

function text(found: Lookup<string>): string {
  switch (found.kind) {
    case "answer":
      return found.set;
    case "alias":
      return `alias ${found.cname}`;
    case "referral":
      return `referral at ${found.cut} to ${found.servers}`;
    case "renamed":
      return `renamed at ${found.owner} to ${found.dname}`;
    default:
      return found.kind;
  }
}

/** The zone of RFC 4592 §2.2.1; the text of the RFC says what each question is answered. */
const wildcards = zoneOf(
  "example.",
  `example. SOA soa
   example. NS ns.example.com.
   *.example. TXT wildcard
   *.example. MX 10 host1.example.
   sub.*.example. TXT not-a-wildcard
   host1.example. A 192.0.2.1
   _ssh._tcp.host1.example. SRV host1
   _ssh._tcp.host2.example. SRV host2
   subdel.example. NS ns.example.com.`,
);

test.each([
  ["host3.example.", "MX", "10 host1.example."],
  ["host3.example.", "A", "nodata"],
  ["foo.bar.example.", "TXT", "wildcard"],
  ["host1.example.", "MX", "nodata"],
  ["sub.*.example.", "MX", "nodata"],
  ["_telnet._tcp.host1.example.", "SRV", "nxdomain"],
  ["host.subdel.example.", "A", "referral at subdel.example. to ns.example.com."],
  ["ghost.*.example.", "MX", "nxdomain"],
  // RFC 4592 §2.2.2: empty non-terminals exist. §2.3: an asterisk elsewhere in a name is nothing special.
  ["_tcp.host1.example.", "SRV", "nodata"],
  ["host2.example.", "MX", "nodata"],
  ["_tcp.host2.example.", "TXT", "nodata"],
  ["*.example.", "TXT", "wildcard"],
  ["example.", "NS", "ns.example.com."],
  ["example.", "TXT", "nodata"],
  // RFC 4035 §3.1.4.1: DS records are the parent's, at the cut and not below it.
  ["subdel.example.", "DS", "nodata"],
  ["subdel.example.", "NS", "referral at subdel.example. to ns.example.com."],
  ["host.subdel.example.", "DS", "referral at subdel.example. to ns.example.com."],
])("RFC 4592 §2.2.1: %s %s is %s", (name, type, expected) => {
  expect(text(lookUp(wildcards, key(name), type))).toBe(expected);
});

test("RFC 4592 §4.3: a wildcard CNAME answers every type but CNAME", () => {
  const zone = zoneOf("example.", "*.example. CNAME host.example.\nhost.example. A 192.0.2.1");
  expect(text(lookUp(zone, domainName("any.example."), "A"))).toBe("alias host.example.");
  expect(text(lookUp(zone, domainName("any.example."), "CNAME"))).toBe("host.example.");
  expect(text(lookUp(zone, domainName("below.host.example."), "A"))).toBe("nxdomain");
});

test("a wildcard that exists only as an empty non-terminal has no data", () => {
  const zone = zoneOf("example.", "a.*.example. A 192.0.2.1");
  expect(text(lookUp(zone, domainName("any.example."), "A"))).toBe("nodata");
});

test("a DNAME hides names below it, a delegation above hides the DNAME", () => {
  const zone = zoneOf(
    "example.",
    `d.example. DNAME new.example.net.
     d.example. A 192.0.2.1
     host.d.example. A 192.0.2.2
     *.d.example. A 192.0.2.3
     d.cut.example. DNAME other.example.net.
     cut.example. NS ns.example.net.
     cut.example. DNAME never.example.net.`,
  );
  expect(text(lookUp(zone, domainName("d.example."), "A"))).toBe("192.0.2.1");
  expect(text(lookUp(zone, domainName("d.example."), "DNAME"))).toBe("new.example.net.");
  expect(text(lookUp(zone, domainName("host.d.example."), "A"))).toBe("renamed at d.example. to new.example.net.");
  expect(text(lookUp(zone, domainName("any.d.example."), "A"))).toBe("renamed at d.example. to new.example.net.");
  expect(text(lookUp(zone, domainName("host.d.cut.example."), "A"))).toBe(
    "referral at cut.example. to ns.example.net.",
  );
});

describe("RFC 6672 §2.2, table 1: name, owner and target of a DNAME record, and the resulting name", () => {
  test.each([
    ["com.", "example.com.", "example.net.", undefined],
    ["example.com.", "example.com.", "example.net.", undefined],
    ["a.example.com.", "example.com.", "example.net.", "a.example.net."],
    ["a.b.example.com.", "example.com.", "example.net.", "a.b.example.net."],
    ["ab.example.com.", "b.example.com.", "example.net.", undefined],
    ["foo.example.com.", "example.com.", "example.net.", "foo.example.net."],
    ["a.x.example.com.", "x.example.com.", "example.net.", "a.example.net."],
    ["a.example.com.", "example.com.", "y.example.net.", "a.y.example.net."],
    ["cyc.example.com.", "example.com.", "example.com.", "cyc.example.com."],
    ["cyc.example.com.", "example.com.", "c.example.com.", "cyc.c.example.com."],
    ["shortloop.x.x.", "x.", ".", "shortloop.x."],
    ["shortloop.x.", "x.", ".", "shortloop."],
  ])("%s under %s DNAME %s", (name, owner, target, expected) => {
    const apex = owner === "x." ? "x." : "com.";
    const found = lookUp(zoneOf(apex, `${owner} DNAME ${target}`), key(name), "A");
    const dname = { owner: key(owner), target: key(target) };
    expect(found.kind === "renamed" ? substituteName(dname, key(name)) : undefined).toBe(expected);
  });
});
