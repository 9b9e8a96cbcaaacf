import { expect, test } from "vitest";
import { Desk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  records:
    intranet: { A: 10.0.0.1 }
    lab: { lenient: [private-address], A: 10.0.0.2 }
    old: { CNAME: gone }
    sub: { NS: [ns.sub, ns1.example.net.] }
    key: { RP: admin . }
    odd: { lenient: [type-unsupported], RP: admin . }
`;

/** Rules and how severe each finding is, in their order. */
async function found(config: string, command = "validate"): Promise<string[]> {
  const desk = new Desk({ "zonewright.yaml": config, "zones/example.com.yaml": zone });
  const { out } = await desk.run(`${command} --report json`);
  const { findings } = JSON.parse(out) as { findings: { severity: string; rule: string; at: { line: number } }[] };
  return findings.map(({ severity, rule, at }) => `${severity} ${rule} ${at.line}`);
}

const usual = [
  "error glue 6",
  "error type-unsupported 7",
  "warning private-address 3",
  "warning target-exists 5",
  "warning type-unsupported 8",
  "note private-address 4",
];

test.each([
  ["", usual],
  ["rules: {}", usual],
  ["rules: { practice: off }", usual.filter((line) => !line.includes("private"))],
  ["rules: { private-address: off }", usual.filter((line) => !line.includes("private"))],
  [
    "rules: { practice: off, private-address: error }",
    [
      "error private-address 3",
      "error glue 6",
      "error type-unsupported 7",
      "warning private-address 4",
      "warning target-exists 5",
      "warning type-unsupported 8",
    ],
  ],
  [
    "rules: { dns: note, api: warning }",
    [
      "warning private-address 3",
      "warning type-unsupported 7",
      "note private-address 4",
      "note target-exists 5",
      "note glue 6",
      "note type-unsupported 8",
    ],
  ],
])("%s", async (config, expected) => {
  expect(await found(config)).toEqual(expected);
});

const fault = (text: string, column: number, length: number, summary: string, fix: string) => [
  text,
  `error[config-value] rules: ${summary}\n  zonewright.yaml:1:${column}\n    1 | ${text}\n      | ${" ".repeat(column - 1)}${"^".repeat(length)}\n  ${fix}\n`,
];

test.each([
  fault(
    "rules: { api: off }",
    15,
    3,
    "api cannot be off: records that the API does not support would be left out silently",
    'Write "note".',
  ),
  fault(
    "rules: { caa-tag: off }",
    19,
    3,
    "caa-tag cannot be off: records that the API does not support would be left out silently",
    'Write "note".',
  ),
  fault(
    "rules: { cname-alone: note }",
    23,
    4,
    "cname-alone cannot be lowered: the API rejects such zones",
    "Fix the zone.",
  ),
  fault("rules: { soa-email: off }", 21, 3, "soa-email cannot be lowered: the API rejects such zones", "Fix the zone."),
  fault(
    "rules: { address-v4: off }",
    22,
    3,
    "address-v4 is not a rule about zones and cannot be lowered",
    "Remove it.",
  ),
  fault("rules: { privat-address: off }", 26, 3, '"privat-address" is not a rule', 'Did you mean "private-address"?'),
  fault("rules: { practise: off }", 20, 3, '"practise" is not a rule', 'Did you mean "practice"?'),
  fault("rules: { zzz: off }", 15, 3, '"zzz" is not a rule', "Run `zonewright explain` to list all rules."),
])("refuses %s", async (config, talk) => {
  const desk = new Desk({ "zonewright.yaml": config, "zones/example.com.yaml": zone });
  expect(await desk.run("validate")).toEqual({ code: 3, out: "", talk });
});

test("rejects an unknown severity", async () => {
  const desk = new Desk({ "zonewright.yaml": "rules: { glue: no }\n", "zones/example.com.yaml": zone });
  expect(await desk.run("validate")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[config-value] rules.glue must be error, warning, note or off
        zonewright.yaml:1:16
          1 | rules: { glue: no }
            |                ^^
        Write ${"`"}glue: warning${"`"}.
    `,
  });
});

test("--lenient names the rules that can be relaxed", async () => {
  const text = lines`
    soa_email: hostmaster@example.com
    records:
      www: { lenient: [privat-address, cname-alone, ttl-rounded, yaml-key], A: 192.0.2.1 }
  `;
  const desk = new Desk({ "zones/example.com.yaml": text });
  const frame = (from: number, length: number) => [
    `  zones/example.com.yaml:3:${from}`,
    "    3 |   www: { lenient: [privat-address, cname-alone, ttl-rounded, yaml-key], A: 192.0.2.1 }",
    `      | ${" ".repeat(from - 1)}${"^".repeat(length)}`,
  ];
  expect(await desk.run("validate")).toEqual({
    code: 3,
    out: [
      'error[lenient-rule] "privat-address" is not a rule',
      ...frame(20, 14),
      '  Did you mean "private-address"?',
      "",
      "error[lenient-rule] cname-alone cannot be lowered: the API rejects such zones",
      ...frame(36, 11),
      "  Fix the zone.",
      "",
      "error[lenient-rule] ttl-rounded is a note already",
      ...frame(49, 11),
      "  Remove it.",
      "",
      "error[lenient-rule] yaml-key is not a rule about zones and cannot be lowered",
      ...frame(62, 8),
      "  Remove it.",
      "",
      "not valid: 1 zone, 1 record, 4 errors",
      "",
    ].join("\n"),
    talk: "",
  });
});

test("--strict overrides the config's rule about times", async () => {
  const desk = new Desk({
    "zonewright.yaml": "rules: { ttl-rounded: off }\n",
    "zones/example.com.yaml": "soa_email: hostmaster@example.com\nttl_sec: 10m\n",
  });
  expect((await desk.run("validate")).out).toBe("valid: 1 zone, 0 records\n");
  expect((await desk.run("validate --strict")).code).toBe(3);
});
