import { expect, test } from "vitest";
import { checkZone } from "../../src/dns/check.ts";
import type { Name } from "../../src/dns/name/name.ts";
import type { Zone, ZoneRecord } from "../../src/dns/zone/zone.ts";
import { lines } from "../cli/run.ts";
import { domainName } from "../names.ts";
import { type ApiFile, formatFile, formats, readBind, rewriteBind, rewriteYaml, writeDnsZonefile } from "./api.ts";

const origin = domainName("l1.test.");

function fileOf(file: string, text: string): ApiFile {
  return { file, bytes: Buffer.from(text), origin };
}

function zoneOf(text: string): Zone {
  return readBind(fileOf("l1.test.zone", `$TTL 1h\n${text}`)).zone;
}

function doubtsIn(file: string, text: string): string[] {
  const { zone, problems } = formats[file.endsWith(".yaml") ? "yaml" : "bind"].read(fileOf(file, text));
  // A mail server without an address is an error however it is spelled.
  return [...problems, ...checkZone(zone)]
    .filter(({ severity, id }) => severity === "error" && id !== "mx-without-address")
    .map(({ summary }) => summary);
}

const absent = `
www   CNAME  ingress.k8s.l1.test.
@     MX     10 mx.dc1.l1.test.
_a._b SRV    1 2 3 host.dc1.l1.test.
host.dc1 A   192.0.2.1
x     RP     a.b.l1.test. c.l1.test.
y     HTTPS  1 shop.example.net.l1.test. alpn=h2
z     CNAME  A\\.B.l1.test.
`;

test("targets of several labels are absolute unless they have records, in every form", () => {
  const zone = zoneOf(absent);
  expect(formats.yaml.write(zone)).toBe(
    lines`
    zone: l1.test
    ttl_sec: 1h
    records:
      "@":
        MX: 10 mx.dc1.l1.test.
      _a._b:
        SRV: 1 2 3 host.dc1
      host.dc1:
        A: 192.0.2.1
      www:
        CNAME: ingress.k8s.l1.test.
      x:
        RP: a.b.l1.test. c
      y:
        HTTPS: 1 shop.example.net.l1.test. alpn="h2"
      z:
        CNAME: A\.B
  `,
  );
  expect(formats.bind.write(zone).match(/(?:MX|SRV|CNAME|RP|HTTPS) .*/g)).toEqual([
    "MX    10 mx.dc1.l1.test.",
    "SRV   1 2 3 host.dc1",
    "CNAME ingress.k8s.l1.test.",
    "RP    a.b.l1.test. c",
    'HTTPS 1 shop.example.net.l1.test. alpn="h2"',
    "CNAME A\\.B",
  ]);
  expect(JSON.parse(writeDnsZonefile(zone).text)).toMatchObject({
    mx: [{ host: "mx.dc1.l1.test." }],
    srv: [{ target: "host.dc1" }],
  });
});

test("fmt keeps the author's names, and writes those in octets without a missing dot", () => {
  const text = "$TTL 1h\nsub.a A 192.0.2.1\nw  CNAME sub.a\nx RP \\# 14 01610162026C3104746573740000\n";
  expect(String(formatFile(fileOf("l1.test.zone", text), "bind"))).toBe(
    "$TTL 1h\nsub.a A     192.0.2.1\nw     CNAME sub.a\nx     RP    a.b.l1.test. .\n",
  );
});

/** The zone of a file without the records of some names. */
function without(zone: Zone, ...owners: string[]): Zone {
  const names = owners.map((owner): Name => domainName(`${owner}.l1.test.`));
  const isKept = ({ owner }: ZoneRecord) => !names.includes(owner);
  return { ...zone, records: zone.records.filter(isKept) };
}

const yamlFile = `records:
  "@": { MX: [10 mx.dc1, 20 "mx.dc2"] } # mail
  mx.dc1: { A: 192.0.2.1 }
  mx.dc2: { A: 192.0.2.2 }
  a: &a
    CNAME: 'mx.dc1'
  b: *a
  c:
    SRV: { priority: 1, weight: 2, port: 3, target: mx.dc1 }
  d: { RP: mx.dc1 mx.dc2 }
`;

test("a relative target whose records go becomes absolute, where it stands in a YAML file", () => {
  const file = fileOf("l1.test.yaml", yamlFile.replace('20 "mx.dc2"', "20 mx.dc2"));
  const { zone } = formats.yaml.read(file);
  const text = String(rewriteYaml(without(zone, "mx.dc1"), file));
  expect(text).toBe(`records:
  "@": { MX: [10 mx.dc1.l1.test., 20 mx.dc2] } # mail
  mx.dc2: { A: 192.0.2.2 }
  a: &a
    CNAME: 'mx.dc1.l1.test.'
  b: *a
  c:
    SRV: { priority: 1, weight: 2, port: 3, target: mx.dc1.l1.test. }
  d: { RP: mx.dc1.l1.test. mx.dc2 }
`);
  expect(doubtsIn("l1.test.yaml", text)).toEqual([]);
});

test.each(["\n", "\r\n"])("the same in a zone file with %j, after its $ORIGIN", (end) => {
  const text = [
    "; Grüße",
    "$TTL 1h",
    "mx.dc1 A 192.0.2.1",
    "www 5m CNAME mx.dc1 ; web",
    "$ORIGIN k8s",
    "a.b A 192.0.2.2",
    "x MX 10 a.b",
    "",
  ].join(end);
  const file = fileOf("l1.test.zone", text.replace("$ORIGIN k8s", "$ORIGIN k8s.l1.test."));
  const { zone } = readBind(file);
  const after = String(rewriteBind(without(zone, "mx.dc1", "a.b.k8s"), file));
  expect(after).toBe(
    [
      "; Grüße",
      "$TTL 1h",
      "www 5m CNAME mx.dc1.l1.test. ; web",
      "$ORIGIN k8s.l1.test.",
      "x MX 10 a.b.k8s.l1.test.",
      "",
    ].join(end),
  );
  expect(doubtsIn("l1.test.zone", after)).toEqual([]);
});

test("a target that looked like an absolute name before stays as it is", () => {
  const text = "$TTL 1h\na.b A 192.0.2.1\nc A 192.0.2.2\nwww CNAME shop.example.net\n";
  const file = fileOf("l1.test.zone", text);
  expect(String(rewriteBind(without(readBind(file).zone, "c"), file))).toBe(text.replace("c A 192.0.2.2\n", ""));
});

test("a target in an included file must be edited by hand", () => {
  const included = { file: "hosts.inc", bytes: Buffer.from("w CNAME a.b\n"), identity: "hosts.inc" };
  const text = "$TTL 1h\na.b A 192.0.2.1\nc A 192.0.2.2\n$INCLUDE hosts.inc\n";
  const file = { ...fileOf("l1.test.zone", text), includer: { identity: "l1.test.zone", open: () => included } };
  expect(() => rewriteBind(without(readBind(file).zone, "a.b"), file)).toThrow(
    '"a.b" would look like a name without its final dot, because the records of a.b.l1.test. are deleted',
  );
  expect(String(rewriteBind(without(readBind(file).zone, "c"), file))).toBe(text.replace("c A 192.0.2.2\n", ""));
});
