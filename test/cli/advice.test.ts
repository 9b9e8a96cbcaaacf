import { expect, test } from "vitest";
import { hasErrors } from "../../src/diagnostics/problem.ts";
import { problemIds, registry } from "../../src/diagnostics/registry.ts";
import { checkZone } from "../../src/dns/check.ts";
import { recordTypes } from "../../src/dns/types/index.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { readBind, readYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";

/** A zone with a fault, the part at fault, and what its fix advises to write there. */
type Row = readonly [rule: string, text: string, from: string, to: string];

const rows: Row[] = [
  ["target-needs-dot", "www CNAME shop.example.net", "shop.example.net", "shop.example.net."],
  ["target-needs-dot", "@ MX 1 mail.example.com\nmail A 192.0.2.1", "mail.example.com", "mail.example.com."],
  ["target-needs-dot", "@ MX 1 mail.example.com\nmail A 192.0.2.1", "mail.example.com", "mail"],
  ["target-needs-dot", "@ MX 1 bücher.example.net", "bücher.example.net", "bücher.example.net."],
  ["target-needs-dot", "a RP u.v@b.test .", "u.v@b.test", "u\\.v.b.test."],
  ["target-needs-dot", "a RP mailto:u@b.test .", "mailto:u@b.test", "u.b.test."],
  ["target-needs-dot", "a AFSDB 1 u@b.test", "u@b.test", "b.test."],
  ["target-needs-dot", "a MR u@b.test", "u@b.test", "u.b.test."],
  ["target-needs-dot", "a HTTPS 1 www.b.test:443", "www.b.test:443", "www.b.test."],
  ["target-needs-dot", "a KX 1 https://b.test/c", "https://b.test/c", "b.test."],
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
  ["cname-chain", "a CNAME b\nb CNAME c\nc CNAME d.test.", "b\n", "d.test.\n"],
  ["null-mx-preference", "a MX 10 .", "10 .", "0 ."],
  ["srv-labels", "_tcp._sip SRV 0 0 1 a.test.", "_tcp._sip", "_sip._tcp"],
  ["srv-labels", "_udp._sip.voice SRV 0 0 1 a.test.", "_udp._sip.voice", "_sip._udp.voice"],
  [
    "spf-include",
    '@ TXT "v=spf1 include:https://a.test/x.test -all"',
    "include:https://a.test/x.test",
    "include:a.test",
  ],
  ["policy-unread", '@ TXT "v=spf1-all"', "v=spf1-all", "v=spf1 -all"],
  ["policy-unread", 'dmarc TXT "v=DMARC1; p=none"', "dmarc TXT", "_dmarc TXT"],
  ["dmarc-ignored", '_dmarc TXT "v=DMARC1; p=none; adkim=strict"', "adkim=strict", "adkim=s"],
  ["dkim-ignored", 'a._domainkey TXT "v=DKIM1; t=yes; p="', "t=yes", "t=y"],
  ["caa-syntax", '@ CAA 0 issue "letsencrypt"', "letsencrypt", "letsencrypt.org"],
  ["caa-syntax", '@ CAA 0 issue "ca.test; validationmethods=dns"', "=dns", "=dns-01"],
  ["uri-syntax", '_a._tcp URI 1 1 ""', '""', '"https://example.com/"'],
  ["tlsa-owner", "a TLSA 3 1 0 00", "a TLSA", "_443._tcp.a TLSA"],
  ["spf-ignored", '@ TXT "v=spf1 -all ip4:192.0.2.1"', "-all ip4:192.0.2.1", "ip4:192.0.2.1 -all"],
  ["hosted-target", "a CNAME b.github.io.\n; TXT x", "; TXT", "_github-pages-challenge-ACCOUNT TXT"],
  ["hosted-target", "@ A 185.199.108.153\n; TXT x", "; TXT", "_github-pages-challenge-ACCOUNT TXT"],
  ["hosted-target", "a.b CNAME c.azurewebsites.net.\n; TXT x", "; TXT", "asuid.a.b TXT"],
  ["hosted-target", "* CNAME c.azurewebsites.net.\n; TXT x", "; TXT", "asuid TXT"],
  ["spf-syntax", '@ TXT "v=spf1 ip4=192.0.2.1 -all"', "ip4=192.0.2.1", "ip4:192.0.2.1"],
  ["spf-syntax", '@ TXT "v=spf1 include=_spf.test.example -all"', "include=_spf", "include:_spf"],
  ["spf-syntax", '@ TXT "v=spf1 mx=a.test -all"', "mx=a.test", "mx:a.test"],
  ["spf-syntax", '@ TXT "v=spf1 include:x.test.example; -all"', "include:x.test.example;", "include:x.test.example"],
  ["spf-syntax", '@ TXT "v=spf1 include:_spf.a.test, -all"', "include:_spf.a.test,", "include:_spf.a.test"],
  ["spf-syntax", '@ TXT "v=spf1 redirect=a.test;"', "redirect=a.test;", "redirect=a.test"],
  ["spf-syntax", '@ TXT "v=spf1 mx, -all"', "mx,", "mx"],
  ["spf-syntax", '@ TXT "v=spf1 mx -all;"', "-all;", "-all"],
  ["spf-syntax", '@ TXT "v=spf1 ip4:2001:db8::1 -all"', "ip4:2001:db8::1", "ip6:2001:db8::1"],
  ["spf-syntax", '@ TXT "v=spf1 ip4:192.0.2.1/33 -all"', "ip4:192.0.2.1/33", "ip4:192.0.2.1"],
  ["spf-syntax", '@ TXT "v=spf1 ip6:2001:db8::1/129 -all"', "ip6:2001:db8::1/129", "ip6:2001:db8::1"],
  ["spf-open", '@ TXT "v=spf1 mx +all"', "+all", "-all"],
  ["alias-record", "a ALIAS b.test.", "ALIAS b.test.", "CNAME b.test."],
  ["ptr-is-address", "host PTR 192.0.2.4", "PTR", "A"],
  ["name-unicode", "a CNAME “b.test.”", "“b.test.”", "b.test."],
  ["address-v4", "www A 192.0.2", "192.0.2", "192.0.2.1"],
  ["address-v6", "www AAAA 2001:db8", "2001:db8", "2001:db8::1"],
  ["bimi-syntax", 'default._bimi TXT "v=BIMI1; l=http://a.test/l.svg"', "http:", "https:"],
  ["caa-flags", '@ CAA 128 issue "ca.test"', "128", "0"],
  ["caa-tag", '@ CAA 0 issuemail "ca.test"', "issuemail", "issue"],
  ["caa-value", '@ CAA 0 issue "???"', "???", "letsencrypt.org"],
  ["class", "www CH A 192.0.2.1", "CH", "IN"],
  ["control-octet", "a\u001bb CNAME c.test.", "\u001b", ""],
  ["directive", "$TTL\nwww A 192.0.2.1", "$TTL", "$TTL 1h"],
  ["directive", "$ORIGN example.com.\nwww A 192.0.2.1", "$ORIGN", "$ORIGIN"],
  ["directive-missing", "$GENERATE 1-10 host-$", "$GENERATE 1-10 host-$", "$GENERATE 1-10 host-$ A 192.0.2.$"],
  ["dkim-syntax", 'a._domainkey TXT "v=DKIM1"', "v=DKIM1", "v=DKIM1; p="],
  ["dkim-syntax", 'a._domainkey TXT "k=rsa"\na._domainkey TXT "p="', '"\na._domainkey TXT "', "; "],
  ["dmarc-syntax", '_dmarc TXT "v=DMARC1; p=off"', "p=off", "p=none"],
  ["dmarc-syntax", '_dmarc TXT "p=none"\n_dmarc TXT "v=DMARC1"', 'p=none"\n_dmarc TXT "v=DMARC1', "v=DMARC1; p=none"],
  ["generate-format", "$GENERATE 1-2 a${0,3,z} A 192.0.2.$", "${0,3,z}", "${0,3,d}"],
  ["generate-range", "$GENERATE 9-1 a$ A 192.0.2.$", "9-1", "1-100"],
  ["generate-range", "$GENERATE 9-1 a$ A 192.0.2.$", "9-1", "0-254/2"],
  [
    "lenient-rule",
    ";@ lenient a: [host-hyphen, srv-owner]\na TXT x",
    "lenient a: [host-hyphen, srv-owner]",
    "lenient a: host-hyphen, srv-owner",
  ],
  ["mta-sts-syntax", '_mta-sts TXT "v=STSv1; id=a-b"\nmta-sts A 192.0.2.1', "a-b", "20270131T120000"],
  ["name-syntax", "a..b A 192.0.2.1", "..", "."],
  ["owner-missing", " A 192.0.2.1", " A", "@ A"],
  ["owner-spelling", "WWW A 192.0.2.1\nwww AAAA 2001:db8::1", "www", "WWW"],
  ["parenthesis", "www A ( 192.0.2.1", "192.0.2.1", "192.0.2.1 )"],
  ["quote", '@ TXT "a b', "a b", 'a b"'],
  ["rdata-location", "a LOC 52 22 23.000 4 53 32.000 E 1m", "23.000 4", "23.000 N 4"],
  ["rdata-parameter", "a HTTPS 1 b.test. apln=h2", "apln=h2", 'alpn="h2,h3" port=8443 ipv4hint=192.0.2.1'],
  ["rdata-syntax", 'a A "192.0.2.1"', '"192.0.2.1"', "192.0.2.1"],
  ["rdata-wire", "a A \\# 3 c0000201", "\\# 3 c0000201", "\\# 4 c0000201"],
  ["remote-addr", "a A [remote_addr]", "[remote_addr]", "192.0.2.1"],
  ["soa-times", "@ SOA ns1.test. a 1 4h 8h 2w 1h", "8h", "4h"],
  ["srv-owner", "sip SRV 0 0 1 a.test.", "sip", "_sip._tcp"],
  ["srv-port", "_sip._tcp SRV 0 0 0 a.test.", "a.test.", "."],
  ["text-escape", '@ TXT "a\\999"', "\\999", "\\\\999"],
  ["text-quoting", '@ TXT "\\"a b\\""', '\\"a b\\"', "a b"],
  ["target-characters", "a CNAME https://example.net", "https://example.net", "example.net."],
  ["target-characters", "a CNAME http://example.net/path", "http://example.net/path", "example.net."],
  ["target-characters", "a MX 10 https://mx.example.net.", "https://mx.example.net.", "mx.example.net."],
  [
    "target-characters",
    "a CNAME https://www.example.net:8443/x?y=1",
    "https://www.example.net:8443/x?y=1",
    "www.example.net.",
  ],
  ["target-characters", "a CNAME example.net:443", "example.net:443", "example.net."],
  ["target-characters", "a CNAME user@example.net.", "user@example.net.", "example.net."],
  ["target-characters", "a CNAME //example.net.", "//example.net.", "example.net."],
  ["target-characters", "_a._tcp SRV 1 1 1 tcp://s.example.net.", "tcp://s.example.net.", "s.example.net."],
  [
    "target-characters",
    "a CNAME https://www.b.example.com.\nwww.b A 192.0.2.1",
    "https://www.b.example.com.",
    "www.b.example.com.",
  ],
  ["target-characters", "a CNAME https://b/\nb A 192.0.2.1", "https://b/", "b"],
  ["target-characters", "a CNAME b:80\nb A 192.0.2.1", "b:80", "b"],
  ["target-characters", "a CNAME example.net/index.html", "example.net/index.html", "example.net."],
  ["target-characters", "a CNAME mailto:user@example.net", "mailto:user@example.net", "example.net."],
  ["rdata-order", "a MX mail.test. 20", "mail.test. 20", "20 mail.test."],
  ["rdata-order", "a MX mail.test. 255", "mail.test. 255", "255 mail.test."],
  ["rdata-order", "a MX mail.example.net 20", "mail.example.net 20", "20 mail.example.net."],
  ["rdata-order", "a MX mail 20\nmail A 192.0.2.1", "mail 20", "20 mail"],
  ["rdata-order", "_a._tcp SRV s.example.net 1 2 5060", "s.example.net 1 2 5060", "1 2 5060 s.example.net."],
  ["rdata-order", "a MX mail.test. 70000", "mail.test. 70000", "10 mail.test."],
  ["rdata-order", "_a._tcp SRV 1 s.test. 2 5060", "1 s.test. 2 5060", "10 60 5060 sip.example.net."],
  ["rdata-order", "_a._tcp SRV 1 2 s.test. 5060", "1 2 s.test. 5060", "10 60 5060 sip.example.net."],
  ["rdata-order", "a CAA issue 0 ca.test", "issue 0 ca.test", '0 issue "letsencrypt.org"'],
  ["rdata-number", "a MX -5 20.test.", "-5", "10"],
  ["rdata-number", "a CAA 300 issue ca.test", "300", "0"],
  ["rdata-number", "a CAA x issue ca.test", "x", "0"],
  ["rdata-order", "_a._tcp SRV s.test. 1 2 5060", "s.test. 1 2 5060", "1 2 5060 s.test."],
  ["rdata-number", "a MX 70000 mail.test.", "70000", "10"],
  ["rdata-number", "_a._tcp SRV -1 2 5060 s.test.", "-1", "10"],
  ["soa-email", "@ SOA ns1.test. a@example.com. 1 4h 1h 2w 1h", "a@example.com.", "a.example.com."],
  ["soa-email", "@ SOA ns1.test. a.b@example.com 1 4h 1h 2w 1h", "a.b@example.com", "a\\.b.example.com."],
  ["soa-email", "@ SOA ns1.test. mailto:a@example.com. 1 4h 1h 2w 1h", "mailto:a@example.com.", "a.example.com."],
  ["soa-email", "example.com. SOA ns1.test. @ 1 4h 1h 2w 1h", "@", "hostmaster.example.com."],
  ["soa-email", "@ SOA ns1.test. a@example 1 4h 1h 2w 1h", "a@example", "hostmaster.example.com."],
  ["text-typography", '@ TXT "“v=spf1 –all”"', "“v=spf1 –all”", "v=spf1 -all"],
  ["tlsrpt-syntax", '_smtp._tls TXT "v=TLSRPTv1; rua=a@a.test"', "rua=a@a.test", "rua=mailto:reports@example.com"],
  ["ttl-rounded", "www 301 A 192.0.2.1", "301", "300"],
  ["ttl-syntax", "www 1x A 192.0.2.1", "1x", "1h"],
  ["type-meta", "www ANY 192.0.2.1", "ANY", "A"],
  ["type-quoted", 'www "A" 192.0.2.1', '"A"', "A"],
  ["unknown-type", "www AAA 2001:db8::1", "AAA", "AAAA"],
  ["wildcard-first", "a.* A 192.0.2.1", "a.*", "*.a"],
];

