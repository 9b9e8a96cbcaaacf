import { expect, test } from "vitest";
import { compareWithLedger } from "./transfer-oracle.ts";

const before = `
a.example. 3600 IN SOA ns.old.example. h.a.example. 7 7200 3600 1209600 300
a.example. 3600 IN NS ns.old.example.
www.a.example. 3600 IN A 192.0.2.1
short.a.example. 60 IN TXT "two \\"strings" "two"
mail.a.example. 3600 IN MX 300 mail.a.example.
mail.a.example. 3600 IN SSHFP 1 1 ABCD
`;

const after = `
a.example. 86400 IN SOA ns1.example. h.a.example. 1 14400 14400 1209600 86400
a.example. 86400 IN NS ns1.example.
a.example. 86400 IN NS ns2.example.
www.a.example. 3600 IN A 192.0.2.1
short.a.example. 300 IN TXT "two \\034stringstwo"
`;

const ledger = `
left-to-the-service @ 3600 SOA ns.old.example. h.a.example. 7 7200 3600 1209600 300
left-to-the-service @ 3600 NS ns.old.example.
exact www 3600 A 192.0.2.1
normalised short 60 TXT "two \\"strings" two
lost mail 3600 MX 300 mail.a.example.
unsupported mail 3600 SSHFP 1 1 ABCD
`;

interface Change {
  readonly before?: [string, string];
  readonly after?: [string, string];
  readonly ledger?: [string, string];
}

test.each<[string, Change, string[]]>([
  ["nothing", {}, []],
  [
    "a record that the ledger omits",
    { ledger: ["exact www 3600 A 192.0.2.1\n", ""] },
    [
      "not in the ledger: www.a.example. 3600 IN A 192.0.2.1",
      "served, but not in the zone: www.a.example. 3600 IN A 192.0.2.1",
    ],
  ],
  [
    "an entry without a record",
    { before: ["www.a.example. 3600 IN A 192.0.2.1\n", ""] },
    ["in the ledger, but not in the zone: www.a.example. 3600 IN A 192.0.2.1"],
  ],
  [
    "an entry twice",
    { ledger: ["exact www", "exact www 3600 A 192.0.2.1\nexact www"] },
    ["twice in the ledger: www.a.example. 3600 IN A 192.0.2.1"],
  ],
  [
    "an exact record that is not served",
    { after: ["www.a.example. 3600 IN A 192.0.2.1\n", ""] },
    ["exact, but not served: www.a.example. 3600 IN A 192.0.2.1"],
  ],
  [
    "an exact record with another TTL",
    { after: ["www.a.example. 3600", "www.a.example. 300"] },
    [
      "exact, but not served: www.a.example. 3600 IN A 192.0.2.1",
      "served, but not in the zone: www.a.example. 300 IN A 192.0.2.1",
    ],
  ],
  [
    "a normalised record that is exact",
    { after: ['300 IN TXT "two \\034stringstwo"', '60 IN TXT "two \\"strings" "two"'] },
    [
      'normalised, but served unchanged: short.a.example. 60 IN TXT "two \\"strings" two',
      'normalised, but served with the TTL 60: short.a.example. 60 IN TXT "two \\"strings" two',
    ],
  ],
  [
    "a normalised record with a TTL that is not the nearest",
    { after: ["short.a.example. 300", "short.a.example. 3600"] },
    ['normalised, but served with the TTL 3600: short.a.example. 60 IN TXT "two \\"strings" two'],
  ],
  [
    "a normalised record with other data",
    { after: ["stringstwo", "STRINGStwo"] },
    [
      'normalised, but served 0 times: short.a.example. 60 IN TXT "two \\"strings" two',
      'served, but not in the zone: short.a.example. 300 IN TXT "two \\034STRINGStwo"',
    ],
  ],
  [
    "a lost record that is served",
    { after: ["www", "mail.a.example. 300 IN MX 300 mail.a.example.\nwww"] },
    [
      "lost, but served: mail.a.example. 3600 IN MX 300 mail.a.example.",
      "served, but not in the zone: mail.a.example. 300 IN MX 300 mail.a.example.",
    ],
  ],
  [
    "an unsupported record that is served",
    { after: ["www", "mail.a.example. 3600 IN SSHFP 1 1 abcd\nwww"] },
    [
      "unsupported, but served: mail.a.example. 3600 IN SSHFP 1 1 ABCD",
      "served, but not in the zone: mail.a.example. 3600 IN SSHFP 1 1 abcd",
    ],
  ],
  [
    "a record that is left to the service and served",
    { after: ["86400 IN NS ns2.example.", "3600 IN NS ns.old.example."] },
    ["left to the service, but served unchanged: a.example. 3600 IN NS ns.old.example."],
  ],
  [
    "a class without a meaning",
    { ledger: ["unsupported", "kept"] },
    ["of the class kept: mail.a.example. 3600 IN SSHFP 1 1 ABCD"],
  ],
])("the oracle of imports finds %s", (_, change, found) => {
  expect(faults(change)).toEqual(found);
});

function faults(change: Change): string[] {
  const entries = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => {
        const [, kind = "", owner = "", ttl, type = "", rdata = ""] = /^(\S+) (\S+) (\d+) (\S+) (.*)$/.exec(line) ?? [];
        return { class: kind, owner, ttl: Number(ttl), type, rdata };
      });
  const changed = (text: string, [from, to]: [string, string] = ["", ""]) => text.replace(from, to);
  return compareWithLedger("a.example.", {
    before: changed(before, change.before),
    after: changed(after, change.after),
    ledger: entries(changed(ledger, change.ledger)),
  });
}
