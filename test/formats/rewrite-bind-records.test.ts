import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

testRows("bind", [
  {
    what: "a value changes in place, between its comments",
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
    what: "settings in the SOA record, times in their units",
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
    what: "a new record follows the last one of its owner, in the same columns",
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
    what: "a new owner is inserted in canonical order",
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
    what: "or after the last owner, if the file has its own order",
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
    what: "absolute names, class and lower case as in the neighbouring records",
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
    what: "a line that inherited its owner gets it when the line before is removed",
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
    what: "after tabs too",
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
    what: "a record's own TTL changes in its column and unit",
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
    what: "a TTL is added and deleted",
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
    what: "a record that inherited its TTL from the line before keeps it",
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
    what: "the zone's default TTL, and records that already had the new one",
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
    what: "no $TTL here is the zone's default",
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
    what: "the zone's default TTL from the SOA minimum, when the SOA gets a TTL",
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
