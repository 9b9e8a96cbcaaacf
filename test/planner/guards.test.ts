import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { type NameKey, nameKey } from "../../src/dns/name/name.ts";
import { asId, type DesiredZone, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import type { GuardOptions } from "../../src/planner/blocks/contexts.ts";
import { findGuardBlocks, type GuardBlock } from "../../src/planner/blocks/find-blocks.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import type { Plan } from "../../src/planner/changes/change.ts";
import { digestEffects, effectsOf } from "../../src/planner/changes/effects.ts";
import { finish } from "../../src/planner/order/work.ts";
import type { Thresholds } from "../../src/planner/risk/guard.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { titled } from "../titles.ts";
import { plan } from "./plan-now.ts";
import { desiredOf, desiredOpenOf, liveOf } from "./world.ts";

const thresholds = readConfig("zonewright.yaml", "", apiSettings).config.guards;

const hosts = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `h${from + index} A 192.0.2.1`).join("\n");

/** SPF terms that take a lookup each, and a policy of them at the apex. */
const terms = (count: number) => Array.from({ length: count }, (_, at) => `a:s${at}.example.net`).join(" ");
const spf = (count: number, more = "") => `@ TXT "v=spf1 ${terms(count)} ${more} -all"`;

/** The records before and after, and the findings by name; none if the guard does not block. */
type Row = [before: string, after: string, ...said: string[]];