/** The same in YAML, the form being shown at its place in the file. */
const yamlRows: Row[] = [
  [
    "duplicate-key",
    "records: { a: { A: 192.0.2.1 }, A: { TXT: x } }",
    "{ a: { A: 192.0.2.1 }, A: { TXT: x } }",
    "{ a: { A: 192.0.2.1, TXT: x } }",
  ],
  [
    "duplicate-key",
    "records: { a: &first { A: 192.0.2.1 }, b: &second { TXT: x }, c: { <<: *first, <<: *second } }",
    "<<: *first, <<: *second",
    "<<: [*first, *second]",
  ],
  ["entry-empty", "records: { a: { A: [] } }", "A: []", "A: { override: true, values: [] }"],
  ["domain-name", "zone: com\nrecords: {}", "zone: com", "zone: example.com"],
  ["lenient-rule", "records: { a: { A: 192.0.2.1, lenient: Private-Address } }", "Private-Address", "private-address"],
  ["master-ips", "type: slave", "type: slave", "type: slave\nmaster_ips: [192.0.2.53]"],
  ["node-reference", "records: { a: { A: { node: } } }", "A: { node: }", "A: { node: web-1 }"],
  [
    "node-reference",
    "records: { a: { A: { node: [web-1, web-2] } } }",
    "A: { node: [web-1, web-2] }",
    "A: [ { node: web-1 }, { node: web-2 } ]",
  ],
  [
    "node-reference",
    "records: { a: { A: { node: web-1, ttl_sec: 5m } } }",
    "node: web-1, ttl_sec: 5m",
    "ttl_sec: 5m, values: { node: web-1 }",
  ],
  ["records-shape", "records: www", "www", '{ "@": { A: 192.0.2.1 } }'],
  ["records-shape", "records: { a: A:192.0.2.1 }", "A:192.0.2.1", "{ A: 192.0.2.1 }"],
  [
    "slave-records",
    "type: slave\nmaster_ips: [192.0.2.53]\nrecords: { a: { A: 192.0.2.1 } }",
    "type: slave\nmaster_ips: [192.0.2.53]",
    "type: master",
  ],
  ["soa-owner", "records: { a: { SOA: ns1.test. a 1 4h 1h 2w 1h } }", "{ a:", '{ "@":'],
  ["unknown-key", "recods: {}", "recods", "records"],
  [
    "unknown-type",
    "records: { a: { A: 192.0.2.1, ttl: 5m } }",
    "A: 192.0.2.1, ttl: 5m",
    "A: { ttl_sec: 5m, values: 192.0.2.1 }",
  ],
  ["value-missing", "records: { a: { A: } }", "A:", "A: 192.0.2.1"],
  [
    "value-shape",
    "records: { a: { A: 192.0.2.1, lenient: { a: b } } }",
    "lenient: { a: b }",
    "lenient: [private-address]",
  ],
  ["yaml-alias", "records: { a: { A: 192.0.2.1 }, b: *a }", "a: { A", "a: &a { A"],
  ["yaml-syntax", "records:\n  @: { A: 192.0.2.1 }", "@:", '"@":'],
  ["yaml-syntax", "records:\n  *: { A: 192.0.2.1 }", "*:", '"*":'],
  ["zone-name", "zone:\nrecords: {}", "zone:", "zone: example.com"],
];

