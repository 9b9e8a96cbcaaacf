import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

testRows("yaml", [
  {
    what: "new types and owners, in their place and at the end",
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
    what: "deleted types and owners",
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
    what: "settings are changed, added and deleted",
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
    what: "a modeline, the end of the document, a comment on lenient",
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
    what: "line ends are kept",
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
    what: "a byte order mark, and no newline at the end",
    before: "\ufeffrecords:\n  www:\n    A: 192.0.2.1",
    change: lines`
      + www MX 10 mail
      tags = a
    `,
    after: "\ufefftags: [a]\nrecords:\n  www:\n    A: 192.0.2.1\n    MX: 10 mail",
  },
  {
    what: "a deleted owner takes the comments in its block with it, but none above its neighbours",
    before: lines`
      records:
        # about www
        www:
          # inside
          A:
            - 192.0.2.1 # behind
            # about what is no more

          # last inside
        # about mail

        # and more about mail
        mail: { A: 192.0.2.2 }
    `,
    change: "- www A 192.0.2.1",
    after: lines`
      records:
        # about www
        # about mail

        # and more about mail
        mail: { A: 192.0.2.2 }
    `,
  },
  {
    what: "owners in braces are deleted without the comments above their neighbours",
    before: lines`
      records: {
        # about a
        a: { A: 192.0.2.1 }, # behind a
        # about b, which stays
        b: { A: 192.0.2.2 }, # behind b
        # about c
        c: { A: 192.0.2.3 } # behind c
      }
    `,
    change: lines`
      - a A 192.0.2.1
      - c A 192.0.2.3
    `,
    after: lines`
      records: {
        # about a
        # about b, which stays
        b: { A: 192.0.2.2 } # behind b
        # about c
      }
    `,
  },
]);
