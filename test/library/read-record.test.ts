import { expect, test } from "vitest";
import {
  IndexedZone,
  lookUp,
  nameKey,
  type ReadRecord,
  readName,
  readZoneFile,
  writeZoneFile,
} from "../../src/library/dns.ts";
import { lines } from "../cli/run.ts";

const origin = readName("example.");
const read = (text: string) => readZoneFile({ bytes: Buffer.from(text), origin, file: "z" }).zone;
const ttls = (records: Iterable<ReadRecord>) =>
  Array.from(records, ({ type, ttl, statedTtl }) => [type, ttl, statedTtl]);

const zone = read(lines`
  $TTL 1h
  @   IN SOA ns1.example.net. hostmaster 1 14400 14400 1209600 300
  www    A    192.0.2.1
  www    A    192.0.2.2
  www 60 A    192.0.2.3
  www    TXT  "a"
  mx 3600 MX  10 mail.example.net.
`);

test("a record has the TTL in effect, and the one that the file states", () => {
  expect(ttls(zone.records)).toEqual([
    ["SOA", 3600, undefined],
    ["A", 3600, undefined],
    ["A", 3600, undefined],
    ["A", 3600, 60],
    ["TXT", 3600, undefined],
    ["MX", 3600, 3600],
  ]);
  expect(zone.records.at(-1)).toBe([...zone.records][5]);
});

test("a lookup finds the same records, by the index of the file", () => {
  const found = lookUp(new IndexedZone(zone), nameKey(readName("www", origin)), "TXT");
  expect(found.kind === "answer" && found.set.records).toEqual([zone.records.at(4)]);
  expect(found.kind === "answer" && found.set.records[0]).toBe(zone.records.at(4));
});

test("a written zone states only what was stated or changed", () => {
  const records = zone.records.map((record) => (record.type === "TXT" ? { ...record, ttl: 30 } : record));
  const again = read(writeZoneFile({ ...zone, records: records.filter(({ statedTtl }) => statedTtl !== 60) }));
  expect(ttls(again.records)).toEqual([
    ["SOA", 3600, undefined],
    ["MX", 3600, 3600],
    ["A", 3600, undefined],
    ["A", 3600, undefined],
    ["TXT", 30, 30],
  ]);
});

test("a comparison of the type narrows the data", () => {
  const found = zone.records.flatMap((record) => (record.type === "MX" ? [record.data.preference] : []));
  expect(found).toEqual([10]);
});
