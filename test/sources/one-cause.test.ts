import { describe, expect, test } from "vitest";
import { accept } from "../../src/provider/accept.ts";
import { readBind } from "../../src/sources/bind/read.ts";
import { readYaml } from "../../src/sources/yaml/read.ts";
import { checkZone } from "../../src/zone/check.ts";

/** Files without a fault. Each test takes a character out, or writes one twice: one slip, one error. */
const master = `$ORIGIN example.com.
$TTL 1h
@       IN SOA ns1.example.net. hostmaster.example.com. (
            2024010101 ; serial
            4h 1h 2w 1h )
@       IN NS ns1.example.net.
        IN NS ns2.example.net.
@       MX 10 mail
        MX 20 mail.backup.example.net.
@       TXT "v=spf1 mx -all"
mail    A 192.0.2.25
        AAAA 2001:db8::25
www     CNAME @
_sip._tcp 300 SRV 10 60 5060 mail
sub     NS ns.sub
ns.sub  A 192.0.2.53
k._domainkey TXT ( "v=DKIM1; k=rsa; "
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
    MX: [10 mail, 20 mail.backup.example.net.]
    TXT: "v=spf1 mx -all"
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

const unread = ["file-format", "soa-owner", "yaml-syntax", "zone-empty"];

describe.each([
  ["a master file", readBind, master],
  ["YAML", readYaml, yaml],
] as const)("%s", (_, read, text) => {
  const errorsOf = (changed: string) => {
    const { zone, diagnostics } = read({ file: "zone", bytes: Buffer.from(changed), origin: "example.com." });
    const isUnread = diagnostics.some(({ rule }) => unread.includes(rule));
    const said = isUnread ? diagnostics : [...diagnostics, ...checkZone(zone), ...accept(zone).diagnostics];
    return said.filter(({ severity }) => severity === "error");
  };
  const around = (at: number) => `${text.slice(at - 12, at)}[${text[at]}]${text.slice(at + 1, at + 12)}`;
  const severalErrors = (change: (at: number) => string) =>
    [...text].flatMap((_, at) => {
      const errors = errorsOf(change(at));
      return errors.length > 1 ? [`${around(at)}: ${errors.map(({ rule }) => rule)}`] : [];
    });

  test("as it is", () => expect(errorsOf(text)).toEqual([]));

  test("without any one character", () => {
    expect(severalErrors((at) => text.slice(0, at) + text.slice(at + 1))).toEqual([]);
  });

  test("with any one character twice", () => {
    expect(severalErrors((at) => text.slice(0, at + 1) + text.slice(at))).toEqual([]);
  });

  test("without the beginning of any one line", () => {
    expect(severalErrors((at) => (text[at - 1] === "\n" ? text.slice(0, at) + text.slice(at).replace(/^ *\S+ ?/, "") : text))).toEqual([]); // biome-ignore format: one thought
  });
});
