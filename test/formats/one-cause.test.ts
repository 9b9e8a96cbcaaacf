import { describe, expect, test } from "vitest";
import { checkZone } from "../../src/dns/check.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { domainName } from "../names.ts";
import { isNightly } from "../properties.ts";
import { readBind, readOctodns, readYaml } from "./api.ts";

/** Outside of the nightly run, one of eight characters is changed. */
const isChanged = (at: number) => isNightly || at % 8 === 0;

/** Files without a fault. Each test takes a character out, or writes one twice: one slip, one error. */
const master = `$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1.example.net. hostmaster.example.com. (
            2024010101 ; serial
            4h 1h 2w 1h )
@       IN NS ns1.example.net.
        IN NS ns2.example.net.
@       MX 10 mail.example.net.
        MX 20 mail.backup.example.net.
@       TXT "some text"
mail    A 192.0.2.25
        AAAA 2001:db8::25
www     CNAME @
_sip._tcp 300 SRV 10 60 5060 mail
sub     NS ns.sub
ns.sub  A 192.0.2.53
k._keys TXT ( "v=K1; k=rsa; "
        "p=AAAA" )
@       CAA 0 issue "letsencrypt.org"
shop    CNAME www
@       A 192.0.2.1
`;

const yaml = `zone: example.com
soa_email: hostmaster@example.com
ttl_sec: 1h
tags: [production, web]
records:
  "@":
    A: [192.0.2.10, 192.0.2.11]
    MX: [10 mail.example.net., 20 mail.backup.example.net.]
    TXT: "some long text"
    CAA: 0 issue "letsencrypt.org"
  www:
    CNAME: "@"
  mail:
    A: { ttl_sec: 5m, values: [192.0.2.25] }
    AAAA: 2001:db8::25
  _sip._tcp:
    SRV: { priority: 10, weight: 60, port: 5060, target: mail }
  sub:
    NS: ns.sub
  ns.sub:
    A: 192.0.2.53
  shop:
    CNAME: www
`;

const octodns = `---
? ''
: - type: MX
    ttl: 300
    values:
      - exchange: mail.example.com.
        preference: 10
  - type: TXT
    value: some text
mail:
  type: A
  values: [192.0.2.25, 192.0.2.26]
www: {ttl: 600, type: CNAME, value: example.com.}
_sip._tcp:
  octodns: {healthcheck: {port: 80}}
  type: SRV
  value: {port: 5060, priority: 10, target: mail.example.com., weight: 60}
`;

const maps = `soa_email: hostmaster@example.com
axfr_ips: [192.0.2.53, "2001:db8::53"]
manage: listed
ignore:
  - { name: app, type: A, reason: the load balancer writes it }
records:
  "@": { A: &web [192.0.2.10, 192.0.2.11], CAA: { tag: issue, target: ca.test } }
  www: { A: *web }
  intranet:
    lenient: [private-address]
    A: 10.0.0.1
  s1._keys:
    TXT: ["v=K1; k=rsa; ", p=AAAA]
  _25._tcp.mail:
    SRV: { ttl_sec: 1h, values: [10 60 25 mail] }
  mail: { A: 192.0.2.25 }
`;

const directives = `$TTL 1h ; an hour
;@ soa_email: hostmaster@example.com
$ORIGIN example.com.
$GENERATE 1-2 host-$ A 192.0.2.$
$GENERATE 0-4/2 \${0,3,d}.x 300 CNAME host-1
$INCLUDE hosts.inc
$INCLUDE hosts.inc sub
a ( A
    192.0.2.1 ) ; one
b 300 IN TXT ( "one" two ) ; three
$ORIGIN deep
@ AAAA 2001:db8::1
c MX 10 ( mx.example.net.
  )
`;

const includer = {
  identity: "zone",
  open: () => ({ file: "hosts.inc", identity: "hosts.inc", bytes: Buffer.from("h A 192.0.2.7\n") }),
};

const unread = ["file-format", "soa-owner", "yaml-syntax", "zone-empty"];