/** Why the fix of a rule has no row here: it shows no form, or the form is tried elsewhere. */
const withoutForm: Readonly<Record<string, readonly string[]>> = {
  "says what to remove, join, keep, rename or shorten": [
    ...[
      "alias-alone",
      "axfr-ips-unique",
      "cname-alone",
      "data-length",
      "description-length",
      "digest-length",
      "ds-at-apex",
      "duplicate-record",
      "duplicate-set",
    ],
    ...["encoding", "file-format", "generate-count", "group-length", "include-count", "include-depth"],
    ...[
      "include-loop",
      "include-outside",
      "include-read",
      "name-length",
      "node-label",
      "null-mx-alone",
      "out-of-zone",
      "rdata-extra",
    ],
    ...[
      "records-count",
      "rrset-length",
      "rrset-ttl",
      "single-policy",
      "soa-differs",
      "soa-twice",
      "spf-lookups",
      "tag-length",
    ],
    ...[
      "tags-count",
      "text-too-long",
      "text-utf8",
      "too-many-errors",
      "type-unsupported",
      "value-twice",
      "yaml-documents",
    ],
    ...[
      "yaml-key",
      "yaml-merge",
      "yaml-tag",
      "yaml-too-large",
      "axfr-ips-count",
      "master-ips-count",
      "generate-type",
      "merge-conflict",
    ],
    ...["owner-elsewhere", "spf-lookups-elsewhere", "zone-name-differs", "hidden-by-zone", "delegation-differs"],
    ...["below-dname", "ds-without-ns", "null-srv-alone", "reverse-owner", "single-dname", "svcb-alias"],
  ],
  "needs a name, an address or a value that only the author knows": [
    ...["axfr-ips-address", "below-delegation", "cname-at-apex", "cname-loop", "dangling-address", "glue"],
    "master-ips-address",
    ...["name-characters", "owner-of-other-domain", "priority-range", "private-address", "root-target"],
    ...["assigned-number", "cname-loop-elsewhere", "dmarc-report-elsewhere", "documentation-address", "mta-sts-host"],
    ...["mx-elsewhere", "mx-without-address", "naptr-syntax", "spf-include-elsewhere", "spf-void-lookup"],
    ...["target-without-address"],
    ...["single-name-server", "srv-target", "target-elsewhere", "target-exists", "type-missing"],
    ...[
      "target-is-address",
      "target-is-cname",
      "target-is-cname-elsewhere",
      "underscore-host",
      "wildcard-ns",
      "setting-value",
      "owner-differs",
    ],
  ],
  "concerns templates and the zones that use them; test/formats/templates.test.ts has the valid forms": [
    ...["override-unused", "template-conflict", "template-parameter", "template-read", "template-syntax"],
    ...["template-unknown", "template-unused"],
  ],
  "data of one record type, whose page of cases has the valid forms": [
    "bind-refusal",
    ...["rdata-algorithm", "rdata-atm", "rdata-base32", "rdata-base64", "rdata-eui", "rdata-gateway", "rdata-hex"],
    ...["rdata-key", "rdata-length", "rdata-locator", "rdata-prefix", "rdata-service", "rdata-substitution"],
    ...["rdata-time", "rdata-x25"],
  ],
  "a note that asks for nothing": ["apex-ns", "idn-converted", "text-resplit"],
  "concerns files of octoDNS; test/formats has the valid forms": ["provider-specific", "yaml-version"],
  "concerns the configurations of name servers; test/formats/zone-list.test.ts has them": ["server-config-syntax"],
  "has tests of its own below": ["ttl-missing", "unknown-data", "zone-empty"],
};

