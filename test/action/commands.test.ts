// @suite long

import { expect, test } from "vitest";
import { type ApiDesk, apiDesk, lines } from "../cli/run.ts";
import { runStep, type StepResult } from "./step.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "@": { A: 192.0.2.10, MX: 10 mail }
    www: { A: 192.0.2.1 }
    mail: { A: 192.0.2.25 }
    old: { A: 192.0.2.44 }
`;
const changed = zone.replace("192.0.2.1 ", "192.0.2.2 ");
const fewer = zone.replace("  old: { A: 192.0.2.44 }\n", "");
const blocked = zone.replace("A: 192.0.2.10, MX: 10 mail", "A: 192.0.2.10");
const invalid = zone.replace("192.0.2.25", "192.0.2.256");

/** The outputs that are set, without those of the plan's digest. */
function short({ code, outputs }: StepResult): Record<string, string | number> {
  const { "effect-digest": _, "artifact-name": __, "plan-path": ___, "legacy-result": old, ...rest } = outputs;
  expect(old).toBe(rest.result === "blocked" ? "held" : rest.result);
  return { code, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== "")) };
}

/** An account that has the zone, and other files in the checkout. */
async function deskWith(files: Record<string, string>, isApplied = true): Promise<ApiDesk> {
  const desk = await apiDesk(isApplied ? { "zones/example.com.yaml": zone } : files);
  if (isApplied) expect((await desk.run("apply --yes")).code).toBe(0);
  for (const [file, text] of Object.entries(files)) desk.write(file, text);
  desk.writes.length = 0;
  return desk;
}

const file = "zones/example.com.yaml";
const noChange = { creates: "0", changes: "0", deletes: "0", zones: "0", "needs-approval": "false" };
const oneChange = { ...noChange, changes: "1", zones: "1" };
const oneBlock = { ...noChange, deletes: "1", zones: "1", "needs-approval": "true" };

const table: readonly (readonly [
  inputs: Record<string, string>,
  text: string,
  outcome: Readonly<Record<string, string | number>>,
])[] = [
  [{ command: "validate" }, zone, { code: 0, result: "valid", zones: "1" }],
  [{ command: "validate" }, invalid, { code: 3, result: "invalid", zones: "1" }],
  [{ command: "validate", zones: "example.org" }, zone, { code: 3, result: "invalid" }],
  [{ command: "plan" }, zone, { code: 0, result: "in-sync", ...noChange }],
  [{ command: "plan", "fail-on": "changes" }, zone, { code: 0, result: "in-sync", ...noChange }],
  [{ command: "plan" }, changed, { code: 0, result: "changes", ...oneChange }],
  [{ command: "plan", "fail-on": "changes" }, changed, { code: 2, result: "changes", ...oneChange }],
  [{ command: "plan", "fail-on": "never" }, changed, { code: 0, result: "changes", ...oneChange }],
  [{ command: "plan", "fail-on": "never" }, invalid, { code: 3, result: "invalid" }],
  [{ command: "plan" }, blocked, { code: 3, result: "blocked", ...oneBlock }],
  [{ command: "plan", "fail-on": "changes" }, blocked, { code: 3, result: "blocked", ...oneBlock }],
  [{ command: "plan", "fail-on": "never" }, blocked, { code: 0, result: "blocked", ...oneBlock }],
  [
    { command: "plan", allow: "G05,G03 G01" },
    blocked,
    { code: 0, result: "changes", ...oneBlock, "needs-approval": "false" },
  ],
  [
    { command: "plan", allow: "G05,G02 g14" },
    blocked,
    { code: 0, result: "changes", ...oneBlock, "needs-approval": "false" },
  ],
  [{ command: "plan", allow: "G02" }, blocked, { code: 3, result: "blocked", ...oneBlock }],
  [{ command: "plan", "api-url": "http://127.0.0.1:9" }, zone, { code: 1, result: "failed" }],
  [{ command: "apply" }, zone, { code: 0, result: "in-sync", ...noChange }],
  [{ command: "apply" }, blocked, { code: 3, result: "blocked", ...oneBlock }],
  [{ command: "apply" }, invalid, { code: 3, result: "invalid" }],
  [{ command: "verify", verify: "api" }, zone, { code: 0, result: "in-sync", zones: "1" }],
  [{ command: "verify", verify: "rendered", wait: "5s" }, zone, { code: 0, result: "in-sync", zones: "1" }],
  [{ command: "verify", verify: "api" }, changed, { code: 6, result: "verify-failed", zones: "1" }],
  [{ command: "import" }, zone, { code: 0, result: "in-sync", zones: "0" }],
  [{ command: "import", source: "missing.zone" }, zone, { code: 1, result: "failed", zones: "0" }],
];

test.each(table)("%j with its file leads to its result, exit code and outputs", async (inputs, text, outcome) => {
  const desk = await deskWith({ [file]: text });
  const usual = inputs.command === "validate" ? {} : { token: desk.token, "api-url": desk.url };
  expect(short(await runStep(desk, { ...usual, ...inputs }))).toEqual(outcome);
  expect(desk.writes).toEqual([]);
});

test("advice names inputs of the action, and no flags of the command line", async () => {
  const desk = await deskWith({ [file]: blocked });
  for (const command of ["plan", "apply"]) {
    const { log, summary, annotations } = await runStep(desk, { command, token: desk.token, "api-url": desk.url });
    expect(log).toContain("to approve: allow: G05, or in acks.yaml:");
    expect(summary).toContain("approve: `allow: G05`, or in `acks.yaml`:");
    expect([log, summary, ...annotations].join("\n")).not.toMatch(/(?:^|[\s`(])--[a-z]/m);
  }
});

