import { expect, test } from "vitest";
import { Refusal } from "../../src/diagnostics/diagnostic.ts";
import { formats } from "../../src/sources/formats.ts";
import { withChanges } from "./changes.ts";
import { lines } from "./lines.ts";

const rows: { what: string; before: string; change: string; after: string }[] = [
  {
    what: "a value changes in its place, between its comments",
    before: lines`
      $TTL 1h
      @     SOA ns1 hostmaster 1 4h 1h 2w 1h
            NS  ns1
      ; the shop
      www   A   192.0.2.1 ; behind the balancer
      ns1   A   192.0.2.53
    `,
    change: lines`
      - www A 192.0.2.1
      + www A 192.0.2.9
    `,
    after: lines`
      $TTL 1h
      @     SOA ns1 hostmaster 1 4h 1h 2w 1h
            NS  ns1
      ; the shop
      www   A   192.0.2.9 ; behind the balancer
      ns1   A   192.0.2.53
    `,
  },
  {
    what: "the serial of an SOA record, and nothing else in its parentheses",
    before: lines`
      $TTL 1h
      @ IN SOA ns1.example.net. hostmaster (
              2024010101 ; serial
              4h         ; refresh
              1h         ; retry
              2w         ; expire
              1h )       ; minimum
    `,
    change: lines`
      - @ SOA ns1.example.net. hostmaster 2024010101 14400 3600 1209600 3600
      + @ SOA ns1.example.net. hostmaster 2024010102 14400 3600 1209600 3600
    `,
    after: lines`
      $TTL 1h
      @ IN SOA ns1.example.net. hostmaster (
              2024010102 ; serial
              4h         ; refresh
              1h         ; retry
              2w         ; expire
              1h )       ; minimum
    `,
  },
  {
    what: "settings that the SOA record holds, times in their units",
    before: lines`
      $TTL 1h
      @ IN SOA ns1.example.net. hostmaster (
              1  ; serial
              4h ; refresh
              3600 1209600 1h )
    `,
    change: lines`
      soa_email = dns.admin@example.org
      refresh_sec = 2h
      retry_sec = 30m
    `,
    after: lines`
      $TTL 1h
      @ IN SOA ns1.example.net. dns\.admin.example.org. (
              1  ; serial
              2h ; refresh
              1800 1209600 1h )
    `,
  },
  {
    what: "a record of an owner goes behind its last, in its columns",
    before: lines`
      $TTL 1h
      @       SOA     ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www     A       192.0.2.1
              AAAA    2001:db8::1

      mail    A       192.0.2.25
    `,
    change: "+ www A 192.0.2.2",
    after: lines`
      $TTL 1h
      @       SOA     ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www     A       192.0.2.1
              AAAA    2001:db8::1
              A       192.0.2.2

      mail    A       192.0.2.25
    `,
  },
  {
    what: "an owner that is new goes where canonical order has it",
    before: lines`
      $TTL 1h
      @    IN SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      ftp  IN A 192.0.2.1
      www  IN A 192.0.2.2
    `,
    change: lines`
      + mail A 192.0.2.3
      + zzz A 192.0.2.4
    `,
    after: lines`
      $TTL 1h
      @    IN SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      ftp  IN A 192.0.2.1
      mail IN A 192.0.2.3
      www  IN A 192.0.2.2
      zzz  IN A 192.0.2.4
    `,
  },
  {
    what: "or behind the last where the file has an order of its own",
    before: lines`
      $TTL 1h
      @	SOA	ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www	300	A	192.0.2.1
      ftp	300	A	192.0.2.2
    `,
    change: "+ xmpp 60 A 192.0.2.3",
    after: lines`
      $TTL 1h
      @	SOA	ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www	300	A	192.0.2.1
      ftp	300	A	192.0.2.2
      xmpp	60	A	192.0.2.3
    `,
  },
  {
    what: "absolute names, class and small letters where the neighbours have them",
    before: lines`
      example. 3600 in soa ns1.example.net. hostmaster.example. 1 4h 1h 2w 1h
      www.example. 300 in a 192.0.2.1
      ftp.example. 300 in cname www.example.
    `,
    change: "+ irc 300 CNAME www",
    after: lines`
      example. 3600 in soa ns1.example.net. hostmaster.example. 1 4h 1h 2w 1h
      www.example. 300 in a 192.0.2.1
      ftp.example. 300 in cname www.example.
      irc.example. 300 in cname www.example.
    `,
  },
  {
    what: "an owner goes over to the line that had it from the line before",
    before: lines`
      $TTL 1h
      @       SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www     A   192.0.2.1
              A   192.0.2.2
              TXT "text"
      mail    A   192.0.2.25
    `,
    change: "- www A 192.0.2.1",
    after: lines`
      $TTL 1h
      @       SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www     A   192.0.2.2
              TXT "text"
      mail    A   192.0.2.25
    `,
  },
  {
    what: "also behind tabs",
    before: lines`
      $TTL 1h
      @	SOA	ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www	A	192.0.2.1
      	A	192.0.2.2
    `,
    change: "- www A 192.0.2.1",
    after: lines`
      $TTL 1h
      @	SOA	ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www	A	192.0.2.2
    `,
  },
  {
    what: "a TTL of its own changes, in its column and its unit",
    before: lines`
      $TTL 1h
      @    SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www  5m    IN A 192.0.2.1
      mail 86400 IN A 192.0.2.25
    `,
    change: lines`
      ~ www A 1h30m
      ~ mail A 60
    `,
    after: lines`
      $TTL 1h
      @    SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www  90m   IN A 192.0.2.1
      mail 60 IN A 192.0.2.25
    `,
  },
  {
    what: "a TTL comes and goes",
    before: lines`
      $TTL 1h
      @    SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www  IN A 192.0.2.1
      mail 300 IN A 192.0.2.25
    `,
    change: lines`
      ~ www A 60
      ~ mail A
    `,
    after: lines`
      $TTL 1h
      @    SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www  60 IN A 192.0.2.1
      mail IN A 192.0.2.25
    `,
  },
  {
    what: "who had the TTL of the line before keeps it",
    before: lines`
      @ 3600 SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www 300 A 192.0.2.1
      mail A 192.0.2.25
      ftp A 192.0.2.26
    `,
    change: "~ www A 60",
    after: lines`
      @ 3600 SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
      www 60 A 192.0.2.1
      mail 300 A 192.0.2.25
      ftp A 192.0.2.26
    `,
  },
  {
    what: "the zone's default TTL, and who said the new one all along",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      www 7200 A 192.0.2.1
      $TTL 2h
      mail A 192.0.2.25
    `,
    change: "ttl_sec = 2h",
    after: lines`
      $TTL 2h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      www 7200 A 192.0.2.1
      $TTL 2h
      mail 7200 A 192.0.2.25
    `,
  },
  {
    what: "no $TTL here says the zone's default",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $TTL 60
      www A 192.0.2.1
      mail A 192.0.2.25
    `,
    change: "~ www A",
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $TTL 60
      $TTL 1h
      www A 192.0.2.1
      $TTL 1m
      mail A 192.0.2.25
    `,
  },
  {
    what: "directive comments change in their lines, new ones come behind them",
    before: lines`
      ; The shop.
      ;@ tags: production
      ;@ description: the shop ; since 1999
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
    `,
    change: lines`
      tags = production, eu
      description =
      group = shops
    `,
    after: lines`
      ; The shop.
      ;@ tags: production, eu
      ;@ group: shops
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
    `,
  },
  {
    what: "the first directive comment of a file",
    before: lines`
      ; The shop.

      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
    `,
    change: "tags = production",
    after: lines`
      ; The shop.

      ;@ tags: production
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
    `,
  },
  {
    what: "strings of a text",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      @ TXT ( "v=spf1" ; the policy
              " mx"    ; the shop
              " -all" )
    `,
    change: lines`
      - @ TXT "v=spf1" " mx" " -all"
      + @ TXT "v=spf1" " a mx" " ~all"
    `,
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      @ TXT ( "v=spf1" ; the policy
              " a mx"    ; the shop
              " ~all" )
    `,
  },
  {
    what: "one string fewer, one more",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      a TXT one "two" ; of three
      b TXT one "two" ; and more
    `,
    change: lines`
      - a TXT "one" "two"
      + a TXT "one"
      - b TXT "one" "two"
      + b TXT "one" "two" "three"
    `,
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      a TXT one ; of three
      b TXT one "two" "three" ; and more
    `,
  },
  {
    what: "only the target of a service",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      _sip._tcp SRV 10  60  5060 sip ; weight 60
    `,
    change: lines`
      - _sip._tcp SRV 10 60 5060 sip
      + _sip._tcp SRV 10 60 5060 sip2
    `,
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      _sip._tcp SRV 10  60  5060 sip2 ; weight 60
    `,
  },
  {
    what: "data as octets is written anew",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      www TYPE1 \# 4 ( C0000201 ) ; as octets
    `,
    change: lines`
      - www A 192.0.2.1
      + www A 192.0.2.2
    `,
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      www TYPE1 192.0.2.2 ( ) ; as octets
    `,
  },
  {
    what: "relative to the $ORIGIN in force",
    before: lines`
      $ORIGIN example.
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $ORIGIN dev.example.
      www A 192.0.2.1
      ftp CNAME www
    `,
    change: lines`
      + www.dev A 192.0.2.2
      - ftp.dev CNAME www.dev
      + ftp.dev CNAME www
    `,
    after: lines`
      $ORIGIN example.
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $ORIGIN dev.example.
      www A 192.0.2.1
      www A 192.0.2.2
      ftp CNAME www.example.
    `,
  },
  {
    what: "names that servers need and the zone does not hold",
    before: lines`
      ;@ implicit: TTL, SOA, NS
      ;@ soa_email: a@example.org
      $ORIGIN example.
      $TTL 1d
      @ IN SOA ns1.example.net. a.example.org. 1 14400 14400 1209600 86400
      @ IN NS ns1.example.net.
      www IN A 192.0.2.1
    `,
    change: lines`
      soa_email = b@example.org
      ttl_sec = 1h
    `,
    after: lines`
      ;@ implicit: SOA, NS
      ;@ soa_email: b@example.org
      $ORIGIN example.
      $TTL 1h
      @ IN SOA ns1.example.net. b.example.org. 1 14400 14400 1209600 86400
      @ IN NS ns1.example.net.
      www IN A 192.0.2.1
    `,
  },
  {
    what: "an SOA record and name servers of its own",
    before: lines`
      ;@ implicit: TTL, SOA, NS
      $ORIGIN example.
      $TTL 1d
      @ IN SOA ns1.example.net. a.example.org. 1 14400 14400 1209600 86400
      @ IN NS ns1.example.net.
      www IN A 192.0.2.1
    `,
    change: lines`
      + @ SOA ns1.example.net. a.example.org. 2 14400 14400 1209600 86400
      + @ NS ns9.example.net.
      soa_email = a@example.org
      refresh_sec = 4h
      retry_sec = 4h
      expire_sec = 2w
    `,
    after: lines`
      ;@ implicit: TTL
      $ORIGIN example.
      $TTL 1d
      @ IN SOA ns1.example.net. a.example.org. 2 14400 14400 1209600 86400
      @ IN NS ns9.example.net.
      www IN A 192.0.2.1
    `,
  },
  {
    what: "records beside those of an $INCLUDE or a $GENERATE",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $GENERATE 1-3 host-$ A 192.0.2.$
      www A 192.0.2.80
    `,
    change: lines`
      + host-2 AAAA 2001:db8::2
      - www A 192.0.2.80
      + www A 192.0.2.81
    `,
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      host-2 AAAA 2001:db8::2
      $GENERATE 1-3 host-$ A 192.0.2.$
      www A 192.0.2.81
    `,
  },
  {
    what: "all records of a $GENERATE go",
    before: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $GENERATE 1-2 host-$ A 192.0.2.$ ; the farm
      www A 192.0.2.80
    `,
    change: lines`
      - host-1 A 192.0.2.1
      - host-2 A 192.0.2.2
    `,
    after: lines`
      $TTL 1h
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      www A 192.0.2.80
    `,
  },
  {
    what: "a transfer's second SOA record goes with the first",
    before: lines`
      example. 60 IN SOA ns1.example.net. a.example.org. 1 2 3 4 5
      www.example. 60 IN A 192.0.2.1
      example. 60 IN SOA ns1.example.net. a.example.org. 1 2 3 4 5
    `,
    change: lines`
      - @ SOA ns1.example.net. a.example.org. 1 2 3 4 5
      + @ 60 SOA ns1.example.net. a.example.org. 2 2 3 4 5
      + zzz 60 A 192.0.2.2
    `,
    after: lines`
      example. 60 IN SOA ns1.example.net. a.example.org. 2 2 3 4 5
      www.example. 60 IN A 192.0.2.1
      zzz.example. 60 IN A 192.0.2.2
      example. 60 IN SOA ns1.example.net. a.example.org. 2 2 3 4 5
    `,
  },
  {
    what: "lines that end as they ended",
    before: "$TTL 1h\r\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\r\nwww A 192.0.2.1 ; shop\r\n",
    change: lines`
      - www A 192.0.2.1
      + www A 192.0.2.9
      + zzz A 192.0.2.2
      tags = a
    `,
    after:
      ";@ tags: a\r\n$TTL 1h\r\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\r\nwww A 192.0.2.9 ; shop\r\nzzz A 192.0.2.2\r\n",
  },
  {
    what: "a byte order mark, and no line end at the end",
    before: "\ufeff@ 60 SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\nwww 60 A 192.0.2.1",
    change: "+ zzz 60 A 192.0.2.2",
    after: "\ufeff@ 60 SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\nwww 60 A 192.0.2.1\nzzz 60 A 192.0.2.2",
  },
];