/** Fixes that say in words what to write. */
const inWords = [
  "hosted-target",
  ...["bimi-syntax", "caa-tag", "cname-chain", "dkim-syntax", "dmarc-syntax", "name-syntax", "name-unicode"],
  ...["owner-missing", "parenthesis", "quote", "rdata-location", "rdata-syntax", "text-escape", "text-quoting"],
  ...["caa-syntax", "dkim-ignored", "dmarc-ignored", "policy-unread", "spf-ignored", "tlsa-owner"],
  ...["tlsrpt-syntax", "type-quoted", "wildcard-first"],
];

const forms: readonly Row[] = rows.filter(([rule]) => !inWords.includes(rule));

test.each(rows)("%s: %j with %j as %j is valid", (rule, text, from, to) => {
  expect(problemsIn(text).map(({ id }) => id)).toEqual([rule]);
  expect(problemsIn(text.replace(from, () => to))).toEqual([]);
});

test.each(forms)("%s: the fix for %j shows the expected form", (rule, text, _, to) => {
  const fix = problemsIn(text).find((found) => found.id === rule)?.fix ?? "";
  expect(fix).toContain(to);
});

test.each(yamlRows)("%s in YAML: %j with %j as %j is valid", (rule, text, from, to) => {
  expect(problemsInYaml(text).map(({ id }) => id)).toEqual([rule]);
  expect(problemsInYaml(text.replace(from, () => to))).toEqual([]);
});

