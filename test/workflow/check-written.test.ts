import { expect, onTestFinished, test, vi } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import type { Exporter } from "../../src/formats/edit/written-zone.ts";
import { exportFormats } from "../../src/formats/formats.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { checkWritten } from "../../src/workflow/zones/check-written.ts";
import { readContents } from "../../src/workflow/zones/zones.ts";
import { Desk } from "../cli/run.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { contextOf } from "./import-context.ts";

const origin = domainName("a.example.");

/** The result of a writer that wrote this YAML for the zone of a master file. */
function check(written: string, source: string, config = "") {
  const project = openProject(contextOf(new Desk({ "zonewright.yaml": config })), { config: "zonewright.yaml" });
  const { settings } = project.target.capabilities;
  const bytes = Buffer.from(`soa_email: a@a.example\nrecords:\n${written}`);
  const read = readContents(project, { file: "zones/a.example.yaml", bytes, origin, settings }, bytes);
  const text = `$TTL 1h\n;@ soa_email: a@a.example\n${source}`;
  const from = readBind({ file: "source", bytes: Buffer.from(text), origin });
  try {
    return checkWritten(project, read, [from]).map(({ id }) => id);
  } catch (error) {
    return error instanceof ProblemError ? error.problems.map(({ id }) => `new: ${id}`) : error;
  }
}

test.each([
  [
    "a name that looks like an absolute one",
    "  www: { CNAME: b.com }",
    "www CNAME b.com.a.example.",
    "target-needs-dot",
  ],
  [
    "a name that lost its `lenient`",
    "  www: { RP: a. . }",
    ";@ lenient www: type-unsupported\nwww RP a. .",
    "type-unsupported",
  ],
  ["a value that cannot be read", "  www: { A: 192.0.2 }", "www A 192.0.2.1", "address-v4"],
  ["a record too many", "  www: { A: 192.0.2.1, CNAME: b. }", "www A 192.0.2.1", "cname-alone"],
  [
    "a second error of a rule at a name",
    "  www: { MX: [10 192.0.2.1, 20 192.0.2.2] }",
    "www MX 10 192.0.2.1",
    "target-is-address",
  ],
  ["a second value that cannot be read", "  www: { A: [192.0.2, 192.0.3] }", "www A 192.0.2", "address-v4"],
])("a file with %s is refused", (_, written, source, id) => {
  expect(check(written, source)).toContain(`new: ${id}`);
  expect(check(written, source)).toContain("new: write-invalid");
});

test("a file with the errors of its source is kept, also by the severities of the config", () => {
  const loop = "  a: { CNAME: b }\n  b: { CNAME: a }\n";
  expect(check(loop, "a CNAME b\nb CNAME a")).toEqual(["cname-loop"]);
  expect(check(loop, "a CNAME b\nb CNAME a", "rules: { cname-loop: warning }\n")).toEqual([]);
  expect(check("  a: { A: 10.0.0.1 }\n", "a A 192.0.2.1", "rules: { private-address: error }\n")).toEqual([
    "new: private-address",
    "new: write-invalid",
  ]);
});

test.each(["octodns", "dns-zonefile"] as const)("export --to %s refuses a text with errors of its own", async (to) => {
  const files = { "zones/a.example.yaml": "soa_email: a@a.example\nrecords: { www: { CNAME: b.example. } }\n" };
  const { write } = exportFormats[to];
  const wrong = (text: string) => text.replace("b.example.", "192.0.2.1.a.example.");
  const spy = vi.spyOn(exportFormats[to] as Exporter, "write").mockImplementation((zone, options) => {
    const written = write(zone, options);
    return { ...written, text: wrong(written.text) };
  });
  onTestFinished(() => spy.mockRestore());
  const { code, talk } = await new Desk(files).run(`export --to ${to}`);
  expect([code, talk.match(/^error\[[a-z-]+/gm)]).toEqual([1, ["error[target-is-address", "error[write-invalid"]]);
});

test("a name whose records the JSON of dns-zonefile cannot contain is written absolutely", async () => {
  const records = 'records: { a.b: { HTTPS: "1 ." }, www: { CNAME: a.b } }';
  const desk = new Desk({ "zones/a.example.yaml": `soa_email: a@a.example\n${records}\n` });
  const { talk, out } = await desk.run("export --to dns-zonefile");
  expect(talk.match(/^(?:error|warning)\[[a-z-]+/gm)).not.toContain("error[write-invalid");
  expect(JSON.parse(out).cname).toEqual([{ name: "www", alias: "a.b.a.example." }]);
});