test("apply writes, reads back and names the run, which undo reverts", async () => {
  const desk = await deskWith({ [file]: fewer });
  const inputs = { command: "apply", token: desk.token, "api-url": desk.url, verify: "rendered", wait: "5s" };
  const step = await runStep(desk, inputs);
  const undo = step.outputs["undo-id"] ?? "";
  expect(short(step)).toEqual({ code: 0, result: "applied", ...noChange, deletes: "1", zones: "1", "undo-id": undo });
  expect(desk.writes).toEqual(["DELETE /v4/domains/1/records/3"]);
  expect(step.summary).toMatch(
    /^applied and verified: 1 zone is as planned\.\n\n### Plan of zones: 1 change in 1 of 1/,
  );
  expect(step.summary).toContain("### Verification: passed\n");
  expect((await desk.run(`undo ${undo} --yes`)).out).toContain("applied and verified");
});

test("apply with a plan file applies what it approves, and refuses more", async () => {
  const desk = await deskWith({ [file]: fewer });
  const usual = { token: desk.token, "api-url": desk.url };
  const planned = await runStep(desk, { ...usual, command: "plan", plan: "plan.json" });
  expect(planned.outputs["plan-path"]).toBe("plan.json");

  desk.write(file, fewer.replace("192.0.2.1 ", "192.0.2.2 "));
  const refused = await runStep(desk, { ...usual, command: "apply", plan: "plan.json" });
  expect(short(refused)).toEqual({ code: 4, result: "refused" });
  expect(refused.annotations).toEqual([
    expect.stringContaining(
      "error zones/example.com.yaml:5 plan-effects: www.example.com A: changing 192.0.2.1 to 192.0.2.2 (the zone's TTL 3600) is not approved.",
    ),
  ]);
  expect(desk.writes).toEqual([]);

  desk.write(file, fewer);
  const applied = await runStep(desk, { ...usual, command: "apply", plan: "plan.json" });
  expect([applied.code, applied.outputs.result, desk.writes.length]).toEqual([0, "applied", 1]);
});

test("apply says that another one is under way", async () => {
  const desk = await deskWith({ [file]: fewer });
  desk.write(".zonewright/lock", JSON.stringify({ pid: process.ppid, host: (await import("node:os")).hostname() }));
  const step = await runStep(desk, { command: "apply", token: desk.token, "api-url": desk.url });
  expect(short(step)).toEqual({ code: 8, result: "locked" });
});

test("import writes the live zones into their files, and keeps comments", async () => {
  const desk = await deskWith({ [file]: changed.replace("  www:", "  # our site\n  www:") });
  const step = await runStep(desk, { command: "import", token: desk.token, "api-url": desk.url });
  expect(short(step)).toEqual({ code: 0, result: "imported", zones: "1" });
  expect(desk.read(file)).toBe(zone.replace("  www:", "  # our site\n  www:"));
  expect(desk.writes).toEqual([]);
});

test("import reads files of other tools", async () => {
  const desk = await deskWith(
    {
      "bind/example.org.zone":
        "$ORIGIN example.org.\n$TTL 1h\n@ SOA ns h 1 2 3 4 5\n@ NS ns.example.net.\nwww A 192.0.2.7\n",
    },
    false,
  );
  desk.write("zonewright.yaml", "defaults: { soa_email: hostmaster@example.org }\n");
  const step = await runStep(desk, { command: "import", source: "bind" });
  expect(short(step)).toEqual({ code: 0, result: "imported", zones: "1" });
  expect(desk.read("zones/example.org.yaml")).toContain("www:\n    A: 192.0.2.7");
});

test("reports go to files, also those of a plan that cannot be made", async () => {
  const desk = await deskWith({ [file]: fewer });
  const files = { sarif: "out/plan.sarif", junit: "out/plan.xml" };
  const usual = { command: "plan", token: desk.token, "api-url": desk.url, ...files };
  const step = await runStep(desk, { ...usual, html: "out/plan.html" });
  expect([step.code, step.outputs["report-path"]]).toEqual([0, "out/plan.html"]);
  expect(desk.read("out/plan.html")).toMatch(/^<!doctype html>/i);
  expect(JSON.parse(desk.read("out/plan.sarif")).runs[0].results[0]).toMatchObject({ ruleId: "planned-delete" });
  expect(desk.read("out/plan.xml")).toMatch(/^<\?xml .*<testsuites /s);

  desk.write(file, invalid);
  expect((await runStep(desk, usual)).code).toBe(3);
  expect(JSON.parse(desk.read("out/plan.sarif")).runs[0].results).toMatchObject([{ level: "error" }]);
  expect(desk.read("out/plan.xml")).toContain("<failure ");
});