const cases: Record<string, Row[]> = {
  G01: [
    [hosts(5), hosts(2)],
    [hosts(5), hosts(1), "*: deletes 4 of 5 records; the limit is 3"],
    [hosts(100), hosts(90)],
    [hosts(100), hosts(89), "*: deletes 11 of 100 records; the limit is 10"],
    [hosts(1000), hosts(950), "*: deletes 50 records in one run; the limit is 25"],
    [
      hosts(1000),
      hosts(949),
      "*: deletes 51 records in one run; the limit is 25",
      "*: deletes 51 of 1000 records; the limit is 50",
    ],
    // A record that is replaced is not lost.
    [hosts(5), hosts(5).replaceAll("192.0.2.1", "192.0.2.2")],
    ["a CNAME x\nb CNAME x\nc CNAME x\nd CNAME x", "a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\nd A 192.0.2.1"],
    // A deletion counts beside a create at the same name, too.
    [hosts(5), hosts(5).replaceAll("A 192.0.2.1", "AAAA 2001:db8::1"), "*: deletes 5 of 5 records; the limit is 3"],
    // An equal record stays.
    [`${hosts(1)}\n`.repeat(9), hosts(1)],
    [`${hosts(1)}\n`.repeat(9), "x TXT x", "*: deletes 9 of 9 records; the limit is 3"],
    // In a run.
    [hosts(300), hosts(275)],
    [hosts(300), hosts(274), "*: deletes 26 records in one run; the limit is 25"],
  ],
  G03: [
    ["a A 192.0.2.1", "b A 192.0.2.1"],
    ["a A 192.0.2.1", "", "*: deletes all records of the zone"],
    ["", ""],
    ["@ A 192.0.2.1\n@ A 192.0.2.2", "@ A 192.0.2.1"],
    ["@ A 192.0.2.1\nx TXT x", "@ AAAA 2001:db8::1\nx TXT x"],
    ["@ A 192.0.2.1\nx TXT x", "x TXT x", "@: deletes the last address"],
    ["@ A 192.0.2.1\n@ TXT x", "@ TXT x", "@: deletes the last address"],
    ["WWW CNAME x.example.net.\nx TXT x", "www A 192.0.2.1\nx TXT x"],
    ["WWW CNAME x.example.net.\nx TXT x", "x TXT x", "www: deletes the last address"],
    ["a A 192.0.2.1\nx TXT x", "x TXT x"],
    ["@ A 192.0.2.1\n@ A 192.0.2.1", "@ A 192.0.2.1"],
    // An ALIAS record is answered with addresses.
    ["@ A 192.0.2.1\nx A 192.0.2.1", "@ ALIAS x\nx A 192.0.2.1"],
    ["@ ALIAS x\nx A 192.0.2.1", "@ AAAA 2001:db8::1\nx A 192.0.2.1"],
    ["www CNAME x.example.net.\nx TXT x", "www ALIAS x.example.net.\nx TXT x"],
    ["@ ALIAS x.example.net.\nx TXT x", "x TXT x", "@: deletes the last address"],
    ["www ALIAS x.example.net.\nx TXT x", "x TXT x", "www: deletes the last address"],
  ],
  G04: [
    ["sub NS ns.example.net.\nsub NS ns.example.net.", "sub NS ns.example.net."],
    ["sub A 192.0.2.1", "sub A 192.0.2.2"],
    ["", "sub NS ns.example.net.", "sub: creates the delegation"],
    ["sub NS ns.example.net.", "sub NS ns.example.org.", "sub: changes the delegation"],
    ["sub NS ns.example.net.\nsub NS ns.example.org.", "sub NS ns.example.net.", "sub: changes the delegation"],
    ["sub NS ns.example.net.", "sub NS ns.example.net.\nsub NS ns.example.org.", "sub: changes the delegation"],
    ["sub NS ns.example.net.", "", "sub: deletes the delegation"],
  ],
  G05: [
    ["@ ALIAS a.example.net.", "@ ALIAS a.example.net.\n@ MX 0 .", "@: rejects all mail from now on (null MX)"],
    ["@ MX 10 mx.example.net.", "@ MX 20 mx.example.net."],
    ["@ MX 10 a.example.net.\n@ MX 20 b.example.net.", "@ MX 10 a.example.net."],
    ["@ MX 10 a.example.net.\n@ MX 20 b.example.net.", "@ MX 10 A.example.net.\n@ MX 20 c.example.net."],
    ["@ MX 10 mx.example.net.", "@ A 192.0.2.1", "@: deletes the last MX"],
    ["m MX 10 a.example.net.", "m MX 10 b.example.net.", "m: replaces all mail servers"],
    ["@ MX 10 a.example.net.", "@ MX 0 .", "@: rejects all mail from now on (null MX)"],
    ["@ A 192.0.2.1", "@ A 192.0.2.1\n@ MX 0 .", "@: rejects all mail from now on (null MX)"],
    ["@ MX 0 .", "@ MX 10 a.example.net."],
    ["@ MX 0 .", "@ A 192.0.2.1"],
    // SPF, by RFC 7208.
    ['@ TXT "v=spf1 mx ~all"', '@ TXT "v=spf1 mx -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx a -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx include:_spf.example.net -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 ip4:192.0.2.0/24 ip4:198.51.0.0/17 ip6:2001:db8::/33 mx -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "V=SPF1  MX   -ALL"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 " "mx -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ 300 TXT "v=spf1 mx -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx -all ?include:_spf.example.net exp=why.example.com"'],
    ['@ TXT "v=spf1 a mx -all"', '@ TXT "v=spf1 mx a -all"'],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 redirect=_spf.example.net"',
      "@: SPF becomes weaker, from -all to redirect=_spf.example.net, which is in no zone of this run",
    ],
    [
      '@ TXT "v=spf1 mx ~all"',
      '@ TXT "v=spf1 mx redirect=%{d1r}.example.com"',
      "@: SPF becomes weaker, from ~all to redirect=%{d1r}.example.com, which is in no zone of this run",
    ],
    ['@ TXT "v=spf1 mx ?all"', '@ TXT "v=spf1 redirect=_spf.example.net"'],
    ['@ TXT "v=spf1 redirect=_spf.example.net"', '@ TXT "v=spf1 redirect=_spf.example.org"'],
    [
      '@ TXT "v=spf1 -a redirect=_spf.example.net"',
      '@ TXT "v=spf1 redirect=_spf.example.net"',
      "@: SPF becomes weaker without -a",
    ],
    [
      '@ TXT "v=spf1 -ip4:192.0.2.66 redirect=_spf.example.net"',
      '@ TXT "v=spf1 redirect=_spf.example.net"',
      "@: SPF becomes weaker: -ip4:192.0.2.66 no longer applies to all of its addresses",
    ],
    // The eleventh lookup, an include of a name without a policy, and an invalid one behind an include (RFC 7208
    // §4.6.4, §5.2).
    [spf(9), spf(10)],
    [spf(10), spf(11), "@: makes the SPF policy invalid with 11 DNS lookups; the limit is 10"],
    [spf(11), spf(12)],
    [
      spf(10),
      `@ TXT "v=spf1 ${terms(9)} redirect=i.example.com"\ni TXT "v=spf1 a -all"`,
      "@: makes the SPF policy invalid with 11 DNS lookups; the limit is 10",
    ],
    [
      `${spf(8, "include:i.example.com")}\ni TXT "v=spf1 a -all"`,
      `${spf(8, "include:i.example.com")}\ni TXT "v=spf1 a mx -all"`,
      "i: makes the SPF policy invalid with 11 DNS lookups; the limit is 10, at example.com",
    ],
    [
      `${spf(8, "include:i.example.com")}\ni TXT "v=spf1 a -all"`,
      `${spf(8, "include:i.example.com")}\ni TXT "v=spf1 mx -all"`,
    ],
    [
      spf(1),
      `@ TXT "v=spf1 include:i.example.com -all"\ni A 192.0.2.1`,
      '@: makes the SPF policy invalid at "include:i.example.com": that name does not have one SPF record',
    ],
    [spf(1), `@ TXT "v=spf1 include:%{l}.example.com -all"`],
    [
      `${spf(1)}\ni TXT "v=spf1 foo -all"`,
      `@ TXT "v=spf1 redirect=i.example.com"\ni TXT "v=spf1 foo -all"`,
      '@: makes the SPF policy invalid at "redirect=i.example.com": the policy there is invalid',
    ],
    [
      `@ TXT "v=spf1 include:i.example.com -all"\ni TXT "v=spf1 a -all"`,
      `@ TXT "v=spf1 include:i.example.com -all"\nx TXT x`,
      "i: deletes the SPF policy",
    ],
    // Whatever the name of others says.
    [
      'a TXT "v=spf1 -all"',
      "a CNAME spf.example.net.",
      "a: leaves the SPF policy to spf.example.net, which is in no zone of this run",
    ],
    [
      'a TXT "v=spf1 -all"',
      "a CNAME b\nb CNAME spf.example.net.",
      "a: leaves the SPF policy to spf.example.net, which is in no zone of this run",
    ],
    ['a TXT "v=spf1 -all"', "a NS ns.example.net.", "a: leaves the SPF policy to other name servers"],
    ['a TXT "v=spf1 -all"', 'a CNAME b\nb TXT "v=spf1 -all"'],
    ["a TXT x", "a CNAME spf.example.net."],
    ["a CNAME spf.example.net.", "a CNAME spf.example.org."],
    ['@ TXT "v=spf1 ip4:192.0.2.0/24 -all"', '@ TXT "v=spf1 ip4:192.0.2.0/25 ip4:192.0.2.128/25 -all"'],
    ['@ TXT "v=spf1 ip4:10.0.0.0/8 -all"', '@ TXT "v=spf1 ip4:10.0.0.0/9 ip4:10.128.0.0/9 -all"'],
    ['@ TXT "v=spf1 ~ip4:192.0.2.1 -all"', '@ TXT "v=spf1 -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx ~all"', "@: SPF becomes weaker, from -all to ~all"],
    ['@ TXT "v=spf1 mx ~all"', '@ TXT "v=spf1 mx"', "@: SPF becomes weaker, from ~all to ?all"],
    ['@ TXT "v=spf1 mx ?all"', '@ TXT "V=SPF1 all"', "@: SPF becomes weaker, from ?all to +all"],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx +ALL -all"', "@: SPF becomes weaker, from -all to +all"],
    [
      '@ TXT "v=spf1 redirect=_spf.example.net"',
      '@ TXT "v=spf1 redirect=_spf.example.net ?all"',
      "@: SPF becomes weaker, from redirect=_spf.example.net to ?all",
    ],
    [
      '@ TXT "v=spf1 -include:a.example.net -all"',
      '@ TXT "v=spf1 ~include:A.example.net -all"',
      "@: SPF becomes weaker, from -include:a.example.net to ~include:A.example.net",
    ],
    ['@ TXT "v=spf1 -a ?all"', '@ TXT "v=spf1 ?all"', "@: SPF becomes weaker without -a"],
    [
      '@ TXT "v=spf1 -ip4:192.0.2.66 ip4:192.0.2.0/24 -all"',
      '@ TXT "v=spf1 ip4:192.0.2.0/24 -all"',
      "@: SPF becomes weaker: -ip4:192.0.2.66 no longer applies to all of its addresses",
    ],
    [
      '@ TXT "v=spf1 -ip4:192.0.2.66 ip4:192.0.2.0/24 -all"',
      '@ TXT "v=spf1 ip4:192.0.2.0/24 -ip4:192.0.2.66 -all"',
      "@: SPF becomes weaker: -ip4:192.0.2.66 no longer applies to all of its addresses",
    ],
    [
      '@ TXT "v=spf1 -ip4:192.0.2.66 -all"',
      '@ TXT "v=spf1 ?ip4:192.0.2.66 -all"',
      "@: SPF becomes weaker: -ip4:192.0.2.66 no longer applies to all of its addresses",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 ip4:0.0.0.0/0 -all"',
      "@: SPF accepts 4294967296 more IPv4 addresses; the limit is 65536",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all"',
      "@: SPF accepts 4294967296 more IPv4 addresses; the limit is 65536",
    ],
    [
      '@ TXT "v=spf1 ip4:10.0.0.0/16 -all"',
      '@ TXT "v=spf1 ip4:10.0.0.0/14 -all"',
      "@: SPF accepts 196608 more IPv4 addresses; the limit is 65536",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 ~ip4:0.0.0.0/2 mx -all"',
      "@: SPF no longer refuses 1073741824 more IPv4 addresses; the limit is 65536",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 mx ip6:2000::/3 -all"',
      "@: SPF accepts more IPv6 addresses than a /32 has",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 mx a/8 -all"',
      "@: SPF accepts more senders by a/8: at least 16777216 IPv4 addresses; the limit is 65536",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 mx//16 -all"',
      "@: SPF accepts more senders by mx//16: more IPv6 addresses than a /32 has",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 mx ptr -all"',
      "@: SPF accepts more senders by ptr: the sender's network answers for it (RFC 7208 section 5.5)",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 mx exists:www.example.net -all"',
      "@: SPF accepts more senders by exists:www.example.net: it matches every sender",
    ],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx exists:%{i}._spf.example.net -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx" "-all"', '@: makes the SPF policy invalid at "mx-all"'],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 redirect=a.example.net redirect=b.example.net"',
      '@: makes the SPF policy invalid at "redirect=b.example.net"',
    ],
    ['@ TXT "v=spf1 mx -all"', "@ TXT other", "@: deletes the SPF policy"],
    [
      '@ TXT "v=spf1 mx -all"\nwww CNAME @',
      '@ TXT "v=spf1 mx -all"',
      "www: the name loses the SPF policy of example.com, to which its CNAME points",
    ],
    [
      '@ TXT "v=spf1 mx -all"',
      '@ TXT "v=spf1 mx -all"\n@ TXT "v=spf1 -all"',
      "@: makes the SPF policy invalid: there are 2 of them",
    ],
    ['@ TXT "v=spf1 mx -all"\n@ TXT "v=spf1 -all"', '@ TXT "v=spf1 mx ?all"'],
    ["@ TXT v=spf10", "@ TXT x"],
    // Policies of this run's zones are followed, and wildcards answer for names that are not there.
    [
      'i TXT "v=spf1 +all"\n@ TXT "v=spf1 mx -all"',
      'i TXT "v=spf1 +all"\n@ TXT "v=spf1 include:i.example.com -all"',
      "@: SPF becomes weaker, from -all to include:i.example.com",
    ],
    [
      'i TXT "v=spf1 ~all"\n@ TXT "v=spf1 mx -all"',
      'i TXT "v=spf1 ~all"\n@ TXT "v=spf1 redirect=i.example.com"',
      "@: SPF becomes weaker, from -all to redirect=i.example.com",
    ],
    ['i TXT "v=spf1 a -all"\n@ TXT "v=spf1 mx -all"', 'i TXT "v=spf1 a -all"\n@ TXT "v=spf1 redirect=i.example.com"'],
    ['* TXT "v=spf1 -all"\na TXT "v=spf1 -all"', '* TXT "v=spf1 -all"'],
    ['* TXT "v=spf1 -all"', '* TXT "v=spf1 -all"\na TXT "v=spf1 ~all"', "a: SPF becomes weaker, from -all to ~all"],
    ['* TXT "v=spf1 -all"', '* TXT "v=spf1 -all"\na A 192.0.2.1'],
    ["@ A 192.0.2.1", '@ A 192.0.2.1\n@ TXT "v=spf1 mx ?all"'],
    ["@ A 192.0.2.1", '@ A 192.0.2.1\n@ TXT "v=spf1 +all"', "@: SPF becomes weaker, from ?all to +all"],
    // DMARC, by RFC 7489.
    ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=reject"'],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1; p=reject; sp=reject"'],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v = DMARC1 ;P = REJECT ;" " pct=100; aspf=r"'],
    ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=reject; pct=10"'],
    ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=none; pct=10"'],
    [
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:a@example.com"',
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:b@example.com"',
    ],
    ["x TXT x", 'x TXT x\n_dmarc TXT "v=DMARC1; p=none"'],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_DMARC TXT "v=DMARC1; p=reject"'],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      "_dmarc CNAME policy.example.net.",
      "_dmarc: leaves the DMARC policy to policy.example.net, which is in no zone of this run",
    ],
    ["_dmarc CNAME policy.example.net.", "_dmarc CNAME policy.example.org."],
    [
      '_dmarc CNAME p\np TXT "v=DMARC1; p=reject"',
      "_dmarc CNAME p\np CNAME policy.example.net.",
      "p: leaves the DMARC policy to policy.example.net, which is in no zone of this run",
    ],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc CNAME policy\npolicy TXT "v=DMARC1; p=reject"'],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1;p=quarantine"',
      "_dmarc: DMARC becomes weaker, from p=reject to p=quarantine",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=rejekt"',
      "_dmarc: DMARC becomes weaker, from p=reject to p=none",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject; p=none"',
      "_dmarc: DMARC becomes weaker, from p=reject to p=none",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject; sp=none"',
      "_dmarc: DMARC becomes weaker, from sp=reject to sp=none",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=none; sp=reject"',
      '_dmarc TXT "v=DMARC1; p=none"',
      "_dmarc: DMARC becomes weaker, from sp=reject to sp=none",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject; pct=50"',
      "_dmarc: DMARC becomes weaker, from pct=100 to pct=50",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject; adkim=s"',
      '_dmarc TXT "v=DMARC1; p=reject"',
      "_dmarc: DMARC becomes weaker, from adkim=s to adkim=r",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=none; aspf=s"',
      '_dmarc TXT "v=DMARC1; p=none; aspf=r"',
      "_dmarc: DMARC becomes weaker, from aspf=s to aspf=r",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject; t=y"',
      "_dmarc: DMARC becomes weaker, from t=n to t=y",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:a@example.com"',
      '_dmarc TXT "v=DMARC1; p=none"',
      "_dmarc: stops DMARC reports (rua)",
    ],
    ['_dmarc TXT "v=DMARC1; p=none"', "x TXT x", "_dmarc: deletes the DMARC policy"],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=dmarc1; p=reject"', "_dmarc: makes the DMARC policy invalid"],
    ['_dmarc TXT "v=dmarc1; p=reject"', '_dmarc TXT "v=dmarc1; p=reject; rua=mailto:a@example.com"'],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject"\n_dmarc TXT "v=DMARC1; p=reject; pct=1"',
      "_dmarc: makes the DMARC policy invalid: there are 2 of them",
    ],
    ["_dmarc CNAME policy.example.net.\nx TXT x", "x TXT x", "_dmarc: deletes the DMARC policy"],
    [
      '_dmarc CNAME policy\npolicy TXT "v=DMARC1; p=reject"',
      '_dmarc CNAME policy\npolicy TXT "v=DMARC1; p=none"',
      "policy: DMARC becomes weaker, from p=reject to p=none",
    ],
    ['x TXT "v=DMARC1; p=none"', "x TXT x"],
    // Without one of its own a domain has the policy of the organizational domain.
    ['_dmarc TXT "v=DMARC1; p=reject"\n_dmarc.a TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1; p=reject"'],
    ['_dmarc TXT "v=DMARC1; p=reject"\n_dmarc.a TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=reject"'],
    [
      '_dmarc TXT "v=DMARC1; p=reject; sp=none"\n_dmarc.a TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject; sp=none"',
      "_dmarc.a: DMARC becomes weaker, from p=reject to p=none",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject"\n_dmarc.a TXT "v=DMARC1; p=none"',
      "_dmarc.a: DMARC becomes weaker, from p=reject to p=none",
    ],
  ],
  G06: [
    [";@ status: disabled", ";@ status: active", "@: serves the zone again"],
    [";@ status: disabled", ""],
    ["", ";@ status: active"],
    [
      ";@ type: slave\n;@ master_ips: 192.0.2.53",
      "www A 192.0.2.1\n;@ type: master",
      "@: replaces the records that the zone transfers with its own",
    ],
    ["", ";@ group: g"],
    ["", ";@ status: disabled", "@: disables the zone"],
    [
      "a A 192.0.2.1",
      ";@ type: slave\n;@ master_ips: 192.0.2.53",
      "@: replaces the records of the zone with those of its masters",
    ],
  ],
  G08: [
    ["a A 192.0.2.1\nb CNAME x.example.net.", "b CNAME x.example.net."],
    ["a A 192.0.2.1\nb CNAME a", "b CNAME x.example.net."],
    ["a A 192.0.2.1\na AAAA 2001:db8::1\nb CNAME a", "a A 192.0.2.1\nb CNAME a"],
    ["a A 192.0.2.1\nb CNAME A", "b CNAME A", "a: b.example.com points here"],
    [
      "a A 192.0.2.1\n@ MX 10 a\n_x._tcp SRV 0 0 1 a",
      "@ MX 10 a\n_x._tcp SRV 0 0 1 a",
      "a: example.com, _x._tcp.example.com point here",
    ],
    ["a A 192.0.2.1\n* A 192.0.2.2\nb CNAME a", "* A 192.0.2.2\nb CNAME a"],
    [
      "a.b A 192.0.2.1\nb TXT x\n* A 192.0.2.2\nc CNAME a.b",
      "b TXT x\n* A 192.0.2.2\nc CNAME a.b",
      "a.b: c.example.com points here",
    ],
    // With a name below it, b exists, so the wildcard does not answer for what is gone there (RFC 4592 §3.3.1).
    [
      "a.b A 192.0.2.1\nx.b A 192.0.2.1\n* A 192.0.2.2\nc CNAME a.b",
      "x.b A 192.0.2.1\n* A 192.0.2.2\nc CNAME a.b",
      "a.b: c.example.com points here",
    ],
    ["a.b A 192.0.2.1\nc CNAME a.b", "b NS ns.example.net.\nc CNAME a.b"],
    [
      "a A 192.0.2.1\ne CNAME a\nc CNAME a\nd CNAME a\nb CNAME a",
      "b CNAME a\nc CNAME a\nd CNAME a\ne CNAME a",
      "a: b.example.com, c.example.com, d.example.com and 1 more point here",
    ],
  ],
  G09: [
    ["* A 192.0.2.1", "* A 192.0.2.2"],
    ["", "* A 192.0.2.1", "*: answers for every name that does not exist"],
    ["*.x A 192.0.2.1", "x TXT x", "*.x: names that do not exist stop resolving"],
    ["* A 192.0.2.1", "* A 192.0.2.1\n* TXT x", "*: names that do not exist get a different answer"],
    ["* A 192.0.2.1", "* CNAME host.example.net.", "*: names that do not exist get a different answer"],
  ],
  G12: [
    ["", "a A 192.0.2.1"],
    ["", "a A 10.0.0.1", "a: publishes the private address 10.0.0.1 (10.0.0.0/8, RFC 1918)"],
    ["a AAAA 2001:db8::1", "a AAAA fd00::1", "a: publishes the unique local address fd00::1 (fc00::/7, RFC 4193)"],
    ["", "a A 198.18.0.1", "a: publishes the benchmarking address 198.18.0.1 (198.18.0.0/15, RFC 2544)"],
    [
      "",
      "* AAAA 64:ff9b::10.0.0.1",
      "*: publishes the private address 64:ff9b::a00:1 (10.0.0.0/8 in 64:ff9b::/96, RFC 1918)",
    ],
    [
      "",
      "a AAAA ::ffff:0:10.0.0.1",
      "a: publishes the IPv4-translated address ::ffff:0:a00:1 (::ffff:0:0:0/96, RFC 2765)",
    ],
    ["", "a AAAA ::ffff:10.0.0.1", "a: publishes the IPv4-mapped address ::ffff:10.0.0.1 (::ffff:0:0/96, RFC 4291)"],
    ["", "a AAAA 4000::1", "a: publishes the reserved address 4000::1 (4000::/3, RFC 4291)"],
    ["", "a A 198.51.100.1\na A 203.0.113.1\na A 198.20.0.1\na AAAA 64:ff9b::8.8.8.8"],
    ["a A 10.0.0.1", "a 300 A 10.0.0.1"],
    ["", ";@ lenient a: private-address\na A 10.0.0.1"],
  ],
  G13: [
    [hosts(5), hosts(5).replaceAll("h1 A 192.0.2.1", "h1 A 192.0.2.2")],
    [hosts(5), hosts(3).replaceAll(".2.1", ".2.2") + hosts(2, 4).replace("h4", "\nh4")],
    [
      hosts(5),
      hosts(4).replaceAll(".2.1", ".2.2") + hosts(1, 5).replace("h5", "\nh5"),
      "*: changes 4 of 5 records in place; the limit is 3",
    ],
    [
      hosts(204),
      `${hosts(200).replaceAll(".2.1", ".2.2")}\n${hosts(4, 201)}`,
      "*: changes 200 records in place in one run; the limit is 25",
      "*: changes 200 of 204 records in place; the limit is 20",
    ],
    [
      hosts(1000),
      hosts(1000).replaceAll(".2.1", ".2.2"),
      "*: changes 1000 records in place in one run; the limit is 25",
      "*: changes 1000 of 1000 records in place; the limit is 50",
    ],
    [hosts(30), hosts(30).replaceAll(/h([123]) A /g, "h$1 300 A ")],
    [
      hosts(30),
      hosts(30).replaceAll(" A ", " 300 A "),
      "*: changes 30 records in place in one run; the limit is 25",
      "*: changes 30 of 30 records in place; the limit is 3",
    ],
    [hosts(200), hosts(200).replaceAll("h", "H")],
    [hosts(5), hosts(10)],
    [hosts(5), hosts(5, 6)],
    // The header shows two changes, two creates and two deletions.
    [hosts(5), "h1 A 192.0.2.2\nh2 A 192.0.2.2\nh3 A 192.0.2.1\nh4 AAAA 2001:db8::1\nh5 AAAA 2001:db8::1"],
    [hosts(200), hosts(200).replaceAll("A 192.0.2.1", "CNAME x.example.net.")], // swaps: G34
    [
      "@ A 192.0.2.1",
      ";@ refresh_sec: 7200\n;@ retry_sec: 3600\n;@ group: g\n@ A 192.0.2.2",
      "*: changes 1 of 1 records and 3 settings in place; the limit is 3",
    ],
    // In a run.
    [hosts(300), `${hosts(25).replaceAll(".2.1", ".2.2")}\n${hosts(275, 26)}`],
    [
      hosts(300),
      `${hosts(26).replaceAll(".2.1", ".2.2")}\n${hosts(274, 27)}`,
      "*: changes 26 records in place in one run; the limit is 25",
    ],
  ],
  G15: [
    [
      "@ A 192.0.2.1\n@ AAAA 2001:db8::1",
      "@ A 192.0.2.1",
      "@: deletes the last IPv6 address (1 AAAA record); 1 A record remains",
    ],
    [
      "@ A 192.0.2.1\n@ A 192.0.2.2\n@ AAAA 2001:db8::1\n@ AAAA 2001:db8::2",
      "@ AAAA 2001:db8::1\n@ AAAA 2001:db8::2",
      "@: deletes the last IPv4 address (2 A records); 2 AAAA records remain",
    ],
    ["@ A 192.0.2.1", "@ AAAA 2001:db8::1", "@: deletes the last IPv4 address (1 A record); 1 AAAA record remains"],
    ["@ A 192.0.2.1\n@ AAAA 2001:db8::1", "@ A 192.0.2.2\n@ AAAA 2001:db8::2"],
    ["@ A 192.0.2.1\n@ AAAA 2001:db8::1\n@ AAAA 2001:db8::2", "@ A 192.0.2.1\n@ AAAA 2001:db8::2"],
    ["@ A 192.0.2.1", "@ A 192.0.2.1\n@ AAAA 2001:db8::1"],
    ["@ A 192.0.2.1\n@ AAAA 2001:db8::1\nx TXT x", "x TXT x"],
    ["a A 192.0.2.1\na AAAA 2001:db8::1", "a A 192.0.2.1"],
  ],
  G16: [
    [
      "@ MX 10 a.example.net.",
      "@ MX 10 a.example.net.\n@ MX 5 b.example.org.",
      "@: mail is delivered to b.example.org (5) before a.example.net (10)",
    ],
    [
      "@ MX 10 a.example.net.\n@ MX 20 b.example.net.",
      "@ MX 10 a.example.net.\n@ MX 20 b.example.net.\n@ MX 0 C.example.org.",
      "@: mail is delivered to c.example.org (0) before a.example.net (10)",
    ],
    // The old one stays, and yields.
    [
      "@ MX 10 a.example.net.",
      "@ MX 20 A.example.net.\n@ MX 10 b.example.org.",
      "@: mail is delivered to b.example.org (10) before a.example.net (20)",
    ],
    [
      "@ MX 10 a.example.net.\n@ MX 20 b.example.net.",
      "@ MX 20 b.example.net.\n@ MX 10 c.example.org.",
      "@: mail is delivered to c.example.org (10) before b.example.net (20)",
    ],
    ["@ MX 10 a.example.net.", "@ MX 10 a.example.net.\n@ MX 10 b.example.org."],
    ["@ MX 10 a.example.net.", "@ MX 10 a.example.net.\n@ MX 20 b.example.org."],
    ["@ MX 10 a.example.net.\n@ MX 20 b.example.net.", "@ MX 10 a.example.net.\n@ MX 20 c.example.org."],
    ["@ MX 10 a.example.net.\n@ MX 20 b.example.net.", "@ MX 20 a.example.net.\n@ MX 10 b.example.net."],
    ["@ MX 10 a.example.net.", "@ MX 5 A.example.net."],
    ["@ MX 10 a.example.net.", "@ MX 5 b.example.org."], // none stays: G05
    ["@ A 192.0.2.1", "@ A 192.0.2.1\n@ MX 5 b.example.org."],
    ["@ MX 0 .", "@ MX 5 b.example.org."],
  ],
  G17: [
    [
      '@ TXT "v=spf1 mx ~all"',
      '@ TXT "v=spf1 mx -all"',
      "@: SPF rejects senders that it does not list: from ~all to -all",
    ],
    ['@ TXT "v=spf1 mx"', '@ TXT "v=spf1 mx -ALL"', "@: SPF rejects senders that it does not list: from ?all to -all"],
    [
      '@ TXT "v=spf1 include:a.example.net ip4:192.0.2.0/24 mx -all"',
      '@ TXT "v=spf1 ip4:192.0.2.0/25 mx -all"',
      "@: SPF rejects senders that it accepted: include:a.example.net ip4:192.0.2.0/24",
    ],
    ['@ TXT "v=spf1 a -all"', '@ TXT "v=spf1 -a -all"', "@: SPF rejects senders that it accepted: a"],
    ['@ TXT "v=spf1 include:a.example.net ~all"', '@ TXT "v=spf1 ~all"'],
    ['@ TXT "v=spf1 mx ?all"', '@ TXT "v=spf1 mx ~all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 a mx -all"'],
    ['@ TXT "v=spf1 ip4:192.0.2.1 -all"', '@ TXT "v=spf1 ip4:192.0.2.0/24 -all"'],
    ["@ A 192.0.2.1", '@ A 192.0.2.1\n@ TXT "v=spf1 mx -all"'],
    ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1 mx ~all"'],
    [
      '_dmarc TXT "v=DMARC1; p=none"',
      '_dmarc TXT "v=DMARC1; p=reject"',
      "_dmarc: DMARC rejects more mail: from p=none to p=reject",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=quarantine"',
      '_dmarc TXT "v=DMARC1; p=Reject; sp=none"',
      "_dmarc: DMARC rejects more mail: from p=quarantine to p=reject",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=none"',
      '_dmarc TXT "v=DMARC1; p=none; sp=reject"',
      "_dmarc: DMARC rejects more mail: from sp=none to sp=reject",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"',
      '_dmarc TXT "v=DMARC1; p=reject; aspf=s"',
      "_dmarc: DMARC rejects more mail: from aspf=r to aspf=s",
    ],
    [
      '_dmarc TXT "v=DMARC1; p=reject"\n_dmarc.a TXT "v=DMARC1; p=none"',
      '_dmarc TXT "v=DMARC1; p=reject"',
      "_dmarc.a: DMARC rejects more mail: from p=none to p=reject",
    ],
    ['_dmarc TXT "v=DMARC1; p=none"', '_dmarc TXT "v=DMARC1; p=quarantine; aspf=s"'],
    ["x TXT x", 'x TXT x\n_dmarc TXT "v=DMARC1; p=reject"'],
    ['_dmarc TXT "v=DMARC1; p=reject"', '_dmarc TXT "v=DMARC1; p=none"'],
  ],
  G18: [
    ['s._domainkey TXT "v=DKIM1; p=AAAA"\nx TXT x', "x TXT x", "s._domainkey: deletes the DKIM key"],
    ['s._domainkey.a.b TXT "k=rsa; p=AAAA"\nx TXT x', "x TXT x", "s._domainkey.a.b: deletes the DKIM key"],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; k=rsa; p="',
      "s._domainkey: revokes the DKIM key: p= is empty",
    ],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; P = ;"',
      "s._domainkey: revokes the DKIM key: p= is empty",
    ],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; t=s : y; p=AAAA"',
      "s._domainkey: sets the DKIM key to testing (t=y)",
    ],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "p=AAAA; v=DKIM1"',
      "s._domainkey: makes the DKIM key unusable",
    ],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; s=tlsrpt; p=AAAA"',
      "s._domainkey: makes the DKIM key unusable",
    ],
    ['s._domainkey TXT "v=DKIM1; p=AAAA"', "s._domainkey TXT other", "s._domainkey: makes the DKIM key unusable"],
    // an unknown key type, and no hash that is still accepted (RFC 8301 §3.1)
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; k=foo; p=AAAA"',
      "s._domainkey: makes the DKIM key unusable",
    ],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; h=sha1; p=AAAA"',
      "s._domainkey: makes the DKIM key unusable",
    ],
    ['s._domainkey TXT "v=DKIM1; p=AAAA"', 's._domainkey TXT "v=DKIM1; k=rsa; h=sha1:sha256; p=AAAA"'],
    ["S._DomainKey CNAME s.example.net.\nx TXT x", "x TXT x", "s._domainkey: deletes the DKIM key"],
    [
      "s._domainkey CNAME s.example.net.",
      "s._domainkey CNAME keys\nkeys A 192.0.2.1",
      "s._domainkey: deletes the DKIM key",
    ],
    [
      's._domainkey CNAME keys\nkeys TXT "v=DKIM1; p=AAAA"',
      's._domainkey CNAME keys\nkeys TXT "v=DKIM1; p="',
      "keys: revokes the DKIM key: p= is empty",
    ],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"\n*._domainkey TXT "v=DKIM1; p="',
      '*._domainkey TXT "v=DKIM1; p="',
      "s._domainkey: revokes the DKIM key: p= is empty",
    ],
    ['s._domainkey TXT "v=DKIM1; p=AA" "AA"', 's._domainkey TXT "v=DKIM1; p=A" "AAA"'],
    ['s._domainkey TXT "v=DKIM1; p=AAAA"', 's._domainkey TXT "v=DKIM1; t=s; p=BBBB"'],
    ['s._domainkey TXT "v=DKIM1; p=AAAA"', 's._domainkey 300 TXT "v=DKIM1; p=AAAA"'],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      "s._domainkey CNAME s.example.net.",
      "s._domainkey: leaves the DKIM key to s.example.net, which is in no zone of this run",
    ],
    ['s._domainkey TXT "v=DKIM1; p="', "s._domainkey CNAME s.example.net."],
    ["s._domainkey CNAME s.example.net.", "s._domainkey CNAME s.example.org."],
    [
      's._domainkey TXT "v=DKIM1; p=AAAA"',
      's._domainkey TXT "v=DKIM1; p=AAAA"\nt._domainkey TXT "v=DKIM1; t=y; p=BBBB"',
    ],
    ['s._domainkey TXT "v=DKIM1; t=y; p=AAAA"', 's._domainkey TXT "v=DKIM1; p=AAAA"'],
    ['s._domainkey TXT "v=DKIM1; p="\nx TXT x', "x TXT x"],
    ['_domainkey TXT "o=~"\nx TXT x', "x TXT x"],
    ['s TXT "v=DKIM1; p=AAAA"', "s TXT x"],
  ],
  G19: [
    [
      '@ CAA 0 issue "ca.example"',
      "@ A 192.0.2.1",
      "@: any authority may issue certificates: CAA no longer restricts them",
    ],
    [
      '@ CAA 0 issue "ca.example"',
      '@ CAA 0 issue "ca.example"\n@ CAA 0 issue "other.example"',
      "@: CAA lets other.example issue certificates",
    ],
    [
      '@ CAA 0 issue "ca.example"',
      '@ CAA 0 issue "CA.example"\n@ CAA 0 issuewild "other.example"',
      "@: CAA lets other.example issue wildcard certificates",
    ],
    [
      '@ CAA 0 issue "ca.example"\n@ CAA 0 issuewild ";"',
      '@ CAA 0 issue "ca.example"',
      "@: CAA lets ca.example issue wildcard certificates",
    ],
    [
      '@ CAA 0 issue "ca.example; accounturi=https://ca.example/1"',
      '@ CAA 0 issue "ca.example"',
      "@: CAA has weaker conditions for ca.example to issue certificates",
    ],
    [
      '@ CAA 128 future "x"\n@ CAA 0 issue "ca.example"',
      '@ CAA 0 issue "ca.example"',
      "@: CAA no longer has a critical property that keeps authorities from issuing",
    ],
    [
      '@ CAA 0 issue "ca.example"',
      '@ CAA 0 iodef "mailto:a@example.com"',
      "@: any authority may issue certificates: CAA no longer restricts them",
    ],
    [
      'a CAA 0 issue "ca.example"',
      "a CNAME ca.example.net.",
      "a: leaves the CAA records to ca.example.net, which is in no zone of this run",
    ],
    ['@ CAA 0 issue "ca.example"\na A 192.0.2.1', '@ CAA 0 issue "ca.example"\na CNAME cdn.example.net.'],
    ['@ CAA 0 issue "ca.example"', '@ CAA 0 issue ";"', "@: no authority may issue certificates (CAA)"],
    ["@ A 192.0.2.1", '@ A 192.0.2.1\n@ CAA 0 Issue " ; "', "@: no authority may issue certificates (CAA)"],
    [
      '@ CAA 0 issue "ca.example"',
      '@ CAA 0 issue "ca.example"\na CAA 0 issue "other.example"',
      "a: CAA lets other.example issue certificates",
    ],
    [
      '@ CAA 0 issue "ca.example"\na CAA 0 issue ";"\na A 192.0.2.1',
      '@ CAA 0 issue "ca.example"\na A 192.0.2.1',
      "a: CAA lets ca.example issue certificates",
    ],
    [
      '@ CAA 0 issue "ca.example"\na CAA 0 issue "ca.example"\na A 192.0.2.1',
      '@ CAA 0 issue "ca.example"\na A 192.0.2.1',
    ],
    ["@ A 192.0.2.1", '@ A 192.0.2.1\n@ CAA 0 issue "ca.example"'],
    ['@ CAA 0 issue "ca.example"', '@ 300 CAA 0 issue "CA.example"'],
    ['@ CAA 0 issue "ca.example"\n@ CAA 0 issue "other.example"', '@ CAA 0 issue "ca.example"'],
    [
      '@ CAA 0 issue "ca.example"',
      '@ CAA 0 issue "ca.example; accounturi=https://ca.example/1"\n@ CAA 0 issuewild ";"',
    ],
    ['a CAA 0 issue "ca.example"\na A 192.0.2.1\nx TXT x', "x TXT x"],
  ],
  G20: [
    [
      'mta-sts ALIAS a.example.net.\n_mta-sts TXT "v=STSv1; id=1"',
      '_mta-sts TXT "v=STSv1; id=1"',
      "mta-sts: deletes the addresses of the host of the MTA-STS policy",
    ],
    ['mta-sts A 192.0.2.1\n_mta-sts TXT "v=STSv1; id=1"', 'mta-sts ALIAS a.example.net.\n_mta-sts TXT "v=STSv1; id=1"'],
    ['_mta-sts TXT "v=STSv1; id=1"\nx TXT x', "x TXT x", "_mta-sts: deletes the MTA-STS record"],
    [
      '_mta-sts TXT "v=STSv1; id=1"',
      "_mta-sts CNAME sts.example.net.",
      "_mta-sts: leaves the MTA-STS record to sts.example.net, which is in no zone of this run",
    ],
    [
      '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@example.com"',
      "_smtp._tls CNAME tls.example.net.",
      "_smtp._tls: leaves the TLSRPT record to tls.example.net, which is in no zone of this run",
    ],
    ["_mta-sts CNAME sts.example.net.", "_mta-sts CNAME sts.example.org."],
    ['_mta-sts TXT "v=STSv1; id=1"', '_mta-sts TXT "v=STSv1"', "_mta-sts: makes the MTA-STS record invalid"],
    [
      '_mta-sts TXT "v=STSv1; id=1"',
      '_mta-sts TXT "v=STSv1; id=1"\n_mta-sts TXT "v=STSv1; id=2"',
      "_mta-sts: makes the MTA-STS record invalid",
    ],
    ['_mta-sts TXT "v=STSv1; id=1"', '_mta-sts TXT "v=stsv1; id=1"', "_mta-sts: makes the MTA-STS record invalid"],
    ["_MTA-STS.a CNAME sts.example.net.\nx TXT x", "x TXT x", "_mta-sts.a: deletes the MTA-STS record"],
    [
      '_mta-sts TXT "v=STSv1; id=1"\nmta-sts A 192.0.2.1',
      '_mta-sts TXT "v=STSv1; id=1"',
      "mta-sts: deletes the addresses of the host of the MTA-STS policy",
    ],
    [
      '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@example.com"\nx TXT x',
      "x TXT x",
      "_smtp._tls: deletes the TLSRPT record",
    ],
    [
      '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@example.com"',
      '_smtp._tls TXT "v=TLSRPTv1;"',
      "_smtp._tls: makes the TLSRPT record invalid",
    ],
    ['_mta-sts TXT "v=STSv1; id=1"', '_mta-sts TXT "v=STSv1;id=2;"'],
    ['_mta-sts TXT "v=STSv1; id=1"\nmta-sts A 192.0.2.1', '_mta-sts TXT "v=STSv1; id=1"\nmta-sts CNAME h.example.net.'],
    ["mta-sts A 192.0.2.1\nx TXT x", "x TXT x"],
    ['_smtp._tls TXT "v=TLSRPTv1; rua=mailto:a@example.com"', '_smtp._tls TXT "v=TLSRPTv1; rua=https://example.com/r"'],
    ['_mta-sts TXT "v=STSv1"', '_mta-sts TXT "v=STSv1; id"'],
    ["_smtp._tls TXT x", "x TXT x"],
  ],
  G21: [
    [
      "@ MX 10 a.example.net.",
      "@ 172800 MX 10 a.example.net.",
      "@: the TTL is 172800 seconds (2 days); the limit is 86400",
    ],
    ["@ A 192.0.2.1", "@ 2419200 A 192.0.2.1", "@: the TTL is 2419200 seconds (28 days); the limit is 86400"],
    [
      "m MX 10 a.example.net.",
      "m 604800 MX 10 a.example.net.",
      "m: the TTL is 604800 seconds (7 days); the limit is 86400",
    ],
    [
      "x TXT x",
      "x TXT x\nsub 172800 NS ns.example.net.",
      "sub: the TTL is 172800 seconds (2 days); the limit is 86400",
    ],
    [
      "@ MX 10 a.example.net.",
      "$TTL 172800\n;@ ttl_sec: 172800\n@ MX 10 a.example.net.",
      "@: ttl_sec: the TTL is 172800 seconds (2 days); the limit is 86400",
    ],
    ["@ MX 10 a.example.net.", "@ 86400 MX 10 a.example.net."],
    ["a A 192.0.2.1", "a 604800 A 192.0.2.1"],
    ["@ 604800 MX 10 a.example.net.", "@ 172800 MX 10 a.example.net."],
    ["@ 172800 A 192.0.2.1", "@ 172800 A 192.0.2.2\n@ 172800 A 192.0.2.3"],
  ],
  G22: [
    [";@ axfr_ips: 192.0.2.53", ";@ axfr_ips: 192.0.2.53, 198.51.100.9", "@: lets 198.51.100.9 transfer the zone"],
    [";@ axfr_ips: 192.0.2.53", ";@ axfr_ips: 198.51.100.9", "@: lets 198.51.100.9 transfer the zone"],
    [";@ axfr_ips: 192.0.2.53, 198.51.100.9", ";@ axfr_ips: 192.0.2.53"],
    [";@ axfr_ips: 192.0.2.53, 2001:DB8::1", ";@ axfr_ips: 2001:db8::1, 192.0.2.53"],
    [
      ";@ type: slave\n;@ master_ips: 192.0.2.53",
      ";@ type: slave\n;@ master_ips: 192.0.2.54",
      "@: transfers the zone from 192.0.2.54 instead of 192.0.2.53",
    ],
    [";@ type: slave\n;@ master_ips: 192.0.2.53, 192.0.2.54", ";@ type: slave\n;@ master_ips: 192.0.2.54, 192.0.2.53"],
  ],
  G23: [
    ["* A 192.0.2.1", "* A 192.0.2.2", "*: A of every name that does not exist changes"],
    ["*.x A 192.0.2.1", "*.x A 192.0.2.1\n*.x A 192.0.2.2", "*.x: A of every name that does not exist changes"],
    ["* MX 10 a.example.net.", "* MX 10 b.example.net.", "*: MX of every name that does not exist changes"],
    ["* A 192.0.2.1", "* 300 A 192.0.2.1"],
    ["* CNAME Host.example.net.", "* CNAME host.EXAMPLE.net."],
    ["* A 192.0.2.1", "x TXT x"], // removed: G09
    ["a A 192.0.2.1", "a A 192.0.2.2"],
  ],
  G24: [
    ["", "a A 203.0.113.25"],
    [
      "",
      "a A 203.0.113.24",
      'a: points to 203.0.113.24, which the node "web-1" had until 2026-03-01 and no node of the account has now',
    ],
    [
      "a A 192.0.2.1",
      "a A 192.0.2.1\na A 203.0.113.24",
      'a: points to 203.0.113.24, which the node "web-1" had until 2026-03-01 and no node of the account has now',
    ],
    [
      "a CNAME b",
      "a AAAA 2001:DB8::f03c:91ff:fe00:0007",
      'a: points to 2001:db8::f03c:91ff:fe00:7, which the node "db-1" had and no node of the account has now',
    ],
    [
      "a A 203.0.113.24",
      "b A 203.0.113.24",
      'b: points to 203.0.113.24, which the node "web-1" had until 2026-03-01 and no node of the account has now',
    ],
    // Records that stay are warnings of the plan.
    ["a A 203.0.113.24", "a 300 A 203.0.113.24"],
    ["a A 203.0.113.24", "A A 203.0.113.24\na A 192.0.2.1"],
    ["a A 203.0.113.24", "a A 192.0.2.1"],
    ["a A 203.0.113.24", "x TXT 203.0.113.24"],
  ],
  G25: [
    [
      "asuid.a TXT x\na CNAME b.azurewebsites.net.",
      "a CNAME b.azurewebsites.net.",
      "asuid.a: a.example.com still points to Azure App Service, where anyone can then claim it",
    ],
    [
      "_github-pages-challenge-me TXT x\na CNAME me.github.io.\nb CNAME me.github.io.\nc.b CNAME me.github.io.",
      "a CNAME me.github.io.\nb CNAME me.github.io.\nc.b CNAME me.github.io.",
      "_github-pages-challenge-me: a.example.com and 1 more still point to GitHub Pages, where anyone can then claim it",
    ],
    [
      "asuid.a TXT x\na CNAME b.azurewebsites.net.",
      "asuid.a CNAME x.example.net.\na CNAME c.azurewebsites.net.",
      "asuid.a: a.example.com still points to Azure App Service, where anyone can then claim it",
    ],
    // The name goes as well, its proof changes, another proof stays, or it protected nothing.
    ["asuid.a TXT x\na CNAME b.azurewebsites.net.\nc TXT c", "c TXT c"],
    ["asuid.a TXT x\na CNAME b.azurewebsites.net.", "a A 192.0.2.1"],
    ["asuid.a TXT x\na CNAME b.azurewebsites.net.", "asuid.a TXT y\na CNAME b.azurewebsites.net."],
    [
      "_github-pages-challenge-me TXT x\n_github-pages-challenge-us TXT x\na CNAME me.github.io.",
      "_github-pages-challenge-us TXT x\na CNAME me.github.io.",
    ],
    ["asuid.a TXT x\na CNAME b.github.io.", "a CNAME b.github.io."],
    ["_github-pages-challenge-me TXT x\n* CNAME me.github.io.", "* CNAME me.github.io."],
    ["asuid.a A 192.0.2.1\na CNAME b.azurewebsites.net.", "a CNAME b.azurewebsites.net."],
    [
      "_github-pages-challenge-me TXT x\n@ A 185.199.108.153\n@ A 185.199.109.153",
      "@ A 185.199.108.153\n@ A 185.199.109.153",
      "_github-pages-challenge-me: example.com still points to GitHub Pages, where anyone can then claim it",
    ],
  ],
  G26: [
    [
      "",
      "a CNAME Shop.GitHub.io.",
      'a: points to "Shop.GitHub.io." at GitHub Pages, where others can claim such names without the TXT record "_github-pages-challenge-ACCOUNT.example.com" there',
    ],
    [
      "a CNAME b",
      "a CNAME b.azurewebsites.net.",
      'a: points to "b.azurewebsites.net." at Azure App Service, where others can claim such names without the TXT record "asuid.a.example.com" there',
    ],
    [
      "a CNAME one.s3.amazonaws.com.",
      "a CNAME two.s3.amazonaws.com.",
      'a: points to "two.s3.amazonaws.com." at Amazon S3, where others can claim such names',
    ],
    [
      "",
      "* CNAME me.github.io.\n_github-pages-challenge-me TXT x",
      '*: points to "me.github.io." at GitHub Pages, where others can claim such names',
    ],
    [
      "@ A 192.0.2.1",
      "@ A 185.199.108.153\n@ A 185.199.109.153\n@ AAAA 2606:50C0:8000:0::153",
      '@: points to 185.199.108.153 and 1 more at GitHub Pages, where others can claim such names without the TXT record "_github-pages-challenge-ACCOUNT.example.com" there',
      '@: points to 2606:50c0:8000::153 at GitHub Pages, where others can claim such names without the TXT record "_github-pages-challenge-ACCOUNT.example.com" there',
    ],
    [
      "a MX 10 b",
      "a MX 10 c.cloudapp.azure.com.\n_x._tcp SRV 0 0 1 c.cloudapp.net.\na.b NS d.elasticbeanstalk.com.",
      '_x._tcp: points to "c.cloudapp.net." at Azure Cloud Services, where others can claim such names',
      'a.b: points to "d.elasticbeanstalk.com." at AWS Elastic Beanstalk, where others can claim such names',
      'a: points to "c.cloudapp.azure.com." at Azure virtual machines, where others can claim such names',
    ],
    // A proof is there or comes with the record, the record was there, goes, or points elsewhere.
    ["_github-pages-challenge-me TXT x", "_github-pages-challenge-me TXT x\na CNAME me.github.io."],
    ["", "asuid.a TXT x\na CNAME b.azurewebsites.net."],
    ["", "asuid TXT x\n* CNAME b.azurewebsites.net."],
    ["a CNAME me.github.io.", "a 300 CNAME ME.github.io.\nb A 192.0.2.1"],
    [
      "@ ALIAS a.example.net.",
      "@ ALIAS me.github.io.",
      '@: points to "me.github.io." at GitHub Pages, where others can claim such names without the TXT record "_github-pages-challenge-ACCOUNT.example.com" there',
    ],
    ["a CNAME me.github.io.", "b A 192.0.2.1"],
    ["", "a MX 10 me.github.io.\nb CNAME github.io.example.net.\nc A 185.199.112.153"],
    ["", ";@ lenient a: hosted-target\na CNAME me.github.io."],
  ],
  G27: [
    // An ALIAS record is answered with addresses, of the wildcard and of a new name.
    ["* ALIAS x.example.net.", "* ALIAS x.example.net.\nshop A 192.0.2.2"],
    ["* A 192.0.2.1", "* A 192.0.2.1\nshop ALIAS x.example.net."],
    [
      "* ALIAS x.example.net.",
      "* ALIAS x.example.net.\nx.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the ALIAS of *.example.com, which answers only for names that do not exist",
    ],
    // The wildcard keeps its own types, but not at a name above a new one (RFC 4592 §2.2.2, §3.3.1).
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nx.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nx.shop CNAME y.example.net.",
      "x.shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\n_acme-challenge.www CNAME acme.example.net.",
      "_acme-challenge.www: leaves www.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\na.b.shop A 192.0.2.2",
      "a.b.shop: leaves b.shop.example.com, shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nx.shop NS ns.example.net.",
      "x.shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "*.dev A 192.0.2.1",
      "*.dev A 192.0.2.1\nx.shop.dev A 192.0.2.2",
      "x.shop.dev: leaves shop.dev.example.com without the A of *.dev.example.com, which answers only for names that do not exist",
    ],
    [
      "* CNAME a.example.net.",
      "* CNAME a.example.net.\nx.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the CNAME of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* CNAME @\n@ A 192.0.2.1",
      "* CNAME @\n@ A 192.0.2.1\nx.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the CNAME of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* MX 10 a.example.net.",
      "* MX 10 a.example.net.\nx.shop A 192.0.2.2",
      "x.shop: leaves x.shop.example.com, shop.example.com without the MX of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* TXT x",
      "* TXT x\nx.shop TXT y",
      "x.shop: leaves shop.example.com without the TXT of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1\n* AAAA 2001:db8::1\n* MX 10 a.example.net.",
      "* A 192.0.2.1\n* AAAA 2001:db8::1\n* MX 10 a.example.net.\nx.shop MX 10 a.example.net.",
      "x.shop: leaves x.shop.example.com without the A and AAAA of *.example.com, which answers only for names that do not exist",
      "x.shop: leaves shop.example.com without the A, AAAA and MX of *.example.com, which answers only for names that do not exist",
    ],
    // A new name hides the other types of the wildcard. One address family is enough.
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nshop TXT x",
      "shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nshop MX 10 a.example.net.",
      "shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1\n* MX 10 a.example.net.",
      "* A 192.0.2.1\n* MX 10 a.example.net.\nshop A 192.0.2.2",
      "shop: leaves shop.example.com without the MX of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* CNAME a.example.net.",
      "* CNAME a.example.net.\nshop TXT x",
      "shop: leaves shop.example.com without the CNAME of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1\n* TXT x",
      "* A 192.0.2.1\n* TXT x\n*.dev A 192.0.2.2",
      "*.dev: leaves *.dev.example.com without the TXT of *.example.com, which answers only for names that do not exist",
      "*.dev: leaves dev.example.com without the A and TXT of *.example.com, which answers only for names that do not exist",
    ],
    ["* A 192.0.2.1\n* TXT x", "* A 192.0.2.1\n* TXT x\nshop A 192.0.2.2\nshop TXT y"],
    ["* A 192.0.2.1\n* AAAA 2001:db8::1", "* A 192.0.2.1\n* AAAA 2001:db8::1\nshop A 192.0.2.2"],
    // Two new names, of which one is above the other; many names.
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nx.shop A 192.0.2.2\ny.b.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
      "y.b.shop: leaves b.shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\na.b.c.d.e A 192.0.2.2",
      "a.b.c.d.e: leaves b.c.d.e.example.com, c.d.e.example.com, d.e.example.com and 1 more name without the A of *.example.com, which answers only for names that do not exist",
    ],
    ["* A 192.0.2.1", "* A 192.0.2.1\nshop A 192.0.2.2\nx.shop A 192.0.2.2"],
    ["* A 192.0.2.1", "* A 192.0.2.1\nshop A 192.0.2.2\n*.shop A 192.0.2.2"],
    // A name to which a record points, and which the wildcard answered below the new name.
    [
      "* A 192.0.2.1\nwww CNAME a.dev",
      "* A 192.0.2.1\nwww CNAME a.dev\ndev A 192.0.2.2",
      "dev: leaves a.dev.example.com, to which www.example.com points, without the A of *.example.com, which answers only for names that do not exist",
    ],
    ["* A 192.0.2.1\nwww CNAME a.dev", "* A 192.0.2.1\nwww CNAME a.dev\ndev A 192.0.2.2\n*.dev A 192.0.2.2"],
    ["* A 192.0.2.1\nwww CNAME a.dev", "* A 192.0.2.1\nwww A 192.0.2.1\ndev A 192.0.2.2"],
    // A record that moves below its name, which the wildcard would otherwise answer.
    [
      "* A 192.0.2.1\nshop A 192.0.2.2",
      "* A 192.0.2.1\nx.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    ],
    ["* A 192.0.2.1\nx.shop A 192.0.2.2", "* A 192.0.2.1\ny.shop A 192.0.2.2"],
    ["* A 192.0.2.1\nx.shop A 192.0.2.2\ny.shop A 192.0.2.2", "* A 192.0.2.1\ny.shop A 192.0.2.2"],
    ["* A 192.0.2.1\nx.shop A 192.0.2.2\nshop A 192.0.2.2", "* A 192.0.2.1\nx.shop A 192.0.2.2"],
    ["* A 192.0.2.1\nx.shop A 192.0.2.2", "* A 192.0.2.1"],
    ["* A 192.0.2.1\nx.shop A 192.0.2.2", "* A 192.0.2.1\nx.shop A 192.0.2.2\nshop A 192.0.2.1"],
    ["* A 192.0.2.1\nx.shop A 192.0.2.2", "* A 192.0.2.3\nx.shop A 192.0.2.3\ny.shop A 192.0.2.3"],
    // The wildcard changes or goes (G09), comes with the names, or had another type.
    ["* A 192.0.2.1", "x.shop A 192.0.2.2"],
    [
      "* A 192.0.2.1\n* TXT x",
      "* TXT x\nx.shop TXT y",
      "x.shop: leaves shop.example.com without the TXT of *.example.com, which answers only for names that do not exist",
    ],
    ["", "* A 192.0.2.1\nx.shop A 192.0.2.2"],
    ["* A 192.0.2.1", "* A 192.0.2.1\n* TXT x\nshop A 192.0.2.2"],
    [
      "* A 192.0.2.1",
      "* CNAME a.example.net.\nx.shop A 192.0.2.2",
      "x.shop: leaves shop.example.com without the CNAME of *.example.com, which answers only for names that do not exist",
    ],
    // Usual additions to a zone with a wildcard.
    ["* A 192.0.2.1", "* A 192.0.2.1\nshop A 192.0.2.2"],
    ["* A 192.0.2.1", "* A 192.0.2.1\nshop CNAME a.example.net."],
    ["* A 192.0.2.1", "* A 192.0.2.1\nshop NS ns.example.net."],
    ["* A 192.0.2.1", '* A 192.0.2.1\n_dmarc TXT "v=DMARC1; p=none"\n_acme-challenge CNAME a.example.net.'],
    ["* A 192.0.2.1", '* A 192.0.2.1\ns._domainkey TXT "v=DKIM1; p=AAAA"\n_sip._tcp SRV 0 0 1 @'],
    ['* TXT "v=spf1 -all"', '* TXT "v=spf1 -all"\ns._domainkey TXT "v=DKIM1; p=AAAA"'],
    ["* A 192.0.2.1", "* A 192.0.2.1\n@ TXT x\n@ MX 10 a.example.net."],
    [
      "* CNAME @\n@ A 192.0.2.1\n@ MX 10 a.example.net.\n@ TXT x",
      "* CNAME @\n@ A 192.0.2.1\n@ MX 10 a.example.net.\n@ TXT x\nshop A 192.0.2.2",
    ],
    ["* CNAME a.example.net.", "* CNAME a.example.net.\nshop A 192.0.2.2"],
    ["*._domainkey CNAME k.example.net.", '*._domainkey CNAME k.example.net.\ns._domainkey TXT "v=DKIM1; p=AAAA"'],
    ["www A 192.0.2.1", "www A 192.0.2.1\nx.shop A 192.0.2.2"],
    ["*.dev A 192.0.2.1", "*.dev A 192.0.2.1\nx.shop A 192.0.2.2"],
    // Services have wildcards as well.
    [
      '*._report._dmarc TXT "v=DMARC1"',
      '*._report._dmarc TXT "v=DMARC1"\na.b._report._dmarc TXT "v=DMARC1"',
      "a.b._report._dmarc: leaves b._report._dmarc.example.com without the TXT of *._report._dmarc.example.com, which answers only for names that do not exist",
    ],
  ],
  G28: [
    // An ALIAS record is answered with the addresses of its target.
    [
      "@ ALIAS x.example.net.\n@ TXT x\nwww CNAME @",
      "@ TXT x\nwww CNAME @",
      "@: deletes the last address; www.example.com points here",
    ],
    [
      "a ALIAS b\na TXT x\nb A 192.0.2.1\n@ MX 10 a",
      "a TXT x\nb A 192.0.2.1\n@ MX 10 a",
      "a: deletes the last address; example.com points here",
    ],
    [
      "a ALIAS b\nb A 192.0.2.1\nb TXT x",
      "a ALIAS b\nb TXT x",
      "b: deletes the last address; a.example.com points here",
    ],
    [
      "a A 192.0.2.1\nb TXT x\n@ MX 10 a",
      "a ALIAS b\nb TXT x\n@ MX 10 a",
      "a: deletes the last address; example.com points here",
    ],
    ["a A 192.0.2.1\n@ MX 10 a", "a ALIAS x.example.net.\n@ MX 10 a"],
    ["a A 192.0.2.1\nb A 192.0.2.1\n@ MX 10 a", "a ALIAS b\nb A 192.0.2.1\n@ MX 10 a"],
    ["a ALIAS b\nb A 192.0.2.1\n@ MX 10 a", "a AAAA 2001:db8::1\nb A 192.0.2.1\n@ MX 10 a"],
    ["a ALIAS b\nb A 192.0.2.1\n@ MX 10 a", "a ALIAS x.example.net.\nb A 192.0.2.1\n@ MX 10 a"],
    ["a ALIAS b\na TXT x\nb TXT x\n@ MX 10 a", "a TXT x\nb TXT x\n@ MX 10 a"],
    ["a A 192.0.2.1\na TXT x\n@ MX 10 a", "a TXT x\n@ MX 10 a", "a: deletes the last address; example.com points here"],
    [
      "a A 192.0.2.1\na AAAA 2001:db8::1\na TXT x\nb CNAME a\n_x._tcp SRV 0 0 1 a\nd NS a\nc CNAME a",
      "a TXT x\nb CNAME a\n_x._tcp SRV 0 0 1 a\nd NS a\nc CNAME a",
      "a: deletes the last address; _x._tcp.example.com, b.example.com, c.example.com and 1 more name point here",
    ],
    [
      "a CNAME x.example.net.\nb CNAME a",
      "a TXT x\nb CNAME a",
      "a: deletes the last address; b.example.com points here",
    ],
    // An alias that leads to a name without address.
    [
      "a CNAME c\nc A 192.0.2.1\nd TXT x\nb MX 10 a",
      "a CNAME d\nc A 192.0.2.1\nd TXT x\nb MX 10 a",
      "a: deletes the last address; b.example.com points here",
    ],
    [
      "a A 192.0.2.1\n* TXT x\nb CNAME a",
      "* TXT x\nb CNAME a",
      "a: deletes the last address; b.example.com points here",
    ],
    // Another address, family, alias, wildcard or server answers.
    ["a A 192.0.2.1\na A 192.0.2.2\nb CNAME a", "a A 192.0.2.1\nb CNAME a"],
    ["a A 192.0.2.1\na TXT x\nb CNAME a", "a AAAA 2001:db8::1\na TXT x\nb CNAME a"],
    ["a A 192.0.2.1\nb CNAME a", "a CNAME x.example.net.\nb CNAME a"],
    ["a A 192.0.2.1\n* A 192.0.2.2\nb CNAME a", "* A 192.0.2.2\nb CNAME a"],
    ["a A 192.0.2.1\nb CNAME a", "a NS ns.example.net.\nb CNAME a"],
    // The pointer goes as well, nothing points there, the name had no address, or it is deleted (G08).
    ["a A 192.0.2.1\na TXT x\nb CNAME a", "a TXT x\nb A 192.0.2.1"],
    ["a A 192.0.2.1\na TXT x", "a TXT x"],
    ["a TXT x\na MX 10 b\nc CNAME a", "a TXT x\nc CNAME a"],
    ["a A 192.0.2.1\nb CNAME a", "b CNAME a"],
    // Aliases of services need no address.
    ['a A 192.0.2.1\na TXT "v=DMARC1; p=none"\n_dmarc CNAME a', 'a TXT "v=DMARC1; p=none"\n_dmarc CNAME a'],
  ],
  G29: [
    [";@ expire_sec: 1209600", ";@ expire_sec: 604800"],
    [";@ expire_sec: 1209600", ";@ expire_sec: 86400"],
    [
      ";@ expire_sec: 1209600",
      ";@ expire_sec: 14400",
      "@: secondaries stop answering after 4 hours without a refresh (expire_sec); the limit is 1 day",
    ],
    [
      "",
      ";@ expire_sec: 3600",
      "@: secondaries stop answering after 1 hour without a refresh (expire_sec); the limit is 1 day",
    ],
    [
      ";@ expire_sec: 14400",
      ";@ expire_sec: 3600",
      "@: secondaries stop answering after 1 hour without a refresh (expire_sec); the limit is 1 day",
    ],
    [";@ expire_sec: 3600", ";@ expire_sec: 14400"],
    [";@ expire_sec: 3600", ";@ expire_sec: 0"],
    [";@ expire_sec: 3600", ";@ refresh_sec: 3600"],
    [";@ refresh_sec: 14400", ";@ refresh_sec: 3600"],
  ],
  G30: [
    // An ALIAS record cannot be glue, either.
    [
      "sub NS ns.sub\nns.sub A 192.0.2.1\nx A 192.0.2.1",
      "sub NS ns.sub\nns.sub ALIAS x\nx A 192.0.2.1",
      "ns.sub: changes the glue of sub.example.com",
    ],
    [
      "sub NS ns.sub\nns.sub A 192.0.2.1",
      "sub NS ns.sub\nns.sub A 192.0.2.2",
      "ns.sub: changes the glue of sub.example.com",
    ],
    [
      "sub NS ns.sub\nns.sub A 192.0.2.1",
      "sub NS ns.sub\nns.sub A 192.0.2.1\nns.sub AAAA 2001:db8::1",
      "ns.sub: changes the glue of sub.example.com",
    ],
    [
      "sub NS ns.sub\nns.sub A 192.0.2.1\nns.sub A 192.0.2.2",
      "sub NS ns.sub\nns.sub A 192.0.2.1",
      "ns.sub: changes the glue of sub.example.com",
    ],
    // A server beside the delegation, in the same zone, and one of two zones.
    [
      "a NS ns\nb NS NS\nns A 192.0.2.1",
      "a NS ns\nb NS NS\nns A 192.0.2.2",
      "ns: changes the glue of a.example.com, b.example.com",
    ],
    // A server of the zone itself.
    [
      "@ NS ns1\nns1 A 192.0.2.1",
      "@ NS ns1\nns1 A 192.0.2.2",
      "ns1: changes the addresses of a name server of example.com: the glue in the zone above must change, too",
    ],
    ["@ NS ns1\n@ NS ns2\nns1 A 192.0.2.1", "@ NS ns1\n@ NS ns2\nns1 A 192.0.2.1\nns2 A 192.0.2.2"],
    ["ns1 A 192.0.2.1", "ns1 A 192.0.2.2"],
    ["sub NS ns.sub\nns.sub A 192.0.2.1", "sub NS ns.sub\nns.sub 300 A 192.0.2.1"],
    ["x TXT x", "x TXT x\nsub NS ns.sub\nns.sub A 192.0.2.1"],
    ["sub NS ns.sub", "sub NS ns.sub\nns.sub A 192.0.2.1"],
    ["sub NS ns.sub\nns.sub A 192.0.2.1", "sub NS ns.example.net.\nns.sub A 192.0.2.2"],
    ["sub NS ns.sub\nns.sub A 192.0.2.1\nx.sub A 192.0.2.1", "sub NS ns.sub\nns.sub A 192.0.2.1\nx.sub A 192.0.2.2"],
    ["@ MX 10 mx\nmx A 192.0.2.1", "@ MX 10 mx\nmx A 192.0.2.2"],
    // An alias cannot be glue.
    [
      "sub NS ns\nns A 192.0.2.1\n@ A 192.0.2.9",
      "sub NS ns\nns CNAME @\n@ A 192.0.2.9",
      "ns: changes the glue of sub.example.com",
    ],
    [
      "@ NS ns1\n@ A 192.0.2.9\nns1 A 192.0.2.1",
      "@ NS ns1\n@ A 192.0.2.9\nns1 CNAME @",
      "ns1: changes the addresses of a name server of example.com: the glue in the zone above must change, too",
    ],
    // The last address goes (G28).
    ["sub NS ns.sub\nns.sub A 192.0.2.1\nns.sub TXT x", "sub NS ns.sub\nns.sub TXT x"],
  ],
  G31: [
    [
      "",
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:a@other.example"',
      '_dmarc: sends DMARC reports of example.com to other.example, whose records are not in sight: they arrive only if "example.com._report._dmarc.other.example" has the TXT "v=DMARC1"',
    ],
    [
      '_dmarc TXT "v=DMARC1; p=none; rua=mailto:a@other.example"',
      '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:b@other.example"',
    ],
    ["", '_dmarc TXT "v=DMARC1; p=none; rua=mailto:a@example.com,mailto:b@mail.example.com!10m"'],
    [
      "",
      '_dmarc.a TXT "v=DMARC1; p=none; rua=mailto:a@lab.example.com"', // the same organization
    ],
    ["", '_dmarc TXT "v=DMARC1; p=none"'],
    ["a CNAME example.net.", '_dmarc TXT "v=DMARC1; p=none; rua=https://example.net/dmarc"'],
  ],
  G32: [
    // The target of an ALIAS record decides on the addresses as that of a CNAME does.
    [
      "@ ALIAS w\nw A 192.0.2.1",
      "@ ALIAS w\nw CNAME a.example.net.",
      "w: points example.com to a.example.net, which is in no managed zone",
    ],
    [
      "www A 192.0.2.1",
      "www ALIAS a.example.net.",
      "www: points www.example.com to a.example.net, which is in no managed zone",
    ],
    ["www ALIAS a.example.net.", "www ALIAS b.example.net."],
    ["www A 192.0.2.1\nx A 192.0.2.1", "www ALIAS x\nx A 192.0.2.1"],
    [
      "www A 192.0.2.1",
      "www CNAME a.example.net.",
      "www: points www.example.com to a.example.net, which is in no managed zone",
    ],
    [
      "mail A 192.0.2.1\nmail AAAA 2001:db8::1",
      "mail CNAME a.example.net.",
      "mail: points mail.example.com to a.example.net, which is in no managed zone",
    ],
    [
      "www CNAME a\na A 192.0.2.1",
      "www CNAME a.example.net.\na A 192.0.2.1",
      "www: points www.example.com to a.example.net, which is in no managed zone",
    ],
    // Into a part of the zone that is delegated away.
    [
      "www A 192.0.2.1\nd NS ns.example.net.",
      "www CNAME x.d\nd NS ns.example.net.",
      "www: points www.example.com to x.d.example.com, which is in no managed zone",
    ],
    // By way of another name, or where a wildcard answered.
    [
      "www CNAME a\na A 192.0.2.1",
      "www CNAME a\na CNAME b.example.net.",
      "a: points www.example.com to b.example.net, which is in no managed zone",
    ],
    [
      "* A 192.0.2.1",
      "* A 192.0.2.1\nwww CNAME a.example.net.",
      "www: points www.example.com to a.example.net, which is in no managed zone",
    ],
    ["www A 192.0.2.1", "www CNAME a\na A 192.0.2.1"],
    ["www A 192.0.2.1", "www A 192.0.2.2"],
    ["www CNAME a.example.net.", "www CNAME b.example.net."],
    ["www CNAME a.example.net.", "www A 192.0.2.1"],
    ["x TXT x", "x TXT x\nwww CNAME a.example.net."],
    ["shop A 192.0.2.1", "shop CNAME a.example.net."],
    ["www.shop A 192.0.2.1", "www.shop CNAME a.example.net."],
    ["www CNAME a\na A 192.0.2.1\nb A 192.0.2.1", "www CNAME a\na A 192.0.2.1\nb CNAME b.example.net."],
    ["www A 192.0.2.1", "www NS ns.example.net."],
  ],
  G33: [
    [hosts(4), hosts(7)],
    [hosts(4), hosts(29)],
    [hosts(4), hosts(30), "*: creates 26 records in a zone of 4; the limit is 25"],
    [hosts(100), hosts(150)],
    [hosts(100), hosts(151), "*: creates 51 records in a zone of 100; the limit is 50"],
    [hosts(1000), hosts(1200)],
    [hosts(1000), hosts(1201), "*: creates 201 records in a zone of 1000; the limit is 200"],
    // Records that move to other names are created, too.
    [hosts(100), hosts(60, 101), "*: creates 60 records in a zone of 100; the limit is 50"],
    // The first records, and those of a zone that is not served yet, such as by an interrupted apply.
    ["", hosts(1000)],
    [`${hosts(3)}\n;@ status: disabled`, hosts(1000)],
    [hosts(200), hosts(200).replaceAll("A 192.0.2.1", "CNAME x.example.net.")],
  ],
  G34: [
    [hosts(5), `${hosts(3).replaceAll("A 192.0.2.1", "CNAME x.example.net.")}\n${hosts(2, 4)}`],
    [
      hosts(5),
      `${hosts(4).replaceAll("A 192.0.2.1", "CNAME x.example.net.")}\n${hosts(1, 5)}`,
      "*: swaps 4 of 5 records; the limit is 3",
    ],
    [
      hosts(200),
      hosts(200).replaceAll("A 192.0.2.1", "CNAME x.example.net."),
      "*: swaps 200 records in one run; the limit is 25",
      "*: swaps 200 of 200 records; the limit is 20",
    ],
    [hosts(5), hosts(5).replaceAll(".2.1", ".2.2")],
  ],
};

