import { expect, test } from "vitest";
import { formats } from "../../src/sources/formats.ts";
import { withChanges } from "./changes.ts";
import { lines } from "./lines.ts";

const rows: { what: string; before: string; change: string; after: string }[] = [
  {
    what: "a value changes in its place, between its comments",
    before: lines`
      # The shop.
      soa_email: hostmaster@example.com
      records:
        # where people look
        www: # here
          A: 192.0.2.1 # behind the balancer
          AAAA: "2001:db8::1"
    `,
    change: lines`
      - www A 192.0.2.1
      + www A 192.0.2.9
      - www AAAA 2001:db8::1
      + www AAAA 2001:db8::9
    `,
    after: lines`
      # The shop.
      soa_email: hostmaster@example.com
      records:
        # where people look
        www: # here
          A: 192.0.2.9 # behind the balancer
          AAAA: "2001:db8::9"
    `,
  },
  {
    what: "items of lists, with brackets and with dashes",
    before: lines`
      records:
        "@":
          A: [ 192.0.2.1,  192.0.2.2, 192.0.2.3 ] # three
          MX:
            - 10 mail # ours
            - 20 mail.example.net. # theirs
    `,
    change: lines`
      - @ A 192.0.2.2
      + @ A 192.0.2.4
      - @ A 192.0.2.1
      - @ MX 10 mail
      + @ MX 30 mail2
    `,
    after: lines`
      records:
        "@":
          A: [ 192.0.2.4,  192.0.2.3 ] # three
          MX:
            - 30 mail2 # ours
            - 20 mail.example.net. # theirs
    `,
  },
  {
    what: "a value becomes a list",
    before: lines`
      records:
        a:
          A: 192.0.2.1 # one
          TXT: one, two # [a text]
        b:
          SRV:
            # ours
            priority: 10
            weight: 1
            port: 5060
            target: sip
    `,
    change: lines`
      + a A 192.0.2.2
      + a TXT "three"
      + b SRV 20 1 5060 sip
    `,
    after: lines`
      records:
        a:
          A: [192.0.2.1, 192.0.2.2] # one
          TXT:
            - one, two # [a text]
            - three
        b:
          SRV:
            # ours
            - priority: 10
              weight: 1
              port: 5060
              target: sip
            - 20 1 5060 sip
    `,
  },
  {
    what: "a list of one stays one",
    before: lines`
      records:
        a:
          A:
            - 192.0.2.1 # first
            - 192.0.2.2 # second
          AAAA: [2001:db8::1, 2001:db8::2]
    `,
    change: lines`
      - a A 192.0.2.1
      - a AAAA 2001:db8::2
    `,
    after: lines`
      records:
        a:
          A:
            - 192.0.2.2 # second
          AAAA: [2001:db8::1]
    `,
  },
  {
    what: "new types and owners, at their place and at the end",
    before: lines`
      records:
        "@":
          A: 192.0.2.1
        mail: { A: 192.0.2.25 } # flat
        www:
          A: 192.0.2.2

      # the end
    `,
    change: lines`
      + mail AAAA 2001:db8::1
      + ns1 A 192.0.2.3
      + @ MX 10 mail
      + *.www 5m A 192.0.2.4
    `,
    after: lines`
      records:
        "@":
          A: 192.0.2.1
          MX: 10 mail
        mail: { A: 192.0.2.25, AAAA: 2001:db8::1 } # flat
        ns1:
          A: 192.0.2.3
        www:
          A: 192.0.2.2
        "*.www":
          A:
            ttl_sec: 5m
            values: 192.0.2.4

      # the end
    `,
  },
  {
    what: "types and owners that go",
    before: lines`
      records:
        # the apex
        "@":
          A: 192.0.2.1
          MX: 10 mail # ours
        mail: { A: 192.0.2.25, AAAA: 2001:db8::1 }
        www:
          # of the record
          A: 192.0.2.2
        zzz: { A: 192.0.2.3 }
    `,
    change: lines`
      - @ MX 10 mail
      - mail A 192.0.2.25
      - www A 192.0.2.2
    `,
    after: lines`
      records:
        # the apex
        "@":
          A: 192.0.2.1
        mail: { AAAA: 2001:db8::1 }
        zzz: { A: 192.0.2.3 }
    `,
  },
  {
    what: "the last record",
    before: lines`
      tags: [shop]
      records: # none at the end
        www:
          A: 192.0.2.2
    `,
    change: "- www A 192.0.2.2",
    after: lines`
      tags: [shop]
      records: {} # none at the end
    `,
  },
  {
    what: "the first record",
    before: lines`
      tags: [shop]
      records: {} # none yet
      group: shops
    `,
    change: "+ www A 192.0.2.2",
    after: lines`
      tags: [shop]
      records: # none yet
        www:
          A: 192.0.2.2
      group: shops
    `,
  },
  {
    what: "records at all",
    before: lines`
      tags: [shop]
    `,
    change: lines`
      + www A 192.0.2.2
      + www A 192.0.2.3
    `,
    after: lines`
      tags: [shop]
      records:
        www:
          A: [192.0.2.2, 192.0.2.3]
    `,
  },
  {
    what: "a TTL comes, changes and goes",
    before: lines`
      records:
        a: { A: { ttl_sec: 5m, values: [192.0.2.1] } }
        b:
          A:
            ttl_sec: 300 # short
            values: 192.0.2.1
        c:
          A: 192.0.2.1 # plain
        d:
          A:
            # a list
            - 192.0.2.1
          MX:
          - 10 mail
          - 20 mail
          TXT: a, b
          SRV:
            priority: 10
            weight: 1
            port: 5060
            target: sip
    `,
    change: lines`
      ~ a A
      ~ b A 2h
      ~ c A 60
      ~ d A 60
      ~ d MX 60
      ~ d TXT 60
      ~ d SRV 60
    `,
    after: lines`
      records:
        a: { A: { values: [192.0.2.1] } }
        b:
          A:
            ttl_sec: 7200 # short
            values: 192.0.2.1
        c:
          A: { ttl_sec: 1m, values: 192.0.2.1 } # plain
        d:
          A:
            # a list
            ttl_sec: 1m
            values:
            - 192.0.2.1
          MX:
            ttl_sec: 1m
            values:
            - 10 mail
            - 20 mail
          TXT:
            ttl_sec: 1m
            values: a, b
          SRV:
            ttl_sec: 1m
            values:
              priority: 10
              weight: 1
              port: 5060
              target: sip
    `,
  },
  {
    what: "settings change, come and go",
    before: lines`
      # The shop.
      soa_email: hostmaster@example.com # ours
      ttl_sec: 1h
      tags: [production, eu] # both
      axfr_ips:
        - 192.0.2.53 # first
        - 192.0.2.54
      records: {}
    `,
    change: lines`
      soa_email = dns@example.com
      ttl_sec =
      tags = production, us
      axfr_ips = 192.0.2.53, 192.0.2.55
      description = one: two
      refresh_sec = 4h
    `,
    after: lines`
      # The shop.
      soa_email: dns@example.com # ours
      tags: [production, us] # both
      axfr_ips:
        - 192.0.2.53 # first
        - 192.0.2.55
      description: "one: two"
      refresh_sec: 4h
      records: {}
    `,
  },
  {
    what: "a field of an object",
    before: lines`
      records:
        _sip._tcp:
          SRV: { priority: 10, weight: 60, port: 5060, target: sip } # ours
        "@":
          SOA:
            mname: ns1.example.net. # the first
            rname: hostmaster
            serial: 1 # counts
            refresh: 4h
            retry: 1h
            expire: 2w
            minimum: 1h
          MX: { target: mail }
    `,
    change: lines`
      - _sip._tcp SRV 10 60 5060 sip
      + _sip._tcp SRV 10 70 5060 sip2
      - @ SOA ns1.example.net. hostmaster 1 14400 3600 1209600 3600
      + @ SOA ns1.example.net. hostmaster 2 7200 3600 1209600 3600
      refresh_sec = 2h
      - @ MX 0 mail
      + @ MX 10 mail
    `,
    after: lines`
      records:
        _sip._tcp:
          SRV: { priority: 10, weight: 70, port: 5060, target: sip2 } # ours
        "@":
          SOA:
            mname: ns1.example.net. # the first
            rname: hostmaster
            serial: 2 # counts
            refresh: 2h
            retry: 1h
            expire: 2w
            minimum: 1h
          MX: { target: mail, priority: 10 }
    `,
  },
  {
    what: "texts keep the quotes that they have",
    before: lines`
      records:
        a: { TXT: 'one' }
        b: { TXT: "one" }
        c: { TXT: one }
        d:
          TXT: |
            one
            two
          A: 192.0.2.1
        e: { TXT: [[one, two]] }
    `,
    change: lines`
      - a TXT "one"
      + a TXT "it's"
      - b TXT "one"
      + b TXT "two"
      - c TXT "one"
      + c TXT "a, b: c # d"
      - d TXT "one\010two\010"
      + d TXT "three"
      - e TXT "one" "two"
      + e TXT "one" "three"
    `,
    after: lines`
      records:
        a: { TXT: 'it''s' }
        b: { TXT: "two" }
        c: { TXT: "a, b: c # d" }
        d:
          TXT: three
          A: 192.0.2.1
        e: { TXT: [[one, three]] }
    `,
  },
  {
    what: "who uses an anchor alone changes alone",
    before: lines`
      records:
        one: &web # the web
          A: &addresses [192.0.2.1, 192.0.2.2]
          AAAA: 2001:db8::1
        two: *web # as one
        three:
          A: *addresses
        four:
          <<: *web # but
          AAAA: 2001:db8::4
    `,
    change: lines`
      - two A 192.0.2.2
      - three A 192.0.2.1
      + three A 192.0.2.9
      - four A 192.0.2.1
      - four A 192.0.2.2
      + four A 192.0.2.4
    `,
    after: lines`
      records:
        one: &web # the web
          A: &addresses [192.0.2.1, 192.0.2.2]
          AAAA: 2001:db8::1
        two: # as one
          A: [192.0.2.1]
          AAAA: 2001:db8::1
        three:
          A: [192.0.2.9, 192.0.2.2]
        four:
          <<: *web # but
          AAAA: 2001:db8::4
          A: 192.0.2.4
    `,
  },
  {
    what: "who holds an anchor changes, and the others stay",
    before: lines`
      records:
        one: &web
          A: &address 192.0.2.1 # here
        two: *web
        three: { A: *address }
    `,
    change: lines`
      - one A 192.0.2.1
      + one A 192.0.2.9
    `,
    after: lines`
      records:
        one: &web
          A: &address 192.0.2.9 # here
        two:
          A: 192.0.2.1
        three: { A: 192.0.2.1 }
    `,
  },
  {
    what: "all who use an anchor change: it changes",
    before: lines`
      records:
        one: &web
          A: 192.0.2.1 # here
        two: *web
        three: { <<: *web }
    `,
    change: lines`
      - one A 192.0.2.1
      - two A 192.0.2.1
      - three A 192.0.2.1
      + one A 192.0.2.9
      + two A 192.0.2.9
      + three A 192.0.2.9
    `,
    after: lines`
      records:
        one: &web
          A: 192.0.2.9 # here
        two: *web
        three: { <<: *web }
    `,
  },
  {
    what: "who holds an anchor goes, and the others stay",
    before: lines`
      records:
        one: &web
          A: 192.0.2.1
          MX: &mail 10 mail
        two: *web
        three: { <<: *web, TXT: here }
        four:
          MX: *mail
    `,
    change: lines`
      - one A 192.0.2.1
      - one MX 10 mail
    `,
    after: lines`
      records:
        two:
          A: 192.0.2.1
          MX: 10 mail
        three: { A: 192.0.2.1, MX: 10 mail, TXT: here }
        four:
          MX: 10 mail
    `,
  },
  {
    what: "what a merge brings goes",
    before: lines`
      records:
        one: &web { A: 192.0.2.1, MX: 10 mail }
        two:
          <<: *web
          TXT: here
    `,
    change: "- two MX 10 mail",
    after: lines`
      records:
        one: &web { A: 192.0.2.1, MX: 10 mail }
        two:
          A: 192.0.2.1
          TXT: here
    `,
  },
  {
    what: "JSON stays JSON",
    before: '{"records": {"www": {"A": ["192.0.2.1"], "MX": "10 mail"}}, "ttl_sec": 300}',
    change: lines`
      + www A 192.0.2.2
      ~ www MX 60
      + ftp CNAME www
      tags = a, b
    `,
    after:
      '{"records": {"www": {"A": ["192.0.2.1", "192.0.2.2"], "MX": {"ttl_sec": "1m", "values": "10 mail"}}, "ftp": {"CNAME": "www"}}, "ttl_sec": 300, "tags": ["a", "b"]}',
  },
  {
    what: "lists with brackets over several lines",
    before: lines`
      records:
        www:
          A: [
            192.0.2.1, # first
            192.0.2.2, # second
            192.0.2.3,
          ]
    `,
    change: lines`
      - www A 192.0.2.2
      + www A 192.0.2.9
      + www A 192.0.2.10
      - www A 192.0.2.1
    `,
    after: lines`
      records:
        www:
          A: [
            192.0.2.9, # first
            192.0.2.10, # second
            192.0.2.3,
          ]
    `,
  },
  {
    what: "a modeline, the end of the document, an excuse",
    before: lines`
      # yaml-language-server: $schema=../schemas/zone.schema.json
      ---
      records:
        www:
          lenient: [private-address] # a lab
          A: 10.0.0.1
      ...
    `,
    change: lines`
      - www A 10.0.0.1
      + www AAAA 2001:db8::1
    `,
    after: lines`
      # yaml-language-server: $schema=../schemas/zone.schema.json
      ---
      records:
        www:
          lenient: [private-address] # a lab
          AAAA: 2001:db8::1
      ...
    `,
  },
  {
    what: "lines that end as they ended",
    before: "records:\r\n  www:\r\n    A: 192.0.2.1 # shop\r\n",
    change: lines`
      + www TXT "a"
      ~ www A 60
      + ftp A 192.0.2.2
    `,
    after:
      "records:\r\n  www:\r\n    A: { ttl_sec: 1m, values: 192.0.2.1 } # shop\r\n    TXT: a\r\n  ftp:\r\n    A: 192.0.2.2\r\n",
  },
  {
    what: "a byte order mark, and no line end at the end",
    before: "\ufeffrecords:\n  www:\n    A: 192.0.2.1",
    change: lines`
      + www MX 10 mail
      tags = a
    `,
    after: "\ufefftags: [a]\nrecords:\n  www:\n    A: 192.0.2.1\n    MX: 10 mail",
  },
];

test.each(rows)("$what", ({ before, change, after }) => {
  const { read, rewrite } = formats.yaml;
  const previous = { file: "example.yaml", bytes: Buffer.from(before), origin: "example." };
  expect(Buffer.from(rewrite(withChanges(read(previous).zone, change), previous)).toString()).toBe(after);
});
