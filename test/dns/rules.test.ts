import { describe, expect, test } from "vitest";
import { registry } from "../../src/diagnostics/registry.ts";
import { rules } from "../../src/dns/check.ts";
import { IndexedZone, type Rule } from "../../src/dns/lookup/rule.ts";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { limits } from "../../src/targets/api/limits.ts";
import { readBind, readOctodns, readYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";

/** A zone, what is right or wrong with it, and every summary of the rule. Records alone as a master file, else YAML. */
type Case = [comment: string, zone: string | Zone, ...summaries: string[]];

const listed = (what: string, count: number) => Array.from({ length: count }, (_, n) => what + n).join(", ");
const big = (count: number) => Array.from({ length: count }, (_, n) => `h${n} A 192.0.2.1`).join("\n");

/** Public keys of "openssl genrsa 1024" and 512. */
const rsaKey =
  "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCqNA2NEAuUGBypbIgUwBsn3utg8VKXl3ME/Lx9Cr16fwqYWWsZ2ymOf+WiFyTOo8lPpdkNN3MBiTNWoqeeBHDPJrzncVdGjJwYdT9IVU7ZbkcimMImMbCh3YfCeRuIDVPtATV84dvbXHHVnmw2woeFdHjatni4pUEPkzScn7jUEwIDAQAB";
const shortRsaKey =
  "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALACZP1voM+US4CDvvKHwFqvut+rpJhFrhXsNmkX1q0MDyoc5V8sU4YoljmxXR9GIhBqumbZgrojJjAh4MkXeRsCAwEAAQ==";
const terms = (count: number) => Array.from({ length: count }, (_, n) => `include:i${n}.test`).join(" ");

const blanks = "has text without quotes, so each word becomes a separate string and the spaces between them are lost";
const rest = "has an unquoted semicolon, which makes the rest of the text a comment";
const line = "has a line that starts with a semicolon, which makes the rest of that line a comment";

/** Rules of zones; every id stands here once, with at least one case that is fine and one that is not. */
const ofZones: Record<string, Case[]> = {
  "below-delegation": [
    ["glue, and what the zone above says", `sub NS ns.sub\nsub DS 1 8 2 ${"00".repeat(32)}\nns.sub A 192.0.2.1`],
    ["the delegated name as its server", "sub NS sub\nsub A 192.0.2.1"],
    ["glue of another delegation", "a NS ns.b\nb NS ns.b\nns.b A 192.0.2.1"],
    ["the apex is not a delegation", "@ NS ns1\nwww A 192.0.2.1"],
    ["a host below", "sub NS ns.example.net.\nwww.sub A 192.0.2.1", 'www.sub A is below the delegated name "sub"'],
    ["a text at it", "sub NS ns.example.net.\nSUB TXT x", 'sub TXT is at the delegated name "sub"'],
    [
      "another delegation below",
      "sub NS ns.example.net.\na.sub NS ns.example.net.",
      'a.sub NS is below the delegated name "sub"',
    ],
    [
      "several types",
      "s NS n.test.\na.s MX 1 b.test.\na.s A 192.0.2.1",
      'a.s MX is below the delegated name "s"',
      'a.s A is below the delegated name "s"',
    ],
  ],
  "cname-loop": [
    ["an ALIAS to a chain", "@ ALIAS a\na CNAME b\nb A 192.0.2.1"],
    ["an ALIAS to itself", "a ALIAS a", "a → a is a loop of ALIAS records"],
    ["an ALIAS at the apex", "@ ALIAS a\na ALIAS @", "@ → a → @ is a loop of ALIAS records"],
    ["an ALIAS and a CNAME", "@ ALIAS www\nwww CNAME @", "@ → www → @ is a loop of ALIAS and CNAME records"],
    ["a chain", "a CNAME b\nb CNAME c\nc A 192.0.2.1"],
    ["a chain that leaves the zone", "a CNAME b\nb CNAME a.example.net."],
    ["two that lead to one", "a CNAME c\nb CNAME c\nc A 192.0.2.1"],
    ["itself", "a CNAME A", "a → a is a loop of CNAME records"],
    ["two", "a CNAME b\nB CNAME a", "a → b → a is a loop of CNAME records"],
    ["a way into it is none of it", "x CNAME a\na CNAME b\nb CNAME a", "a → b → a is a loop of CNAME records"],
    ["below a wildcard that is none of it", "* CNAME a\na CNAME x.test."],
    ["a wildcard that leads to itself", "*.w CNAME a.w", "*.w → *.w is a loop of CNAME records"],
    ["a DNAME to a name below itself", "a DNAME b.a", "a is a DNAME to a name below itself, which never ends"],
    ["a DNAME to itself", "a DNAME A", "a is a DNAME to itself, which never ends"],
    [
      "two circles",
      "a CNAME a\nb CNAME c\nc CNAME b",
      "a → a is a loop of CNAME records",
      "b → c → b is a loop of CNAME records",
    ],
  ],
  "cname-alone": [
    ["alone", "a CNAME b\nb A 192.0.2.1"],
    ["twice the same is stored once", "a CNAME b\nA CNAME B.example.com."],
    ["beside one type", "a CNAME b\na A 192.0.2.1", "a has a CNAME and other records (A)"],
    [
      "beside several, in other letter case",
      "a CNAME b\nA A 192.0.2.1\nA TXT x",
      "a has a CNAME and other records (A, TXT)",
    ],
    ["two of them", "a CNAME b\na CNAME c", "a has more than one CNAME record"],
  ],
  "cname-at-apex": [
    ["below the apex", "a CNAME @"],
    ["at the apex", "@ CNAME a", "the apex of the zone has a CNAME record"],
  ],
  "digest-length": [
    [
      "the length of its algorithm",
      `a DS 1 8 1 ${"00".repeat(20)}\na DS 1 8 2 ${"00".repeat(32)}\na SSHFP 4 2 ${"00".repeat(32)}`,
    ],
    ["an unknown algorithm", "a DS 1 8 200 00\na SSHFP 4 200 00\n@ ZONEMD 1 1 200 00"],
    ["what removes the keys of the parent", "@ CDS 0 0 0 00"],
    ["too short", "a DS 1 8 2 00", "a DS: the digest has 1 octet instead of 32"],
    ["too long", `a CDS 1 8 1 ${"00".repeat(21)}`, "a CDS: the digest has 21 octets instead of 20"],
    [
      "of a host key, and of the zone",
      "a SSHFP 4 1 0011\n@ ZONEMD 1 1 1 00112233",
      "a SSHFP: the fingerprint has 2 octets instead of 20",
      "@ ZONEMD: the digest has 4 octets instead of 48",
    ],
  ],
  "ds-at-apex": [
    ["of a delegation", `sub NS ns.example.net.\nsub DS 1 8 2 ${"00".repeat(32)}`],
    ["at another name", `a DS 1 8 2 ${"00".repeat(32)}`],
    ["what the child tells its parent", `@ CDS 1 8 2 ${"00".repeat(32)}`],
    ["at the apex", `@ DS 1 8 2 ${"00".repeat(32)}`, "the apex of the zone has a DS record"],
    ["several", `@ DS 1 8 2 ${"00".repeat(32)}\n@ DS 2 8 2 ${"00".repeat(32)}`, "the apex of the zone has a DS record"],
  ],
  "duplicate-record": [
    ["two values", "a A 192.0.2.1\na A 192.0.2.2"],
    ["one value at two names", "a A 192.0.2.1\nb A 192.0.2.1"],
    ["texts differ in letter case", "a TXT x\na TXT X"],
    ["texts differ in their strings", 'a TXT "xy"\na TXT "x" "y"'],
    ["servers of HIP that differ in letter case, as in BIND", "a HIP 2 AA AQID b\na HIP 2 AA AQID B"],
    [
      "one HIP in two spellings",
      "a HIP 2 aa AQID b\na HIP 2 AA AQID b",
      "a HIP 2 AA AQID b.example.com. is listed twice",
    ],
    ["one tag in two spellings", '@ CAA 0 issue "a"\n@ CAA 0 Issue "a"', '@ CAA 0 issue "a" is listed twice'],
    ["one value twice", "a A 192.0.2.1\nA A 192.0.2.1", "a A 192.0.2.1 is listed twice"],
    [
      "one value three times",
      "a A 192.0.2.1\na A 192.0.2.1\na A 192.0.2.1",
      "a A 192.0.2.1 is listed twice",
      "a A 192.0.2.1 is listed twice",
    ],
    ["one address in two spellings", "a AAAA 2001:db8::1\na AAAA 2001:DB8:0::1", "a AAAA 2001:db8::1 is listed twice"],
    ["one target in two spellings", "a MX 1 b\na MX 1 B.Example.com.", "a MX 1 b.example.com. is listed twice"],
  ],
  glue: [
    ["a server elsewhere", "sub NS ns.example.net."],
    ["a server in the zone, but outside the delegation", "sub NS ns1\nns1 A 192.0.2.1"],
    ["a server with an address", "sub NS ns.sub\nns.sub A 192.0.2.1"],
    ["a server with an IPv6 address", "sub NS ns.sub\nNS.sub AAAA 2001:db8::1"],
    ["the delegated name as its server", "sub NS sub\nsub A 192.0.2.1"],
    ["the apex is not a delegation", "@ NS ns1"],
    [
      "a server without an address",
      "sub NS ns.sub",
      'sub is delegated to "ns.sub.example.com." without its address (glue)',
    ],
    [
      "the delegated name without an address",
      "sub NS SUB",
      'sub is delegated to "SUB.example.com." without its address (glue)',
    ],
    [
      "one of two",
      "sub NS a.sub\nsub NS b.sub\na.sub A 192.0.2.1\nb.sub TXT x",
      'sub is delegated to "b.sub.example.com." without its address (glue)',
    ],
  ],
  "null-mx-alone": [
    ["alone", "@ MX 0 ."],
    ["twice the same is stored once", "@ MX 0 .\n@ MX 0 ."],
    ["others", "@ MX 10 a\n@ MX 20 b"],
    ["beside another", "@ MX 10 a\n@ MX 0 .", "@ has a null MX and other MX records"],
    ["two with other priorities", "a MX 0 .\na MX 10 .", "a has a null MX and other MX records"],
  ],
  "zone-name-twice": [
    ["relative, and absolute", "www A 192.0.2.1\nmail.example.com. A 192.0.2.2\n@ A 192.0.2.3"],
    ["another zone's name", "www.example.net A 192.0.2.1\nmyexample.com A 192.0.2.1"],
    [
      "below the zone",
      "www.Example.com A 192.0.2.1",
      '"www.example.com.example.com." ends in the name of the zone twice',
    ],
    [
      "the zone itself",
      "example.com MX 1 a\nexample.com A 192.0.2.1",
      '"example.com.example.com." ends in the name of the zone twice',
    ],
  ],
  "private-address": [
    ["public", "a A 192.0.2.1\na AAAA 2001:db8::1"],
    ["in a text", 'a TXT "10.0.0.1"'],
    [
      "a block list",
      "2.0.0.127.bl A 127.0.0.2\n1.2.3.bl A 10.0.0.1",
      "1.2.3.bl A publishes the private address 10.0.0.1",
    ],
    ["localhost", "localhost A 127.0.0.1\nLocalhost.a AAAA ::1\ndb.localhost A 127.0.0.1"],
    ["private", "a A 10.1.2.3", "a A publishes the private address 10.1.2.3"],
    [
      "loopback and unique local",
      "a A 127.0.0.1\na AAAA fd00::1",
      "a A publishes the loopback address 127.0.0.1",
      "a AAAA publishes the unique local address fd00::1",
    ],
    ["IPv4-mapped", "@ AAAA ::ffff:192.0.2.1", "@ AAAA publishes the IPv4-mapped address ::ffff:192.0.2.1"],
  ],
  "single-policy": [
    ["one of each", '@ TXT "v=spf1 -all"\n_dmarc TXT "v=DMARC1; p=none"\n_mta-sts TXT "v=STSv1; id=1"'],
    ["one at each name", '@ TXT "v=spf1 -all"\na TXT "v=spf1 -all"'],
    ["twice the same is stored once", '@ TXT "v=spf1 -all"\n@ TXT "v=spf1 -all"'],
    ["another version", '@ TXT "v=spf1 -all"\n@ TXT "v=spf10 -all"'],
    ["DMARC where nobody looks", '@ TXT "v=DMARC1; p=none"\n@ TXT "v=DMARC1; p=reject"'],
    ["two SPF", '@ TXT "v=spf1 mx -all"\n@ TXT "V=SPF1 -all"', '@ has 2 TXT records that start with "v=spf1"'],
    [
      "two SPF, one without more, one in strings",
      '@ TXT "v=spf1"\n@ TXT "v=sp" "f1 a"',
      '@ has 2 TXT records that start with "v=spf1"',
    ],
    [
      "two DMARC",
      '_dmarc.a TXT "v=DMARC1;p=none"\n_DMARC.a TXT "v=DMARC1; p=reject"',
      '_dmarc.a has 2 TXT records that start with "v=dmarc1"',
    ],
    [
      "two keys",
      `a._domainkey TXT "v=DKIM1; p="\na._domainkey TXT "k=rsa; p=${rsaKey}"\n_domainkey TXT "o=~"\n_domainkey TXT "t=y"`,
      "a._domainkey has 2 DKIM keys",
    ],
    [
      "two MTA-STS",
      '_mta-sts TXT "v=STSv1; id=1"\n_mta-sts TXT "v=STSv1; id=2"',
      '_mta-sts has 2 TXT records that start with "v=stsv1"',
    ],
    [
      "two TLSRPT",
      '_smtp._tls TXT "v=TLSRPTv1; rua=a"\n_smtp._tls TXT "v=TLSRPTv1; rua=b"',
      '_smtp._tls has 2 TXT records that start with "v=tlsrptv1"',
    ],
    [
      "two BIMI",
      'default._bimi TXT "v=BIMI1; l=a"\ndefault._bimi TXT "v=BIMI1; l=b"',
      'default._bimi has 2 TXT records that start with "v=bimi1"',
    ],
  ],
  "target-exists": [
    ["an ALIAS to a host", "@ ALIAS b\nb A 192.0.2.1\nc ALIAS x.test."],
    ["an ALIAS", "@ ALIAS b", '@ ALIAS points to "b", which does not exist in the zone'],
    [
      "a name server of the service at the apex",
      "@ NS u@b",
      '@ NS points to "u\\@b", which does not exist in the zone',
    ],
    ["it does", "a CNAME b\nb A 192.0.2.1"],
    ["in other letter case", "a CNAME B.EXAMPLE.com.\nb A 192.0.2.1"],
    ["the zone itself", "a CNAME @"],
    ["elsewhere", "a CNAME b.example.net."],
    ["the root", "@ MX 0 ."],
    ["a name with names below it (RFC 8020)", "a CNAME b\nx.b A 192.0.2.1"],
    ["a wildcard covers it", "a CNAME b.c.w\n*.w A 192.0.2.1"],
    ["below a delegation", "a CNAME b.sub\nsub NS ns.example.net."],
    ["a PTR may point anywhere", "a PTR b"],
    [
      "a PTR of a reverse zone to a name elsewhere",
      "zone: 2.0.192.in-addr.arpa\nrecords: { 1: { PTR: a.example.com. } }",
    ],
    [
      "a PTR of a reverse zone",
      "zone: 2.0.192.in-addr.arpa\nrecords: { 1: { PTR: mail } }",
      '1 PTR points to "mail", which does not exist in the zone',
    ],
    ["it does not", "a CNAME b", 'a CNAME points to "b", which does not exist in the zone'],
    [
      "a relative name of several labels, also of DNS-SD",
      "a CNAME b.lab\n_http._tcp PTR x._http._tcp",
      'a CNAME points to "b.lab", which does not exist in the zone',
      '_http._tcp PTR points to "x._http._tcp", which does not exist in the zone',
    ],
    ["a part of the zone that the file does not manage", "manage: listed\nrecords: { a: { CNAME: b.c } }"],
    [
      "each type",
      "@ NS b\na MX 1 b\n_a._tcp SRV 1 2 3 b\na HTTPS 0 b",
      '@ NS points to "b", which does not exist in the zone',
      'a HTTPS points to "b", which does not exist in the zone',
      '_a._tcp SRV points to "b", which does not exist in the zone',
    ],
    [
      "a name between stops the wildcard (RFC 4592 §2.2.1)",
      "a CNAME b.c.w.example.com.\n*.w A 192.0.2.1\nx.c.w A 192.0.2.1",
      'a CNAME points to "b.c.w", which does not exist in the zone',
    ],
    [
      "the wildcard does not cover its own parent",
      "a CNAME w2\n*.w2 A 192.0.2.1\nb CNAME w3",
      'b CNAME points to "w3", which does not exist in the zone',
    ],
    ["a target with a forgotten dot has a rule of its own", "a CNAME b.example.net"],
    ["an address has a rule of its own", "a MX 1 2001:db8::1"],
  ],
  "target-is-address": [
    ["an ALIAS", "@ ALIAS 192.0.2.1", '@ ALIAS points to the address "192.0.2.1"'],
    ["a name", "a MX 1 mail.example.net."],
    ["a name of digits", "a CNAME 1.2.3"],
    ["an address that looks like a name of the zone", "a MX 1 192.0.2.1", 'a MX points to the address "192.0.2.1"'],
    ["an address with a final dot", "a CNAME 192.0.2.1.", 'a CNAME points to the address "192.0.2.1"'],
    [
      "each type",
      "@ NS 192.0.2.1\n_a._tcp SRV 1 2 3 192.0.2.1",
      '@ NS points to the address "192.0.2.1"',
      '_a._tcp SRV points to the address "192.0.2.1"',
    ],
    ["an IPv6 address", "a MX 1 2001:db8::1", 'a MX points to the address "2001:db8::1"'],
    ["a PTR record has a rule of its own", "b PTR 192.0.2.1."],
  ],
  "spf-syntax": [
    [
      "every mechanism and modifier",
      '@ TXT "v=spf1 +a ?mx:b.test/24//64 ~include:c.test ip4:192.0.2.0/24 ip6:2001:db8::/32 exists:%{i}.d.test ptr exp=e.test unknown=x -all"',
    ],
    ["a redirect, in capital letters", '@ TXT "V=SPF1 redirect=_spf.test"'],
    ["nothing but the version", '@ TXT "v=spf1"\na TXT "v=spf10 x"\nb TXT "see v=spf1"'],
    ["in strings", '@ TXT "v=spf1 include:a.te" "st -all"\na TXT "v=spf1 mx " "-all"'],
    [
      "an unknown mechanism",
      '@ TXT "v=spf1 inclde:a.test -all"',
      '@ TXT: the SPF term "inclde:a.test" is not an SPF mechanism',
    ],
    [
      "an equals sign",
      '@ TXT "v=spf1 ip4=192.0.2.1 -all"',
      '@ TXT: the SPF term "ip4=192.0.2.1" has an equals sign instead of a colon',
    ],
    [
      "an equals sign where a name follows",
      '@ TXT "v=spf1 include=_spf.test.example -all"',
      '@ TXT: the SPF term "include=_spf.test.example" has an equals sign instead of a colon',
    ],
    ["a value of all", '@ TXT "v=spf1 -all:x"', '@ TXT: the SPF term "-all:x" has a value but does not take one'],
    [
      "no address",
      '@ TXT "v=spf1 ip4:192.0.2.256 -all"',
      '@ TXT: the SPF term "ip4:192.0.2.256" has an invalid IP address, or one of the wrong family',
    ],
    ["no value", '@ TXT "v=spf1 include: -all"', '@ TXT: the SPF term "include:" has no value'],
    ["too long a prefix", '@ TXT "v=spf1 a/33 -all"', '@ TXT: the SPF term "a/33" has an invalid prefix length'],
    ["a comma", '@ TXT "v=spf1 mx, -all"', '@ TXT: the SPF term "mx," is not an SPF mechanism'],
    [
      "two redirects",
      '@ TXT "v=spf1 redirect=a.test redirect=b.test"',
      '@ TXT: the SPF record has "redirect=" more than once',
    ],
    [
      "strings that run together",
      '@ TXT "v=spf1 include:a.test" "a -all"',
      '@ TXT: the SPF strings are joined without a space to "include:a.testa"',
    ],
  ],
  "spf-ignored": [
    ["all at the end", '@ TXT "v=spf1 mx -all"'],
    ["behind all", '@ TXT "v=spf1 -all mx"', '@ TXT: the SPF term "mx" is ignored because of "-all"'],
    [
      "a redirect beside all",
      '@ TXT "v=spf1 redirect=a.test ~all"',
      '@ TXT: the SPF term "redirect=a.test" is ignored because of "~all"',
    ],
  ],
  "spf-include": [
    ["names of others", '@ TXT "v=spf1 include:_spf.test redirect=b.test"'],
    ["a policy of the zone", '@ TXT "v=spf1 include:a.example.com -all"\na TXT "v=spf1 mx -all"'],
    ["a policy at a wildcard", '@ TXT "v=spf1 include:a.b.example.com -all"\n*.b TXT "v=spf1 mx -all"'],
    ["an alias", '@ TXT "v=spf1 include:a.example.com -all"\na CNAME b.test.'],
    ["a redirect that all makes void", '@ TXT "v=spf1 redirect=a.example.com -all"'],
    [
      "a wildcard that answers for what it includes",
      '* TXT "v=spf1 include:a.example.com -all"',
      '* TXT: the SPF term "include:a.example.com" leads back to the record itself',
    ],
    [
      "an alias to a name without a policy",
      '@ TXT "v=spf1 include:a.example.com -all"\na CNAME b\nb A 192.0.2.1',
      '@ TXT: the SPF term "include:a.example.com" leads to "a.example.com", which has no SPF record',
    ],
    ["macros", '@ TXT "v=spf1 include:%{i}.a.example.com -all"'],
    ["below a delegation", '@ TXT "v=spf1 include:a.b.example.com -all"\nb NS c.test.'],
    [
      "no record",
      '@ TXT "v=spf1 include:a.example.com -all"',
      '@ TXT: the SPF term "include:a.example.com" leads to "a.example.com", which has no SPF record',
    ],
    [
      "another text",
      '@ TXT "v=spf1 redirect=A.example.com."\na TXT "x"',
      '@ TXT: the SPF term "redirect=A.example.com." leads to "a.example.com", which has no SPF record',
    ],
    [
      "itself",
      '@ TXT "v=spf1 include:example.com -all"',
      '@ TXT: the SPF term "include:example.com" leads back to the record itself',
    ],
    [
      "a loop of redirects, and a way into it",
      'a TXT "v=spf1 redirect=b.example.com"\nb TXT "v=spf1 redirect=a.example.com"\nc TXT "v=spf1 redirect=a.example.com"',
      'a TXT: the SPF term "redirect=b.example.com" leads back to the record itself',
      'b TXT: the SPF term "redirect=a.example.com" leads back to the record itself',
    ],
    [
      "a URL",
      '@ TXT "v=spf1 include:https://spf.test/x.test -all"',
      '@ TXT: the SPF term "include:https://spf.test/x.test" names a URL, and receivers look for a domain',
    ],
  ],
  "spf-void-lookup": [
    [
      "addresses",
      '@ TXT "v=spf1 a mx a:b.example.com exists:b.example.com -all"\n@ MX 1 b\n@ A 192.0.2.1\nb A 192.0.2.1',
    ],
    ["names of others, and macros", '@ TXT "v=spf1 a:a.test exists:%{i}.example.com -all"'],
    ["an alias", 'b TXT "v=spf1 a:c.example.com -all"\nc CNAME d.test.'],
    [
      "no address",
      '@ TXT "v=spf1 a mx a:b.example.com -all"\nb TXT x',
      '@ TXT: the SPF term "a:b.example.com" finds no address',
    ],
  ],
  "spf-open": [
    [
      "networks of others",
      '@ TXT "v=spf1 ip4:0.0.0.0/0 ip4:128.0.0.0/1 ip6:2000::/3 a/4 -all"\na TXT "v=spf1 ip4:10.0.0.0/8 ip6:2001:db8::/32 -ip4:0.0.0.0/0 mx/24//64 ?all"',
      '@ TXT: the SPF term "ip4:0.0.0.0/0" allows every host to send mail',
      '@ TXT: the SPF term "ip4:128.0.0.0/1" allows the hosts of many networks to send mail',
      '@ TXT: the SPF term "ip6:2000::/3" allows the hosts of many networks to send mail',
      '@ TXT: the SPF term "a/4" allows the hosts of many networks to send mail',
    ],
    ["closed", '@ TXT "v=spf1 a ~all"\na TXT "v=spf1 ?all"\nb TXT "x +all ptr"'],
    [
      "with a sign or without",
      '@ TXT "v=spf1 +all"\na TXT "v=spf1 mx all"',
      '@ TXT: the SPF term "+all" allows every host to send mail',
      'a TXT: the SPF term "all" allows every host to send mail',
    ],
    [
      "names of addresses",
      '@ TXT "v=spf1 ptr:a.test -all"',
      '@ TXT: the SPF term "ptr:a.test" requires reverse lookups',
    ],
  ],
  "spf-lookups": [
    ["ten, and addresses", `@ TXT "v=spf1 ${terms(10)} ip4:192.0.2.1 ip6:2001:db8::1 exp=x.test -all"`],
    ["a redirect that all makes void", `@ TXT "v=spf1 ${terms(10)} redirect=x.test -all"`],
    [
      "eleven, through an alias and a wildcard",
      `@ TXT "v=spf1 include:a.example.com -all"\na CNAME b.c\n*.c TXT "v=spf1 ${terms(10)} -all"`,
      "@ TXT: the SPF record needs at least 11 DNS lookups; the limit is 10",
    ],
    ["a circle is followed once", '@ TXT "v=spf1 include:a.example.com -all"\na TXT "v=spf1 include:example.com -all"'],
    [
      "eleven",
      `@ TXT "v=spf1 ${terms(11)} -all"`,
      "@ TXT: the SPF record needs at least 11 DNS lookups; the limit is 10",
    ],
    [
      "each kind",
      `@ TXT "v=spf1 a mx ptr exists:a.test include:b.test ${terms(5)} redirect=c.test"`,
      "@ TXT: the SPF record needs at least 11 DNS lookups; the limit is 10",
    ],
    [
      "three that find nothing",
      '@ TXT "v=spf1 a a:b.example.com mx -all"',
      "@ TXT: 3 DNS lookups of the SPF record find nothing; the limit is 2",
    ],
    [
      "an included record of the zone",
      `@ TXT "v=spf1 mx include:a.example.com include:a.example.com -all"\na TXT "v=spf1 ${terms(4)} -all"`,
      "@ TXT: the SPF record needs at least 11 DNS lookups; the limit is 10",
    ],
  ],
  "dmarc-syntax": [
    [
      "every tag",
      '_dmarc TXT "v=DMARC1; p=none; sp=reject; pct=50; adkim=s; aspf=r; fo=1:d:s; rf=afrf; ri=86400; rua=mailto:a@b.test!10m,https://c.test/d; ruf=mailto:e@f.test;"',
    ],
    ["without spaces, at a subdomain, in other letters", '_DMARC.sub TXT "v=DMARC1;p=Reject"'],
    ["a tag of a later version", '_dmarc TXT "v=DMARC1; p=none; xyzzy=1"'],
    ["where reports of others are allowed", 'b.test._report._dmarc TXT "v=DMARC1"'],
    ["elsewhere", 'www TXT "v=DMARC1; p=what"'],
    ["no policy and no reports", '_dmarc TXT "v=DMARC1; adkim=s"', '_dmarc TXT: the DMARC record has no tag "p="'],
    ["no policy but reports are a policy of none", '_dmarc TXT "v=DMARC1; rua=mailto:a@b.test"'],
    ["another text beside a policy", '_dmarc TXT "v=DMARC1; p=none"\n_dmarc TXT "verification=1"'],
    [
      "an unknown policy of subdomains",
      '_dmarc TXT "v=DMARC1; p=none; sp=block"',
      '_dmarc TXT: the DMARC record has the invalid tag "sp=block"',
    ],
    ["what receivers ignore", '_dmarc TXT "v=DMARC1; p=none; pct=200; fo=2; adkim=strict"'],
    [
      "an unknown policy",
      '_dmarc TXT "v=DMARC1; p=rejct"',
      '_dmarc TXT: the DMARC record has the invalid tag "p=rejct"',
    ],
    ["no version", '_dmarc TXT "p=none"', "_dmarc TXT: the text is not a valid DMARC record and is ignored"],
    [
      "in other letter case",
      '_dmarc TXT "v=dmarc1; p=none"',
      '_dmarc TXT: the DMARC record does not start with "v=DMARC1"',
    ],
    [
      "the version later",
      '_dmarc TXT "p=none; v=DMARC1"',
      '_dmarc TXT: the DMARC record does not start with "v=DMARC1"',
    ],
    ["a tag twice", '_dmarc TXT "v=DMARC1; p=none; p=reject"', '_dmarc TXT: the DMARC record has the tag "p=" twice'],
  ],
  "dmarc-ignored": [
    ["a policy", '_dmarc TXT "v=DMARC1; p=none; pct=50; rua=mailto:a@b.test"'],
    ["what makes it void", '_dmarc TXT "v=DMARC1; p=block; pct=200"'],
    [
      "no policy but reports",
      '_dmarc TXT "v=DMARC1; rua=mailto:a@b.test"',
      '_dmarc TXT: the DMARC record has no tag "p="',
    ],
    [
      "an address that is no URI",
      '_dmarc TXT "v=DMARC1; p=none; rua=a@b.test"',
      '_dmarc TXT: the DMARC record has the invalid tag "rua=a@b.test"',
    ],
    [
      "more than all",
      '_dmarc TXT "v=DMARC1; p=none; pct=101"',
      '_dmarc TXT: the DMARC record has the invalid tag "pct=101"',
    ],
    ["commas", '_dmarc TXT "v=DMARC1; p=none; sp"', '_dmarc TXT: "sp" in the DMARC record is not a tag'],
    ["a slip", '_dmarc TXT "v=DMARC1; p=none; akdim=s"', '_dmarc TXT: the DMARC record has the unknown tag "akdim="'],
  ],
  "dkim-ignored": [
    ["a key", 'a._domainkey TXT "v=DKIM1; t=s; p="'],
    ["what makes it void", 'a._domainkey TXT "v=DKIM1; t=x; k=dsa; p="'],
    [
      "an unknown flag",
      'a._domainkey TXT "v=DKIM1; t=x; p="',
      'a._domainkey TXT: the DKIM record has the invalid tag "t=x"',
    ],
    ["another hash, and another flag, beside usable ones", 'a._domainkey TXT "v=DKIM1; h=sha256:sha3; t=s:x; p="'],
  ],
  "dkim-syntax": [
    ["revoked, and without a version", 'a._domainkey TXT "v=DKIM1; p="\nb._domainkey TXT "k=rsa; t=s; p=;"'],
    [
      "keys",
      `a._domainkey TXT "v=DKIM1; k=rsa; h=sha256; s=email; t=y:s; n=x; p=${rsaKey.slice(0, 100)}" "${rsaKey.slice(100)}"\nb._domainkey TXT "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="`,
    ],
    ["other texts of the tree", '_domainkey TXT "o=~"\n_adsp._domainkey TXT "dkim=all"'],
    ["no key", 'a._domainkey TXT "v=DKIM1; k=rsa"', 'a._domainkey TXT: the DKIM record has no tag "p="'],
    [
      "a key that was cut",
      `a._domainkey TXT "v=DKIM1; p=${rsaKey.slice(0, 100)}"`,
      "a._domainkey TXT: the DKIM key is not an RSA key, or is truncated",
    ],
    [
      "a key with quotes in it",
      'a._domainkey TXT "v=DKIM1; p=MIGf\\"MA0G"',
      'a._domainkey TXT: the DKIM record has a tag "p=" that contains quotes',
    ],
    [
      "a key that is not base64",
      'a._domainkey TXT "v=DKIM1; p=MIGf_MA0G"',
      'a._domainkey TXT: the DKIM record has a tag "p=" that is not base64',
    ],
    [
      "signatures with SHA-1 alone",
      `a._domainkey TXT "v=DKIM1; h=sha1; p=${rsaKey}"\nb._domainkey TXT "v=DKIM1; h=sha1:sha256; p="`,
      'a._domainkey TXT: the DKIM record has the invalid tag "h=sha1"',
    ],
    [
      "not for mail",
      'a._domainkey TXT "v=DKIM1; s=other; p="',
      'a._domainkey TXT: the DKIM record has the invalid tag "s=other"',
    ],
    [
      "a tag twice",
      'a._domainkey TXT "v=DKIM1; p=; t=y; t=s"',
      'a._domainkey TXT: the DKIM record has the tag "t=" twice',
    ],
    [
      "a short key",
      `a._domainkey TXT "v=DKIM1; p=${shortRsaKey}"`,
      "a._domainkey TXT: the DKIM key has 512 bits; the minimum is 1024",
    ],
    [
      "the other kind",
      'a._domainkey TXT "v=DKIM1; k=ed25519; p=MIGf"',
      "a._domainkey TXT: the DKIM key has 3 octets; an Ed25519 key has 32",
    ],
    [
      "an unknown kind",
      'a._domainkey TXT "v=DKIM1; k=dsa; p="',
      'a._domainkey TXT: the DKIM record has the invalid tag "k=dsa"',
    ],
    [
      "another version",
      'a._domainkey TXT "v=DKIM2; p="',
      "a._domainkey TXT: the text is not a valid DKIM record and is ignored",
    ],
    [
      "the name of a key",
      'a._domainkey TXT "a.dkim.test"',
      'a._domainkey TXT: "a.dkim.test" in the DKIM record is not a tag',
    ],
  ],
  "mta-sts-syntax": [
    ["an id", '_mta-sts TXT "v=STSv1; id=20270131T120000;"'],
    ["elsewhere", 'www TXT "v=STSv1"'],
    ["no id", '_mta-sts TXT "v=STSv1;"', '_mta-sts TXT: the MTA-STS record has no tag "id="'],
    [
      "a day with hyphens",
      '_mta-sts.a TXT "v=STSv1; id=2027-01-31"',
      '_mta-sts.a TXT: the MTA-STS record has the invalid tag "id=2027-01-31"',
    ],
    [
      "33 characters",
      `_mta-sts TXT "v=STSv1; id=${"a".repeat(33)}"`,
      `_mta-sts TXT: the MTA-STS record has the invalid tag "id=${"a".repeat(33)}"`,
    ],
  ],
  "tlsrpt-syntax": [
    ["mail and web", '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@b.test,https://c.test/d"'],
    ["no address", '_smtp._tls TXT "v=TLSRPTv1"', '_smtp._tls TXT: the TLSRPT record has no tag "rua="'],
    [
      "no scheme",
      '_smtp._tls TXT "v=TLSRPTv1; rua=a@b.test"',
      '_smtp._tls TXT: the TLSRPT record has the invalid tag "rua=a@b.test"',
    ],
  ],
  "bimi-syntax": [
    [
      "another image",
      'default._bimi TXT "v=BIMI1; l=https://a.test/b.png"',
      'default._bimi TXT: the BIMI record has the invalid tag "l=https://a.test/b.png"',
    ],
    [
      "a logo, and none",
      'default._bimi TXT "v=BIMI1; l=https://a.test/b.svg; a=https://a.test/c.pem"\nno._bimi TXT "v=BIMI1; l=; a=;"',
    ],
    ["no logo", 'default._bimi TXT "v=BIMI1;"', 'default._bimi TXT: the BIMI record has no tag "l="'],
    [
      "without TLS",
      'default._bimi TXT "v=BIMI1; l=http://a.test/b.svg"',
      'default._bimi TXT: the BIMI record has the invalid tag "l=http://a.test/b.svg"',
    ],
  ],
  "host-hyphen": [
    ["inside", "a-b A 192.0.2.1\na--b AAAA 2001:db8::1"],
    ["owners that are not hosts", '-a TXT "x"\na- CNAME b\nb A 192.0.2.1'],
    ["at the beginning", "-a A 192.0.2.1", "-a A has a label that starts with a hyphen"],
    ["at the end of another label", "a.b- MX 1 c.test.", "a.b- MX has a label that ends with a hyphen"],
  ],
  "single-name-server": [
    ["two", "a NS b.test.\na NS c.test."],
    ["the apex is the service's", "@ NS a.test."],
    ["one", "a NS b.test.", "a is delegated to only one name server"],
    ["one twice", "a NS b.test.\na NS B.test.", "a is delegated to only one name server"],
  ],
  "soa-times": [
    ["in order", "refresh_sec: 4h\nretry_sec: 1h\nexpire_sec: 2w"],
    ["equal", "refresh_sec: 4h\nretry_sec: 4h"],
    ["of the service", "refresh_sec: 0\nretry_sec: 1h\nexpire_sec: 0"],
    ["an SOA record", "@ SOA . . 1 4h 1h 2w 1h"],
    ["no negative TTL", "@ SOA . . 1 4h 1h 2w 0"],
    ["zeroes in an SOA record", "@ SOA . . 1 0 1h 2w 1h", "the refresh of the SOA record is 0"],
    ["no expiry in an SOA record", "@ SOA . . 1 4h 1h 0 1h", "the expire of the SOA record is 0"],
    ["retry", "refresh_sec: 1h\nretry_sec: 2h", "retry (2h) is longer than refresh (1h)"],
    ["expire", "@ SOA . . 1 4h 1h 4h 1h", "expire (4h) is shorter than refresh and retry together (5h)"],
  ],
  "cname-chain": [
    ["one alias", "a CNAME b\nb A 192.0.2.1\nc CNAME d.test."],
    ["circles have a rule of their own", "a CNAME b\nb CNAME a"],
    ["an indirection", "a CNAME B\nb CNAME c\nc A 192.0.2.1"],
    ["a way into a circle", "a CNAME b\nb CNAME c\nc CNAME b"],
    [
      "three, once for all names that lead into it",
      "z CNAME b\na CNAME b\nb CNAME c\nc CNAME d.test.",
      "z → b → c → d.test. is a chain of 3 CNAME records",
    ],
  ],
  "mx-without-address": [
    ["an address of each kind", "@ MX 1 a\n@ MX 2 b\na A 192.0.2.1\nb AAAA 2001:db8::1"],
    ["aliases have a rule of their own", "@ MX 1 a\na CNAME b.test."],
    [
      "a wildcard, a delegation, elsewhere, none",
      "@ MX 1 a.w\n*.w A 192.0.2.1\na MX 1 a.d\nd NS b.test.\nb MX 1 c.test.\nc MX 0 .",
    ],
    ["a name of the zone that does not exist", "@ MX 1 a", '@ MX points to "a", which does not exist in the zone'],
    ["a text", "@ MX 1 a\na TXT x", '@ MX points to "a", which has no A or AAAA record'],
    ["an empty name", "@ MX 1 a\nb.a A 192.0.2.1", '@ MX points to "a", which has no A or AAAA record'],
    [
      "the zone itself, once for equal records",
      "@ MX 1 @\n@ MX 1 example.com.",
      '@ MX points to "@", which has no A or AAAA record',
    ],
    [
      "delegations that need each other",
      "@ MX 1 m.a\na NS n.b\nb NS n.a",
      '@ MX points to "m.a", which is below a delegation whose name servers have no address',
    ],
    ["delegations with glue", "@ MX 1 m.a\na NS n.b\nb NS n.a\nn.a A 192.0.2.1"],
    ["not managed: a part of the zone", "manage: listed\nrecords: { '@': { MX: 10 mail } }"],
    [
      "not managed: names that fit a pattern",
      "ignore: [{ name: '*.dyn', reason: x }, { name: l, type: A, reason: x }]\nrecords: { '@': { MX: [10 a.dyn, 20 l] } }",
    ],
    [
      "a pattern for other names and types",
      "ignore: [{ name: '*.dyn', reason: x }, { type: TXT, reason: x }]\nrecords: { '@': { MX: 10 dyn } }",
      '@ MX points to "dyn", which does not exist in the zone',
    ],
  ],
  "target-without-address": [
    ["an alias of a text", "a CNAME b\nb TXT x"],
    ["a host that is an alias of an apex with an address, or an ALIAS", "@ A 192.0.2.1\nwww CNAME @"],
    [
      "a host that is an alias of an apex with an ALIAS",
      "@ ALIAS x.test.\nwww CNAME @\nb CNAME www\n@ NS b\nc ALIAS www",
    ],
    [
      "a host that is an alias of an apex without an address",
      '@ MX 10 mail.test.\n@ TXT "v=spf1 mx -all"\nwww CNAME @\n_acme-challenge CNAME @',
      'www CNAME points to "@", which has no A or AAAA record',
    ],
    [
      "an ALIAS of a text, and of an empty name",
      "@ ALIAS a\nb ALIAS c\na TXT x\nd.c A 192.0.2.1",
      '@ ALIAS points to "a", which has no A or AAAA record',
      'b ALIAS points to "c", which has no A or AAAA record',
    ],
    ["an alias of an empty name", "a CNAME b\nc.b A 192.0.2.1", 'a CNAME points to "b", which has no A or AAAA record'],
    ["addresses", "@ NS a\n_a._tcp SRV 0 0 1 a\na A 192.0.2.1"],
    ["a server of its own delegation", "a NS n.a"],
    ["names that do not exist", "@ NS a\n_a._tcp SRV 0 0 1 b"],
    [
      "each type",
      "@ NS a\n_a._tcp SRV 0 0 1 a\nb HTTPS 1 a\na TXT x",
      '@ NS points to "a", which has no A or AAAA record',
      '_a._tcp SRV points to "a", which has no A or AAAA record',
      'b HTTPS points to "a", which has no A or AAAA record',
    ],
  ],
  "mta-sts-host": [
    [
      "its host",
      '_mta-sts TXT "v=STSv1; id=1"\nmta-sts CNAME a.test.\n_mta-sts.b TXT "v=STSv1; id=1"\nmta-sts.b A 192.0.2.1',
    ],
    ["another text", "_mta-sts TXT x"],
    ["a name whose certificate is proved", '_mta-sts TXT "v=STSv1; id=1"\n_x.mta-sts CNAME a.test.'],
    [
      "no host",
      '_mta-sts.b TXT "v=STSv1; id=1"\nmta-sts A 192.0.2.1',
      '_mta-sts.b TXT: senders fetch the policy from "mta-sts.b", which does not exist in the zone',
    ],
  ],
  "policy-unread": [
    [
      "each at its name",
      `@ TXT "v=spf1 -all"\n_dmarc TXT "v=DMARC1; p=none"\na._domainkey TXT "v=DKIM1; p="\n_mta-sts TXT "v=STSv1; id=1"\n_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@b.test"\ndefault._bimi TXT "v=BIMI1; l="\nb.test._report._dmarc TXT "v=DMARC1"`,
    ],
    [
      "at the target of an alias, and at a wildcard",
      '_dmarc CNAME policy\npolicy TXT "v=DMARC1; p=none"\n* TXT "v=DMARC1; p=none"',
    ],
    ["other texts", '@ TXT "v=verifydomain MS=1"\n@ TXT "spf"\n@ TXT "see v=spf1"\n@ TXT "spf-check=1"'],
    [
      "prose about policies",
      '@ TXT "note=we publish v=spf1 records at each name"\n@ TXT "info=our v=DMARC1 policy is at _dmarc"',
    ],
    [
      "keys without a version",
      'a.domainkey TXT "k=rsa; p="\na._domainkeys TXT "p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCt5iLZbpUx3IH6BfiRZ5R0"',
      "a.domainkey TXT: a DKIM record at this name is not read",
      "a._domainkeys TXT: a DKIM record at this name is not read",
    ],
    [
      "another separator",
      '@ TXT "v=spf1; mx -all"',
      '@ TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
    ],
    [
      "a space before it",
      '@ TXT " v=spf1 mx -all"',
      '@ TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
    ],
    [
      "no space",
      '@ TXT "v=spf1include:a.test -all"\na TXT "v=spf1-all"',
      '@ TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
      'a TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
    ],
    [
      "other versions",
      '@ TXT "spf1 mx -all"\na TXT "v=spf2 mx -all"\nb TXT "v=spf2.0/pra mx -all"',
      '@ TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
      'a TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
      'b TXT: the text does not start with "v=spf1 ", so it is not an SPF record',
    ],
    [
      "two texts in one",
      '@ TXT "v=spf1 mx -all" "v=DMARC1; p=none"\na TXT "google-site-verification=x" "v=spf1 -all"',
      '@ TXT: the text contains a second one, which starts with "v=DMARC1"',
      'a TXT: the text contains a second one, which starts with "v=spf1"',
    ],
    [
      "at another name",
      '@ TXT "v=DMARC1; p=none"\ndmarc TXT "v=DMARC1; p=none"\nshop._dmarc TXT "v=DMARC1; p=none"\n_bimi TXT "v=BIMI1; l="\ns1.domainkey TXT "v=DKIM1; p="\ns1._domainkeys TXT "v=DKIM1; p="\n_tls._smtp TXT "v=TLSRPTv1; rua=mailto:a@b.test"\nmta-sts TXT "v=STSv1; id=1"',
      "@ TXT: a DMARC record at this name is not read",
      "dmarc TXT: a DMARC record at this name is not read",
      "shop._dmarc TXT: a DMARC record at this name is not read",
      "_bimi TXT: a BIMI record at this name is not read",
      "s1.domainkey TXT: a DKIM record at this name is not read",
      "s1._domainkeys TXT: a DKIM record at this name is not read",
      "_tls._smtp TXT: a TLSRPT record at this name is not read",
      "mta-sts TXT: an MTA-STS record at this name is not read",
    ],
    [
      "the type SPF",
      'a SPF "v=spf1 -all"\na TXT "v=spf1 -all"\nb SPF "v=spf1 -all"',
      "b SPF: receivers do not query this type",
    ],
  ],
  "caa-syntax": [
    [
      "authorities and parameters",
      '@ CAA 0 issue "letsencrypt.org; accounturi=https://a.test/1; validationmethods=dns-01,http-01"\na CAA 0 issue ";"\nb CAA 0 issue ""\n@ CAA 0 issuewild "a.b; validationmethods=ca-own"\n@ CAA 0 iodef "mailto:a@b.test"',
    ],
    ["other properties", '@ CAA 0 tbs "x"'],
    [
      "one label",
      '@ CAA 0 issue "letsencrypt"',
      '@ CAA issue: the authority "letsencrypt" is no domain, and matches none',
    ],
    [
      "an underscore",
      '@ CAA 0 issue "lets_encrypt.org"',
      '@ CAA issue: the authority "lets_encrypt.org" has an underscore, and matches none',
    ],
    ["no value", '@ CAA 0 issue "a.b; accounturi="', '@ CAA issue: the parameter "accounturi" has no value'],
    ["no account", '@ CAA 0 issue "a.b; accounturi=123"', '@ CAA issue: the account "123" is not a URI'],
    [
      "no method",
      '@ CAA 0 issue "a.b; validationmethods=dns-01,dns"',
      '@ CAA issue: the validation method "dns" is unknown',
    ],
    ["a misspelt property", '@ CAA 0 issuer "a.b"', "@ CAA issuer: no authority knows this property"],
    [
      "a critical one",
      '@ CAA 128 tbs "x"',
      "@ CAA tbs: it is critical, so that authorities which do not know it issue nothing",
    ],
    ["flags", '@ CAA 1 issue "a.b"', "@ CAA issue: the flags 1 are not defined"],
    [
      "none beside one",
      '@ CAA 0 issue ";"\n@ CAA 0 issue "a.b"\n@ CAA 0 issuewild ";"',
      "@ CAA issue: the record that allows no authority has no effect beside others",
    ],
    ["no parameter", '@ CAA 0 issue "a.b; =x"', '@ CAA issue: "=x" is not a parameter'],
  ],
  "ds-without-ns": [
    ["a delegation, and the apex", `a NS b.test.\na DS 1 8 2 ${"00".repeat(32)}\n@ DS 1 8 2 ${"00".repeat(32)}`],
    ["none", `a DS 1 8 2 ${"00".repeat(32)}\na DS 2 8 2 ${"00".repeat(32)}`, "a has DS records, but is not delegated"],
  ],
  "null-mx-preference": [
    ["0", "@ MX 0 .\na MX 10 b.test."],
    ["10", "@ MX 10 .", "@ MX: the null MX has the preference 10"],
  ],
  "null-srv-alone": [
    ["alone", "_a._tcp SRV 0 0 0 .\n_b._tcp SRV 0 0 1 a.test."],
    [
      "beside another",
      "_a._tcp SRV 0 0 0 .\n_a._tcp SRV 0 0 1 a.test.",
      "_a._tcp SRV says that the service is not available, and names servers of it",
    ],
  ],
  "assigned-number": [
    [
      "assigned ones",
      `a SSHFP 4 2 ${"00".repeat(32)}\n_25._tcp.a TLSA 3 1 0 00\na SMIMEA 255 255 255 00\nb NS c.test.\nb DS 1 8 2 ${"00".repeat(32)}`,
    ],
    [
      "others",
      "a SSHFP 0 3 00\n_25._tcp.a TLSA 4 2 3 00\na DS 1 2 13 00",
      "a DS has the digest type 13, which is not assigned",
      "a SSHFP has the algorithm 0, which is not assigned",
      "a SSHFP has the fingerprint type 3, which is not assigned",
      "_25._tcp.a TLSA has the usage 4, which is not assigned",
      "_25._tcp.a TLSA has the selector 2, which is not assigned",
      "_25._tcp.a TLSA has the matching type 3, which is not assigned",
    ],
  ],
  "naptr-syntax": [
    ["either", '@ NAPTR 1 1 "u" "E2U+sip" "!a!b!" .\n@ NAPTR 1 1 "s" "SIP+D2U" "" a\na SRV 0 0 1 b.test.'],
    ["both", '@ NAPTR 1 1 "u" "E2U+sip" "!a!b!" a.test.', "@ NAPTR has an expression and a replacement"],
    [
      "a name that does not exist",
      '@ NAPTR 1 1 "s" "SIP+D2U" "" a',
      '@ NAPTR leads to "a", which does not exist in the zone',
    ],
  ],
  "reverse-owner": [
    ["other zones", "256 PTR a.test."],
    [
      "addresses, and a classless delegation",
      "zone: 2.0.192.in-addr.arpa\nrecords: { 10: { PTR: a.test. }, 0/25: { NS: a.test. }, 10.0-25: { PTR: a.test. } }",
    ],
    [
      "a number and a whole address",
      "zone: 2.0.192.in-addr.arpa\nrecords: { 256: { PTR: a.test. }, 192.0.2.10: { PTR: a.test. } }",
      "256 PTR contains 256; the numbers of an address end at 255",
      "192.0.2.10 PTR has 7 numbers with those of its zone; an address has 4",
    ],
  ],
  "tlsa-owner": [
    [
      "a service",
      "_25._tcp.a TLSA 3 1 0 00\n*._tcp.a TLSA 3 1 0 00\n_a.b TLSA 3 1 0 00\nt TLSA 3 1 0 00\n_443._tcp.b CNAME t",
    ],
    [
      "no protocol, and the other order",
      "_443.a TLSA 3 1 0 00\n_tcp._443.a TLSA 3 1 0 00",
      "_443.a TLSA is not at a port and protocol",
      "_tcp._443.a TLSA is not at a port and protocol",
    ],
    [
      "a host, and a port without underscore",
      "a TLSA 3 1 0 00\n25._tcp.a TLSA 3 1 0 00",
      "a TLSA is not at a port and protocol",
      "25._tcp.a TLSA is not at a port and protocol",
    ],
  ],
  "srv-labels": [
    ["no underscores", "sip.tcp SRV 0 0 1 a.test.", "sip.tcp SRV lacks the underscores of its service and protocol"],
    ["in order", "_sip._tcp SRV 0 0 1 a.test.\n_sip._tls SRV 0 0 1 a.test.\n_tcp SRV 0 0 1 a.test."],
    [
      "in the other order",
      "_tcp._sip SRV 0 0 1 a.test.\n_udp._sip.b SRV 0 0 1 a.test.",
      "_tcp._sip SRV has its service and protocol in the wrong order",
      "_udp._sip.b SRV has its service and protocol in the wrong order",
    ],
  ],
  "below-dname": [
    ["beside and elsewhere", "a DNAME b.test.\na TXT x\nc.b A 192.0.2.1"],
    [
      "below",
      "a DNAME b.test.\nc.a A 192.0.2.1\nc.a TXT x",
      'c.a A is below the DNAME "a"',
      'c.a TXT is below the DNAME "a"',
    ],
  ],
  "single-dname": [
    ["one", "a DNAME b.test.\na DNAME B.test."],
    ["two", "a DNAME b.test.\na DNAME c.test.", "a has more than one DNAME record"],
  ],
  "svcb-alias": [
    ["an alias, and a service at its own name", "@ HTTPS 0 a.test.\nb HTTPS 1 . alpn=h2\nc HTTPS 0 ."],
    ["parameters", "@ HTTPS 0 a.test. alpn=h2", "@ HTTPS is an alias with parameters, which clients ignore"],
    ["itself", "a SVCB 0 A", "a SVCB is an alias of its own name"],
    [
      "beside others",
      "a HTTPS 0 a.test.\na HTTPS 1 .",
      "a HTTPS is an alias beside other records, which clients ignore",
    ],
    ["two", "a HTTPS 0 a.test.\na HTTPS 0 b.test.", "a HTTPS is more than one alias"],
  ],
  "uri-syntax": [
    ["a URI", '_a._tcp URI 1 1 "https://a.test/"\n_a._tcp URI 1 1 "mailto:a@b.test"'],
    ["none", '_a._tcp URI 1 1 ""', "_a._tcp URI has no URI"],
    ["a host", '_a._tcp URI 1 1 "a.test"', '_a._tcp URI has "a.test", which is no URI'],
  ],
  "documentation-address": [
    ["in an example", "a A 192.0.2.1"],
    ["others", "zone: shop.dev\nrecords: { a: { A: 9.9.9.9, AAAA: '2620:fe::fe' } }"],
    [
      "published",
      "zone: shop.dev\nrecords: { a: { A: [198.51.100.7, 203.0.113.9], AAAA: '2001:db8::1' } }",
      "a A publishes 198.51.100.7, an address of examples",
      "a A publishes 203.0.113.9, an address of examples",
      "a AAAA publishes 2001:db8::1, an address of examples",
    ],
  ],
  "srv-port": [
    ["a port", "_a._tcp SRV 1 2 3 b.test."],
    ["no service", "_a._tcp SRV 0 0 0 ."],
    ["none", "_a._tcp SRV 1 2 0 b.test.", "_a._tcp SRV has port 0"],
  ],
  "hosted-target": [
    ["elsewhere", "a CNAME b.test.\nb CNAME notgithub.io.\nc CNAME github.io.test."],
    ["a mail server at a service without hosts", "a MX 1 b.github.io."],
    ["a text", "a TXT b.github.io."],
    [
      "hosts of customers",
      "a MX 1 b.cloudapp.azure.com.\nc NS d.cloudapp.net.\n_e._tcp SRV 0 0 1 f.trafficmanager.net.",
      'a MX points to "b.cloudapp.azure.com." at Azure virtual machines',
      'c NS points to "d.cloudapp.net." at Azure Cloud Services',
      '_e._tcp SRV points to "f.trafficmanager.net." at Azure Traffic Manager',
    ],
    ["addresses of others", "a A 185.199.112.153\na AAAA 2606:50c0:8004::153"],
    [
      "addresses of pages",
      "@ A 185.199.111.153\n@ A 185.199.108.153\n@ AAAA 2606:50C0:8003:0::0153",
      "@ A points to 185.199.108.153 and 1 more at GitHub Pages",
      "@ AAAA points to 2606:50c0:8003::153 at GitHub Pages",
    ],
    ["addresses of pages of a verified domain", "@ A 185.199.111.153\n_github-pages-challenge-b TXT x"],
    ["an ALIAS", "@ ALIAS Shop.GitHub.io.", '@ ALIAS points to "Shop.GitHub.io." at GitHub Pages'],
    ["an ALIAS of a page of a verified domain", "a ALIAS b.github.io.\n_github-pages-challenge-b TXT x"],
    ["a page", "a CNAME Shop.GitHub.io.", 'a CNAME points to "Shop.GitHub.io." at GitHub Pages'],
    ["a page of a verified domain", "a CNAME b.github.io.\n_GitHub-Pages-Challenge-b TXT x"],
    ["a page of a verified name", "a.b CNAME b.github.io.\n_github-pages-challenge-b.a.b TXT x"],
    [
      "pages that the verified domain does not protect",
      "* CNAME b.github.io.\na.b CNAME b.github.io.\n_github-pages-challenge-b TXT x",
      '* CNAME points to "b.github.io." at GitHub Pages',
      'a.b CNAME points to "b.github.io." at GitHub Pages',
    ],
    ["verified apps", "a CNAME b.azurewebsites.net.\nasuid.a TXT x\n* CNAME c.azurewebsites.net.\nasuid TXT x"],
    [
      "an app with the proof of another name, another service, or another type",
      "a CNAME b.azurewebsites.net.\nasuid.b TXT x\n_github-pages-challenge-b TXT x\nasuid.a A 192.0.2.1",
      'a CNAME points to "b.azurewebsites.net." at Azure App Service',
    ],
    ["an app whose name cannot be chosen", "a CNAME b-0a1b2c3d4e5f6a7b.westeurope-01.azurewebsites.net."],
    [
      "names that services share",
      "a CNAME stats.uptimerobot.com.\nb CNAME domains.smugmug.com.\nc CNAME www.smugmug.com.",
      'a CNAME points to "stats.uptimerobot.com." at UptimeRobot',
      'b CNAME points to "domains.smugmug.com." at SmugMug',
    ],
    [
      "buckets",
      "a CNAME b.s3.amazonaws.com.\nb CNAME c.s3-website-eu-west-1.amazonaws.com.\nc CNAME d.s3.eu-west-1.amazonaws.com.",
      'a CNAME points to "b.s3.amazonaws.com." at Amazon S3',
      'b CNAME points to "c.s3-website-eu-west-1.amazonaws.com." at Amazon S3',
      'c CNAME points to "d.s3.eu-west-1.amazonaws.com." at Amazon S3',
    ],
  ],
  "owner-spelling": [
    ["one spelling", "WWW A 192.0.2.1\nWWW AAAA 2001:db8::1\na A 192.0.2.1\nAA A 192.0.2.1"],
    ["two sets", "WWW A 192.0.2.1\nwww AAAA 2001:db8::1", '"www" is the same name as "WWW"'],
    [
      "one set, and the zone's own name",
      "a A 192.0.2.1\nA A 192.0.2.2\n@ A 192.0.2.1\nEXAMPLE.com. A 192.0.2.2",
      '"A" is the same name as "a"',
      '"EXAMPLE.com." is the same name as "@"',
    ],
  ],
  "owner-of-other-domain": [
    ["names of the zone", "www A 192.0.2.1\nwww.shop A 192.0.2.1\na.b.c A 192.0.2.1"],
    ["countries are often names of places", "www.de A 192.0.2.1\ndb.prod.eu A 192.0.2.1"],
    ["on purpose, with its final dot", "www.example.net.example.com. A 192.0.2.1"],
    ["a subdomain with a name of its own", "net TXT x\nr1.net A 192.0.2.1"],
    [
      "a tree of names",
      "a.net A 192.0.2.1\nb.net A 192.0.2.1\nc.net A 192.0.2.1\nd.net A 192.0.2.1\ne.net A 192.0.2.1",
    ],
    ["reports of other domains (RFC 7489 §7.1)", 'example.net._report._dmarc TXT "v=DMARC1"'],
    ["the zone's own name has its own rule", "www.example.com A 192.0.2.1"],
    [
      "another domain",
      "www.shop.org A 192.0.2.1",
      '"www.shop.org" is relative and becomes "www.shop.org.example.com."',
    ],
    [
      "the domain itself",
      "Example.NET A 192.0.2.1",
      '"Example.NET" is relative and becomes "Example.NET.example.com."',
    ],
    [
      "the zone's first label in a country",
      "www.example.de A 192.0.2.1",
      '"www.example.de" is relative and becomes "www.example.de.example.com."',
    ],
    [
      "each name",
      "a.x.com A 192.0.2.1\nb.y.org TXT x\nb.y.org A 192.0.2.1",
      '"a.x.com" is relative and becomes "a.x.com.example.com."',
      '"b.y.org" is relative and becomes "b.y.org.example.com."',
    ],
  ],
  "hash-owner": [
    ["a comment", "a A 192.0.2.1 ; # b\n;#b A 192.0.2.1"],
    ["inside of a name", "a#b A 192.0.2.1"],
    ["escaped", "\\035old A 192.0.2.1"],
    ["in YAML", 'records: { "#old": { A: 192.0.2.1 } }'],
    ["a record", "#old A 192.0.2.1", '#old A is a record of a name that starts with "#", not a comment'],
    ["in other letter case", "#OLD 300 in txt x", '#OLD TXT is a record of a name that starts with "#", not a comment'],
  ],
  "ptr-is-address": [
    ["a name", "a PTR host.example.net."],
    ["a name of digits", "a PTR 1.2.3"],
    [
      "with a final dot or without",
      "b PTR 192.0.2.1.\nc PTR 192.0.2.4",
      'b PTR points to the address "192.0.2.1"',
      'c PTR points to the address "192.0.2.4"',
    ],
    ["an IPv6 address", "a PTR 2001:db8::1", 'a PTR points to the address "2001:db8::1"'],
  ],
  "target-one-label": [
    ["relative", "a MX 1 mail\nmail A 192.0.2.1"],
    ["two labels", "a MX 1 mail.test."],
    ["no server at all", "a MX 0 .\na SVCB 1 ."],
    ["a limit of the API says it of SRV", "_a._tcp SRV 1 2 3 b."],
    ["127.0.0.1", "a PTR localhost."],
    [
      "each type",
      "@ NS ns1.\na CNAME b.\nc MX 1 Mail.\nd PTR host.\ne HTTPS 1 f.",
      '@ NS points to the top-level domain "ns1."',
      'a CNAME points to the top-level domain "b."',
      'c MX points to the top-level domain "Mail."',
      'd PTR points to the top-level domain "host."',
      'e HTTPS points to the top-level domain "f."',
    ],
    [
      "localhost elsewhere than in a PTR record",
      "a CNAME localhost.",
      'a CNAME points to the top-level domain "localhost."',
    ],
  ],
  "text-typography": [
    ["a text that is no policy", 'a TXT "\u201chello\u201d"\nb TXT "caf\u00e9\u00a0\u2013 bar"'],
    ["other letters in a note", '_dmarc TXT "v=DMARC1; p=none; n=Gr\u00fc\u00dfe"'],
    [
      "seen by the other rules",
      '@ TXT "\u201cv=spf1 mx +all\u201d"',
      "@ TXT: the SPF record contains a typographic quotation mark (U+201C)",
    ],
  ],
  "text-unquoted": [
    ["in quotes", '@ TXT "v=spf1 mx -all"\na TXT "v=DKIM1; k=rsa" ; key=old'],
    ["one word", "@ TXT x\n@ TXT x ; a comment\n@ TXT x\t; a = b"],
    ["strings, each in quotes", '@ TXT "one" "two"\n@ TXT "one" two'],
    ["a commented line that adds no tag", '@ TXT ( "v=DKIM1; p=AAAA"\n ; p=BBBB\n ; selector=2026\n )'],
    ["a comment behind the entry", '@ TXT "v=DKIM1; p=AAAA"\n; k=rsa\n@ TXT ( "v=DKIM1; p=AAAA" ) ; k=rsa\n; k=rsa'],
    ["commented lines of a text that is no policy", '@ TXT ( "v=one"\n ; p=AAAA\n )'],
    ["words on lines of their own", "a TXT ( v=DKIM1\\;p=AAAA\n  BBBB )"],
    ["octets", "@ TXT \\# 3 026869"],
    ["no text", "a MX 1 b;primary\nb A 192.0.2.1;host"],
    ["escaped semicolons", "a TXT v=DKIM1\\;p="],
    ["lists of keys", "a RESINFO qnamemin exterr=15-17\na CLA a b\na AVC a b\na NINFO v=spf1 b\na WALLET BTC 1b"],
    ["CAA", '@ CAA 0 issue ca.test\n@ CAA 0 issue "ca.test; a=b"\n@ CAA 0 issue ca.test ; ours'],
    ...[
      ["words", "@ TXT v=spf1 mx -all", blanks],
      ["words behind a string", '@ TXT "a" b c', blanks],
      ["words between tabs, and a comment", "@ TXT one\ttwo ; three", blanks],
      ["the rest", "@ TXT v=DKIM1; k=rsa; p=AAAA", rest],
      ["the rest behind a space", "@ TXT v=DMARC1 ; p=none", rest],
      ["the rest behind quotes", '@ TXT "v=DMARC1"; p=none', rest],
      ["the rest of a later string", '@ TXT "v=DKIM1; k=rsa; " p=AA; s=email', rest],
      ["the rest in parentheses", "@ TXT ( v=DKIM1; k=rsa;\n p=AAAA )", rest],
      ["a text that is no policy", "@ TXT verify;me", rest],
      ["tags in commented lines", '@ TXT ( "v=DKIM1; k=rsa"\n ; p=AAAA\n )', line],
      ["tags in the second commented line", "@ TXT ( v=DKIM1\n ; of 2026\n\t; k=rsa; p=AAAA\n )", line],
      ["tags in commented lines between strings", '@ TXT ( "v=DMARC1;" ; ours\n ; "p=reject"\n "; pct=5" )', line],
      ["escaped semicolons, and spaces", "@ TXT v=DKIM1\\; p=AAAA", blanks],
      ["the words of $GENERATE", '$GENERATE 1-2 @ TXT "v=spf1 mx -all"', blanks],
      ["the rest of $GENERATE", "$GENERATE 1-2 @ TXT v=spf1;mx", rest],
    ].map(([comment = "", zone = "", summary = ""]): Case => [comment, zone, `@ TXT ${summary}`]),
    ["the rest of another type", "@ CAA 0 issue ca.test; a=b", `@ CAA ${rest}`],
    ["in YAML, written as in a master file", "records: { a: { TXT: { rdata: v=spf1 mx -all } } }", `a TXT ${blanks}`],
    ["a comment in YAML", "records: { a: { CAA: 0 issue ca.test; a=b } }", `a CAA ${rest}`],
  ],
  "target-is-cname": [
    ["a host", "a MX 1 b\nb A 192.0.2.1"],
    ["a CNAME may point to a CNAME", "a CNAME b\nb CNAME c\nc A 192.0.2.1"],
    [
      "each type",
      "@ NS b\na MX 1 B\n_a._tcp SRV 1 2 3 b\nb CNAME c",
      '@ NS points to "b", which is a CNAME',
      'a MX points to "B", which is a CNAME',
      '_a._tcp SRV points to "b", which is a CNAME',
    ],
    ["a wildcard", "a.b MX 1 c\n* CNAME d.test.", 'a.b MX points to "c", which is a CNAME'],
    [
      "below a delegation, or beside a wildcard",
      "a MX 1 b.c\nc NS d.test.\nb.c CNAME d.test.\ne MX 1 f\n*.g CNAME d.test.\nf A 192.0.2.1",
    ],
  ],
  "target-needs-dot": [
    ["a final dot", "a CNAME b.example.net."],
    ["one label", "a CNAME b"],
    ["a name that is in the zone", "a CNAME b.c\nb.c A 192.0.2.1"],
    ["a name that a wildcard covers", "a CNAME b.c\n*.c A 192.0.2.1"],
    ["a dot inside a label", "a CNAME b\\.c"],
    ["a mailbox of the zone's mail domain", "@ SOA ns.example.net. john\\.doe.mail 1 2 3 4 5\nmail A 192.0.2.1"],
    ["an address has a rule of its own", "a MX 1 192.0.2.1"],
    ["labels that are no suffix", "a CNAME b.lab\nb CNAME foo._domainkey\n_http._tcp PTR x._http._tcp\nc CNAME x.y-z"],
    ["names of environments", "a CNAME mail.prod\nb MX 1 mx.dev"],
    ["a suffix that is a label of the zone", "a CNAME b.de\nc.de A 192.0.2.1"],
    [
      "a service in an environment",
      "a CNAME web.shop.app",
      '"web.shop.app" has no final dot and becomes "web.shop.app.example.com."',
    ],
    ["a suffix of one country", "a CNAME b.co.uk", '"b.co.uk" has no final dot and becomes "b.co.uk.example.com."'],
    [
      "it was forgotten",
      "a CNAME b.example.net",
      '"b.example.net" has no final dot and becomes "b.example.net.example.com."',
    ],
    [
      "the zone's own name",
      "a CNAME example.com",
      '"example.com" has no final dot and becomes "example.com.example.com."',
    ],
    [
      "a mailbox",
      "@ SOA ns.example.net. hostmaster.example.com 1 2 3 4 5",
      '"hostmaster.example.com" has no final dot and becomes "hostmaster.example.com.example.com."',
    ],
    [
      "relative to an origin below the zone",
      "$ORIGIN sub\na MX 1 b.example.net",
      '"b.example.net" has no final dot and becomes "b.example.net.sub.example.com."',
    ],
    ["limits report the host in a target", "a CNAME http://b.test/c\nb MX 1 u@c.test\n_s._tcp SRV 1 1 1 d.test:80"],
    ["a limit reports the contact", "@ SOA ns.example.net. u@b.test 1 2 3 4 5"],
    ...[
      ["a RP u@b.test .", "u@b.test", "an e-mail address"],
      ["a MINFO u@b.test .", "u@b.test", "an e-mail address"],
      ["a AFSDB 1 u@b.test", "u@b.test", "an e-mail address"],
      ["a HTTPS 1 www.b.test:443", "www.b.test:443", "a host with a port"],
      ["a KX 1 https://b.test/c", "https://b.test/c", "a URL"],
      ["a DNAME b.test/c.html", "b.test/c.html", "a URL"],
      ["@ NS https://ns.b.test", "https://ns.b.test", "a URL"],
      ["@ SOA https://ns.b.test u.b.test. 1 2 3 4 5", "https://ns.b.test", "a URL"],
    ].map(([line = "", name = "", what = ""]): Case => {
      return [
        `no limit covers ${line}`,
        line,
        `"${name}" is ${what} and becomes "${name.replace("@", "\\@")}.example.com."`,
      ];
    }),
  ],
  "text-quoting": [
    ["quotes and backslashes inside", 'a TXT "say \\"x\\" \\\\ and go"'],
    ["quotes around it", 'a TXT "\\"v=spf1" " -all\\""', "a TXT has quotes around its text"],
    ["as octoDNS writes it", "a TXT v=DKIM1\\\\\\; p=", "a TXT has backslashes before semicolons"],
  ],
  "underscore-host": [
    ["letters, digits, hyphens", "a-1 A 192.0.2.1"],
    ["types that are no hosts", '_dmarc TXT x\n_acme CNAME a\n_sip._tcp SRV 1 2 3 a\n_x CAA 0 issue ";"'],
    ["a host", "a_b A 192.0.2.1", "a_b A has an underscore in its name"],
    [
      "several",
      "_a A 192.0.2.1\n_a AAAA 2001:db8::1\nb._a MX 1 c",
      "_a A has an underscore in its name",
      "_a AAAA has an underscore in its name",
      "b._a MX has an underscore in its name",
    ],
  ],
  "wildcard-ns": [
    ["other types", "*.a A 192.0.2.1"],
    ["an asterisk further down", "b.*.a NS ns.example.net."],
    ["a delegation", "*.a NS ns.example.net.", "*.a delegates a wildcard"],
    ["of the whole zone", "* NS ns.example.net.", "* delegates a wildcard"],
  ],
};

/** Limits of the API (decisions/documents#records, decisions/service#records). */
const ofTheApi: Record<string, Case[]> = {
  "name-length": [
    ["100 characters", `${"a".repeat(49)}.${"b".repeat(50)} A 192.0.2.1`],
    ["the zone itself", "@ A 192.0.2.1"],
    [
      "101 characters",
      `${"a".repeat(50)}.${"b".repeat(50)} A 192.0.2.1`,
      `${"a".repeat(50)}.${"b".repeat(50)} is 101 characters long; the limit is 100`,
    ],
  ],
  "name-characters": [
    [
      "letters, digits, hyphens, underscores, a wildcard",
      "a-1._b A 192.0.2.1\n*.c A 192.0.2.1\nxn--bcher-kva A 192.0.2.1",
    ],
    ["an escaped dot", "a\\.b A 192.0.2.1", "a\\.b contains characters that the API does not support"],
    ["UTF-8", "b\\195\\188cher A 192.0.2.1", "bücher contains characters that the API does not support"],
    [
      "an @ and a space",
      "a@b A 192.0.2.1\na\\ b A 192.0.2.1",
      "a\\@b contains characters that the API does not support",
      "a\\032b contains characters that the API does not support",
    ],
  ],
  "target-characters": [
    ["hosts", "a CNAME b-1._c.example.net.\nb PTR 1.0/25.2.0.192.in-addr.arpa.\n@ MX 0 ."],
    ["an escaped dot", "a CNAME b\\.c", 'a CNAME points to "b\\.c", which the API does not support'],
    ["a wildcard", "a MX 1 *.b", 'a MX points to "*.b", which the API does not support'],
    ["the set at the apex is the service's own", "@ NS a+b.example.net."],
  ],
  "srv-owner": [
    ["service and protocol", "_sip._tcp SRV 1 2 3 a\n_sip._udp.sub SRV 1 2 3 a"],
    ["no underscores", "sip.tcp SRV 1 2 3 a", "sip.tcp SRV is not at a _service._protocol name"],
    ["the service alone", "_sip SRV 1 2 3 a", "_sip SRV is not at a _service._protocol name"],
    ["at the apex", "@ SRV 1 2 3 a", "@ SRV is not at a _service._protocol name"],
    [
      "an instance (RFC 6763)",
      "printer._ipp._tcp SRV 1 2 3 a",
      "printer._ipp._tcp SRV is not at a _service._protocol name",
    ],
    ["an underscore alone", "_._tcp SRV 1 2 3 a", "_._tcp SRV is not at a _service._protocol name"],
  ],
  "wildcard-first": [
    ["first", "* A 192.0.2.1\n*.a A 192.0.2.1"],
    ["behind", "a.* A 192.0.2.1", 'a.* has a "*" that is not its whole first label'],
    ["twice", "*.* A 192.0.2.1", '*.* has a "*" that is not its whole first label'],
    ["inside a label", "a*b A 192.0.2.1", 'a*b has a "*" that is not its whole first label'],
  ],
  "data-length": [
    [
      "63,750 octets of text, in strings of any length",
      `a TXT ${`"${"x".repeat(255)}" `.repeat(249)}${'"y" '.repeat(255)}`,
    ],
    [
      "one more",
      `a TXT ${`"${"x".repeat(255)}" `.repeat(250)}"y"`,
      "a TXT has 64,002 octets of RDATA; the limit is 64,000",
    ],
    ["a CAA value", `a CAA 0 issue "${"x".repeat(64_000)}"`, "a CAA has 64,007 octets of RDATA; the limit is 64,000"],
  ],
  "priority-range": [
    ["255", "@ MX 255 a\n_a._tcp SRV 255 65535 65535 a"],
    [
      "256",
      "@ MX 256 a\n_a._tcp SRV 65535 0 0 a",
      "@ MX has priority 256; the limit is 255",
      "_a._tcp SRV has priority 65535; the limit is 255",
    ],
  ],
  "root-target": [
    ["where it says that there is no server", "@ MX 0 .\na MX 0 .\n_a._tcp SRV 0 0 0 ."],
    [
      "elsewhere",
      "a CNAME .\nb NS .\nc PTR .",
      'a CNAME points to the root (".")',
      'b NS points to the root (".")',
      'c PTR points to the root (".")',
    ],
  ],
  "srv-target": [
    ["two labels", "_a._tcp SRV 1 2 3 b.c.\n_b._tcp SRV 1 2 3 ."],
    ["one label", "_a._tcp SRV 1 2 3 b.", '_a._tcp SRV points to "b.", a name with one label'],
  ],
  "caa-tag": [
    ["those of the API", '@ CAA 0 issue "a.b"\n@ CAA 0 ISSUEWILD "a.b"\n@ CAA 0 iodef "mailto:a@b"'],
    ["another", '@ CAA 0 tbs "x"', '@ CAA has the unsupported tag "tbs"'],
  ],
  "caa-flags": [
    ["none", '@ CAA 0 issue "a.b"'],
    ["critical", '@ CAA 128 issue "a.b"', "@ CAA has flags 128 instead of 0"],
  ],
  "caa-value": [
    [
      "domains, none, parameters",
      '@ CAA 0 issue "letsencrypt.org"\n@ CAA 0 issue ";"\n@ CAA 0 issue "a.b; account=1; x=y"\n@ CAA 0 issuewild " a.b "',
    ],
    [
      "URLs",
      '@ CAA 0 iodef "mailto:security@example.com"\n@ CAA 0 iodef "https://example.com/report?a=b"\n@ CAA 0 iodef "HTTP://example.com"',
    ],
    ["nothing, which is the same as none", '@ CAA 0 issue ""'],
    [
      "no domain",
      '@ CAA 0 issue "let us encrypt"\n@ CAA 0 issuewild "a..b"',
      '@ CAA issue has the invalid value "let us encrypt"',
      '@ CAA issuewild has the invalid value "a..b"',
    ],
    ["UTF-8", '@ CAA 0 issue "a.b; é"', '@ CAA issue has the invalid value "a.b; é"'],
    [
      "an invalid URL",
      '@ CAA 0 iodef "security@example.com"\n@ CAA 0 iodef "http://"',
      '@ CAA iodef has the invalid value "security@example.com"',
      '@ CAA iodef has the invalid value "http://"',
    ],
  ],
  "alias-record": [
    ["a CNAME", "a CNAME b.test."],
    [
      "as octoDNS has it",
      octodns("'': { type: ALIAS, value: www.example.net. }"),
      '@ ALIAS points to "www.example.net."',
    ],
    ["in a master file, below the apex", "www ALIAS shop", 'www ALIAS points to "shop"'],
  ],
  "type-unsupported": [
    ["a type of the API", "a A 192.0.2.1"],
    ["another type", "a RP b .", "a RP: the API does not support records of this type"],
  ],
  "text-utf8": [
    ["UTF-8, in two strings", 'a TXT "é" "\\195" "\\169"'],
    ["no UTF-8", 'a TXT "\\195"', "the text of a TXT is not valid UTF-8"],
  ],
  "records-count": [
    ["12000, beside what is not stored", `@ SOA . . 1 2 3 4 5\n@ NS ns1\n@ NS ns2\n${big(12000)}`],
    ["12001", big(12001), "the zone has 12001 records"],
  ],
  "node-label": [
    ["three characters", "records: { a: { A: { node: a1b } } }"],
    ["all kinds of characters", "records: { a: { A: { node: a-b_c.D4 } } }"],
    ["a number", "records: { a: { A: { node: 123 } } }"],
    ["64 characters", `records: { a: { A: { node: ${"a".repeat(64)} } } }`],
    [
      "two characters",
      "records: { a: { A: { node: ab } } }",
      'a A: "ab" cannot be the label of a node: its length must be 3-64 characters',
    ],
    [
      "65 characters",
      `records: { a: { A: { node: ${"a".repeat(65)} } } }`,
      `a A: "${"a".repeat(65)}" cannot be the label of a node: its length must be 3-64 characters`,
    ],
    [
      "a dash at the end",
      "records: { a: { AAAA: { node: web- } } }",
      'a AAAA: "web-" cannot be the label of a node: it must have only letters, digits, dashes, underscores and periods, and begin and end with a letter or a digit',
    ],
    [
      "a space",
      "records: { a: { A: { node: web 1 } } }",
      'a A: "web 1" cannot be the label of a node: it must have only letters, digits, dashes, underscores and periods, and begin and end with a letter or a digit',
    ],
    [
      "two periods",
      "records: { a: { A: { node: web..1 } } }",
      'a A: "web..1" cannot be the label of a node: it must not have two dashes, underscores or periods in a row',
    ],
  ],
  "domain-name": [
    ["two labels", "zone: example.com"],
    ["three, with hyphens and underscores", "zone: a-b._c.xn--p1ai"],
    ["a reverse zone", "zone: 2.0.192.in-addr.arpa"],
    ["a wildcard", 'zone: "*.example.com"'],
    ["a part of a reverse zone", "zone: 0/25.2.0.192.in-addr.arpa"],
    ["a slash at an end", "zone: /25.2.0.192.in-addr.arpa", '"/25.2.0.192.in-addr.arpa" cannot be a domain'],
    ["the root", "zone: .", "the root cannot be a domain"],
    ["one label", "zone: example", '"example" cannot be a domain'],
    ["a wildcard of one label", 'zone: "*.com"', '"*.com" cannot be a domain'],
    ["a hyphen at the end", "zone: a-.example.com", '"a-.example.com" cannot be a domain'],
    ["an address", "zone: 192.0.2.1", '"192.0.2.1" cannot be a domain'],
    ["UTF-8 in escapes", "zone: b\\195\\188cher.example", '"bücher.example" cannot be a domain'],
  ],
  "soa-email": [
    ["an address", "soa_email: hostmaster@example.com"],
    ["a slave needs none", "type: slave"],
    ["none", "ttl_sec: 1h", "the primary zone has no soa_email"],
    ["no address", "soa_email: hostmaster.example.com", 'soa_email "hostmaster.example.com" is not an e-mail address'],
    [
      "one that an SOA cannot name",
      `soa_email: ${"x".repeat(64)}@example.com`,
      `soa_email "${"x".repeat(64)}@example.com" is not an e-mail address`,
    ],
  ],
  "master-ips": [
    ["a slave with one", "type: slave\nmaster_ips: [192.0.2.53]"],
    ["a master needs none", "type: master"],
    ["a slave without", "type: slave", "the secondary zone has no master_ips"],
    ["a slave with an empty list", "type: slave\nmaster_ips: []", "the secondary zone has no master_ips"],
  ],
  "slave-records": [
    ["a slave without records", "type: slave\nrecords: {}"],
    ["a slave with what is the service's own", ";@ type: slave\n@ SOA . . 1 2 3 4 5\n@ NS ns1"],
    ["a master with records", "type: master\nrecords: { a: { A: 192.0.2.1 } }"],
    [
      "a slave with records",
      "type: slave\nrecords: { a: { A: 192.0.2.1 } }",
      "the secondary zone has records in its file",
    ],
    [
      "a slave with a delegation",
      "type: slave\nrecords: { a: { NS: b } }",
      "the secondary zone has records in its file",
    ],
  ],
  "master-ips-address": [
    ["addresses", 'master_ips: [192.0.2.53, "2001:db8::53"]'],
    ["a name", "master_ips: [192.0.2.53, ns1.example.net]", '"ns1.example.net" in master_ips is not an IP address'],
    ["a zone index", 'master_ips: ["fe80::1%eth0"]', '"fe80::1%eth0" in master_ips is not an IP address'],
  ],
  "axfr-ips-address": [
    ["addresses", "axfr_ips: 192.0.2.53"],
    ["none", "axfr_ips: []"],
    ["a prefix", "axfr_ips: [192.0.2.0/24]", '"192.0.2.0/24" in axfr_ips is not an IP address'],
    ["a scope", 'axfr_ips: ["fe80::1%eth0"]', '"fe80::1%eth0" in axfr_ips is not an IP address'],
  ],
  "axfr-ips-unique": [
    ["two addresses", "axfr_ips: [192.0.2.53, 192.0.2.54]"],
    ["one address twice", "axfr_ips: [192.0.2.53, 192.0.2.53]", 'axfr_ips lists "192.0.2.53" twice'],
    [
      "an address and its mapped form",
      'axfr_ips: [192.0.2.53, "::ffff:192.0.2.53"]',
      'axfr_ips lists "::ffff:192.0.2.53" twice',
    ],
  ],
  "description-length": [
    ["255 characters", `description: ${"é".repeat(255)}`],
    ["256 characters", `description: ${"é".repeat(256)}`, "description is longer than 255 characters"],
  ],
  "group-length": [
    ["50 characters", `group: ${"x".repeat(50)}`],
    ["50 characters outside the basic plane", `group: ${"😀".repeat(50)}`],
    ["51 characters", `group: ${"x".repeat(51)}`, "group is longer than 50 characters"],
  ],
  "master-ips-count": [
    ["100", `type: slave\nmaster_ips: [${listed("192.0.2.", 100)}]`],
    ["101", `type: slave\nmaster_ips: [${listed("192.0.2.", 101)}]`, "master_ips has 101 entries"],
  ],
  "axfr-ips-count": [
    ["100", `axfr_ips: [${listed("192.0.2.", 100)}]`],
    ["101", `axfr_ips: [${listed("192.0.2.", 101)}]`, "axfr_ips has 101 entries"],
  ],
  "tags-count": [
    ["100", `tags: [${listed("shop-", 100)}]`],
    ["101", `tags: [${listed("shop-", 101)}]`, "tags has 101 entries"],
  ],
  "tag-length": [
    ["3 and 50 characters", `tags: [abc, ${"x".repeat(50)}]`],
    ["50 characters outside the basic plane", `tags: [${"😀".repeat(50)}]`],
    ["2 characters", "tags: [abc, ab]", 'the tag "ab" has 2 characters'],
    ["2 characters outside the basic plane", "tags: [😀😀]", 'the tag "😀😀" has 2 characters'],
    ["51 characters", `tags: [${"x".repeat(51)}]`, `the tag "${"x".repeat(51)}" has 51 characters`],
  ],
};

describe.each([
  ["rules of zones", rules, ofZones],
  ["limits of the API", limits, ofTheApi],
] as const)("%s", (_, all, cases) => {
  test("each rule has valid and invalid cases", () => {
    expect(Object.keys(cases).sort()).toEqual(all.map(({ id }) => id).sort());
    const bare = Object.entries(cases).filter(([, list]) => new Set(list.map(({ length }) => length > 2)).size < 2);
    expect(bare).toEqual([]);
  });

  const table = all.flatMap((rule) =>
    (cases[rule.id] ?? []).map((given): [string, string, Rule, Case] => [rule.id, given[0], rule, given]),
  );
  test.each(table)("%s: %s", (_id, _comment, rule, [, zone, ...summaries]) => {
    const findings = [...rule.check(new IndexedZone(read(zone)))];
    expect(findings.map(({ summary }) => summary)).toEqual(summaries);
    expect(findings.filter(({ at }) => at === undefined)).toEqual(typeof zone === "string" ? [] : expect.anything());
  });
});

test("a rule that names types finds nothing in a zone that has none of them", () => {
  const zones = Object.values(ofZones).flatMap((cases) => cases.map(([, zone]) => read(zone)));
  const wrong = rules.flatMap(({ id, types, check }) =>
    (types ? zones : []).flatMap((zone) => {
      const records = zone.records.filter(({ type }) => !types?.includes(type));
      return [...check(new IndexedZone({ ...zone, records }))].map(({ summary }) => `${id}: ${summary}`);
    }),
  );
  expect(wrong).toEqual([]);
  expect(rules.filter(({ types }) => types).length).toBeGreaterThan(50);
});

/** Zones that take a search that visits names again and again longer than a person waits. */
test.each<[string, string, [id: string, summary: string]]>([
  [
    "delegations that all need each other",
    Array.from({ length: 40 }, (_, a) => Array.from({ length: 40 }, (_, b) => `d${a} NS n.d${b}`).join("\n"))
      .join("\n")
      .concat("\n@ MX 1 m.d0"),
    ["mx-without-address", '@ MX points to "m.d0", which is below a delegation whose name servers have no address'],
  ],
  [
    "a chain of aliases that many names lead into",
    Array.from({ length: 20_000 }, (_, n) => `c${n} CNAME c${n + 1}\nx${n} CNAME c${n}`).join("\n"),
    ["cname-chain", "x0 → c0 → c1 → c2 → c3 → c4 → … → c20000 is a chain of 20001 CNAME records"],
  ],
  [
    "delegations one after the other",
    Array.from({ length: 20_000 }, (_, n) => `d${n} NS n.d${n + 1}`)
      .join("\n")
      .concat("\n@ MX 1 m.d0\n@ MX 1 lost"),
    ["mx-without-address", '@ MX points to "lost", which does not exist in the zone'],
  ],
  [
    "policies that include each other",
    Array.from({ length: 2_000 }, (_, n) => `p${n} TXT "v=spf1 include:p${(n + 1) % 2_000}.example.com -all"`)
      .join("\n")
      .concat('\n@ TXT "v=spf1 include:lost.example.com -all"'),
    [
      "spf-include",
      '@ TXT: the SPF term "include:lost.example.com" leads to "lost.example.com", which has no SPF record',
    ],
  ],
  [
    "keys and aliases",
    Array.from({ length: 20_000 }, (_, n) => `t${n} TLSA 3 1 0 00\n_25._tcp.x${n} CNAME t${n}`)
      .join("\n")
      .concat("\nt TLSA 3 1 0 00"),
    ["tlsa-owner", "t TLSA is not at a port and protocol"],
  ],
])("%s: one finding in a moment", { timeout: 60_000 }, (_, text, [id, summary]) => {
  const rule = rules.find((one) => one.id === id);
  expect([...(rule?.check(new IndexedZone(bind(text))) ?? [])].map((found) => found.summary)).toEqual([summary]);
});

test("each limit names its source", () => {
  expect(
    limits
      .map(({ id }) => registry[id])
      .filter(({ why, source }) => !/\(RFC \d|^decisions\/|^openapi\.json: /.test(source ?? `${why}`))
      .map(({ id }) => id),
  ).toEqual([]);
});

function read(zone: string | Zone): Zone {
  if (typeof zone !== "string") return zone;
  return /^[a-z_]+: /.test(zone) ? yaml(zone) : bind(zone);
}

function bind(text: string): Zone {
  return clean(
    readBind({ file: "zone", bytes: Buffer.from(`$TTL 1h\n${text}\n`), origin: domainName("example.com.") }),
  );
}

function yaml(text: string): Zone {
  return clean(readYaml({ file: "zone", bytes: Buffer.from(text), origin: domainName("example.com.") }));
}

function clean({ zone, problems }: ReturnType<typeof readBind>): Zone {
  expect(problems).toEqual([]);
  return zone;
}

function octodns(text: string): Zone {
  return clean(readOctodns({ file: "zone", bytes: Buffer.from(text), origin: domainName("example.com.") }));
}