/** Addresses that nodes had, for G24. */
const freed = [
  { address: "203.0.113.24", node: "web-1", until: "2026-03-01" },
  { address: "2001:db8::f03c:91ff:fe00:7", node: "db-1" },
];

describe.each(Object.entries(cases))("%s", (guard, rows) => {
  const becomes = ([before, after]: (typeof rows)[number]) =>
    `${JSON.stringify(before)} becomes ${JSON.stringify(after)}`;
  test.each(titled(rows, becomes))("%s", (_, before, after, ...said) => {
    const held = findBlocks([desiredOpenOf(after)], [liveOf(before)]).filter((one) => one.guard === guard);
    expect(held.flatMap(findingTexts)).toEqual(said);
  });

  test.skipIf(guard === "G31")("has cases that pass and cases that are blocked", () => {
    expect(new Set(rows.map(([, , ...said]) => said.length > 0))).toEqual(new Set([true, false]));
  });
});

test("cases exist for every guard and no other", () => {
  const all = guards.map(({ guard }) => guard);
  // One that no zones can bring about on purpose, one of several zones, and two of what name servers answer.
  const others = ["G10", "G11", "G35", "G36"];
  expect(Object.keys(cases)).toEqual(all.filter((guard) => !others.includes(guard)));
});

test("docs/guards.md lists every guard with its description", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/guards.md"), "utf8");
  const rows = [...page.matchAll(/^\| (G\d\d) \| (.*?) \| (yes|no|only)\b.*\|$/gm)].map(([, id, about, ofNew]) => ({
    id,
    about,
    isOfNew: ofNew !== "no",
  }));
  expect(rows).toEqual(guards.map(({ guard, about, ofNew }) => ({ id: guard, about, isOfNew: ofNew ?? false })));
});