test.each(["include:", "exists:a", "ip4:192.0.2.1-192.0.2.9", "ip4:", "ip6:x"])(
  "%s: the advice marks its example as one",
  (term) => {
    const [found] = problemsIn(`@ TXT "v=spf1 ${term} -all"`);
    expect([found?.id, found?.fix]).toEqual(["spf-syntax", expect.stringContaining("such as")]);
  },
);

test("zone timers: the advised line is valid", () => {
  const of = (text: string) =>
    readBind({ file: "z", bytes: Buffer.from(text), origin: domainName("example.com.") }).problems;
  const [missing] = of("www A 192.0.2.1\n");
  expect([missing?.id, missing?.fix]).toEqual(["ttl-missing", "Write $TTL 1h at the head of the file."]);
  expect(of("$TTL 1h\nwww A 192.0.2.1\n")).toEqual([]);
});

test("a file without a zone: the advised records are valid", () => {
  const of = (text: string) =>
    readYaml({ file: "z", bytes: Buffer.from(text), origin: domainName("example.com.") }).problems;
  const [empty] = of("# nothing\n");
  const [, records = ""] = /for example `(.*)`/.exec(`${empty?.fix}`) ?? [];
  expect([empty?.id, records]).toEqual(["zone-empty", 'records: { "@": { A: 192.0.2.1 } }']);
  expect(of(records)).toEqual([]);
  const [outside] = of("www: { A: 192.0.2.1 }\n");
  const [, key = ""] = /^Write `(.*)` on a line above/.exec(`${outside?.fix}`) ?? [];
  expect([outside?.id, key]).toEqual(["unknown-key", "records:"]);
  expect(of(`${key} { www: { A: 192.0.2.1 } }\n`)).toEqual([]);
});

