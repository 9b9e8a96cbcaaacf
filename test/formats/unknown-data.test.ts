import { describe, expect, test } from "vitest";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { readBind, readOctodns, readYaml } from "./api.ts";
import { compileZone } from "./named.ts";

const head = "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h\n@ NS ns1.example.net.\n";

/** Octets by hand: each value as what it looks like. */
const rows: [type: string, value: string, octets: string][] = [
  ["TYPE65280", "192.0.2.1", "\\# 4 c0000201"],
  ["TYPE65280", "198.51.100.7", "\\# 4 c6336407"],
  ["TYPE65280", "2001:db8::1", "\\# 16 20010db8000000000000000000000001"],
  ["TYPE65281", "10 mail.example.net.", "\\# 20 000a046d61696c076578616d706c65036e657400"],
  ["TYPE65281", "Mail.", "\\# 6 044d61696c00"],
  ["TYPE1234", '"one" "t\\"wo"', "\\# 9 036f6e65047422776f"],
  ["TYPE1234", "word", "\\# 5 04776f7264"],
  ["TYPE1234", "0A000001", "\\# 4 0a000001"],
  ["TYPE1234", "0xc0000201", "\\# 4 c0000201"],
  ["TYPE1234", "70000", "\\# 4 00011170"],
  ["NULL", "192.0.2.1", "\\# 4 c0000201"],
  ["UNSPEC", "1 2 3", "\\# 6 000100020003"],
  ["UID", "1000", "\\# 2 03e8"],
  ["GID", '""', "\\# 1 00"],
  ["UINFO", '"Jane Doe"', "\\# 9 084a616e6520446f65"],
  ["TYPE65280", "\\# c0000201", "\\# 4 c0000201"],
  ["TYPE65280", "\\# 3 c0000201", "\\# 4 c0000201"],
  ["A", "\\# 5 c0 00 02 01", "\\# 4 c0000201"],
];

test.each(rows)("%s %s: the advice shows its bytes and is valid", (type, value, octets) => {
  const { problems } = read(`${head}a ${type} ${value}\n`);
  const advised = /\\# \d+(?: [0-9a-f]+)?/.exec(`${problems[0]?.fix}`)?.[0];
  expect(problems.map(({ id }) => id)).toEqual([value.startsWith("\\#") ? "rdata-wire" : "unknown-data"]);
  expect(advised).toBe(octets);
  const text = `${head}a ${type} ${advised}\n`;
  const again = read(text);
  expect(again.problems).toEqual([]);
  const expected = type === "A" ? "192.0.2.1" : octets.toUpperCase();
  expect(again.zone.records.filter(({ owner }) => owner === "a.example.").map((record) => rdataText(record))).toEqual([
    expected,
  ]);
});

test.each(["DELEG", "DELEGPARAM"])("%s, a type of a draft, has the generic form and the name of its number", (type) => {
  const { zone, problems } = read(`${head}a ${type} \\# 2 0001\na NSEC b ${type}\n`);
  expect(problems).toEqual([]);
  const [record, nsec] = zone.records.filter(({ owner }) => owner === "a.example.");
  expect([record?.type, record && rdataText(record)]).toEqual([
    type === "DELEG" ? "TYPE61440" : "TYPE65433",
    "\\# 2 0001",
  ]);
  expect(nsec && rdataText(nsec)).toBe(`b.example. ${record?.type}`);
});

test.each(["DELEG", "DELEGPARAM", "TYPE61440"])("an error about %s has the word of the author", (type) => {
  const [inMasterFile] = read(`${head}a ${type} "1"\n`).problems;
  expect(inMasterFile?.summary).toBe(`a ${type} "1": zonewright knows no text form for the RDATA of this type`);
  const file = { file: "zone", origin: domainName("a.example.") };
  const [inYaml] = readYaml({ ...file, bytes: Buffer.from(`records: { a: { ${type}: "1" } }`) }).problems;
  expect(inYaml?.summary).toBe(`a ${type} "1": zonewright knows no text form for the RDATA of this type`);
  const [inOctodns] = readOctodns({ ...file, bytes: Buffer.from(`a: { type: ${type}, value: "1" }`) }).problems;
  expect(inOctodns?.summary).toContain(` ${type} `);
  const generated = `$GENERATE 1-2 a$ ${type} "1"`;
  expect(read(`${head}${generated}\n`).problems[0]?.summary).toContain(` ${type}`);
});

test("a parameter of an unknown type has octets that are not guessed", () => {
  const [found] = read(`${head}a DELEG server-ipv4=192.0.2.1\n`).problems;
  expect([found?.id, found?.fix]).toEqual([
    "unknown-data",
    'Write its octets, as "\\#", their number, and two hexadecimal digits for each.',
  ]);
});

const metaTypes = ["TSIG", "TKEY", "OPT", "AXFR", "IXFR", "MAILA", "MAILB", "ANY", "NXNAME", "MD", "MF", "TYPE250"];

test.each(metaTypes)("%s is a type that no record has", (type) => {
  expect(read(`${head}a ${type} \\# 0\n`).problems.map(({ id }) => id)).toEqual(["type-meta"]);
});

describe.skipIf(isMissing("named-compilezone"))("BIND agrees", () => {
  test("with each advised form", async () => {
    const lines = rows.map(([type, , octets], index) => `a${index} ${type} ${octets}\n`);
    const { records, messages } = await compileZone("example.", Buffer.from(head + lines.join("")));
    expect(records?.match(/^a\d+\.example\./gm), messages).toHaveLength(rows.length);
  });

  test.each(metaTypes)("that no record has type %s", async (type) => {
    expect((await compileZone("example.", Buffer.from(`${head}a ${type} \\# 0\n`))).records).toBeUndefined();
  });
});

function read(text: string) {
  return readBind({ file: "example.zone", bytes: Buffer.from(text), origin: domainName("example.") });
}