test("G01 counts zones that lose records", () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}.example.`);
  const lives = names.map((name) => liveOf("x A 192.0.2.1\ny A 192.0.2.1", "documented", name));
  const after = names.map((name) => desiredOf("y A 192.0.2.1", name));
  expect(findBlocks(after, lives).flatMap(findingTexts)).toEqual(["*: deletes records in 6 zones; the limit is 5"]);
  expect(findBlocks(after.slice(1), lives)).toEqual([]);
});

test("G10 blocks the whole plan if its order is wrong, and gives at most three reasons", () => {
  const live = new Map([[domainName("example.com."), liveOf("a A 192.0.2.1")]]);
  const made = plan([desiredOf("a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1")], live);
  const reasons = ["step 1: a is dark", "step 2: b is dark", "step 3: c is dark", "step 4: d is dark"];
  const said = (count: number) => blocksIn({ ...made, unproved: reasons.slice(0, count) }, live, thresholds);
  expect(said(0)).toEqual([]);
  expect(said(1).flatMap(findingTexts)).toEqual([
    "*: the order of the writes could not be proved safe: step 1: a is dark",
  ]);
  expect(said(4).flatMap(findingTexts)).toEqual([
    "*: the order of the writes could not be proved safe: step 1: a is dark; step 2: b is dark; step 3: c is dark; and 1 more",
  ]);
  const held = said(1).map(({ guard, zone, effectDigest }) => ({ guard, zone, effectDigest }));
  expect(held).toEqual([
    { guard: "G10", zone: "*", effectDigest: digestEffects(effectsOf(made), reasons.slice(0, 1)) },
  ]);
});

test.each<[string, string, boolean]>([
  ["another host", "x A 192.0.2.1\ny A 192.0.2.1\nb CNAME a", true],
  ["the letter case", "x A 192.0.2.1\nB CNAME A", true],
  ["another name", "x A 192.0.2.1\nb CNAME a\nc CNAME a", false],
  ["another record of the same name", "x A 192.0.2.1\nb CNAME a\n_s._tcp.b SRV 0 0 1 a", false],
  ["a fourth name, which the text only counts", "x A 192.0.2.1\nb MX 1 a\nc MX 1 a\nd MX 1 a\ne MX 1 a", false],
])("digest of G08 and its pointers: %s", (_, after, isSame) => {
  const before = liveOf("x A 192.0.2.1\na A 192.0.2.1\nb CNAME a");
  const digest = (text: string) =>
    findBlocks([desiredOf(text)], [before]).find(({ guard }) => guard === "G08")?.effectDigest;
  const seen = digest("x A 192.0.2.1\nb CNAME a");
  expect(seen).toMatch(/^[0-9a-f]{64}$/);
  expect(digest(after) === seen).toBe(isSame);
});

const above = "www A 192.0.2.1\n";
/** example.com before and after, sub.example.com before and after; undefined where it is not there, or goes. */
test.each<[string, string, string, string | undefined, string | undefined, string[]]>([
  [
    "hides an ALIAS record",
    `${above}a.sub ALIAS x.example.net.`,
    `${above}a.sub ALIAS x.example.net.`,
    undefined,
    "a TXT x",
    ["sub.example.com.: hides a.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "has an address in place of an ALIAS record",
    `${above}a.sub ALIAS x.example.net.`,
    `${above}a.sub ALIAS x.example.net.`,
    undefined,
    "a A 192.0.2.1",
    [],
  ],
  [
    "hides a name",
    `${above}a.sub A 192.0.2.7`,
    `${above}a.sub A 192.0.2.7`,
    undefined,
    "b A 192.0.2.1",
    ["sub.example.com.: hides a.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "hides a type",
    "a.sub A 192.0.2.7\na.sub TXT x",
    "a.sub A 192.0.2.7\na.sub TXT x",
    undefined,
    "a A 192.0.2.7",
    ["sub.example.com.: hides a.sub.example.com of example.com: the new zone has no such records"],
  ],
  ["has all of them", "a.sub A 192.0.2.7", "a.sub A 192.0.2.7", undefined, "a A 192.0.2.8", []],
  ["answers by a wildcard", "a.sub A 192.0.2.7", "a.sub A 192.0.2.7", undefined, "* A 192.0.2.8", []],
  ["delegates them", "a.d.sub A 192.0.2.7", "a.d.sub A 192.0.2.7", undefined, "d NS ns.example.net.", []],
  ["the names move", "a.sub A 192.0.2.7", "", undefined, "a A 192.0.2.7", []],
  [
    "already delegated",
    "sub NS ns.example.net.\na.sub A 192.0.2.7",
    "sub NS ns.example.net.\na.sub A 192.0.2.7",
    undefined,
    "b A 192.0.2.1",
    [],
  ],
  [
    "is activated",
    "a.sub A 192.0.2.7",
    "a.sub A 192.0.2.7",
    "b A 192.0.2.1\n;@ status: disabled",
    "b A 192.0.2.1\n;@ status: active",
    ["sub.example.com.: hides a.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "does not have the wildcard of the zone above",
    "* A 192.0.2.9",
    "* A 192.0.2.9",
    undefined,
    "b A 192.0.2.1",
    ["sub.example.com.: hides sub.example.com, *.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "is delegated in the same run, without a type of the wildcard above",
    "* A 192.0.2.9\n* MX 10 mail.example.net.",
    "* A 192.0.2.9\n* MX 10 mail.example.net.\nsub NS ns1.example.net.",
    undefined,
    "@ A 192.0.2.1\n@ MX 10 mail.example.net.\n* A 192.0.2.1",
    ["sub.example.com.: hides *.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "has the wildcard of the zone above",
    "* A 192.0.2.9",
    "* A 192.0.2.9",
    undefined,
    "@ A 192.0.2.1\n* A 192.0.2.1",
    [],
  ],
  [
    "does not have what the wildcard above is changed to",
    "* A 192.0.2.9\nwww A 192.0.2.1",
    "* CNAME www\nwww A 192.0.2.1",
    undefined,
    "@ A 192.0.2.9\nx A 192.0.2.10",
    ["sub.example.com.: hides *.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "has the addresses to which the wildcard above leads",
    "* CNAME www\nwww A 192.0.2.1",
    "* CNAME www\nwww A 192.0.2.1",
    undefined,
    "@ A 192.0.2.1\n* CNAME www.example.com.",
    [],
  ],
  [
    "has not the address to which an alias above leads",
    "a.sub CNAME www\nwww A 192.0.2.1",
    "a.sub CNAME www\nwww A 192.0.2.1",
    undefined,
    "a TXT x",
    ["sub.example.com.: hides a.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "has the address to which an alias above leads",
    "a.sub CNAME www\nwww A 192.0.2.1",
    "a.sub CNAME www\nwww A 192.0.2.1",
    undefined,
    "a A 192.0.2.1",
    [],
  ],
  [
    "has an address where an alias above leads out of the run",
    "* CNAME www.example.net.",
    "* CNAME www.example.net.",
    undefined,
    "@ A 192.0.2.1\n* A 192.0.2.1",
    [],
  ],
  [
    "has nothing where an alias above leads out of the run",
    "* CNAME www.example.net.",
    "* CNAME www.example.net.",
    undefined,
    "@ A 192.0.2.1",
    ["sub.example.com.: hides *.sub.example.com of example.com: the new zone has no such records"],
  ],
  [
    "begins where no wildcard reaches",
    "* A 192.0.2.9\nx.sub A 192.0.2.1",
    "* A 192.0.2.9",
    undefined,
    "b A 192.0.2.1",
    [],
  ],
  [
    "was delegated under a wildcard",
    "* A 192.0.2.9\nsub NS ns1.example.net.",
    "* A 192.0.2.9\nsub NS ns1.example.net.",
    undefined,
    "b A 192.0.2.1",
    [],
  ],
  ["stays disabled", "a.sub A 192.0.2.7", "a.sub A 192.0.2.7", undefined, "b A 192.0.2.1\n;@ status: disabled", []],
  [
    "is disabled under a wildcard",
    "* A 192.0.2.9",
    "* A 192.0.2.9",
    "b A 192.0.2.1",
    "b A 192.0.2.1\n;@ status: disabled",
    ["sub.example.com.: b.sub.example.com gets the answers of example.com"],
  ],
  ["is disabled", "www A 192.0.2.9", "www A 192.0.2.9", "b A 192.0.2.1", "b A 192.0.2.1\n;@ status: disabled", []],
  [
    "is deleted under a wildcard",
    "* A 192.0.2.9",
    "* A 192.0.2.9",
    "b A 192.0.2.1\nc A 192.0.2.1",
    undefined,
    ["sub.example.com.: b.sub.example.com, c.sub.example.com get the answers of example.com"],
  ],
  [
    "is deleted, its names are in the zone above",
    "www A 192.0.2.9",
    "b.sub A 192.0.2.1",
    "b A 192.0.2.1",
    undefined,
    [],
  ],
])("G11: the zone below %s", (_, before, after, subBefore, subAfter, said) => {
  const sub = domainName("sub.example.com.");
  const stored = [
    liveOf(before),
    ...(subBefore === undefined ? [] : [{ ...liveOf(subBefore, "documented", sub), id: asId(2) }]),
  ];
  const live = new Map(stored.map((zone) => [nameKey(zone.name), zone]));
  const desired = [desiredOpenOf(after), ...(subAfter === undefined ? [] : [desiredOpenOf(subAfter, sub)])];
  const held = blocksIn(
    plan(desired, live, { deletions: subAfter === undefined ? stored.slice(1) : [] }),
    live,
    thresholds,
  );
  const found = held.filter(({ guard }) => guard === "G11");
  expect(found.flatMap(({ zone, findings }) => findings.map(({ text }) => `${zone}: ${text}`))).toEqual(said);
});

test("G11: a zone below another new one hides names that the wildcard above both answered", () => {
  const [sub, deeper] = [domainName("sub.example.com."), domainName("x.sub.example.com.")];
  const live = new Map([[nameKey(domainName("example.com.")), liveOf("* A 192.0.2.7")]]);
  const desired = [
    desiredOf("* A 192.0.2.7"),
    desiredOf("@ A 192.0.2.9\n* A 192.0.2.7", sub),
    desiredOf("@ A 192.0.2.9", deeper),
  ];
  const found = blocksIn(plan(desired, live), live, thresholds).filter(({ guard }) => guard === "G11");
  expect(found.flatMap(({ findings }) => findings.map(({ text }) => text))).toEqual([
    "hides *.x.sub.example.com of sub.example.com: the new zone has no such records",
  ]);
});

/** example.com before and after, beside sub.example.com, and lab.example, of which each stays as it is. */
test.each<[what: string, before: string, after: string, sub: string | undefined, lab: string, ...said: string[]]>([
  ["a name is in the zone below", "* A 192.0.2.1", "* A 192.0.2.1\nx.shop.sub A 192.0.2.2", "* A 192.0.2.3", ""],
  [
    "the zone below keeps its wildcard",
    "* A 192.0.2.1\nsub NS ns.example.net.",
    "* A 192.0.2.1\nsub NS ns.example.net.\nsub NS ns.example.org.",
    "* A 192.0.2.3",
    "",
  ],
  [
    "a record of another zone points to the target of the wildcard",
    "* A 192.0.2.1",
    "* A 192.0.2.1\ndev A 192.0.2.2",
    undefined,
    "www CNAME a.dev.example.com.\nb MX 10 a.dev.example.com.",
    "leaves a.dev.example.com, to which b.lab.example, www.lab.example point, without the A of *.example.com, which answers only for names that do not exist",
  ],
  [
    "the wildcard is an alias of a name in another zone without addresses",
    "* CNAME gone.lab.example.",
    "* CNAME gone.lab.example.\nx.shop A 192.0.2.2",
    undefined,
    "www A 192.0.2.1",
  ],
  [
    "the wildcard is an alias of a name in another zone",
    "* CNAME www.lab.example.",
    "* CNAME www.lab.example.\nx.shop A 192.0.2.2",
    undefined,
    "www A 192.0.2.1",
    "leaves shop.example.com without the CNAME of *.example.com, which answers only for names that do not exist",
  ],
  [
    "the new name is an alias of a name in another zone without addresses",
    "* A 192.0.2.1",
    "* A 192.0.2.1\nshop CNAME gone.lab.example.",
    undefined,
    "www A 192.0.2.1",
    "leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
  ],
  [
    "the zone is disabled",
    "* A 192.0.2.1\n;@ status: disabled",
    "* A 192.0.2.1\nx.shop A 192.0.2.2\n;@ status: disabled",
    undefined,
    "",
    "leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
  ],
])("G27 beside other zones: %s", (_, before, after, sub, lab, ...said) => {
  const others = [["lab.example.", lab] as const, ...(sub === undefined ? [] : [["sub.example.com.", sub] as const])];
  const stored = others.map(([name, text], index) => ({ ...liveOf(text, "documented", name), id: asId(index + 2) }));
  const desired = others.map(([name, text]) => desiredOf(text, name));
  const found = findBlocks([desiredOf(after), ...desired], [liveOf(before), ...stored]);
  const ofGuard = found.filter(({ guard }) => guard === "G27");
  expect(ofGuard.flatMap(({ findings }) => findings.map(({ text }) => text))).toEqual(said);
});

const slave = ";@ type: slave\n;@ master_ips: 192.0.2.53";
const policy = (rua: string) => `_dmarc TXT "v=DMARC1; p=none; rua=${rua}"`;
const refuses = (host: string, of = "example.com") =>
  `G31 ${host} accepts no DMARC reports of ${of}: "${of}._report._dmarc.${host}" has no TXT "v=DMARC1"`;
const unseen = (host: string) =>
  `G31 sends DMARC reports of example.com to ${host}, whose records are not in sight: they arrive only if "example.com._report._dmarc.${host}" has the TXT "v=DMARC1"`;
/** example.com before and after, beside another zone before and after; "unseen" where the run does not read it. */
test.each<
  [
    what: string,
    before: string,
    after: string,
    name: string,
    otherBefore: string,
    otherAfter: string,
    ...said: string[],
  ]
>([
  ["reports without a record", "", policy("mailto:a@lab.example"), "lab.example.", "", "", refuses("lab.example")],
  [
    "reports to a host of a zone",
    "",
    policy("mailto:a@m.lab.example!1m"),
    "lab.example.",
    "m MX 10 m",
    "m MX 10 m",
    refuses("m.lab.example"),
  ],
  [
    "one of two addresses",
    "",
    policy("mailto:a@example.com , mailto:b%2Cc@Lab.Example.!10m"),
    "lab.example.",
    "",
    "",
    refuses("lab.example"),
  ],
  [
    "reports of failures",
    "",
    '_dmarc TXT "v=DMARC1; p=none; ruf=mailto:a@lab.example"',
    "lab.example.",
    "",
    "",
    refuses("lab.example"),
  ],
  [
    "the policy of a subdomain",
    "",
    '_dmarc.a TXT "v=DMARC1; p=none; rua=mailto:a@lab.example"',
    "lab.example.",
    "",
    "",
    refuses("lab.example", "a.example.com"),
  ],
  [
    "a policy behind an alias",
    "p TXT x\n_dmarc CNAME p",
    'p TXT "v=DMARC1; p=none; rua=mailto:a@lab.example"\n_dmarc CNAME p',
    "lab.example.",
    "",
    "",
    refuses("lab.example"),
  ],
  [
    "another text at the name of the record",
    "",
    policy("mailto:a@lab.example"),
    "lab.example.",
    "",
    "example.com._report._dmarc TXT x",
    refuses("lab.example"),
  ],
  [
    "the record is there",
    "",
    policy("mailto:a@lab.example"),
    "lab.example.",
    'example.com._report._dmarc TXT "v=DMARC1"',
    'example.com._report._dmarc TXT "v=DMARC1"',
  ],
  [
    "the record comes with it",
    "",
    policy("mailto:a@lab.example"),
    "lab.example.",
    "",
    'example.com._report._dmarc TXT "v=DMARC1;"',
  ],
  ["a wildcard accepts all", "", policy("mailto:a@lab.example"), "lab.example.", "", '*._report._dmarc TXT "v=DMARC1"'],
  [
    "the zone is not read",
    "",
    policy("mailto:a@lab.example"),
    "lab.example.",
    "unseen",
    "unseen",
    unseen("lab.example"),
  ],
  ["the zone is a slave", "", policy("mailto:a@lab.example"), "lab.example.", slave, slave, unseen("lab.example")],
  ["reports go there already", policy("mailto:a@lab.example"), policy("mailto:b@lab.example"), "lab.example.", "", ""],
  [
    "the record is deleted",
    policy("mailto:a@lab.example"),
    policy("mailto:a@lab.example"),
    "lab.example.",
    'example.com._report._dmarc TXT "v=DMARC1"',
    "",
    refuses("lab.example"),
  ],
  [
    "the wildcard that accepts all is deleted",
    policy("mailto:a@lab.example"),
    policy("mailto:a@lab.example"),
    "lab.example.",
    '*._report._dmarc TXT "v=DMARC1"\nx TXT x',
    "x TXT x",
    refuses("lab.example"),
  ],
  [
    "a deeper name hides the wildcard that accepts all",
    policy("mailto:a@lab.example"),
    policy("mailto:a@lab.example"),
    "lab.example.",
    '*._report._dmarc TXT "v=DMARC1"',
    '*._report._dmarc TXT "v=DMARC1"\nx.example.com._report._dmarc TXT "v=DMARC1"',
    refuses("lab.example"),
  ],
  [
    "the record is deleted with the policy",
    policy("mailto:a@lab.example"),
    policy("mailto:a@example.com"),
    "lab.example.",
    'example.com._report._dmarc TXT "v=DMARC1"\nx TXT x',
    "x TXT x",
  ],
  [
    "a server changes in the zone below",
    "sub NS ns.sub\nns.sub A 192.0.2.1",
    "sub NS ns.sub\nns.sub A 192.0.2.1",
    "sub.example.com.",
    "ns A 192.0.2.1",
    "ns A 192.0.2.2",
    "G30 changes the addresses of a name server of sub.example.com: the glue in the zone above must change, too",
  ],
  [
    "a server changes outside of its delegations",
    "sub NS ns.lab.example.",
    "sub NS ns.lab.example.",
    "lab.example.",
    "ns A 192.0.2.1",
    "ns A 192.0.2.2",
  ],
  [
    "an alias of a name in another zone",
    "www A 192.0.2.1",
    "www CNAME a.lab.example.",
    "lab.example.",
    "a A 192.0.2.1",
    "a A 192.0.2.1",
  ],
  [
    "an alias of a name in a zone that is not read",
    "www A 192.0.2.1",
    "www CNAME a.lab.example.",
    "lab.example.",
    "unseen",
    "unseen",
  ],
  [
    "an alias of a name in another zone, which leads outside",
    "www CNAME a.lab.example.",
    "www CNAME a.lab.example.",
    "lab.example.",
    "a A 192.0.2.1",
    "a CNAME b.example.net.",
    "G32 points www.example.com to b.example.net, which is in no managed zone",
  ],
  [
    "a target in another zone without its address",
    "@ MX 10 a.lab.example.",
    "@ MX 10 a.lab.example.",
    "lab.example.",
    "a A 192.0.2.1\na TXT x",
    "a TXT x",
    "G28 deletes the last address; example.com points here",
  ],
])("guards beside other zones: %s", (_, before, after, name, otherBefore, otherAfter, ...said) => {
  const other = domainName(name);
  const isUnseen = otherBefore === "unseen";
  const zones = [liveOf(before)];
  if (!isUnseen) zones.push({ ...liveOf(otherBefore, "documented", other), id: asId(2) });
  const desired = [desiredOf(after), ...(isUnseen ? [] : [desiredOf(otherAfter, other)])];
  const live = new Map(zones.map((zone) => [nameKey(zone.name), zone]));
  const blocks = blocksIn(plan(desired, live), live, thresholds, { unseen: isUnseen ? [other] : [] });
  const found = blocks.filter(({ guard }) => ["G28", "G30", "G31", "G32"].includes(guard));
  expect(found.flatMap(({ guard, findings }) => findings.map(({ text }) => `${guard} ${text}`))).toEqual(said);
});

test.each([
  ["without the record", "", [refuses("lab.example")]],
  ["with the record", 'example.com._report._dmarc TXT "v=DMARC1"', []],
])("G31 finds the zone of the reports outside the run, %s", (_, text, said) => {
  const live = new Map([[domainName("example.com."), liveOf("")]]);
  const made = plan([desiredOf(policy("mailto:a@lab.example"))], live);
  const found = (isWhole: boolean) =>
    blocksIn(made, live, thresholds, { elsewhere: () => [{ ...desiredOf(text, "lab.example."), isWhole }] });
  const texts = (blocks: GuardBlock[]) =>
    blocks.flatMap(({ guard, findings }) => findings.map(({ text }) => `${guard} ${text}`));
  expect(texts(found(true))).toEqual(said);
  expect(texts(found(false))).toEqual([unseen("lab.example")]);
});

test("G30 knows the name servers of the service", () => {
  const live = new Map([[domainName("example.com."), liveOf("ns1 A 192.0.2.1")]]);
  const made = plan([desiredOf("ns1 A 192.0.2.2")], live);
  const nameservers = [domainName("ns1.example.com."), domainName("ns2.example.net.")];
  expect(blocksIn(made, live, thresholds, { nameservers }).flatMap(findingTexts)).toEqual([
    "ns1: changes the addresses of a name server of example.com: the glue in the zone above must change, too",
  ]);
});

test("an acknowledgement of G27 is bound to the names that lose records", () => {
  const digest = (before: string, after: string) =>
    findBlocks([desiredOf(after)], [liveOf(before)]).find(({ guard }) => guard === "G27")?.effectDigest;
  const one = digest("* A 192.0.2.1", "* A 192.0.2.1\nx.shop A 192.0.2.2");
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(digest("* A 192.0.2.1\nb A 192.0.2.1", "* A 192.0.2.1\nx.shop A 192.0.2.2")).toBe(one);
  expect(digest("* TXT x", "* TXT x\nx.shop A 192.0.2.2")).not.toBe(one);
  const other = digest("* A 192.0.2.1\nw CNAME y.shop", "* A 192.0.2.1\nw CNAME y.shop\nx.shop A 192.0.2.2");
  expect(other).not.toBe(one);
});

const disabled = ";@ status: disabled";
const includesSub = (all: string) => `@ TXT "v=spf1 include:i.sub.example.com ${all}"`;
const weaker = "G05 SPF becomes weaker, from -all to +all";
const invalid =
  'G05 makes the SPF policy invalid at "include:i.sub.example.com": that name does not have one SPF record';
/** example.com before and after, beside sub.example.com before and after; "unseen" where the run does not read it. */
test.each<[string, string, string, string | undefined, string | undefined, string[]]>([
  [
    "a slave is created and may have the names of the zone above",
    "a.sub A 192.0.2.7",
    "a.sub A 192.0.2.7",
    undefined,
    slave,
    [],
  ],
  ["a slave may have the policy that is included", '@ TXT "v=spf1 -all"', includesSub("-all"), slave, slave, []],
  ["no policy is hidden behind a slave", includesSub("-all"), includesSub("+all"), slave, slave, [weaker]],
  ["a zone that is not read may have the policy", '@ TXT "v=spf1 -all"', includesSub("-all"), "unseen", "unseen", []],
  [
    "no policy is hidden behind a zone that is not read",
    includesSub("-all"),
    includesSub("+all"),
    "unseen",
    "unseen",
    [weaker],
  ],
  [
    "a served zone does not have the policy",
    '@ TXT "v=spf1 -all"',
    includesSub("-all"),
    "x A 192.0.2.1",
    "x A 192.0.2.1",
    [invalid],
  ],
  [
    "a disabled zone does not stand before the zone above",
    includesSub("-all"),
    includesSub("+all"),
    `x A 192.0.2.1\n${disabled}`,
    `x A 192.0.2.1\n${disabled}`,
    [weaker],
  ],
])("beside other zones: %s", (_, before, after, subBefore, subAfter, said) => {
  const sub = domainName("sub.example.com.");
  const isUnseen = subBefore === "unseen";
  const policy = '\ni.sub TXT "v=spf1 ip4:192.0.2.1 -all"';
  const more = subBefore?.endsWith(disabled) ? policy : "";
  const zones = [liveOf(before + more)];
  if (subBefore !== undefined && !isUnseen) zones.push({ ...liveOf(subBefore, "documented", sub), id: asId(2) });
  const desired = [desiredOf(after + more)];
  if (subAfter !== undefined && !isUnseen) desired.push(desiredOf(subAfter, sub));
  const live = new Map(zones.map((zone) => [nameKey(zone.name), zone]));
  const unseen = isUnseen ? [sub] : [];
  const held = blocksIn(plan(desired, live, { unmanaged: unseen }), live, thresholds, { unseen });
  expect(held.flatMap(({ guard, findings }) => findings.map(({ text }) => `${guard} ${text}`))).toEqual(said);
});

test("blocks a weaker policy in a disabled zone whether it stays disabled or is activated", () => {
  const [strict, weak] = ['@ TXT "v=spf1 -all"', '@ TXT "v=spf1 ~all"'];
  for (const after of [`${weak}\n${disabled}`, weak]) {
    const said = findBlocks([desiredOf(after)], [liveOf(`${strict}\n${disabled}`)]).flatMap(findingTexts);
    expect(said).toEqual(["@: SPF becomes weaker, from -all to ~all"]);
  }
});

test("G08 finds pointers from unchanged zones", () => {
  const other = liveOf("vpn CNAME old.example.com.", "documented", "corp.example.");
  const held = findBlocks([desiredOf("x A 192.0.2.1")], [liveOf("old A 192.0.2.1\nx A 192.0.2.1"), other]);
  expect(held.flatMap(findingTexts)).toEqual(["old: vpn.corp.example points here"]);
});

test("G08 finds pointers from unplanned zones", () => {
  const live = new Map([[domainName("example.com."), liveOf("old A 192.0.2.1\nx A 192.0.2.1")]]);
  const other = { ...desiredOf("vpn CNAME old.example.com.", "corp.example."), isWhole: true };
  const held = blocksIn(plan([desiredOf("x A 192.0.2.1")], live), live, thresholds, {
    elsewhere: () => [other],
  });
  expect(held.flatMap(findingTexts)).toEqual(["old: vpn.corp.example points here"]);
});

test("G08 allows a deletion if another zone of the account takes the name over", () => {
  const whole = "www CNAME app.lab\napp.lab A 192.0.2.1";
  const [parent, child] = [desiredOf("www CNAME app.lab"), desiredOf("app A 192.0.2.1", "lab.example.com.")];
  expect(findBlocks([parent, child], [liveOf(whole)])).toEqual([]);
});

test.each<[string, string, string[]]>([
  ["", "www CNAME app.lab\nmail CNAME app.lab", ["mail.example.com and 1 more point to app.lab.example.com"]],
  ["", "www CNAME app.lab", ["www.example.com points to app.lab.example.com"]],
  ["", "www CNAME app.lab\napp.lab A 192.0.2.1", []],
  [
    "lab NS ns.example.net.",
    "lab NS ns.example.net.\nwww CNAME app.lab\napp.lab A 192.0.2.1",
    ["www.example.com points to app.lab.example.com"],
  ],
])("G08 of a deleted domain: beside %j, which becomes %j", (before, after, said) => {
  const lab = liveOf("app A 192.0.2.1", "documented", "lab.example.com.");
  const live = new Map([liveOf(before), lab].map((zone) => [nameKey(zone.name), zone]));
  const held = blocksIn(plan([desiredOf(after)], live, { deletions: [lab] }), live, thresholds);
  const ofG08 = held.filter(({ guard }) => guard === "G08").flatMap(({ findings }) => findings);
  expect(ofG08.map(({ text }) => text)).toEqual(said);
});

/** A zone that is to be created, and all that the guards hold of it. */
test.each<[string, ...string[]]>([
  ["@ A 192.0.2.1\n@ MX 10 a.example.net.\nsub NS ns.example.net."],
  ["@ MX 0 ."],
  ['@ TXT "v=spf1 ?all"\n_dmarc TXT "v=DMARC1; p=none"\ns._domainkey TXT "v=DKIM1; p="'],
  ['@ TXT "v=spf1 ptr include:a.example.net ip4:192.0.2.0/24 ~all"'],
  ['@ CAA 0 issue ";"'],
  [";@ type: slave\n;@ master_ips: 192.0.2.53"],
  ["a A 10.0.0.1", "G12 a: publishes the private address 10.0.0.1 (10.0.0.0/8, RFC 1918)"],
  [
    "a A 203.0.113.24",
    'G24 a: points to 203.0.113.24, which the node "web-1" had until 2026-03-01 and no node of the account has now',
  ],
  ["* A 192.0.2.1", "G09 *: answers for every name that does not exist"],
  ["*.dev A 192.0.2.1"],
  ['@ TXT "v=spf1 +all"', "G05 @: SPF becomes weaker, from ?all to +all"],
  ['@ TXT "v=spf1 ip4:0.0.0.0/1 -all"', "G05 @: SPF accepts 2147483648 more IPv4 addresses; the limit is 65536"],
  ['a A 192.0.2.1\n@ CAA 0 issue ";"', "G19 @: no authority may issue certificates (CAA)"],
  ["@ 172800 MX 10 a.example.net.", "G21 @: the TTL is 172800 seconds (2 days); the limit is 86400"],
  ["a 172800 A 192.0.2.1"],
  [
    ";@ expire_sec: 3600",
    "G29 @: secondaries stop answering after 1 hour without a refresh (expire_sec); the limit is 1 day",
  ],
  ["* A 192.0.2.1\nx.shop A 192.0.2.1", "G09 *: answers for every name that does not exist"],
  ["www CNAME a.example.net.\nsub NS ns.sub\nns.sub A 192.0.2.1"],
  [hosts(1000)],
  ["a CNAME me.github.io."],
  [";@ axfr_ips: 192.0.2.53", "G22 @: lets 192.0.2.53 transfer the zone"],
  ['_dmarc TXT "google-site-verification=1"'],
  ['_dmarc TXT "v=DMARC1; p=none"\n_dmarc TXT "v=DMARC1; p=reject"'],
  ["_dmarc CNAME policy.example.net."],
])("a new zone: %j", (zone, ...said) => {
  const held = findBlocks([desiredOf(zone)], []);
  expect(held.flatMap((one) => findingTexts(one).map((text) => `${one.guard} ${text}`))).toEqual(said);
});

test("a new zone may have the secondaries of another zone", () => {
  const other = liveOf(";@ axfr_ips: 192.0.2.53, 2001:DB8::53", "documented", "a.example.");
  const held = (addresses: string) =>
    findBlocks([desiredOf(`;@ axfr_ips: ${addresses}`)], [other]).flatMap(findingTexts);
  expect(held("2001:db8::53, 192.0.2.53")).toEqual([]);
  expect(held("192.0.2.53, 192.0.2.54")).toEqual(["@: lets 192.0.2.54 transfer the zone"]);
});

test("a new zone below another zone of the run inherits its DMARC policy until it has its own", () => {
  const parent = '_dmarc TXT "v=DMARC1; p=reject"';
  const held = (text: string) =>
    findBlocks([desiredOf(parent), desiredOf(text, "a.example.com.")], [liveOf(parent)]).flatMap(findingTexts);
  expect(held('_dmarc TXT "v=DMARC1; p=reject"')).toEqual([]);
  expect(held('_dmarc TXT "v=DMARC1; p=none"')).toEqual(["_dmarc.a: DMARC becomes weaker, from p=reject to p=none"]);
});

test("DMARC policies are inherited from the organizational domain, not from a public suffix", () => {
  const held = (around: string, name: string) => {
    const zone = liveOf('_dmarc TXT "v=DMARC1; p=reject"', "documented", around);
    const own = liveOf('_dmarc TXT "v=DMARC1; p=none"', "documented", name);
    const next = desiredOf('_dmarc TXT "v=DMARC1; p=none"\n_dmarc.a TXT "v=DMARC1; p=none"', name);
    return findBlocks([next], [zone, own]).flatMap(({ findings }) => findings.map(({ text }) => text));
  };
  // The policy of the zone around it counts, not that of the nearest domain.
  expect(held("example.com.", "b.example.com.")).toEqual(["DMARC becomes weaker, from p=reject to p=none"]);
  expect(held("co.uk.", "example.co.uk.")).toEqual([]);
  expect(held("github.io.", "user.github.io.")).toEqual([]);
});

test("G13 counts zones whose records change", () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}.example.`);
  const lives = names.map((name) => liveOf("x A 192.0.2.1", "documented", name));
  const after = names.map((name) => desiredOf("x A 192.0.2.2", name));
  expect(findBlocks(after, lives).flatMap(findingTexts)).toEqual([
    "*: changes records in place in 6 zones; the limit is 5",
  ]);
  expect(findBlocks(after.slice(1), lives)).toEqual([]);
});

