import { expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { domainName } from "../names.ts";
import { formats } from "./api.ts";
import { withChanges } from "./changes.ts";

const soa = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\n";

const refused: { what: string; before: string; change: string; said: string[] }[] = [
  {
    what: "one record of a $GENERATE",
    before: `${soa}$GENERATE 1-3 host-$ A 192.0.2.$\n`,
    change: "- host-2 A 192.0.2.2",
    said: ["rewrite-generate 3: host-2.example. A changes, but it is in a $GENERATE line"],
  },
  {
    what: "a record of an included file",
    before: `${soa}$INCLUDE hosts.zone\n`,
    change: "- www A 192.0.2.1\n+ www A 192.0.2.2",
    said: ["rewrite-include 1: www.example. A changes, but it is in an included file"],
  },
  {
    what: "a setting of an included file",
    before: `${soa}$INCLUDE hosts.zone\n`,
    change: "tags = b",
    said: ["rewrite-include 2: tags of example.zone is set in hosts.zone:2"],
  },
  {
    what: "a default TTL that an included file inherits",
    before: `@ 60 SOA ns1.example.net. hostmaster 1 4h 1h 2w 30m\n$INCLUDE hosts.zone\n`,
    change: "ttl_sec = 1h",
    said: ["rewrite-ttl 2: www.example. A would get a different TTL from the lines before it"],
  },
  {
    what: "a file with errors",
    before: `${soa}www A 192.0.2.256\n`,
    change: "",
    said: ['address-v4 3: www A "192.0.2.256": not an IPv4 address'],
  },
  {
    what: "another zone's SOA record",
    before: soa,
    change:
      "- @ SOA ns1.example.net. hostmaster 1 14400 3600 1209600 1800\n+ @ SOA ns1.example.net. hostmaster 1 2 3600 1209600 1800\nrefresh_sec = 3",
    said: ["soa-differs 0: refresh_sec is 2 in the SOA record, but 3 in the setting"],
  },
  {
    what: "an owner outside the zone",
    before: soa,
    change: "+ www.example.org. A 192.0.2.1",
    said: ['out-of-zone 3: www.example.org. A is outside the zone "example."'],
  },
];

test.each(refused)("refuses $what", ({ before, change, said }) => {
  const { read, rewrite } = formats.bind;
  const hosts = { file: "hosts.zone", bytes: Buffer.from("www A 192.0.2.1\n;@ tags: a\n"), identity: "hosts" };
  const includer = { identity: "example", open: () => hosts };
  const previous = { file: "example.zone", bytes: Buffer.from(before), origin: domainName("example."), includer };
  const { zone } = read(previous);
  let found: string[] = [];
  try {
    rewrite(withChanges(zone, change), previous);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    found = error.problems.map(({ id: rule, place: at, summary }) => `${rule} ${at?.line ?? 0}: ${summary}`);
  }
  expect(found).toEqual(said);
});
