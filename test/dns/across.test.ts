import { expect, test } from "vitest";
import { checkAcross } from "../../src/dns/across.ts";
import { Desk, lines } from "../cli/run.ts";
import { readYaml } from "../formats/api.ts";
import { domainName } from "../names.ts";

/** Zones by name, and the findings about them together. */
const rows: { what: string; zones: Record<string, string>; said: string[] }[] = [
  {
    what: "a target that exists in another zone",
    zones: { "a.test": "www: { CNAME: www.b.test. }", "b.test": "www: { A: 192.0.2.1 }" },
    said: [],
  },
  {
    what: "missing targets in another zone, for each pointing type",
    zones: {
      "a.test": "www: { CNAME: w.b.test. }\n  '@': { MX: 10 m.b.test. }\n  _sip._tcp: { SRV: 0 0 1 s.b.test. }",
      "b.test": "www: { A: 192.0.2.1 }",
    },
    said: [
      'mx-elsewhere: @ MX points to "m.b.test.", which does not exist in the zone "b.test."',
      'target-elsewhere: www CNAME points to "w.b.test.", which does not exist in the zone "b.test."',
      'target-elsewhere: _sip._tcp SRV points to "s.b.test.", which does not exist in the zone "b.test."',
    ],
  },
  {
    what: "a name below a wildcard, an empty non-terminal, a delegated name, the apex",
    zones: {
      "a.test":
        "1: { CNAME: any.w.b.test. }\n  2: { CNAME: x.b.test. }\n  3: { CNAME: h.d.b.test. }\n  4: { CNAME: B.Test. }",
      "b.test": "'*.w': { A: 192.0.2.1 }\n  y.x: { A: 192.0.2.1 }\n  d: { NS: ns1.example.net. }",
    },
    said: [],
  },
  {
    what: "the nearest zone counts, also below the pointing zone",
    zones: {
      "a.test": "www: { CNAME: www.sub.a.test. }\n  sub: { NS: ns1.example.net. }",
      "sub.a.test": "ftp: { A: 192.0.2.1 }",
    },
    said: ['target-elsewhere: www CNAME points to "www.sub.a.test.", which does not exist in the zone "sub.a.test."'],
  },
  {
    what: "aliases in another zone, for each type that must not point to one",
    zones: {
      "a.test": "www: { CNAME: c.b.test. }\n  '@': { MX: 10 c.b.test. }\n  _sip._tcp: { SRV: 0 0 1 h.b.test. }",
      "b.test": "c: { CNAME: h.b.test. }\n  h: { A: 192.0.2.1 }",
    },
    said: ['target-is-cname-elsewhere: @ MX points to "c.b.test.", which is a CNAME in the zone "b.test."'],
  },
  {
    what: "hosts in another zone without an address",
    zones: {
      "a.test":
        "'@': { MX: [10 t.b.test., 20 e.b.test.] }\n  _sip._tcp: { SRV: 0 0 1 t.b.test. }\n  www: { CNAME: t.b.test. }",
      "b.test": "t: { TXT: x }\n  x.e: { A: 192.0.2.1 }",
    },
    said: [
      'mx-elsewhere: @ MX points to "t.b.test.", which has no A or AAAA record',
      'mx-elsewhere: @ MX points to "e.b.test.", which has no A or AAAA record',
      'target-elsewhere: _sip._tcp SRV points to "t.b.test.", which has no A or AAAA record',
    ],
  },
  {
    what: "an include of a name without a policy, and one that leads back",
    zones: {
      "a.test": "'@': { TXT: v=spf1 include:b.test include:s.b.test -all }",
      "b.test": "'@': { TXT: v=spf1 include:a.test -all }\n  s: { TXT: x }",
    },
    said: [
      'spf-include-elsewhere: @ TXT: the SPF term "include:b.test" leads back to the record itself',
      'spf-include-elsewhere: @ TXT: the SPF term "include:s.b.test" leads to "s.b.test", which has no SPF record',
      'spf-include-elsewhere: @ TXT: the SPF term "include:a.test" leads back to the record itself',
    ],
  },
  {
    what: "DMARC reports to zones that accept those of this one, of all, and of another one",
    zones: {
      "a.test": "_dmarc: { TXT: 'v=DMARC1; p=none; rua=mailto:r@b.test,mailto:r@c.test,mailto:r@d.test' }",
      "b.test": "a.test._report._dmarc: { TXT: v=DMARC1 }",
      "c.test": "'*._report._dmarc': { TXT: v=DMARC1 }",
      "d.test": "b.test._report._dmarc: { TXT: v=DMARC1 }",
    },
    said: ["dmarc-report-elsewhere: _dmarc TXT: d.test accepts no DMARC reports of a.test"],
  },
  {
    what: "a loop of aliases through two zones",
    zones: { "a.test": "www: { CNAME: w.b.test. }", "b.test": "w: { CNAME: www.a.test. }" },
    said: [
      "cname-loop-elsewhere: www.a.test. → w.b.test. → www.a.test. is a loop of CNAME records",
      "cname-loop-elsewhere: w.b.test. → www.a.test. → w.b.test. is a loop of CNAME records",
    ],
  },
  {
    what: "a loop of an ALIAS and a CNAME over two zones",
    zones: { "a.test": "'@': { ALIAS: w.b.test. }", "b.test": "w: { CNAME: a.test. }" },
    said: [
      "cname-loop-elsewhere: a.test. → w.b.test. → a.test. is a loop of ALIAS and CNAME records",
      "cname-loop-elsewhere: w.b.test. → a.test. → w.b.test. is a loop of ALIAS and CNAME records",
    ],
  },
  {
    what: "an ALIAS to a name of another zone without an address",
    zones: {
      "a.test": "'@': { ALIAS: t.b.test. }\n  a: { ALIAS: c.b.test. }",
      "b.test": "t: { TXT: x }\n  c: { ALIAS: x.test. }",
    },
    said: ['target-elsewhere: @ ALIAS points to "t.b.test.", which has no A or AAAA record'],
  },
  {
    what: "names that another zone does not manage are unknown",
    zones: {
      "a.test": "www: { CNAME: w.b.test. }\n  '@': { MX: 10 m.b.test. }",
      "b.test": "PARTIAL www: { A: 192.0.2.1 }",
    },
    said: [],
  },
  {
    what: "the records of a slave zone are unknown",
    zones: { "a.test": "www: { CNAME: www.b.test. }", "b.test": "SLAVE" },
    said: [],
  },
  {
    what: "an equal delegation in other letter case and order",
    zones: {
      "a.test": "sub: { NS: [ns2.example.net., NS1.example.net.] }",
      "sub.a.test": "'@': { NS: [ns1.example.net., ns2.example.net.] }",
    },
    said: [],
  },
  {
    what: "a delegation that differs",
    zones: { "a.test": "sub: { NS: ns1.example.net. }", "sub.a.test": "'@': { NS: ns9.example.net. }" },
    said: ["delegation-differs: sub is delegated to ns1.example.net., but its own zone lists ns9.example.net."],
  },
  {
    what: "a delegation to a zone with the service's name servers",
    zones: { "a.test": "sub: { NS: ns1.example.net. }", "sub.a.test": "www: { A: 192.0.2.1 }" },
    said: [],
  },
  {
    what: "SPF records that include others of other zones",
    zones: {
      "a.test": `'@': { TXT: "v=spf1 include:b.test include:spf.b.test mx -all" }\n  c: { TXT: "v=spf1 include:b.test -all" }`,
      "b.test": `'@': { TXT: "v=spf1 ${"a mx ".repeat(2)}-all" }\n  spf: { TXT: "v=spf1 ${"a ".repeat(4)}-all" }`,
    },
    said: [
      "spf-lookups-elsewhere: @ TXT: the SPF record and the records that it includes need at least 11 DNS lookups; the limit is 10",
    ],
  },
  {
    what: "names hidden by a child zone, and names that it has, delegates or covers with a wildcard",
    zones: {
      "a.test":
        "x.sub: { A: 192.0.2.1, TXT: text }\n  y.sub: { A: 192.0.2.1 }\n  sub: { MX: 10 m.example.net. }\n  z.d.sub: { A: 192.0.2.1 }\n  q.w.sub: { A: 192.0.2.1 }",
      "sub.a.test": "x: { TXT: text }\n  d: { NS: ns1.example.net. }\n  '*.w': { A: 192.0.2.1 }",
    },
    said: [
      'hidden-by-zone: x.sub A is hidden by the zone "sub.a.test.", which has no such record',
      'hidden-by-zone: y.sub A is hidden by the zone "sub.a.test.", which has no such record',
      'hidden-by-zone: sub MX is hidden by the zone "sub.a.test.", which has no such record',
    ],
  },
  {
    what: "a disabled zone hides nothing, but its parent does",
    zones: {
      "a.test": "x.y.sub: { A: 192.0.2.1 }\n  z.sub: { A: 192.0.2.1 }",
      "sub.a.test": "x.y: { A: 192.0.2.1 }",
      "y.sub.a.test": "q: { A: 192.0.2.1 }\nstatus: disabled",
    },
    said: ['hidden-by-zone: z.sub A is hidden by the zone "sub.a.test.", which has no such record'],
  },
  {
    what: "names below a delegation are left to below-delegation",
    zones: {
      "a.test": "sub: { NS: ns1.sub.a.test. }\n  ns1.sub: { A: 192.0.2.1 }\n  x.sub: { A: 192.0.2.1 }",
      "sub.a.test": "ns1: { A: 192.0.2.1 }",
    },
    said: [],
  },
  {
    what: "owners that are names of another zone, by mistake and on purpose",
    zones: {
      "a.test":
        "www.b.test: { A: 192.0.2.1 }\n  b.test: { A: 192.0.2.1 }\n  w.b.test.a.test.: { A: 192.0.2.1 }\n  b: { A: 192.0.2.1 }",
      "b.test": "www: { A: 192.0.2.1 }",
    },
    said: [
      'owner-elsewhere: "www.b.test" is relative and becomes "www.b.test.a.test."',
      'owner-elsewhere: "b.test" is relative and becomes "b.test.a.test."',
    ],
  },
];