test.each<[string, string, string, string, boolean]>([
  ["an MX that stays", "@ MX 10 a\n@ MX 5 b", "@ MX 10 a\n@ MX 20 c", "@ MX 10 a\n@ MX 20 c\n@ MX 5 b", false],
  ["another host", "@ MX 10 a\n@ MX 5 b", "@ MX 10 a\nx A 192.0.2.1", "@ MX 10 a\nx A 192.0.2.1\n@ MX 5 b", true],
  [
    "an included policy",
    '@ TXT "v=spf1 include:i.example.com ~all"\ni TXT "v=spf1 a -all"',
    '@ TXT "v=spf1 -all"\ni TXT "v=spf1 mx -all"',
    '@ TXT "v=spf1 include:i.example.com ~all"\ni TXT "v=spf1 mx -all"',
    false,
  ],
  [
    "the policy above",
    '_dmarc TXT "v=DMARC1; p=reject"\n_dmarc.a TXT "v=DMARC1; p=none"',
    '_dmarc TXT "v=DMARC1; p=quarantine"',
    '_dmarc TXT "v=DMARC1; p=quarantine"\n_dmarc.a TXT "v=DMARC1; p=none"',
    false,
  ],
])("an acknowledgement and %s", (_, wanted, before, alsoWanted, isSame) => {
  const firstBefore: Record<string, string> = {
    "@ MX 10 a\n@ MX 5 b": "@ MX 10 a",
    '@ TXT "v=spf1 include:i.example.com ~all"\ni TXT "v=spf1 a -all"': '@ TXT "v=spf1 -all"\ni TXT "v=spf1 a -all"',
    '_dmarc TXT "v=DMARC1; p=reject"\n_dmarc.a TXT "v=DMARC1; p=none"': '_dmarc TXT "v=DMARC1; p=reject"',
  };
  const [one] = findBlocks([desiredOf(wanted)], [liveOf(firstBefore[wanted] ?? "")]);
  const [other] = findBlocks([desiredOf(alsoWanted)], [liveOf(before)]);
  expect(one).toBeDefined();
  expect(one?.effectDigest === other?.effectDigest).toBe(isSame);
});