test.each([
  ["records: 1", "records-shape", (fix: string) => fix],
  ["zone:", "zone-name", (fix: string) => fix],
  ["records: { www: 192.0.2.1 }", "records-shape", (fix: string) => `records: { ${fix} }`],
  ["records: { www: { ttl: 5m, A: 192.0.2.1 } }", "unknown-type", (fix: string) => `records: { www: { ${fix} } }`],
  ["records: { www: { A: } }", "value-missing", (fix: string) => `records: { www: { ${fix} } }`],
  ["records: { www: { lenient: [[]], A: 192.0.2.1 } }", "value-shape", (fix: string) => `records: { www: { ${fix} } }`],
  ["ignore: www", "setting-value", (fix: string) => fix],
  ["ignore: { type: A }", "setting-value", (fix: string) => `ignore: ${fix}`],
  ["records:\n  *.dev:\n    A: 192.0.2.1", "yaml-syntax", (fix: string) => `records:\n  ${fix}\n    A: 192.0.2.1`],
  ["records:\n  @:\n    A: 192.0.2.1", "yaml-syntax", (fix: string) => `records:\n  ${fix}\n    A: 192.0.2.1`],
])("YAML: %j is valid once fixed as advised", (text, id, withFix) => {
  const of = (text: string) =>
    readYaml({ file: "z", bytes: Buffer.from(`${text}\n`), origin: domainName("example.com.") }).problems;
  const [found] = of(text);
  expect(found?.id).toBe(id);
  const fixes = [...`${found?.fix}`.matchAll(/`([^`]*)`/g)].map(([, fix = ""]) => fix);
  expect(fixes).not.toEqual([]);
  for (const fix of fixes) expect(of(withFix(fix))).toEqual([]);
});

test.each([
  ["A: { node: }", ["A: { node: web-1 }"]],
  ["AAAA: { node: }", ["AAAA: { node: web-1 }"]],
  ["A: { private: true }", ["A: { node: web-1, private: true }"]],
  ["AAAA: { node: [web-1, WEB-2, web-1] }", ["AAAA: [ { node: web-1 }, { node: WEB-2 } ]"]],
  [
    "A: { node: [web-1, web-2], private: true }",
    ["A: [ { node: web-1, private: true }, { node: web-2, private: true } ]"],
  ],
  ["A: { node: [web-1] }", ["A: { node: web-1 }"]],
  ["A: { node: [] }", ["A: { node: web-1 }"]],
  ["A: { node: { label: web-1 } }", ["A: { node: web-1 }"]],
  ["A: { node: web-1, private: yes }", ["private: true"]],
  ["AAAA: { node: web-1, private: yes }", ["private"]],
  ["AAAA: { node: web-1, private: true }", ["private"]],
  ["A: { node: web-1, private: true, ttl_sec: 5m }", ["values: { node: web-1, private: true }"]],
  ["AAAA: { node: web-1, private: true, ttl_sec: 5m }", ["values: { node: web-1 }"]],
  ["A: { node: [web-1, web-2], ttl_sec: 5m }", ["values: [ { node: web-1 }, { node: web-2 } ]"]],
  ["A: { node: web-1, values: 192.0.2.1 }", ["values", "{ node: web-1 }"]],
])("a reference to a node: %s is valid once fixed as advised", (set, advised) => {
  const of = (set: string) => problemsInYaml(`records: { a: { ${set} } }`).filter(({ id }) => id !== "private-address");
  const [found, ...others] = of(set);
  expect([found?.id, others]).toEqual(["node-reference", []]);
  const forms = [...`${found?.fix}`.matchAll(/`([^`]*)`/g)].map(([, form = ""]) => form);
  expect(forms).toEqual(advised);
  const [form = "", reference] = forms;
  const fixed = /^A/.test(form)
    ? form
    : form === "private"
      ? set.replace(/, private: \w+/, "")
      : form === "private: true"
        ? set.replace(/private: \w+/, form)
        : form === "values"
          ? `A: { values: [ 192.0.2.1, ${reference} ] }`
          : set.replace(/\{.*\}/, `{ ttl_sec: 5m, ${form} }`);
  expect(of(fixed)).toEqual([]);
});