test.each(rows.map((row) => [row.what, row] as const))("%s", (_, { zones, said }) => {
  const read = Object.entries(zones).map(([name, text]) => zone(name, text));
  const found = checkAcross(read).flat();
  expect(found.map(({ id, summary }) => `${id}: ${summary}`)).toEqual(said);
});

function zone(name: string, records: string) {
  const partial = records.startsWith("PARTIAL ") ? "manage: listed\n" : "";
  const text = records === "SLAVE" ? "type: slave\n" : `${partial}records:\n  ${records.replace("PARTIAL ", "")}\n`;
  return readYaml({ file: `${name}.yaml`, bytes: Buffer.from(text), origin: domainName(`${name}.`) }).zone;
}

test("validate reports it at its place; checks no zone that could not be read completely", async () => {
  const head = "soa_email: hostmaster@example.com\nrecords:\n";
  const files = {
    "zones/a.test.yaml": `${head}  www: { CNAME: www.b.test. }\n`,
    "zones/b.test.yaml": `${head.trimEnd()} {}\n`,
  };
  const desk = new Desk(files);
  expect((await desk.run("validate")).out).toBe(lines`
    warning[target-elsewhere] www CNAME points to "www.b.test.", which does not exist in the zone "b.test."
      zones/a.test.yaml:3:17
        3 |   www: { CNAME: www.b.test. }
          |                 ^^^^^^^^^^^
      The target is in another zone of this project, but does not exist there or has no address, so lookups of it fail. Add "www" to "zones/b.test.yaml", or change the target.

    valid: 2 zones, 1 record, 1 warning
  `);
  desk.write("zones/b.test.yaml", `${head}  www: { A: 192.0.2.256 }\n`);
  expect((await desk.run("validate")).out).not.toContain("target-elsewhere");
});

test("looks up ten thousand targets in five hundred zones", () => {
  const targets = (index: number) =>
    Array.from({ length: 20 }, (_, at) => `h${at}: { CNAME: h.z${(index + at + 1) % 500}.test. }`).join("\n  ");
  const zones = Array.from({ length: 500 }, (_, index) => zone(`z${index}.test`, targets(index)));
  expect(checkAcross(zones).flat().length).toBe(10_000);
});
