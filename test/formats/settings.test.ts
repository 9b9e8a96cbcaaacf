import { describe, expect, test } from "vitest";
import type { Place } from "../../src/diagnostics/problem.ts";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { findSetting, type Setting, type SettingValue, type ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { readSetting, writeSetting } from "../../src/formats/kit/setting.ts";
import type { FormatName } from "../../src/formats/readers.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { formats } from "./api.ts";

function settingOf(name: string): Setting {
  const setting = findSetting(apiSettings, name);
  if (!setting) throw new Error(`${name} is not a setting`);
  return setting;
}

describe("a setting in a master file", () => {
  test.each<[string, string, SettingValue, string]>([
    ["tags", "production", ["production"], "production"],
    ["tags", "production, web", ["production", "web"], "production, web"],
    ["tags", "a,b,,c,", ["a", "b", "c"], "a, b, c"],
    ["tags", "", [], "[]"],
    ["tags", '["a, b", ""]', ["a, b", ""], '["a, b",""]'],
    ["tags", '["two\\nlines"]', ["two\nlines"], '["two\\nlines"]'],
    ["axfr_ips", "192.0.2.1, 2001:db8::1", ["192.0.2.1", "2001:db8::1"], "192.0.2.1, 2001:db8::1"],
    ["description", "Our zone; and: more", "Our zone; and: more", "Our zone; and: more"],
    ["description", '"in quotes"', "in quotes", "in quotes"],
    ["description", '" spaces "', " spaces ", '" spaces "'],
    ["description", '"two\\nlines"', "two\nlines", '"two\\nlines"'],
    ["description", '""', "", '""'],
    ["description", '"\\"quoted\\""', '"quoted"', '"\\"quoted\\""'],
    ["description", "[no list]", "[no list]", "[no list]"],
    ["soa_email", "hostmaster@example.com", "hostmaster@example.com", "hostmaster@example.com"],
    ["ttl_sec", "1h30m", 5400, "90m"],
    ["refresh_sec", "14400", 14400, "4h"],
    ["type", "slave", "slave", "slave"],
    ["status", "disabled", "disabled", "disabled"],
  ])("%s: %s is %j, written %s", (name, text, value, written) => {
    expect(readSetting(settingOf(name), text)).toEqual(value);
    expect(writeSetting(settingOf(name), value)).toBe(written);
  });

  test.each<[string, string, string]>([
    ["type", "primary", "type is master or slave"],
    ["status", "Active", "status is active or disabled"],
    ["ttl_sec", "soon", "not a time"],
    ["tags", "[1]", "tags is not a list of strings"],
    ["tags", '["a"', "tags is not a list of strings"],
    ["description", '"open', "description starts with a quote but is not a JSON string"],
  ])("%s: rejects %s: %s", (name, text, message) => {
    expect(() => readSetting(settingOf(name), text)).toThrow(message);
  });
});

const bindHead = `;@ tags: production, web
;@ description: Our zone
;@ status: active
$TTL 1h
@ SOA ns1.example.net. john\\.doe.example.net. 7 4h 1h 2w 15m
`;

const yamlHead = `tags: [production, web]
description: Our zone
status: active
ttl_sec: 1h
records:
  "@": { SOA: ns1.example.net. john\\.doe.example.net. 7 4h 1h 2w 15m }
`;

describe("zone settings", () => {
  const all: ZoneSettings = {
    tags: ["production", "web"],
    description: "Our zone",
    status: "active",
    ttl_sec: 3600,
    soa_email: "john.doe@example.net",
    refresh_sec: 14400,
    retry_sec: 3600,
    expire_sec: 1209600,
  };

  test("come from comments, $TTL and the SOA of a master file", () => {
    expect(read("bind", bindHead).settings).toEqual(all);
  });

  test("come from keys and the SOA of a YAML file", () => {
    expect(read("yaml", yamlHead).settings).toEqual(all);
  });

  test("have places in a master file", () => {
    expect(read("bind", bindHead).places).toEqual({
      tags: place(1, 1, 24),
      description: place(2, 1, 24),
      status: place(3, 1, 17),
      ttl_sec: place(4, 6, 2),
      zone: place(5, 1, 60),
    });
  });

  test("have places in a YAML file", () => {
    expect(read("yaml", `zone: Example\n${yamlHead}`).places).toEqual({
      zone: place(1, 7, 7),
      tags: place(2, 7, 17),
      description: place(3, 14, 8),
      status: place(4, 9, 6),
      ttl_sec: place(5, 10, 2),
    });
  });

  test.each<[string, FormatName, string, ZoneSettings]>([
    ["$TTL 0 is not a setting: it would request the service's default", "bind", "$TTL 0\n", {}],
    ["the first $TTL is the zone's", "bind", "$TTL 1h\n$TTL 2h\n", { ttl_sec: 3600 }],
    [
      "the SOA minimum without $TTL",
      "bind",
      "@ SOA . . 1 2 3 4 5\n",
      { soa_email: "@", refresh_sec: 2, retry_sec: 3, expire_sec: 4, ttl_sec: 5 },
    ],
    ["implicit values are not settings", "bind", ";@ implicit: TTL, SOA\n$TTL 1h\n@ SOA . . 1 2 3 4 5\n", {}],
    ["a setting beside implicit values", "bind", ";@ implicit: TTL\n;@ ttl_sec: 0\n$TTL 1d\n", { ttl_sec: 0 }],
    ["none", "yaml", "records: {}\n", {}],
    ["0 requests the service's default", "yaml", "ttl_sec: 0\n", { ttl_sec: 0 }],
  ])("%s", (_, format, text, expected) => {
    expect(read(format, text).settings).toEqual(expected);
  });
});

describe("name servers written into a master file", () => {
  const zone: Zone = { name: domainName("example."), settings: {}, records: [], places: {}, dotlessTargets: [] };
  const write = (settings: ZoneSettings, nameservers = ["ns1.example.net.", "ns2.example."]) =>
    formats.bind.write({ ...zone, settings }, { nameservers: nameservers.map(domainName) });

  test("an empty zone", () => {
    expect(write({})).toBe(`;@ implicit: TTL, SOA, NS
$ORIGIN example.
$TTL 1d
@ IN SOA ns1.example.net. hostmaster 1 14400 14400 1209600 86400
@ IN NS  ns1.example.net.
@ IN NS  ns2
`);
  });

  test("a zone with times and mailbox", () => {
    const settings = { soa_email: "john.doe@example.com", ttl_sec: 3600, refresh_sec: 7200, retry_sec: 0 };
    expect(write(settings, [])).toBe(`;@ implicit: SOA, NS
;@ soa_email: john.doe@example.com
;@ refresh_sec: 2h
;@ retry_sec: 0
$ORIGIN example.
$TTL 1h
@ IN SOA ns1 john\\.doe.example.com. 1 7200 14400 1209600 3600
`);
  });

  test.each([
    ["no e-mail address", "nobody"],
    ["an address that no SOA can express", "a b@c d"],
    ["line breaks", "a\nb@c"],
  ])("a mailbox with %s does not corrupt the file", (_, soa_email) => {
    expect(write({ soa_email, ttl_sec: 0 }, [])).toBe(`;@ implicit: TTL, SOA, NS
;@ soa_email: ${soa_email.includes("\n") ? JSON.stringify(soa_email) : soa_email}
;@ ttl_sec: 0
$ORIGIN example.
$TTL 1d
@ IN SOA ns1 hostmaster 1 14400 14400 1209600 86400
`);
  });

  test("writes records in canonical order and in columns", () => {
    const text = `zone: example
records:
  www: { A: [192.0.2.10, 192.0.2.9], AAAA: { ttl_sec: 5m, values: "2001:db8::1" } }
  b.www: { TXT: "v=DMARC1; p=none" }
  "@": { MX: [20 mail, 10 mail], NS: ns1.example.net., A: 192.0.2.1 }
  a: { CNAME: "@" }
`;
    const { zone } = formats.yaml.read({
      file: "example.yaml",
      bytes: Buffer.from(text),
      origin: domainName("example."),
    });
    expect(formats.bind.write(zone, { nameservers: [] })).toBe(`;@ implicit: TTL, SOA
$ORIGIN example.
$TTL 1d
@         IN SOA   ns1 hostmaster 1 14400 14400 1209600 86400
@         IN NS    ns1.example.net.
@         IN A     192.0.2.1
@         IN MX    10 mail
@         IN MX    20 mail
a         IN CNAME @
www       IN A     192.0.2.9
www       IN A     192.0.2.10
www   300 IN AAAA  2001:db8::1
b.www     IN TXT   "v=DMARC1; p=none"
`);
    expect(formats.yaml.write(zone)).toBe(`zone: example
records:
  "@":
    NS: ns1.example.net.
    A: 192.0.2.1
    MX:
      - 10 mail
      - 20 mail
  a:
    CNAME: "@"
  www:
    A:
      - 192.0.2.9
      - 192.0.2.10
    AAAA:
      ttl_sec: 5m
      values: 2001:db8::1
  b.www:
    TXT: v=DMARC1; p=none
`);
  });
});

function read(format: FormatName, text: string): Zone {
  const { zone, problems } = formats[format].read({
    file: "zone",
    bytes: Buffer.from(text),
    origin: domainName("example."),
  });
  expect(problems).toEqual([]);
  return zone;
}

function place(line: number, column: number, length: number): Place {
  return { file: "zone", line, column, length };
}