test.each(["", "www A 192.0.2", "; no record", "$ORIGIN example.com."])(
  "a master file with %j instead of records gets the advice of master files",
  (line) => {
    const file = { file: "z.zone", bytes: Buffer.from(`$TTL 1h\n${line}\n`) };
    const { zone } = readBind({ ...file, origin: domainName("example.com.") });
    const unreadIsKnown = accept({ ...zone, unread: { owners: new Set(), isAny: false } });
    const [missing] = unreadIsKnown.problems;
    expect([missing?.id, missing?.fix]).toEqual(["soa-email", expect.stringContaining("`@ SOA ns1.example.net.")]);
    const [nameless] = accept(readBind({ ...file, origin: domainName("com.") }).zone).problems;
    expect([nameless?.id, nameless?.fix]).toEqual(["domain-name", expect.stringContaining("example.com.zone")]);
  },
);

test("a master file without an SOA record: each advised line is valid", () => {
  const bytes = (line: string) => Buffer.from(`$TTL 1h\n${line}\nwww A 192.0.2.1\n`);
  const of = (line: string) => {
    const { zone } = readBind({ file: "z.zone", bytes: bytes(line), origin: domainName("example.com.") });
    return accept(zone).problems;
  };
  const [missing, ...others] = of("");
  expect([missing?.id, missing?.summary, others]).toEqual(["soa-email", "the primary zone has no SOA record", []]);
  const lines = [...`${missing?.fix}`.matchAll(/`([^`]*)`/g)].map(([, line = ""]) => line);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(of(line)).toEqual([]);
});

test.each([
  ["a MX mail.test. 300", "Write `300 mail.test.`."],
  ["a MX mail.test. 65535", "Write `65535 mail.test.`."],
  ["a MX mail.test. 70000", "Write `10 mail.test.`, or another number that you mean: 70000 is too large."],
  [
    "_a._tcp SRV s.test. 70000 2 99999",
    "Write `10 2 5060 s.test.`, or other numbers that you mean: 70000 and 99999 are too large.",
  ],
  ["a MX mail.sub 300", "Write `300 mail.sub.`. Without the final dot, the name is relative to example.com."],
  [
    "a MX bücher.example.net 70000",
    "Write `10 bücher.example.net.`, or another number that you mean: 70000 is too large. Without the final dot, the name is relative to example.com.",
  ],
])("%s: the advice keeps the author's number, or says that it changes", (line, fix) => {
  expect(read(line).problems.map((found) => found.fix)).toEqual([fix]);
});

test.each([
  ["mandatory=mandatory", "mandatory=alpn"],
  ["alpn=", 'alpn="h2,h3"'],
  ["alpn=h2,,h3", 'alpn="h2,h3"'],
  ["no-default-alpn=1", "no-default-alpn"],
  ["port=https", "port=8443"],
  ["ech=A", "ech=AAAA"],
  ["dohpath=/dns-query", "dohpath=/dns-query{?dns}"],
  ["ohttp=1", "ohttp"],
  ["tls-supported-groups=x25519", "tls-supported-groups=29,23"],
  ["docpath=a,", 'docpath="dns,query"'],
  ["pvd=1", "pvd"],
  ["oots=do53", 'oots="do53:100,dot:10"'],
  ["oots=do53:101", 'oots="do53:100,dot:10"'],
  ["key4=x", "ipv4hint=192.0.2.1"],
  ["key6=x", "ipv6hint=2001:db8::1"],
])("the service parameter %s: its own form %s is advised and valid", (wrong, form) => {
  const withAlpn = (text: string) => (text.startsWith("alpn") ? text : `alpn=h2 ${text}`);
  const [found, ...others] = read(`a SVCB 1 . ${withAlpn(wrong)}`).problems;
  expect([found?.id, found?.fix, others]).toEqual([
    "rdata-parameter",
    `Write ${form.includes("=") ? "a value such as " : ""}\`${form}\`.`,
    [],
  ]);
  expect(read(`a SVCB 1 . ${withAlpn(form)}`).problems).toEqual([]);
});

