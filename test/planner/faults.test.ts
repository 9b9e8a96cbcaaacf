import { expect, test } from "vitest";
import { asId, type RecordChange } from "../../src/dns/zone/desired-live.ts";
import { byOwner } from "../../src/dns/zone/owners.ts";
import { findInvalidStates } from "../../src/planner/order/faults.ts";
import { liveOf, zoneOf } from "./world.ts";

/** Steps of one write each, `+` for a create and `-` for a delete, with the steps that they need. */
function invalidStates(
  before: string,
  after: string,
  writes: readonly [sign: "+" | "-", record: string, need?: number][],
) {
  const [live, desired] = [liveOf(before), zoneOf(after)];
  const steps = writes.map(([sign, record, need], id) => {
    const [one] = liveOf(record).records;
    if (!one) throw new Error(record);
    const change: RecordChange =
      sign === "+" ? { kind: "create", after: one } : { kind: "delete", before: { ...one, id: asId(id + 1) } };
    return { kind: "write", id, writes: [change], needs: need === undefined ? [] : [need] } as const;
  });
  return findInvalidStates({ before: byOwner(live.records), after: byOwner(desired.records) }, steps);
}

const spf = (all: string) => `@ TXT "v=spf1 ${all}"`;

test.each<[string, ...Parameters<typeof invalidStates>, string[]]>([
  [
    "a valid order",
    "a A 192.0.2.1",
    "a A 192.0.2.2",
    [
      ["+", "a A 192.0.2.2"],
      ["-", "a A 192.0.2.1"],
    ],
    [],
  ],
  [
    "a CNAME beside an address",
    "a A 192.0.2.1",
    "a CNAME b",
    [
      ["+", "a CNAME b"],
      ["-", "a A 192.0.2.1"],
    ],
    ["step 0: a.example.com. has a CNAME and other records"],
  ],
  [
    "an ALIAS beside an address",
    "a A 192.0.2.1\na MX 10 b",
    "a ALIAS b\na MX 10 b",
    [
      ["+", "a ALIAS b"],
      ["-", "a A 192.0.2.1"],
    ],
    ["step 0: a.example.com. has an ALIAS and addresses"],
  ],
  [
    "an address after an ALIAS",
    "a ALIAS b",
    "a AAAA 2001:db8::1",
    [
      ["-", "a ALIAS b"],
      ["+", "a AAAA 2001:db8::1"],
    ],
    [],
  ],
  [
    "a null MX beside another",
    "@ MX 10 a",
    "@ MX 0 .",
    [
      ["+", "@ MX 0 ."],
      ["-", "@ MX 10 a"],
    ],
    ["step 0: example.com. has a null MX and other MX records"],
  ],
  [
    "two SPF policies",
    spf("-all"),
    spf("~all"),
    [
      ["+", spf("~all")],
      ["-", spf("-all")],
    ],
    ["step 0: example.com. has 2 v=spf1 records"],
  ],
  [
    "no SPF policy",
    spf("-all"),
    spf("~all"),
    [
      ["-", spf("-all")],
      ["+", spf("~all")],
    ],
    ["step 0: example.com. has no v=spf1 record"],
  ],
  [
    "a step before its dependency",
    "",
    "a A 192.0.2.1\nb A 192.0.2.1",
    [
      ["+", "a A 192.0.2.1", 1],
      ["+", "b A 192.0.2.1"],
    ],
    ["step 0: it runs before step 1, which it needs"],
  ],
  ["a record that is left", "a A 192.0.2.1", "", [], ["at the end the records of a.example.com. are unchanged"]],
  ["a record that is missing", "", "a A 192.0.2.1", [], ["at the end a.example.com. does not exist"]],
  [
    "too many records",
    "",
    "a A 192.0.2.1",
    [
      ["+", "a A 192.0.2.1"],
      ["+", "a A 192.0.2.2"],
    ],
    ["at the end a.example.com. has 2 A records instead of 1"],
  ],
])("%s", (_, before, after, writes, expected) => {
  expect(invalidStates(before, after, writes)).toEqual(expected);
});