test("more findings than a runner keeps are counted, and errors come first", async () => {
  const names = Array.from({ length: 25 }, (_, index) => `  n${index}: { A: 192.0.2.300 }\n`);
  const desk = await deskWith(
    { [file]: `soa_email: h@example.com\nrecords:\n${names.join("")}  x: { A: 10.0.0.1 }\n` },
    false,
  );
  const { annotations } = await runStep(desk, { command: "validate" });
  expect(annotations.map((text) => text.replace(/: .*/, ""))).toEqual([
    ...Array.from({ length: 9 }, (_, index) => `error zones/example.com.yaml:${index + 3} address-v4`),
    "error zonewright",
    "warning zones/example.com.yaml:28 private-address",
  ]);
  expect(annotations[9]).toBe(
    "error zonewright: 16 more like these: see the summary of the job, or the log of this step.",
  );
});

test("deletions are annotated before everything else, and a missing approval as an error", async () => {
  const creates = Array.from({ length: 20 }, (_, index) => `  n${index}: { A: 192.0.2.9 }\n`).join("");
  const desk = await deskWith({ [file]: blocked + creates });
  const { annotations } = await runStep(desk, { command: "plan", token: desk.token, "api-url": desk.url });
  expect(annotations[0]).toMatch(/^error zones\/example\.com\.yaml:4 guard-blocked: blocked by G\d\d /);
  const notices = annotations.filter((text) => text.startsWith("notice"));
  expect(notices).toHaveLength(10);
  expect(notices[0]).toMatch(/^notice zones\/example\.com\.yaml:4 deletes 1 record: delete example\.com MX /);
  expect(notices[9]).toMatch(/^notice zonewright: 12 more like these/);
});

test("summary and annotations can be switched off", async () => {
  const desk = await deskWith({ [file]: fewer });
  const inputs = { command: "plan", token: desk.token, "api-url": desk.url, summary: "false", annotations: "false" };
  const { code, summary, annotations } = await runStep(desk, inputs);
  expect({ code, summary, annotations }).toEqual({ code: 0, summary: "", annotations: [] });
});

test("the token may come from the environment", async () => {
  const desk = await deskWith({ [file]: fewer });
  const env = { ZONEWRIGHT_TOKEN: desk.token, ZONEWRIGHT_API_URL: desk.url };
  const { code, outputs, commands } = await runStep(desk, { command: "plan" }, { env });
  expect([code, outputs.result]).toEqual([0, "changes"]);
  expect(commands.filter(({ name }) => name === "add-mask").map(({ data }) => data)).toEqual([desk.token]);
});

test.each([
  ["plan", {}, "", { code: 3, result: "invalid" }],
  ["apply", {}, "", { code: 3, result: "invalid" }],
  ["plan", { "skip-invalid": "true" }, "", { code: 5, result: "partial", creates: "2", zones: "1" }],
  ["plan", { "skip-invalid": "true", "fail-on": "never" }, "", { code: 5, result: "partial" }],
  ["apply", { "skip-invalid": "true" }, "", { code: 5, result: "partial", creates: "2" }],
  ["apply", { "skip-invalid": "true" }, "applied", { code: 5, result: "partial", creates: "0" }],
])("%s %j beside an invalid zone%s: %j", async (command, inputs, before, outcome) => {
  const other = lines`
    soa_email: hostmaster@example.net
    records: { www: { A: 192.0.2.1 } }
  `;
  const desk = await deskWith({ [file]: invalid, "zones/example.net.yaml": other }, false);
  if (before) await desk.run("apply --skip-invalid --yes");
  const step = await runStep(desk, { command, token: desk.token, "api-url": desk.url, ...inputs });
  expect(short(step)).toMatchObject(outcome);
  expect(step.annotations).toContainEqual(
    `error zones/example.com.yaml:6 address-v4: mail A "192.0.2.256": not an IPv4 address. Write an IPv4 address such as "192.0.2.1".`,
  );
  if (step.code === 5) expect(step.summary).toContain("1 zone left out");
  const reason =
    "no plan: example.com (zones/example.com.yaml) is invalid. To take the other zone, unless it depends on it, set `skip-invalid: true`.";
  const isStopped = [step.log.trimEnd().split("\n").at(-1), step.summary.includes("no plan: ")];
  expect(isStopped).toEqual(step.code === 3 ? [reason, true] : [expect.not.stringContaining("no plan"), false]);
});
