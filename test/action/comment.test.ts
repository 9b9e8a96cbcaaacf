// @suite long

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ApiDesk, apiDesk, lines } from "../cli/run.ts";
import { actionsToken, head, startWorld, type World } from "../github/world.ts";
import { runStep, type StepResult } from "./step.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www: { A: 192.0.2.1 }
    mail: { A: 192.0.2.25 }
`;

/** The event of a pull request, as GitHub writes it; `from` is the repository of its branch. */
function pullEvent({ pull }: World, { from = "octo-org/zones", commit = head } = {}) {
  const repo = { full_name: "octo-org/zones", private: false };
  return {
    action: "synchronize",
    number: pull.number,
    pull_request: {
      number: pull.number,
      head: { sha: commit, ref: "new-names", repo: { full_name: from } },
      base: { ref: "main", repo },
    },
    repository: repo,
  };
}

function variables({ api }: World, run = 7) {
  return {
    GITHUB_API_URL: api.url,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "octo-org/zones",
    GITHUB_RUN_ID: `${run}`,
  };
}

interface PlanOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly commit?: string;
  readonly run?: number;
}

/** Runs plan for the pull request, with the token of the workflow unless another is given. */
async function plan(desk: ApiDesk, world: World, { inputs, from, commit, run }: PlanOptions = {}): Promise<StepResult> {
  const usual = { command: "plan", token: desk.token, "api-url": desk.url, "github-token": actionsToken };
  const event = pullEvent(world, { ...(from && { from }), ...(commit && { commit }) });
  return runStep(desk, { ...usual, ...inputs }, { env: variables(world, run), event });
}

/** The comments on the pull request, without their markers. */
function shown({ api, pull }: World): string[] {
  return api.commentsOf(pull).map(({ body }) => body.replace(/^<!-- zonewright:plan .*? -->\n/, ""));
}

async function start(files: Record<string, string> = { "zones/example.com.yaml": zone }) {
  const [desk, world] = await Promise.all([apiDesk(files), startWorld()]);
  desk.secrets.push(actionsToken);
  return { desk, world };
}

test("two pushes edit one comment, which says when the plan becomes empty", async () => {
  const { desk, world } = await start();
  const first = await plan(desk, world, { run: 7 });
  expect([first.code, first.outputs.result]).toEqual([0, "changes"]);
  expect(shown(world)).toEqual([expect.stringMatching(/^### Plan of zones: 3 changes in 1 of 1 zone\n/)]);
  expect(shown(world)[0]).toContain("[full report](<https://github.example/octo-org/zones/actions/runs/7>)");
  expect(first.log).toContain("comment created: ");

  desk.write("zones/example.com.yaml", zone.replace("  mail: { A: 192.0.2.25 }\n", ""));
  const second = await plan(desk, world, { run: 8, commit: "91aa".padEnd(40, "0") });
  expect(second.log).toContain("comment edited: ");
  expect(shown(world)).toHaveLength(1);
  expect(shown(world)[0]).toContain("**Since the last push (`4be19c2`)**: 0 new, 1 no longer planned");
  expect(shown(world)[0]).toContain(
    `<details><summary>1 push ago <code>${first.outputs["effect-digest"]?.slice(0, 8)}</code>`,
  );

  expect((await desk.run("apply --yes")).code).toBe(0);
  const third = await plan(desk, world, { run: 9, commit: "77bb".padEnd(40, "0") });
  expect([third.code, third.outputs.result]).toEqual([0, "in-sync"]);
  expect(shown(world)).toHaveLength(1);
  expect(shown(world)[0]).toMatch(/^### Plan of zones: in sync\n/);
  expect(shown(world)[0]).toContain("**The plan is empty now**");
});

const modes: readonly (readonly [comment: string, comments: number, log: RegExp])[] = [
  ["sticky", 1, /comment created: /],
  ["new", 1, /comment created: /],
  ["on-change", 1, /comment created: /],
  ["off", 0, /^(?!.*comment)/s],
];

test.each(modes)("comment %s leads to %i comment", async (comment, comments, log) => {
  const { desk, world } = await start();
  const step = await plan(desk, world, { inputs: { comment } });
  expect(step.code).toBe(0);
  expect(world.api.commentsOf(world.pull)).toHaveLength(comments);
  expect(step.log).toMatch(log);
});

test("on-change writes no first comment while there is nothing to change", async () => {
  const { desk, world } = await start();
  expect((await desk.run("apply --yes")).code).toBe(0);
  const step = await plan(desk, world, { inputs: { comment: "on-change" } });
  expect([step.code, step.outputs.result, world.api.commentsOf(world.pull).length]).toEqual([0, "in-sync", 0]);
  expect(step.log).toContain("comment: none\n");
});

test("two configurations have a comment each", async () => {
  const { desk, world } = await start({
    "zones/example.com.yaml": zone,
    "other.yaml": "zones: more\n",
    "more/example.net.yaml": zone,
  });
  await plan(desk, world);
  await plan(desk, world, { inputs: { config: "other.yaml" } });
  expect(shown(world).map((text) => /Config: `[^`]*`/.exec(text)?.[0])).toEqual([undefined, "Config: `other.yaml`"]);
});

