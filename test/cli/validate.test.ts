import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "@":
      MX: 10 mail
    mail:
      A: { ttl_sec: 10m, values: 192.0.2.25 }
    old:
      CNAME: gone
    intranet:
      A: 10.0.0.1
`;

test("the example zones are valid", async () => {
  const desk = new Desk();
  cpSync(join(import.meta.dirname, "../../zones"), join(desk.folder, "zones"), { recursive: true });
  expect(await desk.run("validate")).toEqual({
    code: 0,
    out: "valid: 3 zones, 41 records\n",
    talk: "",
  });
});

test("zone files may lie beside config and acknowledgements", async () => {
  const ack = `- { guard: G05, zone: example.com, effects: "7c1e91aab2c3d4e5", reason: mail moves, until: 2027-01-31 }\n`;
  const desk = new Desk({
    "zonewright.yaml": "zones: .\n",
    "acks.yaml": ack,
    "example.com.yaml": "soa_email: hostmaster@example.com\n",
  });
  expect(await desk.run("validate")).toEqual({ code: 0, out: "valid: 1 zone, 0 records\n", talk: "" });
});

test("warnings and notes keep a zone valid", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  expect(await desk.run("validate")).toEqual({
    code: 0,
    out: lines`
      warning[target-exists] old CNAME points to "gone", which does not exist in the zone
        zones/example.com.yaml:9:12
          9 |     CNAME: gone
            |            ^^^^
        The target does not exist in this zone, so lookups of it fail. Add "gone" to the zone, or change the target.

      warning[private-address] intranet A publishes the private address 10.0.0.1
        zones/example.com.yaml:11:8
         11 |     A: 10.0.0.1
            |        ^^^^^^^^
        Private, loopback, multicast and other special-purpose addresses are unreachable from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries). Publish it in an internal zone instead.

      note[ttl-rounded] example.com mail A: ttl_sec 600 is stored as 300  zones/example.com.yaml:7

      valid: 1 zone, 4 records, 2 warnings, 1 note
    `,
    talk: "",
  });
});

test("reports each error in file order and exits as invalid", async () => {
  const records = "  api:\n    A: 192.0.2.999\n  shop:\n    CNAME: shops.example.net\n";
  const desk = new Desk({ "zones/example.com.yaml": `soa_email: hostmaster@example.com\nrecords:\n${records}` });
  expect(await desk.run("validate")).toEqual({
    code: 3,
    out: lines`
      error[address-v4] api A "192.0.2.999": not an IPv4 address
        zones/example.com.yaml:4:8
          4 |     A: 192.0.2.999
            |        ^^^^^^^^^^^
        Write an IPv4 address such as "192.0.2.1".

      error[target-needs-dot] "shops.example.net" has no final dot and becomes "shops.example.net.example.com."
        zones/example.com.yaml:6:12
          6 |     CNAME: shops.example.net
            |            ^^^^^^^^^^^^^^^^^
        A name without a final dot is relative to the zone (RFC 1035 §5.1), and the resulting name does not exist in this zone, but the text is a complete name. Write "shops.example.net." with its final dot.

      not valid: 1 zone, 1 record, 2 errors
    `,
    talk: "",
  });
});

test("--report json", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  const { out, ...rest } = await desk.run("validate --report json");
  expect(rest).toEqual({ code: 0, talk: "" });
  expect(JSON.parse(out)).toEqual({
    zones: 1,
    records: 4,
    findings: [
      {
        severity: "warning",
        rule: "target-exists",
        summary: 'old CNAME points to "gone", which does not exist in the zone',
        detail: "The target does not exist in this zone, so lookups of it fail.",
        fix: 'Add "gone" to the zone, or change the target.',
        at: { file: "zones/example.com.yaml", line: 9, column: 12, length: 4 },
      },
      {
        severity: "warning",
        rule: "private-address",
        summary: "intranet A publishes the private address 10.0.0.1",
        detail:
          "Private, loopback, multicast and other special-purpose addresses are unreachable from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries).",
        fix: "Publish it in an internal zone instead.",
        at: { file: "zones/example.com.yaml", line: 11, column: 8, length: 8 },
      },
      {
        severity: "note",
        rule: "ttl-rounded",
        summary: "example.com mail A: ttl_sec 600 is stored as 300",
        fix: "Write 300.",
        at: { file: "zones/example.com.yaml", line: 7, column: 32, length: 10 },
      },
    ],
  });
});

test.each(["validate --strict", "validate --config strict.yaml"])(
  "%s: a TTL that the service rounds is an error",
  async (command) => {
    const desk = new Desk({ "zones/example.com.yaml": zone, "strict.yaml": "policy: { strict: true }\n" });
    expect((await desk.run(command)).code).toBe(3);
  },
);

/** Each file with a finding: one of it, one whose texts mean something to whoever reads a report. */
const files = {
  "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  intranet: { A: 10.0.0.1 }\n",
  "zones/example.net.yaml": 'soa_email: "::error::<a&b>"\nrecords: {}\n',
};

test("--report github: annotates the lines of findings", async () => {
  expect(await new Desk(files).run("validate --report github")).toEqual({
    code: 3,
    out: lines`
      ::error file=zones/example.net.yaml,line=1,col=12,endColumn=28,title=soa-email::soa_email "::error::<a&b>" is not an e-mail address. A primary zone needs a contact address. Write an address such as "soa_email: hostmaster@example.com", or set one under "defaults:" in zonewright.yaml.
      ::warning file=zones/example.com.yaml,line=3,col=18,endColumn=26,title=private-address::intranet A publishes the private address 10.0.0.1. Private, loopback, multicast and other special-purpose addresses are unreachable from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries). Publish it in an internal zone instead.
    `,
    talk: "",
  });
});

test("--report junit: one case per zone file", async () => {
  expect(await new Desk(files).run("validate --report junit")).toEqual({
    code: 3,
    out: lines`
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="2" failures="1">
      <testsuite name="zonewright validate" tests="2" failures="1">
      <testcase classname="zones" name="zones/example.com.yaml"><system-out>warning[private-address] intranet A publishes the private address 10.0.0.1
        zones/example.com.yaml:3:18
          3 |   intranet: { A: 10.0.0.1 }
            |                  ^^^^^^^^
        Private, loopback, multicast and other special-purpose addresses are unreachable from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries). Publish it in an internal zone instead.</system-out></testcase>
      <testcase classname="zones" name="zones/example.net.yaml"><failure message="soa_email &quot;::error::&lt;a&amp;b&gt;&quot; is not an e-mail address">error[soa-email] soa_email &quot;::error::&lt;a&amp;b&gt;&quot; is not an e-mail address
        zones/example.net.yaml:1:12
          1 | soa_email: &quot;::error::&lt;a&amp;b&gt;&quot;
            |            ^^^^^^^^^^^^^^^^
        A primary zone needs a contact address. Write an address such as &quot;soa_email: hostmaster@example.com&quot;, or set one under &quot;defaults:&quot; in zonewright.yaml.</failure></testcase>
      </testsuite>
      </testsuites>
    `,
    talk: "",
  });
});

test("--report sarif: rules and findings with their places", async () => {
  const { code, out, talk } = await new Desk(files).run("validate --report sarif");
  expect({ code, talk }).toEqual({ code: 3, talk: "" });
  const [run] = JSON.parse(out).runs;
  const region = { startLine: 1, startColumn: 12, endColumn: 28 };
  const place = { physicalLocation: { artifactLocation: { uri: "zones/example.net.yaml" }, region } };
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(["private-address", "soa-email"]);
  expect(run.results[0]).toEqual({
    ruleId: "soa-email",
    ruleIndex: 1,
    level: "error",
    message: {
      text: 'soa_email "::error::<a&b>" is not an e-mail address. A primary zone needs a contact address. Write an address such as "soa_email: hostmaster@example.com", or set one under "defaults:" in zonewright.yaml.',
    },
    locations: [place],
  });
});

test("warnings with the same advice are shown once with their places, errors and other advice each", async () => {
  const hidden = (count: number) =>
    Array.from({ length: count }, (_, at) => `  h${at}.sub: { A: 192.0.2.1 }\n`).join("");
  const sub = "  sub: { NS: [ns1.example.net., ns2.example.net.] }\n";
  const desk = new Desk({
    "zones/a.test.yaml": `soa_email: h@a.test\nrecords:\n${sub}${hidden(9)}  x: { CNAME: lost }\n`,
  });
  const { code, out } = await desk.run("validate");
  expect([code, out.match(/^(?:warning|valid).*$/gm)]).toEqual([
    0,
    [
      'warning[below-delegation] h0.sub A is below the delegated name "sub"',
      "warning[below-delegation] and 8 more of the same: zones/a.test.yaml:5, zones/a.test.yaml:6, zones/a.test.yaml:7, " +
        "zones/a.test.yaml:8, zones/a.test.yaml:9, …; --report json lists all; " +
        "`rules: { below-delegation: off }` in zonewright.yaml switches them off",
      'warning[target-exists] x CNAME points to "lost", which does not exist in the zone',
      "valid: 1 zone, 12 records, 10 warnings",
    ],
  ]);
  desk.write("zones/a.test.yaml", `soa_email: h@a.test\nrecords:\n${sub}${hidden(3)}`);
  expect((await desk.run("validate")).out).not.toContain("more of the same");
});

test.each([
  [
    "an unknown guard, a digest and a reason",
    '- { guard: G99, zone: example.com, effects: "zzz", reason: …, until: 2027-01-01 }\n',
    1,
    ["acks.yaml:1:", "must be one of G", "must be the 16 to 64 digits", "must say why the change is intended"],
  ],
  [
    "one that has expired",
    '- { guard: G01, zone: example.com, effects: "0123456789abcdef", reason: the host moves, until: 2020-01-01 }\n',
    0,
    ["warning[ack-expired]", "acks.yaml:1:3", "ended on 2020-01-01"],
  ],
  [
    "a good one",
    '- { guard: G01, zone: example.com, effects: "0123456789abcdef", reason: the host moves, until: 2099-01-01 }\n',
    0,
    ["valid: 1 zone, 1 record"],
  ],
])("validate checks acks.yaml: %s", async (_, acks, code, texts) => {
  const desk = new Desk({
    "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n",
    "acks.yaml": acks,
  });
  const validated = await desk.run("validate");
  expect(validated.code === 0 ? 0 : 1).toBe(code);
  for (const text of texts) expect(validated.out + validated.talk).toContain(text);
});
