import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

testRows("yaml", [
  {
    what: "a value changes in place, between its comments",
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
    what: "signatures of several types, each RRset with its TTL",
    before: lines`
      records:
        www:
          RRSIG:
            - { ttl_sec: 5m, values: A 13 1 300 20270101000000 20261201000000 1 example. oJB1W6WNGv+l }
            - { ttl_sec: 1h, values: MX 13 1 3600 20270101000000 20261201000000 1 example. oJB1W6WNGv+l }
          A: 192.0.2.1 # kept
    `,
    change: lines`
      - www 300 RRSIG A 13 1 300 20270101000000 20261201000000 1 example. oJB1W6WNGv+l
      + www 300 RRSIG A 13 1 300 20270101000000 20261201000000 2 example. oJB1W6WNGv+l
    `,
    after: lines`
      records:
        www:
          A: 192.0.2.1 # kept
          RRSIG:
            - ttl_sec: 5m
              values: A 13 1 300 20270101000000 20261201000000 2 @ oJB1W6WNGv+l
            - ttl_sec: 1h
              values: MX 13 1 3600 20270101000000 20261201000000 1 @ oJB1W6WNGv+l
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
    what: "a list of one value stays a list",
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
    what: "a TTL is added, changed and deleted",
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
          CAA: { tag: issue, target: ca.example.net }
        mail: { A: { address: 192.0.2.1 }, CAA: { tag: issue, value: ca.example.net } }
    `,
    change: lines`
      - _sip._tcp SRV 10 60 5060 sip
      + _sip._tcp SRV 10 70 5060 sip2
      - @ SOA ns1.example.net. hostmaster 1 14400 3600 1209600 3600
      + @ SOA ns1.example.net. hostmaster 2 7200 3600 1209600 3600
      refresh_sec = 2h
      - @ CAA 0 issue "ca.example.net"
      + @ CAA 128 issue "ca.example.net"
      - mail A 192.0.2.1
      + mail A 192.0.2.2
      - mail CAA 0 issue "ca.example.net"
      + mail CAA 128 issue "ca.example.net"
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
          CAA: { tag: issue, target: ca.example.net, flags: 128 }
        mail: { A: { address: 192.0.2.2 }, CAA: { tag: issue, value: ca.example.net, flags: 128 } }
    `,
  },
  {
    what: "texts keep their quotes",
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
]);
