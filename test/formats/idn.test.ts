import { describe, expect, test } from "vitest";
import { Fault } from "../../src/dns/name/fault.ts";
import { readExactName, readName } from "../../src/dns/name/name.ts";
import { toOctets } from "../../src/dns/name/text.ts";
import { domainName } from "../names.ts";
import { readBind, readYaml, recordsText, rewriteBind, rewriteYaml } from "./api.ts";

describe("internationalised names", () => {
  // Written down from the package idna 3.13 of Python, which implements UTS 46 apart from us: encode(label,
  // uts46=True).
  test.each([
    ["bücher", "xn--bcher-kva"],
    ["BÜCHER", "xn--bcher-kva"],
    ["faß", "xn--fa-hia"],
    ["Straße", "xn--strae-oqa"],
    ["βόλος", "xn--nxasmm1c"],
    ["ς", "xn--3xa"],
    ["日本語", "xn--wgv71a119e"],
    ["パー・ティ", "xn--dck9c6ayme"],
    ["한국", "xn--3e0b707e"],
    ["россия", "xn--h1alffa9f"],
    ["عربي", "xn--ngbrx4e"],
    ["אב", "xn--4dbc"],
    ["مثال1", "xn--1-ymcl5hc"],
    ["तमिल", "xn--h2bum5c"],
    ["ไทย", "xn--o3cw4h"],
    ["café", "xn--caf-dma"],
    ["cafe\u0301", "xn--caf-dma"],
    ["Ω", "xn--bya"],
    ["ﬁà", "xn--fi-kia"],
    ["ａé", "xn--a-bga"],
    ["l·lè", "xn--ll-0ea1r"],
    ["İstanbul", "xn--istanbul-o0e"],
    ["ÅNGSTRÖM", "xn--ngstrm-hua5l"],
    ["éco-1", "xn--co-1-9oa"],
    ["ⅷü", "xn--viii-3ra"],
    ["①é", "xn--1-bga"],
  ])("%s is %s", (label, ascii) => {
    expect(readName(toOctets(label), domainName("."))).toBe(`${ascii}.`);
    expect(readName(toOctets(`${label}.example`), domainName("com."))).toBe(`${ascii}.example.com.`);
    expect(readName(`${ascii}.`, domainName("."))).toBe(`${ascii}.`);
  });

  test.each([
    ["*.bücher", "*.xn--bcher-kva."],
    ["_dmarc.bücher", "_dmarc.xn--bcher-kva."],
    ["my_host.bücher.example.", "my_host.xn--bcher-kva.example."],
    ["bücher。example", "xn--bcher-kva.example."],
    ["b\\195\\188cher", "b\\195\\188cher."],
    ["a\\.bü", "a\\.b\\195\\188."],
  ])("%s is %s", (name, ascii) => {
    expect(readName(toOctets(name), domainName("."))).toBe(ascii);
  });

  test.each([
    ["\u201cshop\u201d", "Remove it. Names are written without quotes."],
    ["a\u2013b", 'Write a plain hyphen ("-").'],
    ["a\u00a0b", "Remove it, or type a plain space instead."],
    ["a\u200bb", "Remove it, or type a plain space instead."],
    ...["\u2603", "\u20ac", "_ü", "*ü", "ü_x", "é#", "ü%41", "-ü", "ü-", "ab--ü", "\u0300a", "a·bé", "1אב"].map(
      (label) => [label, "Use letters, digits and hyphens, or write its xn-- form yourself."],
    ),
  ])("%j has no ASCII form", (label, fix) => {
    const reading = () => readName(toOctets(label), domainName("."));
    expect(reading).toThrow(Fault);
    expect(reading).toThrow(expect.objectContaining({ problem: expect.objectContaining({ id: "name-unicode", fix }) }));
    // Names from the API are not converted.
    expect(() => readExactName(toOctets(label), domainName("."))).not.toThrow();
  });

  test("invalid UTF-8 stays bytes", () => {
    expect(readName("b\u00fccher", domainName("."))).toBe("b\\252cher.");
  });
});

const master = `$TTL 1h
@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h
@ MX 10 Bücher.example.net.
bücher A 192.0.2.1 ; der Laden
BÜCHER TXT "bücher"
*.bücher CNAME bücher
$ORIGIN straße.example.
www CNAME xn--bcher-kva.example.
`;
const yaml = `zone: example
soa_email: hostmaster@example
records:
  "@": { MX: 10 Bücher.example.net. }
  bücher: { A: 192.0.2.1, TXT: bücher } # der Laden
  "*.bücher": { CNAME: bücher }
  www.straße: { CNAME: xn--bcher-kva.example. }
`;
const records = [
  "*.xn--bcher-kva.example. 3600 IN CNAME xn--bcher-kva.example.",
  "example. 3600 IN MX 10 xn--bcher-kva.example.net.",
  "www.xn--strae-oqa.example. 3600 IN CNAME xn--bcher-kva.example.",
  "xn--bcher-kva.example. 3600 IN A 192.0.2.1",
  'xn--bcher-kva.example. 3600 IN TXT "b\\195\\188cher"',
];

describe.each([
  [
    "a master file",
    { read: readBind, rewrite: rewriteBind },
    master,
    [
      "3:9 Bücher.example.net. is stored as xn--bcher-kva.example.net.",
      "4:1 bücher is stored as xn--bcher-kva",
      "5:1 BÜCHER is stored as xn--bcher-kva",
      "6:1 *.bücher is stored as *.xn--bcher-kva",
      "7:9 straße.example. is stored as xn--strae-oqa.example.",
    ],
  ],
  [
    "YAML",
    { read: readYaml, rewrite: rewriteYaml },
    yaml,
    [
      "4:14 Bücher.example.net. is stored as xn--bcher-kva.example.net.",
      "5:3 bücher is stored as xn--bcher-kva",
      "6:3 *.bücher is stored as *.xn--bcher-kva",
      "6:24 bücher is stored as xn--bcher-kva",
      "7:3 www.straße is stored as www.xn--strae-oqa",
    ],
  ],
] as const)("names of other scripts in %s", (_, { read, rewrite }, text, notes) => {
  const file = { file: "zone", bytes: Buffer.from(text), origin: domainName("example.") };
  const { zone, problems } = read(file);

  test("converts them, each with a note", () => {
    expect(
      problems.map(
        ({ severity, id: rule, summary, place: at }) => `${severity} ${rule} ${at?.line}:${at?.column} ${summary}`,
      ),
    ).toEqual(notes.map((note) => `note idn-converted ${note}`));
    const settings = { ...zone.settings, ttl_sec: 3600 };
    const of = recordsText([{ ...zone, settings }]).split("\n");
    expect(of.filter((line) => line !== "" && !line.includes(" SOA "))).toEqual(records);
  });

  test("keeps the author's spelling in an unchanged file", () => {
    expect(Buffer.from(rewrite(zone, file)).toString()).toBe(text);
  });
});