describe.each([
  ["a master file", readBind, master],
  ["YAML", readYaml, yaml],
  ["YAML of maps and lists", readYaml, maps],
  ["octoDNS", readOctodns, octodns],
  ["a master file with directives", readBind, directives],
] as const)("%s", (_, read, text) => {
  const errorsOf = (changed: string) => {
    const { zone, problems } = read({
      file: "zone",
      bytes: Buffer.from(changed),
      origin: domainName("example.com."),
      includer,
    });
    const isUnread = problems.some(({ id }) => unread.includes(id));
    const said = isUnread ? problems : [...problems, ...checkZone(zone), ...accept(zone).problems];
    // Files of octoDNS have no settings: the config gives them.
    return said.filter(
      ({ severity, id: rule }) => severity === "error" && !(read === readOctodns && rule === "soa-email"),
    );
  };
  const around = (at: number) => `${text.slice(at - 12, at)}[${text[at]}]${text.slice(at + 1, at + 12)}`;
  const all = [...Array(text.length).keys()];
  const characters = all.filter(isChanged);
  const lineStarts = all.filter((at) => text[at - 1] === "\n");
  /** Equal neighbours give one text twice, which is read once. */
  const severalErrors = (places: readonly number[], change: (at: number) => string) =>
    [...new Map(places.map((at) => [change(at), at]))].flatMap(([changed, at]) => {
      const errors = errorsOf(changed);
      return errors.length > 1 ? [`${around(at)}: ${errors.map(({ id }) => id)}`] : [];
    });

  test("unchanged", () => expect(errorsOf(text)).toEqual([]));

  test("without any one character", () => {
    expect(severalErrors(characters, (at) => text.slice(0, at) + text.slice(at + 1))).toEqual([]);
  });

  test("with any one character doubled", () => {
    expect(severalErrors(characters, (at) => text.slice(0, at + 1) + text.slice(at))).toEqual([]);
  });

  test("without the start of any one line", () => {
    expect(severalErrors(lineStarts, (at) => text.slice(0, at) + text.slice(at).replace(/^ *\S+ ?/, ""))).toEqual([]);
  });
});

describe("a record over several lines without its opening (", () => {
  const soa = "@ SOA ns1.example.net. hostmaster.example.com. 1 4h 1h 2w 1h\n";
  const cut = "@ SOA ns1.example.net. hostmaster.example.com.\n";
  const closes = (line: number) => `${line} parenthesis`;

  test.each<[string, string, readonly string[]]>([
    ["its ) after the last number", `${cut}  1\n  4h\n  1h\n  2w\n  1h )\n`, [closes(7)]],
    ["its ) in column one", `${cut}  1 ; serial\n  4h\n  1h\n  2w\n  1h\n)\n`, [closes(8)]],
    ["empty lines between", `${cut}\n  1\n\n  4h 1h\n  2w 1h\n\n)\n`, [closes(9)]],
    ["numbers in column one", `${cut}1\n4h\n1h\n2w\n1h\n)\n`, [closes(8)]],
    ["numbers and ) in column one", `${cut}1 4h 1h\n2w\n1h )\n`, [closes(5)]],
    ["part of the numbers in the first line", `${cut.trimEnd()} 1 4h\n  1h\n  2w 1h\n)\n`, [closes(5)]],
    ["the names on lines of their own", "@ SOA\n  ns1.example.net.\n  hostmaster\n  1 4h 1h 2w 1h\n  )\n", [closes(6)]],
    ["neither ( nor )", `${cut}  1\n  4h\n  1h\n  2w\n  1h\n`, ["2 field-missing"]],
    ["strings, the first of them in the first line", `${soa}k TXT "a"\n  "b"\n  "c"\n  )\n`, [closes(6)]],
    ["strings in column one", `${soa}k TXT "a"\n"b"\n"c"\n)\n`, [closes(6)]],
    ["a digest in two lines", `${soa}k DS 1 8 2\n  ${"22".repeat(16)}\n  ${"22".repeat(16)} )\n`, [closes(5)]],
    ["half a digest in the first line", `${soa}k DS 1 8 2 ${"22".repeat(16)}\n  ${"22".repeat(16)} )\n`, [closes(4)]],
    ["a name of its own line", `${soa}k MX\n  10\n  mail\n)\n`, [closes(6)]],
    ["several of them", `${soa}k MX\n  10 mail )\nl MX 10\nmail\n)\n`, [closes(4), closes(7)]],
    [
      "an error before it",
      `${soa}a A 192.0.2.256\nb\nk MX\n  10 mail )\n`,
      ["3 address-v4", "4 type-missing", closes(6)],
    ],
    ["an error after it", `${cut}  1 4h 1h 2w 1h )\na A 192.0.2.256\n`, [closes(3), "4 address-v4"]],
    ["an error in its first line", `${soa}k SRV 1 2 x b\n  c\n  )\n`, ["3 rdata-number", closes(5)]],
    ["nothing of it before the )", `${soa}a A 192.0.2.256\n  )\n`, ["3 address-v4", closes(4)]],
    [
      "a record with a surplus ) after one that lacks data",
      `${soa}k MX 10\na A 192.0.2.1 )\n`,
      ["3 field-missing", closes(4)],
    ],
    [
      "a record of a misspelled type after one that lacks data",
      `${soa}k MX 10\n  AAA 192.0.2.1\n`,
      ["3 field-missing", "4 unknown-type"],
    ],
  ])("%s", (_, text, expected) => {
    const bytes = Buffer.from(`$TTL 1h\n${text}www A 192.0.2.1\n`);
    const { zone, problems } = readBind({ file: "zone", bytes, origin: domainName("example.com.") });
    expect(problems.map(({ id, place }) => `${place?.line} ${id}`)).toEqual(expected);
    expect(zone.records.at(-1)?.owner).toBe("www.example.com.");
  });
});
