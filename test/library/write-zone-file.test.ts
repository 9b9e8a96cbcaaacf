import { expect, test } from "vitest";
import { checkZone, rdataText, readName, readZoneFile, writeZoneFile, type Zone } from "../../src/library/dns.ts";
import { lines } from "../cli/run.ts";
import { everyType, masterFile } from "../dns/transfer/zones.ts";
import { compileText, normal, unknownToBind } from "../formats/named.ts";
import { isMissing } from "../judges.ts";

const origin = readName("example.");
const read = (text: string) => readZoneFile({ bytes: Buffer.from(text, "latin1"), origin, file: "z" });
const linesOf = ({ records }: Zone) =>
  records.map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`).sort();
const everything = masterFile(everyType());

test("a written zone reads back with the same records of every type, and no problems", () => {
  const { zone, problems } = read(everything);
  expect([problems, zone.records.length > 60]).toEqual([[], true]);
  const again = read(writeZoneFile(zone));
  expect([again.problems, linesOf(again.zone)]).toEqual([[], linesOf(zone)]);
});

test.skipIf(isMissing("named-compilezone"))(
  "named-compilezone reads the same from a file and from its copy",
  async () => {
    const text = everything.split("\n").filter((line) => !unknownToBind.some((type) => line.includes(` ${type} `)));
    const { zone } = read(text.join("\n"));
    const [before, after] = await Promise.all(
      [text.join("\n"), writeZoneFile(zone)].map((text) => compileText("example", text)),
    );
    expect(normal(after ?? "")).toBe(normal(before ?? ""));
  },
);

test("a zone of a program gets a TTL, an SOA record and the given name servers", () => {
  const www = { owner: readName("www", origin), type: "A", ttl: undefined, data: { address: "192.0.2.1" } };
  const zone = { name: origin, settings: {}, places: {}, dotlessTargets: [], records: [www] };
  const text = writeZoneFile(zone, { nameservers: [readName("ns1.example.net.")], ttl: 300 });
  expect(text).toBe(lines`
    ;@ implicit: SOA, NS
    $ORIGIN example.
    $TTL 5m
    @   IN SOA ns1.example.net. hostmaster 1 14400 14400 1209600 300
    @   IN NS  ns1.example.net.
    www IN A   192.0.2.1
  `);
  expect(writeZoneFile(zone)).toContain("$TTL 1d\n");
  const again = read(text);
  expect([again.problems, linesOf(again.zone)]).toEqual([[], ["www.example. 300 A 192.0.2.1"]]);
});

test("a target without its final dot stays, and errors stay errors", () => {
  const text = "$TTL 1h\n@ SOA ns1.test. a 1 4h 1h 2w 1h\n@ NS ns1.test.\nwww CNAME b.example.net\nx MX 1 192.0.2.1\n";
  const { zone } = read(text);
  const ids = (one: Zone) => checkZone(one).map(({ id }) => id);
  const again = read(writeZoneFile(zone)).zone;
  expect(ids(again)).toEqual(ids(zone));
  expect(ids(again)).toContain("target-needs-dot");
});

test("data that no zone file can have is refused", () => {
  const { zone } = read("$TTL 1h\n@ SOA ns1.test. a 1 4h 1h 2w 1h\n@ NS ns1.test.\n");
  const www = { owner: readName("www", origin), type: "A", ttl: 60, data: { address: "192.0.2" } };
  expect(() => writeZoneFile({ ...zone, records: [...zone.records, www] })).toThrow("192.0.2");
});
