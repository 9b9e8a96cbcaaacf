import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

testRows("bind", [
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
    what: "the zone's default TTL, which the SOA's minimum said, when the SOA gets a TTL",
    before: lines`
      @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 15m
      www 60 A 192.0.2.1
    `,
    change: "~ @ SOA 5m",
    after: lines`
      $TTL 15m
      @ 300 SOA ns1.example.net. hostmaster 1 4h 1h 2w 15m
      www 60 A 192.0.2.1
    `,
  },
]);
