import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { type ApiDesk, apiDesk, lines } from "../cli/run.ts";
import { actionsToken, head, startWorld, type World } from "../github/world.ts";
import { runStep } from "./step.ts";

const file = "zones/example.com.yaml";
const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www: { A: 192.0.2.1 }
    mail: { A: 192.0.2.25 }
`;
const merged = "5".repeat(40);
const runs = { plan: "7", apply: "9" };

/** The permissions of the token in each workflow, as docs/action.md and the examples give them. */
const permissions = {
  plan: { contents: "read", pull_requests: "write" },
  apply: { contents: "read", pull_requests: "read", actions: "read" },
} as const;

function variables({ api }: World, run: string) {
  return { GITHUB_API_URL: api.url, GITHUB_REPOSITORY: "octo-org/zones", GITHUB_RUN_ID: run };
}

/** Plans the pull request, comments, uploads the plan, and merges it by a squash. */
async function review(desk: ApiDesk, world: World, rest: Readonly<Record<string, string>> = {}): Promise<string> {
  const { api, repository, pull } = world;
  world.clientOf("ghs_token-of-plan", permissions.plan);
  const repo = { full_name: "octo-org/zones" };
  const event = { pull_request: { number: pull.number, head: { sha: head, repo }, base: { repo } } };
  const inputs = { token: desk.token, "api-url": desk.url, plan: "plan.json", ...rest };
  const env = variables(world, runs.plan);
  const step = await runStep(desk, { ...inputs, command: "plan", "github-token": "ghs_token-of-plan" }, { env, event });
  expect([step.code, step.annotations.filter((text) => text.includes("no comment"))]).toEqual([0, []]);
  const zip = zipSync({ "plan.json": Buffer.from(desk.read("plan.json")) });
  api.artifacts.push({
    id: api.nextId(),
    repository,
    name: step.outputs["artifact-name"] ?? "",
    zip,
    isExpired: false,
    run: { id: 7, repository, branch: "new-names", sha: head },
    createdAt: "2026-03-04T12:00:00Z",
  });
  Object.assign(pull, { state: "closed", mergedAt: "2026-03-04T12:10:00Z", mergeCommit: merged });
  repository.branches.set("main", merged);
  repository.history.push(merged);
  return step.outputs["effect-digest"] ?? "";
}

/** Runs apply for the merge, with a token that has exactly the documented permissions. */
function applyMerged(desk: ApiDesk, world: World, given: Readonly<Record<string, string | undefined>> = {}) {
  const { api, repository } = world;
  world.clientOf("ghs_token-of-apply", permissions.apply);
  const env = {
    ...variables(world, runs.apply),
    GITHUB_SHA: merged,
    GITHUB_REF_NAME: "main",
    GITHUB_REF_TYPE: "branch",
  };
  api.runs.push({ id: 9, repository, workflow: 4, branch: "main", sha: merged, event: "push", conclusion: null });
  const inputs = { command: "apply", plan: "auto", token: desk.token, "api-url": desk.url };
  return runStep(desk, { ...inputs, "github-token": "ghs_token-of-apply" }, { env: { ...env, ...given } });
}

async function start() {
  const [desk, world] = await Promise.all([apiDesk({ [file]: zone }), startWorld()]);
  desk.secrets.push(actionsToken, "ghs_token-of-plan", "ghs_token-of-apply");
  return { desk, world };
}

test("plan auto applies what the reviewer of the merged pull request saw", async () => {
  const { desk, world } = await start();
  const digest = await review(desk, world);
  const step = await applyMerged(desk, world);
  expect([step.code, step.outputs.result, step.outputs["effect-digest"]]).toEqual([0, "applied", digest]);
  expect(step.log).toContain(`approved: the plan of pull request #1 (effects ${digest.slice(0, 8)})\n`);
  expect(desk.writes.length).toBeGreaterThan(0);
});

test("plan auto refuses files that do more than was reviewed", async () => {
  const { desk, world } = await start();
  await review(desk, world);
  desk.write(file, `${zone}  more: { A: 192.0.2.99 }\n`);
  const step = await applyMerged(desk, world);
  expect([step.code, step.outputs.result, desk.writes]).toEqual([4, "refused", []]);
  expect(step.annotations[0]).toContain("error zones/example.com.yaml:5 plan-effects: more.example.com A: creating");
});

test("plan auto refuses an older commit", async () => {
  const { desk, world } = await start();
  await review(desk, world);
  world.repository.branches.set("main", "6".repeat(40));
  const step = await applyMerged(desk, world);
  expect([step.code, step.outputs.result, desk.writes]).toEqual([4, "refused", []]);
  expect(step.annotations[0]).toContain("error approval/replay: ");
});

test("two-people refuses what only its author has approved", async () => {
  const { desk, world } = await start();
  await review(desk, world);
  world.pull.mergedBy = world.author;
  const step = await applyMerged(desk, world, { "INPUT_TWO-PEOPLE": "true" });
  expect([step.code, step.outputs.result, desk.writes]).toEqual([4, "refused", []]);
  expect(step.annotations[0]).toContain("error approval/people: pull request #1 has no approval by a person");
});

test("delete-zones plans the deletion of a domain, and applies it once that is approved", async () => {
  const { desk, world } = await start();
  await desk.call("POST", "/domains", { domain: "old.example", type: "master", soa_email: "a@old.example" });
  const isThere = async () => (await desk.call("GET", "/domains")).data.map((one: { domain: string }) => one.domain);
  await review(desk, world, { "delete-zones": "old.example", allow: "G06" });
  const without = await applyMerged(desk, world);
  expect([without.outputs.result, await isThere()]).toEqual(["applied", ["old.example", "example.com"]]);
  const step = await applyMerged(desk, world, { "INPUT_DELETE-ZONES": "old.example" });
  expect([step.outputs.result, await isThere()]).toEqual(["applied", ["example.com"]]);
});

test.each([
  [{ GITHUB_REF_TYPE: "tag" }, "which needs a workflow that runs for a push to a branch"],
  [{ GITHUB_SHA: "" }, "which needs a workflow that runs for a push to a branch"],
  [{ "INPUT_GITHUB-TOKEN": "" }, 'which needs the input "github-token"'],
])("plan auto with %j fails with the name of the input", async (given, message) => {
  const { desk, world } = await start();
  const step = await applyMerged(desk, world, given);
  expect([step.code, step.outputs.result]).toEqual([64, "invalid"]);
  expect(step.annotations).toEqual([
    expect.stringContaining(`error action-input: the input "plan" is "auto", ${message}`),
  ]);
});
