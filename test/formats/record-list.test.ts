import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { byOwner, type Owners } from "../../src/dns/zone/owners.ts";
import { isType, type RecordList } from "../../src/dns/zone/zone.ts";
import { domainName } from "../names.ts";
import { readBind } from "./api.ts";

function recordsOf(text: string): RecordList {
  return readBind({ file: "zone", bytes: Buffer.from(text), origin: domainName("example.") }).zone.records;
}

test.each([
  ["an ordinary line", "www 60 A 192.0.2.1\n", 60],
  ["an entry in parentheses", "www 60 A (\n192.0.2.1 )\n", 60],
  ["a generated record", "$GENERATE 1-1 www 60 A 192.0.2.$\n", 60],
  ["a TTL that is replaced by that of its set", "$TTL 5\nwww 60 A 192.0.2.2\nwww 300 A 192.0.2.1\n", 60],
  ["the default TTL", "$TTL 5\nwww A 192.0.2.1\n", undefined],
])("the record of %s is a plain value", (_, text, ttl) => {
  const record = recordsOf(text).at(-1);
  const plain = { owner: "www.example.", type: "A", data: { address: "192.0.2.1" } };
  expect(record).toMatchObject({ ...plain, ttl, source: { file: "zone" } });
  expect({ ...record, ttl: 30 }).toMatchObject({ ...plain, ttl: 30, source: { file: "zone" } });
  const { start, end, ownTtl } = record ?? {};
  expect(JSON.parse(JSON.stringify(record))).toEqual(
    JSON.parse(JSON.stringify({ ...plain, ttl, ownTtl, source: "zone", start, end })),
  );
  expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
});

test("a list of records has the methods of an array, and the same object for a record each time", () => {
  const records = recordsOf("$TTL 1h\nwww A 192.0.2.1\n A (\n192.0.2.2 )\n* MX 10 www\n");
  const array = [...records];
  expect(array.map(({ owner, type }) => `${owner} ${type}`)).toEqual([
    "www.example. A",
    "www.example. A",
    "*.example. MX",
  ]);
  expect(records.length).toBe(3);
  const indexes = [0, 2, -1, -3, 3, -4, 1.9, -1.9, -0.5, Number.NaN, Number.POSITIVE_INFINITY];
  expect(indexes.map((index) => records.at(index))).toEqual(indexes.map((index) => array.at(index)));
  expect([...records].every((record, index) => record === array[index])).toBe(true);
  expect(records.map(({ type }, index) => `${index} ${type}`)).toEqual(["0 A", "1 A", "2 MX"]);
  expect(records.flatMap(({ type }, index) => Array(index).fill(type))).toEqual(["A", "MX", "MX"]);
  expect(records.filter(({ type }) => type === "A")).toEqual(array.slice(0, 2));
  expect(records.find((record) => isType(record, "MX"))?.data.preference).toBe(10);
  expect([records.some(({ type }) => type === "MX"), records.some(({ type }) => type === "NS")]).toEqual([true, false]);
  expect(JSON.stringify({ records })).toBe(JSON.stringify({ records: array }));
});

const owners = ["www", "WWW", "@", "a.b", "b", "www.example.", "b.A.example.", "\\119ww", "b.a", "c.", "\\000"];
const zone = fc
  .array(
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...owners),
          fc.constantFrom(
            "A 192.0.2.1",
            "A 192.0.2.2",
            "AAAA ::1",
            'TXT "a"',
            "RRSIG A 8 2 300 20300101000000 20200101000000 1 x. abcd",
            "RRSIG NS 8 2 300 20300101000000 20200101000000 1 x. abcd",
          ),
        )
        .map(([owner, data]) => `${owner} ${data}\n`),
      fc.constantFrom("$ORIGIN a\n", "$ORIGIN A.example.\n", "$ORIGIN example.\n", "$ORIGIN .\n"),
    ),
  )
  .map((lines) => `$TTL 1h\n${lines.join("")}`);

test("the index of a list has the same owners, sets and records as that of an array", () => {
  const names = [...owners, "unknown", "a", ""].map((owner) =>
    nameKey(domainName(owner === "@" || owner === "" ? "example." : owner.endsWith(".") ? owner : `${owner}.example.`)),
  );
  fc.assert(
    fc.property(zone, (text) => {
      const records = recordsOf(text);
      expect(contentOf(byOwner(records), names)).toEqual(contentOf(byOwner([...records]), names));
    }),
  );
});

test("spellings of one name are one owner, however many there are", () => {
  const letters = [..."abcdefghijklmno"];
  const spell = (number: number) =>
    letters.map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join("");
  const lines = Array.from({ length: 2 ** letters.length }, (_, number) => `${spell(number)} 60 TXT "${number}"\n`);
  const owners = byOwner(recordsOf(`${lines.join("")}${spell(5)} 60 TXT "last"\n`));
  expect([...owners.keys()]).toEqual(["abcdefghijklmno.example."]);
  expect(owners.get(nameKey(domainName("ABCDEFGHIJKLMNO.example.")))?.get("TXT")?.records.length).toBe(2 ** 15 + 1);
});

function contentOf(owners: Owners, names: readonly Parameters<Owners["get"]>[0][]) {
  const each: unknown[] = [];
  owners.forEach((sets, name) => {
    each.push([name, sets.values()]);
  });
  return {
    size: owners.size,
    keys: [...owners.keys()],
    values: [...owners.values()].map((sets) => sets.values()),
    entries: [...owners].map(([name, sets]) => [name, sets.values()]),
    each,
    found: names.map((name) => [name, owners.has(name), owners.get(name)?.values()]),
  };
}