test.each(rows)("$what", ({ before, change, after }) => {
  const { read, rewrite } = formats.bind;
  const previous = { file: "example.zone", bytes: Buffer.from(before), origin: "example." };
  expect(Buffer.from(rewrite(withChanges(read(previous).zone, change), previous)).toString()).toBe(after);
});

const soa = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\n";

const refused: { what: string; before: string; change: string; said: string[] }[] = [
  {
    what: "one record of a $GENERATE",
    before: `${soa}$GENERATE 1-3 host-$ A 192.0.2.$\n`,
    change: "- host-2 A 192.0.2.2",
    said: ["rewrite-generate 3: host-2.example. A changes, and a $GENERATE makes it"],
  },
  {
    what: "a record of an included file",
    before: `${soa}$INCLUDE hosts.zone\n`,
    change: "- www A 192.0.2.1\n+ www A 192.0.2.2",
    said: ["rewrite-include 1: www.example. A changes, and an included file holds it"],
  },
  {
    what: "a setting of an included file",
    before: `${soa}$INCLUDE hosts.zone\n`,
    change: "tags = b",
    said: ["rewrite-include 2: tags of example.zone is written in hosts.zone:2"],
  },
  {
    what: "a default TTL on which an included file counts",
    before: `@ 60 SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\n$INCLUDE hosts.zone\n`,
    change: "ttl_sec = 1h",
    said: ["rewrite-ttl 2: www.example. A would get another TTL from the lines before it"],
  },
  {
    what: "a file with errors",
    before: `${soa}www A 192.0.2.256\n`,
    change: "",
    said: ["address-v4 3: not an IPv4 address"],
  },
  {
    what: "another zone's SOA record",
    before: soa,
    change: "- @ SOA ns1.example.net. hostmaster 1 14400 3600 1209600 1800\n+ @ SOA ns1.example.net. hostmaster 1 2 3600 1209600 1800\nrefresh_sec = 3", // biome-ignore format: one thought
    said: ["soa-differs 0: the SOA record says refresh_sec 2, the setting says 3"],
  },
  {
    what: "an owner outside of the zone",
    before: soa,
    change: "+ www.example.org. A 192.0.2.1",
    said: ["out-of-zone 3: www.example.org. is not in the zone example."],
  },
];

test.each(refused)("refused: $what", ({ before, change, said }) => {
  const { read, rewrite } = formats.bind;
  const hosts = { file: "hosts.zone", bytes: Buffer.from("www A 192.0.2.1\n;@ tags: a\n"), identity: "hosts" };
  const includer = { identity: "example", open: () => hosts };
  const previous = { file: "example.zone", bytes: Buffer.from(before), origin: "example.", includer };
  const { zone } = read(previous);
  let found: string[] = [];
  try {
    rewrite(withChanges(zone, change), previous);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    found = error.diagnostics.map(({ rule, at, summary }) => `${rule} ${at?.line ?? 0}: ${summary}`);
  }
  expect(found).toEqual(said);
});
