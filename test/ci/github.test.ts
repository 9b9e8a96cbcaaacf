import { expect, test } from "vitest";
import { useBundle, ZoneForge } from "./forge.ts";
import { outcomes, runWorkflow } from "./runner.ts";
import { readWorkflow } from "./workflow-files.ts";

useBundle();

const zone = (records: string) => `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n${records}`;
const www = (address: string) => `  www: { A: ${address} }\n`;

/** An account with the zone of `main`, and its published snapshot. */
async function createApplied(): Promise<ZoneForge> {
  const files = { "zones/example.com.yaml": zone(www("192.0.2.1")) };
  const forge = await ZoneForge.create(files);
  forge.desk.write("zones/example.com.yaml", files["zones/example.com.yaml"]);
  await forge.desk.run("apply --yes");
  const { jobs, ...workflow } = readWorkflow("examples/github/apply.yml");
  const { needs: _, ...publish } = jobs.publish ?? expect.fail("no job");
  const published = await runWorkflow(forge.forge, { ...workflow, jobs: { publish } }, forge.mainEvent("push"));
  expect(outcomes(published)).toEqual({
    publish: ["success", "actions/checkout: success", "Publish the snapshot: published"],
  });
  forge.desk.writes.length = 0;
  return forge;
}

test("check.yml validates every pull request, and says that nothing is published yet", async () => {
  const forge = await ZoneForge.create({ "zones/example.com.yaml": zone(www("192.0.2.1")) });
  const pull = forge.openPull("new-names", { "zones/example.com.yaml": zone(www("192.0.2.2")) });
  const jobs = await forge.run("check", forge.pullEvent(pull));
  expect(outcomes(jobs)).toEqual({
    check: [
      "success",
      "actions/checkout: success",
      "Fetch the published snapshot: success",
      "Validate: valid",
      "Plan against the snapshot: skipped",
    ],
  });
  expect(jobs.check?.steps[1]?.annotations).toEqual([
    "notice: There is no published snapshot yet. The first apply publishes it.",
  ]);
});

test.each(["branch", "fork"] as const)("check.yml plans a %s against the published snapshot", async (from) => {
  const forge = await createApplied();
  const pull = forge.openPull("new-names", { "zones/example.com.yaml": zone(www("192.0.2.2")) }, from);
  const reads = forge.api.requests.length;
  const jobs = await forge.run("check", forge.pullEvent(pull));
  expect(outcomes(jobs)).toEqual({
    check: [
      "success",
      "actions/checkout: success",
      "Fetch the published snapshot: success",
      "Validate: valid",
      "Plan against the snapshot: changes",
    ],
  });
  expect(jobs.check?.steps.at(-1)?.log).toContain("192.0.2.1 → 192.0.2.2");
  expect(jobs.check?.summary).toContain("192.0.2.1 → 192.0.2.2");
  // Neither the account nor GitHub is asked.
  expect([forge.desk.writes, forge.api.requests.slice(reads), forge.api.comments]).toEqual([[], [], []]);
});

test("check.yml fails a pull request with an error, at its line", async () => {
  const forge = await createApplied();
  const pull = forge.openPull("broken", { "zones/example.com.yaml": zone(www("300.0.2.2")) }, "fork");
  const jobs = await forge.run("check", forge.pullEvent(pull));
  expect(outcomes(jobs)).toEqual({
    check: [
      "failure",
      "actions/checkout: success",
      "Fetch the published snapshot: success",
      "Validate: invalid",
      "Plan against the snapshot: skipped",
    ],
  });
  expect(jobs.check?.steps[2]?.annotations).toEqual([expect.stringMatching(/^error zones\/example\.com\.yaml:4: /)]);
});

test("plan.yml gives a fork no job, and so no token", async () => {
  const forge = await createApplied();
  const pull = forge.openPull("new-names", { "zones/example.com.yaml": zone(www("192.0.2.2")) }, "fork");
  expect(outcomes(await forge.run("plan", forge.pullEvent(pull)))).toEqual({ plan: ["skipped"] });
});

test("plan.yml keeps the plan under the name of its effects, and fails while a guard blocks it", async () => {
  const forge = await createApplied();
  const pull = forge.openPull("new-names", { "zones/example.com.yaml": zone(www("192.0.2.2")) });
  const jobs = await forge.run("plan", forge.pullEvent(pull));
  const steps = (plan: string) => [
    "actions/checkout: success",
    "Fetch the snapshot of the last apply, which tells edits by hand from changes in git: success",
    `Plan: ${plan}`,
    "Keep the plan: success",
    "Keep the page with the whole plan: success",
  ];
  expect(outcomes(jobs)).toEqual({ plan: ["success", ...steps("changes")] });
  const digest = jobs.plan?.steps[2]?.outputs["effect-digest"] ?? "";
  expect(forge.api.artifacts.map(({ name, run }) => [name, run.sha])).toEqual([
    [`zonewright-plan-${digest.slice(0, 16)}`, pull.head.sha],
    ["zonewright-plan.html", pull.head.sha],
  ]);
  forge.pushTo(pull, { "zones/example.com.yaml": "soa_email: hostmaster@example.com\nttl_sec: 1h\n" });
  const blocked = await forge.run("plan", forge.pullEvent(pull));
  expect(outcomes(blocked)).toEqual({ plan: ["failure", ...steps("held")] });
  expect(forge.desk.writes).toEqual([]);
});
