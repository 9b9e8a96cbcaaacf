// @suite long

import { expect, test } from "vitest";
import { isNightly } from "../properties.ts";
import { checkOutcome, useBundle, ZoneForge } from "./forge.ts";
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
    check: checkOutcome("valid", "skipped"),
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
    check: checkOutcome("valid", "changes"),
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
    check: checkOutcome("invalid", "skipped"),
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
  expect(outcomes(blocked)).toEqual({ plan: ["failure", ...steps("blocked")] });
  expect(forge.desk.writes).toEqual([]);
});

/** A pull request that was planned, approved and merged. */
async function merge(forge: ZoneForge, branch: string, text: string): Promise<void> {
  const pull = forge.openPull(branch, { "zones/example.com.yaml": text });
  expect(outcomes(await forge.run("plan", forge.pullEvent(pull)))).toMatchObject({ plan: { 0: "success" } });
  forge.approve(pull);
  forge.squash(pull);
}

const applied = {
  apply: ["success", "actions/checkout: success", "Apply, verify: applied"],
  publish: ["success", "actions/checkout: success", "Publish the snapshot: published"],
};

/** Type and target of the records of the zone. */
async function recordsOf({ desk }: ZoneForge): Promise<string[]> {
  const { data } = await desk.call("GET", "/domains/1/records");
  return data.map(({ name, type, target }: Record<string, string>) => `${name} ${type} ${target}`).sort();
}

test("plan.yml keeps one comment, and apply.yml applies what it showed", async () => {
  const forge = await createApplied();
  const pull = forge.openPull("new-names", { "zones/example.com.yaml": zone(www("192.0.2.2")) });
  await forge.run("plan", forge.pullEvent(pull));
  expect(forge.api.commentsOf(pull).map(({ body }) => body)).toEqual([
    expect.stringContaining("192.0.2.1 → 192.0.2.2"),
  ]);
  const more = `${www("192.0.2.2")}  mail: { A: 192.0.2.25 }\n`;
  forge.pushTo(pull, { "zones/example.com.yaml": zone(more) });
  await forge.run("plan", forge.pullEvent(pull));
  expect(forge.api.commentsOf(pull).map(({ body }) => body)).toEqual([expect.stringContaining("192.0.2.25")]);
  forge.approve(pull);
  forge.squash(pull);
  expect(outcomes(await forge.run("apply", forge.mainEvent("push")))).toEqual(applied);
  expect(await recordsOf(forge)).toEqual(["mail A 192.0.2.25", "www A 192.0.2.2"]);
  // Forks are now planned against what was applied.
  const fork = forge.openPull("fork", { "zones/example.com.yaml": zone(www("192.0.2.2")) }, "fork");
  const checked = await forge.run("check", forge.pullEvent(fork));
  expect(checked.check?.summary).toContain("−1 delete");
});

test.skipIf(!isNightly)("plan.yml plans the commit of a merge queue, without a comment", async () => {
  const forge = await createApplied();
  const pull = forge.openPull("new-names", { "zones/example.com.yaml": zone(www("192.0.2.2")) });
  const jobs = await forge.run("plan", forge.queueEvent(pull));
  expect([jobs.plan?.result, jobs.plan?.steps[2]?.outputs.result]).toEqual(["success", "changes"]);
  expect([forge.api.comments, forge.desk.writes]).toEqual([[], []]);
});

test.skipIf(!isNightly)(
  "apply.yml applies pull requests that were merged shortly after each other, with the last of them",
  async () => {
    const forge = await createApplied();
    const first = `${www("192.0.2.1")}  mail: { A: 192.0.2.25 }\n`;
    await merge(forge, "first", zone(first));
    const early = forge.mainEvent("push");
    await merge(forge, "second", zone(`${first}  shop: { A: 192.0.2.30 }\n`));
    const late = await forge.run("apply", early);
    expect(late.apply?.steps.at(-1)?.log).toMatch(/^error\[approval\/replay\] /);
    expect(outcomes(await forge.run("apply", forge.mainEvent("push")))).toEqual(applied);
    expect(await recordsOf(forge)).toEqual(["mail A 192.0.2.25", "shop A 192.0.2.30", "www A 192.0.2.1"]);
  },
);

test.skipIf(!isNightly)(
  "drift.yml proposes a change that was made outside git in a pull request, whose merge is in sync",
  async () => {
    const forge = await createApplied();
    const drift = (result: string) => [
      "actions/checkout: success",
      "Fetch the snapshot of the last apply, without which nothing is proposed: success",
      `Find drift: ${result}`,
    ];
    expect(outcomes(await forge.run("drift", forge.mainEvent("schedule")))).toEqual({
      drift: ["success", ...drift("in-sync")],
    });
    const [record] = (await forge.desk.call("GET", "/domains/1/records")).data;
    await forge.desk.call("PUT", `/domains/1/records/${record.id}`, { target: "192.0.2.66" });
    expect(outcomes(await forge.run("drift", forge.mainEvent("schedule")))).toEqual({
      drift: ["failure", ...drift("drift")],
    });
    const [pull, ...others] = forge.api.pulls;
    expect([pull?.user.login, others]).toEqual(["github-actions[bot]", []]);
    const { origin } = forge.forge;
    const text = origin.git("show", `refs/heads/${pull?.head.ref}:zones/example.com.yaml`);
    expect(`${text}\n`).toBe(zone(www("192.0.2.66")));
    if (pull === undefined) return;
    forge.adopt(pull);
    const planned = await forge.run("plan", forge.pullEvent(pull));
    expect([planned.plan?.result, planned.plan?.steps[2]?.outputs.result]).toEqual(["success", "in-sync"]);
    forge.squash(pull);
    expect(outcomes(await forge.run("apply", forge.mainEvent("push")))).toEqual({
      ...applied,
      apply: ["success", "actions/checkout: success", "Apply, verify: in-sync"],
    });
    expect(outcomes(await forge.run("drift", forge.mainEvent("schedule")))).toEqual({
      drift: ["success", ...drift("in-sync")],
    });
    expect([await recordsOf(forge), forge.desk.writes]).toEqual([["www A 192.0.2.66"], []]);
  },
);
