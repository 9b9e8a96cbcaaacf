import { expect, test } from "vitest";
import { asName } from "../../src/dns/name/name.ts";
import { filesKind } from "../../src/targets/files/kind.ts";
import { rfc2136Kind } from "../../src/targets/rfc2136/kind.ts";
import { readZone } from "../dns/transfer/zones.ts";

const text = `@ 300 IN SOA ns1.example.net. hostmaster 1 3600 600 86400 60
@ 300 IN NS ns1.example.net.
@ 300 IN ALIAS lb.hosting.test.
www 300 IN ALIAS shop
mail 300 IN A 192.0.2.1
`;

test.each([filesKind, rfc2136Kind])("a $name does not get ALIAS records", ({ accept }) => {
  const { desired, problems } = accept(readZone(text, "example.com"));
  const typesOf = (records: readonly { type: string }[] = []) => records.map(({ type }) => type);
  expect(typesOf(desired.records).filter((type) => type !== "SOA")).toEqual(["NS", "A"]);
  expect(typesOf(desired.unsupported)).toEqual(["ALIAS", "ALIAS"]);
  expect(problems.map(({ id, owner, summary, fix }) => [id, owner, summary, fix])).toEqual([
    [
      "alias-record",
      asName("example.com."),
      '@ ALIAS points to "lb.hosting.test."',
      'Write the A and AAAA records of "lb.hosting.test." here, and update them when its addresses change.',
    ],
    ["alias-record", asName("www.example.com."), 'www ALIAS points to "shop"', "Write `CNAME shop` instead."],
  ]);
});
