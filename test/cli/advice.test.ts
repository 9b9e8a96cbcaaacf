import { expect, test } from "vitest";
import { accept } from "../../src/provider/accept.ts";
import { readBind } from "../../src/sources/bind/read.ts";
import { readYaml } from "../../src/sources/yaml/read.ts";
import { checkZone } from "../../src/zone/check.ts";

/** A zone with a fault, the part at fault, and what its fix advises to write there. */
type Row = readonly [rule: string, text: string, from: string, to: string];

const rows: Row[] = [
  ["target-needs-dot", "www CNAME shop.example.net", "shop.example.net", "shop.example.net."],
  ["target-needs-dot", "@ MX 1 mail.example.com\nmail A 192.0.2.1", "mail.example.com", "mail.example.com."],
  ["target-needs-dot", "@ MX 1 mail.example.com\nmail A 192.0.2.1", "mail.example.com", "mail"],
  ["target-needs-dot", "@ MX 1 bücher.example.net", "bücher.example.net", "bücher.example.net."],
  ["target-one-label", "@ MX 1 mail.\nmail A 192.0.2.1", "mail.", "mail"],
  ["zone-name-twice", "www.example.com A 192.0.2.1", "www.example.com", "www.example.com."],
  ["zone-name-twice", "www.example.com A 192.0.2.1", "www.example.com", "www"],
  ["origin-needs-dot", "$ORIGIN sub.example.com\nwww A 192.0.2.1", "sub.example.com", "sub.example.com."],
  ["text-unquoted", "@ TXT v=spf1 mx -all", "v=spf1 mx -all", '"v=spf1 mx -all"'],
  ["text-unquoted", "@ TXT one two", "one two", '"one" "two"'],
  ["text-unquoted", "a._domainkey TXT v=DKIM1; k=rsa; p=", "v=DKIM1; k=rsa; p=", '"v=DKIM1; k=rsa; p="'],
  ["text-unquoted", '_dmarc TXT "v=DMARC1"; p=none', '"v=DMARC1"; p=none', '"v=DMARC1; p=none"'],
  ["text-unquoted", "@ CAA 0 issue ca.test; a=b", "ca.test; a=b", '"ca.test; a=b"'],
  ["hash-owner", "#old A 192.0.2.1", "#", ";"],
  ["hash-comment", "www A 192.0.2.1 # old", "#", ";"],
  ["host-hyphen", "-shop A 192.0.2.1", "-shop", "shop"],
  ["cname-chain", "a CNAME b\nb CNAME c.test.", "b\n", "c.test.\n"],
  ["spf-syntax", '@ TXT "v=spf1 ip4=192.0.2.1 -all"', "ip4=192.0.2.1", "ip4:192.0.2.1"],
  ["spf-syntax", '@ TXT "v=spf1 include=_spf.test.example -all"', "include=_spf", "include:_spf"],
  ["spf-syntax", '@ TXT "v=spf1 mx=a.test -all"', "mx=a.test", "mx:a.test"],
  ["spf-open", '@ TXT "v=spf1 mx +all"', "+all", "-all"],
  ["alias-record", "a ALIAS b.test.", "ALIAS b.test.", "CNAME b.test."],
  ["ptr-is-address", "host PTR 192.0.2.4", "PTR", "A"],
  ["name-unicode", "a CNAME “b.test.”", "“b.test.”", "b.test."],
];

const forms: readonly Row[] = rows.filter(([rule]) => !["name-unicode", "cname-chain"].includes(rule));

test.each(rows)("%s: %j with %j as %j has nothing wrong", (rule, text, from, to) => {
  expect(said(text).map(({ rule }) => rule)).toEqual([rule]);
  expect(said(text.replace(from, to))).toEqual([]);
});

test.each(forms)("%s: the fix for %j shows the form", (rule, text, _, to) => {
  const fix = said(text).find((found) => found.rule === rule)?.fix ?? "";
  expect(fix).toContain(to);
});

test("keys in two spellings are fixed by joining them", () => {
  const of = (text: string) => readYaml({ file: "z", bytes: Buffer.from(text), origin: "example.com." }).diagnostics;
  expect(of("records: { a: { A: 192.0.2.1 }, A: { TXT: x } }").map(({ fix }) => fix)).toEqual([
    "Join the two under one key.",
  ]);
  expect(of("records: { a: { A: 192.0.2.1, TXT: x } }")).toEqual([]);
});

/** What is said, but for notes of names that were converted. */
function said(text: string) {
  const bytes = Buffer.from(`;@ soa_email: a@example.com\n$TTL 1h\n${text}\n`);
  const { zone, diagnostics } = readBind({ file: "zone", bytes, origin: "example.com." });
  const all = [...diagnostics, ...checkZone(zone), ...accept(zone).diagnostics];
  return all.filter(({ rule }) => rule !== "idn-converted" && rule !== "text-resplit");
}
