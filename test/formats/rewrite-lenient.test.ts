import { describe } from "vitest";
import { lines } from "./lines.ts";
import { testRows } from "./rewrite-rows.ts";

describe("yaml", () => {
  testRows("yaml", [
    {
      what: "entries for some targets, beside those for all and those for others",
      before: lines`
        records:
          a: { lenient: private-address, A: 10.0.0.1 }
          b: { lenient: { rule: private-address, targets: office }, A: 10.0.0.1 }
          c:
            lenient: # why
              - rule: private-address
                targets: [office, public]
              - glue # and this
            A: 10.0.0.1
          d:
            lenient:
              rule: private-address
              targets: office
            A: 10.0.0.1
          e:
            A: 10.0.0.1
      `,
      change: lines`
        lenient a: private-address for office
        lenient b: private-address
        lenient c: private-address for office, glue
        lenient d: glue for public office
        lenient e: glue for public office, private-address
      `,
      after: lines`
        records:
          a: { lenient: [private-address, {rule: private-address, targets: office}], A: 10.0.0.1 }
          b: { lenient: [{rule: private-address, targets: office}, private-address], A: 10.0.0.1 }
          c:
            lenient: # why
              - rule: private-address
                targets: [office, public]
              - glue # and this
              - {rule: private-address, targets: office}
            A: 10.0.0.1
          d:
            lenient:
              [{rule: private-address, targets: office}, {rule: glue, targets: [public, office]}]
            A: 10.0.0.1
          e:
            lenient: [{rule: glue, targets: [public, office]}, private-address]
            A: 10.0.0.1
      `,
    },
    {
      what: "a new owner",
      before: lines`
        records:
          "@":
            A: 192.0.2.1
      `,
      change: lines`
        + www MX 10 mail.
        lenient www: target-one-label
      `,
      after: lines`
        records:
          "@":
            A: 192.0.2.1
          www:
            lenient: [target-one-label]
            MX: 10 mail.
      `,
    },
    {
      what: "the apex and other owners without the key: comments stay with their type",
      before: lines`
        records:
          "@": # the apex
            # our server
            A: 192.0.2.1

          mail: { A: 192.0.2.25 } # flat
          www:
            A: 192.0.2.2
            MX: 10 mail. # at the end
          # the end
      `,
      change: lines`
        lenient @: mx-null, target-one-label
        lenient mail: private-address
        lenient WWW: target-one-label
      `,
      after: lines`
        records:
          "@": # the apex
            lenient: [mx-null, target-one-label]
            # our server
            A: 192.0.2.1

          mail: { lenient: [private-address], A: 192.0.2.25 } # flat
          www:
            lenient: [target-one-label]
            A: 192.0.2.2
            MX: 10 mail. # at the end
          # the end
      `,
    },
    {
      what: "lists of each form, one rule without brackets, and rules that they have",
      before: lines`
        records:
          a:
            A: 10.0.0.1
            lenient: [private-address] # why
          b:
            lenient:
              # the lab
              - private-address
            A: 10.0.0.1
          c:
            lenient: "private-address" # why
            A: 10.0.0.1
          d: { A: 10.0.0.1, lenient: private-address }
          e:
            lenient: [private-address]
            A: 10.0.0.1
      `,
      change: lines`
        lenient a: private-address, target-one-label, mx-null
        lenient b: target-one-label
        lenient c: target-one-label, mx-null
        lenient d: target-one-label
        lenient e: private-address
      `,
      after: lines`
        records:
          a:
            A: 10.0.0.1
            lenient: [private-address, mx-null, target-one-label] # why
          b:
            lenient:
              # the lab
              - private-address
              - target-one-label
            A: 10.0.0.1
          c:
            lenient: ["private-address", mx-null, target-one-label] # why
            A: 10.0.0.1
          d: { A: 10.0.0.1, lenient: [private-address, target-one-label] }
          e:
            lenient: [private-address]
            A: 10.0.0.1
      `,
    },
    {
      what: "an anchor stays, and owners that share its value get no rule",
      before: lines`
        records:
          a: &web
            A: 10.0.0.1
          b: *web
          c:
            <<: *web
            TXT: c
          d:
            lenient: &rules [private-address]
            A: 10.0.0.2
          e:
            lenient: *rules
            A: 10.0.0.3
      `,
      change: lines`
        lenient a: private-address
        lenient d: target-one-label
      `,
      after: lines`
        records:
          a: &web
            lenient: [private-address]
            A: 10.0.0.1
          b:
            A: 10.0.0.1
          c:
            A: 10.0.0.1
            TXT: c
          d:
            lenient: &rules [private-address, target-one-label]
            A: 10.0.0.2
          e:
            lenient: [private-address]
            A: 10.0.0.3
      `,
    },
    {
      what: "an owner with an alias or merge",
      before: lines`
        records:
          a: &web
            lenient: [private-address]
            A: 10.0.0.1
          b: *web
          c:
            <<: *web
            TXT: c
      `,
      change: lines`
        lenient b: target-one-label
        lenient c: target-one-label
      `,
      after: lines`
        records:
          a: &web
            lenient: [private-address]
            A: 10.0.0.1
          b:
            lenient: [private-address, target-one-label]
            A: 10.0.0.1
          c:
            lenient: [private-address, target-one-label]
            <<: *web
            TXT: c
      `,
    },
    {
      what: "braces over several lines, JSON, and an explicit key",
      before: lines`
        { "records": {
          "a": {
            "A": "10.0.0.1"
          },
          "b": {"A": "10.0.0.1", "lenient": ["private-address"]}
        } }
      `,
      change: lines`
        lenient a: private-address
        lenient b: target-one-label
      `,
      after: lines`
        { "records": {
          "a": {
            "lenient": ["private-address"],
            "A": "10.0.0.1"
          },
          "b": {"A": "10.0.0.1", "lenient": ["private-address", "target-one-label"]}
        } }
      `,
    },
    {
      what: "an explicit key, and tags and anchors on lines of their own",
      before: lines`
        records:
          ? a
          : A: 10.0.0.1
          b:
            &b
            # the lab
            A: 10.0.0.1
      `,
      change: lines`
        lenient a: private-address
        lenient b: private-address
      `,
      after: lines`
        records:
          ? a
          : A: 10.0.0.1
            lenient: [private-address]
          b:
            &b
            # the lab
            lenient: [private-address]
            A: 10.0.0.1
      `,
    },
    {
      what: "line ends of Windows",
      before: "records:\r\n  a:\r\n    A: 10.0.0.1\r\n",
      change: "lenient a: private-address",
      after: "records:\r\n  a:\r\n    lenient: [private-address]\r\n    A: 10.0.0.1\r\n",
    },
  ]);
});