test("outside of a pull request nothing is commented, and GitHub is not asked", async () => {
  const { desk, world } = await start();
  const inputs = { command: "plan", token: desk.token, "api-url": desk.url, "github-token": actionsToken };
  const step = await runStep(desk, inputs, { env: variables(world), event: { ref: "refs/heads/main", commits: [] } });
  expect([step.code, step.outputs.result, world.api.requests]).toEqual([0, "changes", []]);
});

test("a fork's run with a token that only reads passes: a notice, the summary and the plan file are there", async () => {
  const { desk, world } = await start();
  world.clientOf("ghs_read-only-token", { contents: "read", pull_requests: "read" });
  const inputs = { "github-token": "ghs_read-only-token" };
  const step = await plan(desk, world, { inputs, from: "mallory/zones" });
  expect([step.code, step.outputs.result, world.api.commentsOf(world.pull)]).toEqual([0, "changes", []]);
  expect(step.annotations[0]).toBe(
    'notice no comment: No comment was written to the pull request: POST /repos/octo-org/zones/issues/1/comments: the token lacks the permission `issues: write` or `pull-requests: write` (403 "Resource not accessible by integration"). The summary of the job shows the plan.',
  );
  expect(step.summary).toContain("### Plan of zones: 3 changes");
});

test("a run without any secret plans against a published snapshot, and says how old it is", async () => {
  const { desk, world } = await start();
  expect((await desk.run("apply --yes")).code).toBe(0);
  const made = await desk.run("snapshot --out live.json");
  expect(made.code).toBe(0);
  // The clock of the process is the real one, so the snapshot is made to be three hours old.
  const snapshot = JSON.parse(desk.read("live.json"));
  const taken = `${new Date(Date.now() - 3.5 * 3_600_000).toISOString().slice(0, 19)}Z`;
  desk.write("live.json", JSON.stringify({ ...snapshot, time: taken }));
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1 ", "192.0.2.2 "));

  const step = await runStep(
    desk,
    { command: "plan", against: "live.json", sarif: "out/findings.sarif" },
    { env: variables(world), event: pullEvent(world, { from: "mallory/zones" }) },
  );
  const age = `against the snapshot of ${taken}, 3 hours old`;
  expect([step.code, step.outputs.result, step.outputs.changes]).toEqual([0, "changes", "1"]);
  expect(step.log).toContain(`planned ${age}\n`);
  expect(step.summary).toMatch(new RegExp(`^Planned ${age}\\.\n\n### Plan of zones: 1 change in 1 of 1 zone\n`));
  expect(step.annotations[0]).toBe(
    'notice no comment: No comment was written to the pull request: the input "github-token" is not set. The summary of the job shows the plan.',
  );
  expect(JSON.parse(desk.read("out/findings.sarif"))).toMatchObject({ version: "2.1.0" });
  expect(world.api.requests).toEqual([]);
});

test("the comment says how old the snapshot is", async () => {
  const { desk, world } = await start();
  expect((await desk.run("snapshot --out live.json")).code).toBe(0);
  const step = await runStep(
    desk,
    { command: "plan", against: "live.json", "github-token": actionsToken },
    { env: variables(world), event: pullEvent(world) },
  );
  expect(step.code).toBe(0);
  expect(shown(world)[0]).toMatch(
    /^Planned against the snapshot of `2026-03-04T12:00:00Z`, \d+ hours old\.\n\n### Plan/,
  );
});

test.each([
  ["GitHub fails", { at: /^GET .*\/comments/, status: 500 }],
  [
    "the conversation is locked",
    { at: /^POST .*\/comments/, status: 403, body: { message: "Unable to create comment because issue is locked." } },
  ],
])("a plan passes with a warning if %s", async (_, fault) => {
  const { desk, world } = await start();
  for (let index = 0; index < 5; index++) world.api.faults.push(fault);
  const step = await plan(desk, world);
  expect([step.code, step.outputs.result]).toEqual([0, "changes"]);
  expect(step.annotations[0]).toMatch(/^(?:warning github\/server|warning github\/locked|notice no comment): /);
});

test("a damaged event, or one of another kind, is no pull request", async () => {
  const { desk, world } = await start();
  const folder = join(desk.folder, "events");
  mkdirSync(folder);
  for (const [name, text] of Object.entries({ broken: "{", empty: "", other: '{"pull_request": {"number": "7"}}' })) {
    writeFileSync(join(folder, name), text);
    const env = { ...variables(world), GITHUB_EVENT_PATH: join(folder, name) };
    const inputs = { command: "plan", token: desk.token, "api-url": desk.url, "github-token": actionsToken };
    expect((await runStep(desk, inputs, { env })).code).toBe(0);
  }
  expect(world.api.requests).toEqual([]);
});
