import { expect, test } from "vitest";
import { apiDesk, Desk, lines } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords: { www: { A: 192.0.2.1 } }\n";
const syntax = { rule: "yaml-syntax", file: "zones/example.com.yaml" };

/** The mistake, the arguments, and the findings in JSON: rule, file and line. */
test.each<[string, Record<string, string>, { rule: string; file?: string }]>([
  ["a zone file that is not YAML", { "zones/example.com.yaml": "records: {" }, syntax],
  [
    "a value that the type cannot have",
    { "zones/example.com.yaml": zone.replace("192.0.2.1", "192.0.2") },
    { rule: "address-v4", file: "zones/example.com.yaml" },
  ],
  ["no folder of zones", { "zonewright.yaml": "zones: none\n" }, { rule: "zones-folder" }],
  ["a wrong setting", { "zonewright.yaml": "zonse: x\n" }, { rule: "unknown-key", file: "zonewright.yaml" }],
  ["a config that is not YAML", { "zonewright.yaml": "{" }, { rule: "config-syntax", file: "zonewright.yaml" }],
])("--report json of %s", async (_, files, { rule, file }) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone, ...files });
  for (const command of ["validate", "plan"]) {
    const { code, out } = await desk.run(`${command} --report json`);
    const { findings } = JSON.parse(out) as { findings: { severity: string; rule: string; at?: { file: string } }[] };
    const errors = findings.filter(({ severity }) => severity === "error");
    expect([command, code, errors[0]?.rule, errors[0]?.at?.file]).toEqual([command, 3, rule, file]);
  }
});

const refused = lines`
  error[unknown-key] "zonse" is not a setting
    zonewright.yaml:1:1
      1 | zonse: x
        | ^^^^^
    Did you mean "zones"?
`;
const findings = `"findings": [
    {
      "severity": "error",
      "rule": "unknown-key",
      "summary": "\\"zonse\\" is not a setting",
      "fix": "Did you mean \\"zones\\"?",
      "at": {
        "file": "zonewright.yaml",
        "line": 1,
        "column": 1,
        "length": 5
      }
    }
  ]
}
`;

test("writes JSON problems to standard output and text to standard error", async () => {
  const desk = new Desk({ "zonewright.yaml": "zonse: x\n" });
  expect(await desk.run("plan --report json")).toEqual({ code: 3, out: `{\n  ${findings}`, talk: refused });
  expect(await desk.run("validate --report json")).toEqual({
    code: 3,
    out: `{\n  "zones": 0,\n  "records": 0,\n  ${findings}`,
    talk: refused,
  });
  expect(await desk.run("validate --report github")).toEqual({
    code: 3,
    out: '::error file=zonewright.yaml,line=1,col=1,endColumn=6,title=unknown-key::"zonse" is not a setting. Did you mean "zones"?\n',
    talk: refused,
  });
  expect(await desk.run("plan")).toEqual({ code: 3, out: "", talk: refused });
});

test("reports invalid acks.yaml and refusals of the API as JSON too", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone, "acks.yaml": "x" });
  const rules = async () =>
    (JSON.parse((await desk.run("plan --report json")).out) as { findings: { rule: string }[] }).findings.map(
      ({ rule }) => rule,
    );
  expect(await rules()).toEqual(["config-value"]);
  desk.write("acks.yaml", "");
  desk.env.ZONEWRIGHT_TOKEN = "wrong";
  expect(await rules()).toEqual(["api/token"]);
});
