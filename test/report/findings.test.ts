import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Problem, problem } from "../../src/diagnostics/problem.ts";
import { type Findings, findingsJson, findingsText } from "../../src/report/findings/findings.ts";
import { findingsGithub } from "../../src/report/findings/github.ts";
import { findingsJunit } from "../../src/report/findings/junit.ts";
import { findingsSarif } from "../../src/report/findings/sarif.ts";
import { isMissing } from "../judges.ts";

const at = { file: "zones/example.com.yaml", line: 3, column: 5, length: 2 };

/** Each kind once: an error in a file, a warning in an included one, a note of no file. */
const problems: Problem[] = [
  {
    id: "glue",
    kind: "input",
    severity: "error",
    summary: "sub has no glue",
    detail: "It cannot be followed.",
    fix: "Add it.",
    place: at,
  },
  {
    id: "private-address",
    kind: "input",
    severity: "warning",
    summary: "www publishes 10.0.0.1",
    place: { file: "zones/hosts.inc", line: 1, column: 1, length: 3 },
    via: [{ file: "zones/example.net.zone", line: 7, column: 10, length: 9 }],
  },
  { id: "file-skipped", kind: "input", severity: "note", summary: "zones/notes.txt is passed over" },
];

const findings: Findings = {
  problems,
  files: ["zones/example.com.yaml", "zones/example.net.zone", "zones/example.org.yaml"],
  zones: 3,
  records: 12,
  lineOf: ({ file }) => (file.endsWith(".yaml") ? "    NS: ns.sub" : undefined),
};

const version = "1.2.3";

test("github: one workflow command per finding", () => {
  expect(findingsGithub(findings).split("\n")).toEqual([
    "::error file=zones/example.com.yaml,line=3,col=5,endColumn=7,title=glue::sub has no glue. It cannot be followed. Add it.",
    "::warning file=zones/hosts.inc,line=1,col=1,endColumn=4,title=private-address::www publishes 10.0.0.1. Included in zones/example.net.zone:7.",
    "::notice title=file-skipped::zones/notes.txt is passed over.",
    "",
  ]);
});

test("junit: one case per file, and one for findings without a file", () => {
  expect(findingsJunit(findings).split("\n")).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites tests="4" failures="1">',
    '<testsuite name="zonewright validate" tests="4" failures="1">',
    '<testcase classname="zones" name="zones/example.com.yaml"><failure message="sub has no glue">error[glue] sub has no glue',
    "  zones/example.com.yaml:3:5",
    "    3 |     NS: ns.sub",
    "      |     ^^",
    "  It cannot be followed. Add it.</failure></testcase>",
    '<testcase classname="zones" name="zones/example.net.zone"><system-out>warning[private-address] www publishes 10.0.0.1',
    "  zones/hosts.inc:1:1",
    "  included in zones/example.net.zone:7</system-out></testcase>",
    '<testcase classname="zones" name="zones/example.org.yaml"></testcase>',
    '<testcase classname="zones" name="(all zones)"><system-out>note[file-skipped] zones/notes.txt is passed over</system-out></testcase>',
    "</testsuite>",
    "</testsuites>",
    "",
  ]);
});

test("sarif: a log with a place for each finding", () => {
  const place = (uri: string, startLine: number, startColumn: number, endColumn: number) => ({
    physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn, endColumn } },
  });
  expect(JSON.parse(findingsSarif(findings, version))).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "zonewright",
            informationUri: "https://github.com/zonewright/zonewright",
            version: "1.2.3",
            rules: [
              {
                id: "file-skipped",
                shortDescription: {
                  text: "The extension of the file is not that of a zone file, so it is skipped. It may be misspelled.",
                },
                properties: { tags: ["project"] },
              },
              {
                id: "glue",
                shortDescription: {
                  text: "A resolver cannot reach a name server inside the delegated zone without its address in the parent zone (RFC 1034 §4.2.1).",
                },
                properties: { tags: ["dns"] },
              },
              {
                id: "private-address",
                shortDescription: {
                  text: "Private, loopback, multicast and other special-purpose addresses are unreachable from the internet, and private ones reveal internal hosts (RFC 6890 and the IANA registries).",
                },
                properties: { tags: ["practice"] },
              },
            ],
          },
        },
        columnKind: "utf16CodeUnits",
        results: [
          {
            ruleId: "glue",
            ruleIndex: 1,
            level: "error",
            message: { text: "sub has no glue. It cannot be followed. Add it." },
            locations: [place("zones/example.com.yaml", 3, 5, 7)],
          },
          {
            ruleId: "private-address",
            ruleIndex: 2,
            level: "warning",
            message: { text: "www publishes 10.0.0.1." },
            locations: [place("zones/hosts.inc", 1, 1, 4)],
            relatedLocations: [{ ...place("zones/example.net.zone", 7, 10, 19), message: { text: "included here" } }],
          },
          {
            ruleId: "file-skipped",
            ruleIndex: 0,
            level: "note",
            message: { text: "zones/notes.txt is passed over." },
            locations: [place("zonewright.yaml", 1, 1, 2)],
          },
        ],
      },
    ],
  });
});

