import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import type { PlanSet } from "../../src/planner/plan-file/plan-schema.ts";
import type { Server } from "../../src/server/http/router.ts";
import { gitIn } from "../cli/git.ts";
import { targetDesk } from "../cli/target-desk.ts";
import { actionsToken, head, startWorld } from "../github/world.ts";
import { titled } from "../titles.ts";
import { runStep } from "./step.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";
const both = "TARGETS\nzones: { path: zones, targets: [public, office] }\n";
const down = (): Server => async () => new Response("{}", { status: 503 });

/** A project with two targets, and the tokens of its targets for the environment of a step. */
async function start() {
  const desk = await targetDesk(["public", "office"], { "zonewright.yaml": both, "zones/example.com.yaml": zone });
  const { ZONEWRIGHT_PUBLIC_TOKEN, ZONEWRIGHT_OFFICE_TOKEN } = desk.env;
  const env = { ZONEWRIGHT_PUBLIC_TOKEN, ZONEWRIGHT_OFFICE_TOKEN };
  return { desk, env };
}
type Started = Awaited<ReturnType<typeof start>>;

const recordsOf = async ({ desk: { services } }: Started) => [
  await services.public.records("example.com"),
  await services.office.records("example.com"),
];

test("plan: one log, summary, file and annotations for targets that change alike; apply of it, a run for each", async () => {
  const world = await start();
  const { desk, env } = world;
  const step = await runStep(desk, { command: "plan", plan: "plan.json", html: "plan.html", junit: "p.xml" }, { env });
  const { plans, effectDigest } = JSON.parse(desk.read("plan.json")) as PlanSet;
  const { "effect-digest": digest, creates, zones, "needs-approval": needs, result } = step.outputs;
  expect([step.code, result, digest, creates, zones, needs]).toEqual([0, "changes", effectDigest, "4", "2", "false"]);
  expect(plans.map(({ target }) => target.name)).toEqual(["public", "office"]);
  expect(step.log).toMatch(/^example\.com on public, office /);
  expect(step.summary.match(/^### .*/gm)).toEqual(["### Plan of zones on public, office: 2 changes in 1 zone"]);
  expect(step.annotations.filter((text) => text.includes("creates"))).toHaveLength(2);
  expect(desk.read("p.xml")).toContain('<testsuite name="example.com on public, office"');
  const one = await runStep(desk, { command: "plan", target: "office", plan: "office.json" }, { env });
  expect([one.code, JSON.parse(desk.read("office.json")).target.name]).toEqual([0, "office"]);
  const applied = await runStep(desk, { command: "apply", plan: "plan.json" }, { env });
  const { result: after, "effect-digest": same, "undo-id": ids = "" } = applied.outputs;
  expect([applied.code, after, same, ids.split(" ").length]).toEqual([0, "applied", effectDigest, 2]);
  expect(applied.summary.match(/^## .*/gm)).toEqual(["## On public", "## On office"]);
  expect(applied.log).toMatch(/^on public:\n[\s\S]*^on office:\n/m);
  expect(await recordsOf(world)).toEqual([["www A 192.0.2.1"], ["www A 192.0.2.1"]]);
  const verified = await runStep(desk, { command: "verify", verify: "api" }, { env });
  expect([verified.code, verified.outputs.result, verified.outputs.zones]).toEqual([0, "in-sync", "2"]);
});

test("an error of one target does not stop the others, in any command", async () => {
  const world = await start();
  const { desk, env } = world;
  desk.services.public.between = down;
  const planned = await runStep(desk, { command: "plan", plan: "plan.json" }, { env });
  expect([planned.code, planned.outputs.result, planned.outputs.creates]).toEqual([5, "partial", "2"]);
  expect(planned.summary).toContain("### Plan of zones on public: stopped by 1 error\n");
  const applied = await runStep(desk, { command: "apply" }, { env });
  expect([applied.code, applied.outputs.result]).toEqual([5, "partial"]);
  expect(applied.log).toMatch(/^on public:\nerror\[[\s\S]*^on office:\n/m);
  desk.services.public.between = undefined;
  expect(await recordsOf(world)).toEqual([undefined, ["www A 192.0.2.1"]]);
  // The file has no part for the target that could not be planned.
  const left = await runStep(desk, { command: "apply", plan: "plan.json" }, { env });
  expect([left.code, left.outputs.result, left.log]).toEqual([0, "in-sync", expect.stringMatching(/^on office:\n/)]);
});

test("a plan file from before `targets:` is refused", async () => {
  const world = await start();
  const { desk, env } = world;
  const config = desk.read("zonewright.yaml");
  desk.write("zonewright.yaml", `api_url: ${desk.services.public.url}\n`);
  await runStep(
    desk,
    { command: "plan", plan: "plan.json" },
    { env: { ZONEWRIGHT_TOKEN: env.ZONEWRIGHT_PUBLIC_TOKEN } },
  );
  desk.write("zonewright.yaml", config);
  const { code, outputs, log } = await runStep(desk, { command: "apply", plan: "plan.json" }, { env });
  expect([code, outputs.result, log]).toEqual([
    4,
    "refused",
    expect.stringContaining("plan.json is for a project without targets, but this is for the targets public, office"),
  ]);
  expect(await recordsOf(world)).toEqual([undefined, undefined]);
});

test("a guard of one target blocks its part alone", async () => {
  const world = await start();
  const { desk, env } = world;
  const many = Array.from({ length: 9 }, (_, index) => `  h${index}:\n    A: 192.0.2.${index}\n`).join("");
  desk.write("zones/example.com.yaml", zone + many);
  await runStep(desk, { command: "apply", target: "office" }, { env });
  desk.write("zones/example.com.yaml", zone);
  const planned = await runStep(desk, { command: "plan" }, { env });
  expect([planned.code, planned.outputs.result, planned.outputs["needs-approval"]]).toEqual([3, "blocked", "true"]);
  const applied = await runStep(desk, { command: "apply" }, { env });
  expect([applied.code, applied.outputs.result]).toEqual([5, "partial"]);
  expect((await recordsOf(world)).map((list) => list?.length)).toEqual([1, 10]);
});

test("snapshot publishes one for each target, drift compares with it, and a plan of a fork is made against it", async () => {
  const { desk, env } = await start();
  const origin = mkdtempSync(join(tmpdir(), "zonewright-origin-"));
  onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
  execFileSync("git", ["init", "-q", "--bare", origin]);
  gitIn(desk.folder)("init", "-q");
  gitIn(desk.folder)("remote", "add", "origin", origin);
  await runStep(desk, { command: "apply" }, { env });
  const saved = await runStep(desk, { command: "snapshot" }, { env });
  expect([saved.code, saved.outputs.result, saved.outputs.zones]).toEqual([0, "published", "2"]);
  const refs = execFileSync("git", ["-C", origin, "for-each-ref", "--format=%(refname)"], { encoding: "utf8" });
  expect(refs).toBe("refs/zonewright/targets/office\nrefs/zonewright/targets/public\n");
  const { office } = desk.services;
  const [{ id }] = (await office.call("GET", "/domains")).data;
  const [{ id: record }] = (await office.call("GET", `/domains/${id}/records`)).data;
  await office.call("PUT", `/domains/${id}/records/${record}`, { target: "192.0.2.9" });
  const found = await runStep(desk, { command: "drift", "fail-on": "drift", html: "drift.html" }, { env });
  expect([found.code, found.outputs.result, found.outputs.zones]).toEqual([2, "drift", "1"]);
  expect(found.summary.match(/^### .*/gm)).toEqual([
    "### Drift on public: in sync",
    "### Drift on office: 1 change outside git in 1 of 1 zone",
  ]);
  expect(found.annotations).toContain(
    "warning zones/example.com.yaml:1 drift: example.com on office: 1 change made outside git; the summary of the job lists it",
  );
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.2"));
  const against = "ref:refs/zonewright/targets/{target}";
  const planned = await runStep(desk, { command: "plan", against, comment: "off" });
  expect([planned.code, planned.outputs.result, planned.outputs.changes]).toEqual([0, "changes", "2"]);
  expect(planned.summary).toMatch(/^Planned against the snapshot of /);
});

test("validate looks for the published snapshot of each target", async () => {
  const { desk } = await start();
  const git = gitIn(desk.folder);
  git("init", "-q");
  const damaged = git("commit-tree", "-m", "empty", git("mktree").trim()).trim();
  git("update-ref", "refs/zonewright/targets/office", damaged);
  const step = await runStep(desk, { command: "validate" });
  expect(step.outputs.result).toBe("valid");
  expect(step.log).toMatchInlineSnapshot(`
    "note[freed-unknown] records that point to addresses of deleted nodes may be missed: "refs/zonewright/targets/office" is not a ref that zonewright has made: its commit does not consist of a file snapshot.json (on office)

    valid: 1 zone, 1 record, 1 note
    "
  `);
});

const refused: [inputs: Record<string, string>, says: string][] = [
  [{ command: "plan", token: "t0ken-of-nobody" }, "set ZONEWRIGHT_PUBLIC_TOKEN, ZONEWRIGHT_OFFICE_TOKEN in the env"],
  [{ command: "apply", "api-url": "https://api.example.com" }, '"api-url" works with one target at a time'],
  [
    { command: "plan", against: "ref:refs/zonewright/snapshot" },
    '"against" is one place for the targets public, office',
  ],
  [{ command: "drift", snapshot: "live.json" }, '"snapshot" is one place for the targets public, office'],
  [{ command: "drift", write: "true" }, '"write" works with one target at a time'],
  [{ command: "snapshot", ref: "refs/zonewright/all" }, '"ref" is one place for the targets public, office'],
  [{ command: "verify", verify: "auth", nameservers: "127.0.0.1" }, '"nameservers" works with one target at a time'],
  [{ command: "plan", "delete-zones": "example.net" }, '"delete-zones" works with one target at a time'],
  [{ command: "import", source: "api" }, "this works with one target at a time"],
];

test.each(titled(refused, ([inputs]) => `refuses ${JSON.stringify(inputs)} for several targets, before any request`))(
  "%s",
  async (_, inputs, says) => {
    const { desk, env } = await start();
    const step = await runStep(desk, inputs, { env });
    expect([step.outputs.result, step.log]).toEqual(["invalid", expect.stringContaining(says)]);
    expect([...desk.services.public.requests, ...desk.services.office.requests]).toEqual([]);
  },
);

const merged = "5".repeat(40);

/** A pull request that was planned, commented on and merged; `edit` changes its artifact. */
async function review(started: Started, edit: (text: string) => string = (text) => text) {
  const { desk, env } = started;
  const world = await startWorld();
  const { api, repository, pull } = world;
  desk.secrets.push(actionsToken, "ghs_token-of-plan", "ghs_token-of-apply");
  world.clientOf("ghs_token-of-plan", { contents: "read", pull_requests: "write" });
  world.clientOf("ghs_token-of-apply", { contents: "read", pull_requests: "read", actions: "read" });
  const repo = { full_name: "octo-org/zones" };
  const event = { pull_request: { number: pull.number, head: { sha: head, repo }, base: { repo } } };
  const hub = { GITHUB_API_URL: api.url, GITHUB_REPOSITORY: "octo-org/zones" };
  const inputs = { command: "plan", plan: "plan.json", "github-token": "ghs_token-of-plan" };
  const step = await runStep(desk, inputs, { env: { ...env, ...hub, GITHUB_RUN_ID: "7" }, event });
  api.artifacts.push({
    id: api.nextId(),
    repository,
    name: step.outputs["artifact-name"] ?? "",
    zip: zipSync({ "plan.json": Buffer.from(edit(desk.read("plan.json"))) }),
    isExpired: false,
    run: { id: 7, repository, branch: "new-names", sha: head },
    createdAt: "2026-03-04T12:00:00Z",
  });
  Object.assign(pull, { state: "closed", mergedAt: "2026-03-04T12:10:00Z", mergeCommit: merged });
  repository.branches.set("main", merged);
  repository.history.push(merged);
  api.runs.push({ id: 9, repository, workflow: 4, branch: "main", sha: merged, event: "push", conclusion: null });
  const push = { GITHUB_SHA: merged, GITHUB_REF_NAME: "main", GITHUB_REF_TYPE: "branch", GITHUB_RUN_ID: "9" };
  const apply = () =>
    runStep(
      desk,
      { command: "apply", plan: "auto", "github-token": "ghs_token-of-apply" },
      { env: { ...env, ...hub, ...push } },
    );
  return { step, apply, comments: api.commentsOf(pull) };
}

test("one comment shows the plans of all targets, and merging it approves the part of each", async () => {
  const started = await start();
  started.desk.write("zones/example.net.yaml", `targets: office\n${zone}`);
  const { step, apply, comments } = await review(started);
  expect([step.code, step.annotations.filter((text) => text.includes("no comment"))]).toEqual([0, []]);
  const { "effect-digest": digest = "" } = step.outputs;
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body.match(/^(?:Changes on|### ).*/gm)).toEqual([
    `Changes on 2 of 2 targets · effects \`${digest.slice(0, 8)}\``,
    "### Plan of zones on public, office: 4 changes in 2 zones",
  ]);
  const applied = await apply();
  expect([applied.code, applied.outputs.result, applied.outputs["effect-digest"]]).toEqual([0, "applied", digest]);
  expect(applied.log).toContain("the plan of pull request #1 (office)");
  expect(await recordsOf(started)).toEqual([["www A 192.0.2.1"], ["www A 192.0.2.1"]]);
  expect(await started.desk.services.office.records("example.net")).toEqual(["www A 192.0.2.1"]);
});

test("effects that the comment did not show on a target are refused there, and those of the other are applied", async () => {
  const started = await start();
  const { apply } = await review(started);
  started.desk.write("zones/example.net.yaml", `targets: office\n${zone}`);
  const applied = await apply();
  expect([applied.code, applied.outputs.result]).toEqual([5, "partial"]);
  expect(applied.log).toMatch(/^on office:\napproved: .*\nerror\[plan-effects\]/m);
  expect(await recordsOf(started)).toEqual([["www A 192.0.2.1"], undefined]);
});

test("an artifact whose parts were edited approves nothing on any target", async () => {
  const started = await start();
  const { apply } = await review(started, (text) => {
    const set = JSON.parse(text) as PlanSet;
    return JSON.stringify({ ...set, plans: set.plans.slice(1) });
  });
  const applied = await apply();
  expect([applied.code, applied.outputs.result]).toEqual([4, "refused"]);
  expect(applied.log).toContain("the plan of pull request #1 was edited after it was written");
  expect(await recordsOf(started)).toEqual([undefined, undefined]);
});
