import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

testRows("bind", [
  {
    what: "directive comments change in place, and new ones follow them",
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
    what: "data in the form of RFC 3597 is rewritten",
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
    what: "names that servers need and the zone lacks",
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
    what: "all records of a $GENERATE are deleted",
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
    what: "the zone's default TTL for a record that inherited owner and TTL from the one before",
    before: lines`
      @ 1h SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      www 60 A 192.0.2.1
       AAAA 2001:db8::1
       TXT "shop"
    `,
    change: lines`
      - www A 192.0.2.1
      - www AAAA 2001:db8::1
      + www AAAA 2001:db8::1
    `,
    after: lines`
      ;@ implicit: TTL
      @ 1h SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      $TTL 1d
      www AAAA 2001:db8::1
       60 TXT "shop"
    `,
  },
  {
    what: "the second SOA record of a transfer is deleted with the first",
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
    what: "line ends are kept",
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
    what: "a byte order mark, and no newline at the end",
    before: "\ufeff@ 60 SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\nwww 60 A 192.0.2.1",
    change: "+ zzz 60 A 192.0.2.2",
    after: "\ufeff@ 60 SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\nwww 60 A 192.0.2.1\nzzz 60 A 192.0.2.2",
  },
]);