test("an acknowledgement of a deletion is bound to the records of the domain", () => {
  const digest = (text: string) => {
    const lab = liveOf(text, "documented", "lab.example.");
    const live = new Map([[nameKey(lab.name), lab]]);
    return blocksIn(plan([], live, { deletions: [lab] }), live, thresholds).map(
      ({ guard, effectDigest }) => `${guard} ${effectDigest}`,
    );
  };
  expect(digest("a A 192.0.2.1")).toEqual(digest("A A 192.0.2.1"));
  expect(digest("a A 192.0.2.1")).not.toEqual(digest("a A 192.0.2.2"));
});

test("the digest covers the blocked effects only, whatever else is planned", () => {
  const before = liveOf("@ MX 10 a.example.net.\nb A 192.0.2.1");
  const [one] = findBlocks([desiredOf("b A 192.0.2.1")], [before]);
  const [other] = findBlocks([desiredOf("b A 192.0.2.2\nc A 192.0.2.1")], [before]);
  expect(one).toEqual(other);
  expect(one?.effectDigest).toBe(digestEffects(one?.findings.flatMap(({ effects }) => effects) ?? []));
  const [changed] = findBlocks([desiredOf("@ MX 10 b.example.net.")], [before]);
  expect(changed?.effectDigest).not.toBe(one?.effectDigest);
});

function blocksIn(
  plan: Plan,
  live: ReadonlyMap<NameKey, LiveZone>,
  thresholds: Thresholds,
  options: Partial<GuardOptions> = {},
): GuardBlock[] {
  return finish(findGuardBlocks(plan, live, thresholds, { settings: apiSettings, ...options }));
}

function findBlocks(desired: DesiredZone[], live: LiveZone[]): GuardBlock[] {
  const zones = new Map(live.map((zone) => [nameKey(zone.name), zone]));
  return blocksIn(plan(desired, zones), zones, thresholds, { freed });
}

/** The findings by name, relative to the zone; `*` for those about all changes together. */
function findingTexts({ findings }: GuardBlock): string[] {
  return findings.map(({ text, effects, isWide }) => {
    const name = (effects[0]?.name ?? "").replace(/\.?example\.com\.$/, "") || "@";
    return `${isWide ? "*" : name}: ${text}`;
  });
}