test.each([
  ["alpn=h2 alpn=h3", "alpn=h2", 'Keep one of the parameters "alpn".'],
  ["mandatory=port", "mandatory=port port=8443", "Add a value such as `port=8443`, or remove it from mandatory."],
  ["mandatory=key667", "mandatory=key667 key667=x", "Add `key667`, or remove it from mandatory."],
  ["no-default-alpn", 'no-default-alpn alpn="h2,h3"', 'Add a value such as `alpn="h2,h3"`.'],
])("the service parameters %s: %s is valid as advised", (wrong, right, fix) => {
  const [found, ...others] = read(`a SVCB 1 . ${wrong}`).problems;
  expect([found?.id, found?.fix, others]).toEqual(["rdata-parameter", fix, []]);
  expect(read(`a SVCB 1 . ${right}`).problems).toEqual([]);
});

test("fields of an object in the wrong order: the advised object is valid", () => {
  const [found] = problemsInYaml("records: { a: { MX: { preference: mail.test., exchange: 20 } } }");
  expect(found?.fix).toBe("Write `{ preference: 20, exchange: mail.test. }`.");
  expect(problemsInYaml("records: { a: { MX: { preference: 20, exchange: mail.test. } } }")).toEqual([]);
});

test("data of an unknown type: the advised bytes are valid", () => {
  const [unknown] = problemsIn("a TYPE65280 0A000001");
  const [, octets = ""] = /digits: (.*)$/.exec(`${unknown?.fix}`) ?? [];
  expect([unknown?.id, octets]).toEqual(["unknown-data", "\\# 4 0a000001"]);
  const { problems } = read(`a TYPE65280 ${octets}`);
  expect(problems).toEqual([]);
});

/** Each field that the data of a type may lack: its fix shows an example, with which the record can be read. */
const fields = recordTypes.flatMap((type) =>
  type.fields.flatMap((field, index) =>
    field.kind.mayBeEmpty ? [] : [[`${type.type} ${field.name}`, type, index] as const],
  ),
);

test.each(fields)("%s: the example of the fix makes the record complete", (_, { type, fields }, index) => {
  const line = (count: number) =>
    `${type === "SOA" ? "@" : "a"} ${type} ${fields
      .slice(0, count)
      .map(({ example }) => example)
      .join(" ")}`;
  const [lacking] = read(line(index)).problems;
  expect(lacking?.id).toBe("field-missing");
  const [, example = ""] = /for example `(.*)`\.$/.exec(`${lacking?.fix}`) ?? [];
  expect(example).not.toBe("");
  expect(read(`${type === "SOA" ? "@" : "a"} ${type} ${example}`).problems).toEqual([]);
});

test("every rule about zone files has a row, a field example or a documented exemption", () => {
  const ids: string[] = problemIds.filter((id) => !["project", "service", "github"].includes(registry[id].set));
  const shown = [...rows, ...yamlRows].map(([rule]) => rule);
  const excepted = Object.values(withoutForm).flat();
  const known = new Set([...shown, "field-missing", ...excepted]);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  expect(excepted.filter((id) => shown.includes(id) || !ids.includes(id))).toEqual([]);
  expect(excepted.length).toBe(new Set(excepted).size);
});

function read(text: string) {
  const email = text.includes(" SOA ") ? "" : ";@ soa_email: a@example.com\n"; // which an SOA record says itself
  const bytes = Buffer.from(`${email}$TTL 1h\n${text}\n`);
  return readBind({ file: "zone", bytes, origin: domainName("example.com.") });
}

function problemsInYaml(text: string) {
  const bytes = Buffer.from(`soa_email: a@example.com\n${text}\n`);
  const { zone, problems } = readYaml({ file: "zone", bytes, origin: domainName("example.com.") });
  return hasErrors(problems) ? problems : [...problems, ...checkZone(zone), ...accept(zone).problems];
}

/** The findings without notes about converted names. */
function problemsIn(text: string) {
  const { zone, problems } = read(text);
  const all = [...problems, ...checkZone(zone), ...accept(zone).problems];
  return all.filter(
    ({ id: rule }) => !["idn-converted", "spf-void-lookup", "text-resplit", "type-unsupported"].includes(rule),
  );
}