/** Texts that mean something to whoever reads a report. */
const hostile = [
  "::error::owned",
  "a\n::error::owned",
  "a\r\n::set-output name=x::owned",
  "50%0A::error::owned",
  "a,line=1::b:c",
  "</failure><x/> & \"q\" 'q' ]]> <!--",
  "\u001b[31mred\u001b]0;title\u0007",
  "\u202eevil\u2066",
  "\0\u0008\u000b\ufffe\uffff",
  "\ud800 half",
  "##[error]owned",
];
const risky: Findings = {
  problems: hostile.map((text) =>
    problem("glue", text, {
      detail: text,
      fix: text,
      place: { file: `zones/${text}.yaml`, line: 1, column: 1, length: 1 },
    }),
  ),
  files: hostile.map((text) => `zones/${text}.yaml`),
  zones: 1,
  records: 1,
  lineOf: () => "::error::owned \u001b[31m",
};

const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

test.each([
  ["json", findingsJson(risky)],
  ["sarif", findingsSarif(risky, version)],
  ["junit", findingsJunit(risky)],
  ["github", findingsGithub(risky)],
])("%s: contains no terminal control sequences", (_, text) => {
  expect(text).not.toMatch(unsafe);
});

test("text, json, sarif and junit contain no workflow command", () => {
  const text = findingsText(risky, { color: false, unicode: true });
  for (const report of [text, findingsJunit(risky), findingsJson(risky), findingsSarif(risky, version)])
    expect(report).not.toMatch(/^\s*::|##\[/m);
});

test("github: one command per finding, and text cannot inject another", () => {
  const commands = findingsGithub(risky).trimEnd().split("\n");
  expect(commands.length).toBe(hostile.length);
  for (const command of commands) {
    // As the runner reads it: properties up to the second ::, separated by commas.
    const [, properties = "", text = ""] = /^::error ([^\n]*?)::(.*)$/.exec(command) ?? [];
    expect(properties.split(",").map((property) => property.split("=")[0])).toEqual([
      "file",
      "line",
      "col",
      "endColumn",
      "title",
    ]);
    expect(text.replaceAll(/%(?:25|0A|0D)/g, "")).not.toContain("%");
  }
});

test("sarif: has everything that the standard requires, and valid indices", () => {
  const { runs } = JSON.parse(findingsSarif(risky, version));
  const [{ tool: driver, results }] = runs;
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    expect(driver.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(["error", "warning", "note"]).toContain(level);
    expect(message.text).not.toBe("");
    const { artifactLocation, region } = locations[0].physicalLocation;
    expect(artifactLocation.uri).toMatch(/^[A-Za-z0-9\-._~!'()*%/]+$/);
    expect(region.endColumn).toBeGreaterThan(region.startColumn);
  }
});

test.skipIf(isMissing("python3"))("junit: an XML parser reads the texts unchanged", () => {
  const program =
    "import sys,json,xml.dom.minidom as m; d=m.parseString(sys.stdin.buffer.read()); " +
    "print(json.dumps([c.getAttribute('name') for c in d.getElementsByTagName('testcase')]+[d.getElementsByTagName('failure').length]))";
  const out = execFileSync("python3", ["-c", program], { input: findingsJunit(risky), encoding: "utf8" });
  expect(JSON.parse(out)).toEqual([
    "zones/::error::owned.yaml",
    "zones/a\\x0a::error::owned.yaml",
    "zones/a\\x0d\\x0a::set-output name=x::owned.yaml",
    "zones/50%0A::error::owned.yaml",
    "zones/a,line=1::b:c.yaml",
    "zones/</failure><x/> & \"q\" 'q' ]]> <!--.yaml",
    "zones/\\x1b[31mred\\x1b]0;title\\x07.yaml",
    "zones/\\u202eevil\\u2066.yaml",
    "zones/\\x00\\x08\\x0b\\ufffe\\uffff.yaml",
    "zones/\\ud800 half.yaml",
    "zones/#\\x23[error]owned.yaml",
    hostile.length,
  ]);
});