describe("bind", () => {
  testRows("bind", [
    {
      what: "entries for some targets, beside those for all and those for others",
      before: lines`
        ;@ lenient lab: private-address for office
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        lab A 10.0.0.1
        www A 10.0.0.1
      `,
      change: lines`
        lenient lab: private-address, glue for public office
        lenient www: private-address for public
      `,
      after: lines`
        ;@ lenient lab: private-address for office, glue for public office, private-address
        ;@ lenient www: private-address for public
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        lab A 10.0.0.1
        www A 10.0.0.1
      `,
    },
    {
      what: "a new owner",
      before: lines`
        ; The shop.
        ;@ tags: production
        $ORIGIN example.
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
      `,
      change: lines`
        + www MX 10 mail.
        lenient www: target-one-label
      `,
      after: lines`
        ; The shop.
        ;@ tags: production
        ;@ lenient www: target-one-label
        $ORIGIN example.
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        www IN MX 10 mail.
      `,
    },
    {
      what: "the apex, several rules, and other owners, below those that exist",
      before: lines`
        ;@ lenient lab: private-address
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        www 5m A 10.0.0.1 ; the shop
        lab A 10.0.0.1
      `,
      change: lines`
        group = shops
        lenient www: private-address
        lenient @: target-one-label, mx-null
      `,
      after: lines`
        ;@ lenient lab: private-address
        ;@ group: shops
        ;@ lenient @: mx-null, target-one-label
        ;@ lenient www: private-address
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        www 5m A 10.0.0.1 ; the shop
        lab A 10.0.0.1
      `,
    },
    {
      what: "an entry grows wherever it stands and however it spells the owner, and is not repeated",
      before: lines`
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        lab A 10.0.0.1
        ;@  lenient LAB.example.:  private-address mx-null
        www A 10.0.0.1
        ;@ lenient www: private-address
      `,
      change: lines`
        lenient lab: private-address, target-one-label
        lenient www: private-address
      `,
      after: lines`
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        lab A 10.0.0.1
        ;@  lenient LAB.example.:  private-address mx-null, target-one-label
        www A 10.0.0.1
        ;@ lenient www: private-address
      `,
    },
    {
      what: "names below another $ORIGIN are relative to the zone",
      before: lines`
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        $ORIGIN sub.example.
        lab A 10.0.0.1
      `,
      change: "lenient lab.sub: private-address",
      after: lines`
        ;@ lenient lab.sub: private-address
        $TTL 1h
        @ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m
        $ORIGIN sub.example.
        lab A 10.0.0.1
      `,
    },
    {
      what: "line ends of Windows",
      before:
        "$TTL 1h\r\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\r\n;@ lenient a: mx-null\r\na A 10.0.0.1\r\n",
      change: "lenient a: private-address\nlenient @: mx-null",
      after:
        ";@ lenient @: mx-null\r\n$TTL 1h\r\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\r\n;@ lenient a: mx-null, private-address\r\na A 10.0.0.1\r\n",
    },
  ]);
});
