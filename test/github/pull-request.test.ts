import { expect, test } from "vitest";
import { openPullRequest, type PullRequestDraft } from "../../src/github/pull-request.ts";
import { hostileTexts } from "../report/hostile-texts.ts";
import { startWorld, type World } from "./world.ts";

const branch = "zonewright/drift/example.com";

async function startDrift(): Promise<World> {
  const world = await startWorld();
  world.repository.branches.set(branch, "d".repeat(40));
  return world;
}

function open({ github, named }: World, rest: Partial<PullRequestDraft> = {}) {
  const draft = { repository: named, branch, mark: "drift", title: "Adopt changes", body: "1 change\n", ...rest };
  return openPullRequest(github, draft);
}

const shown = ({ api }: World) =>
  api.pulls.slice(1).map(({ number, title, body, base }) => [number, base.ref, title, body]);

test("opens one pull request for a branch, and edits it from then on", async () => {
  const world = await startDrift();
  const url = "https://github.com/octo-org/zones/pull/2";
  expect(await open(world)).toEqual({ outcome: "created", number: 2, url });
  expect(await open(world)).toEqual({ outcome: "unchanged", number: 2, url });
  expect(await open(world, { body: "2 changes\n" })).toEqual({ outcome: "edited", number: 2, url });
  expect(shown(world)).toEqual([[2, "main", "Adopt changes", "<!-- zonewright:drift -->\n2 changes\n"]]);
  expect(world.api.requests.slice(0, 3)).toEqual([
    "GET /repos/octo-org/zones/pulls?state=open&head=octo-org%3Azonewright%2Fdrift%2Fexample.com&per_page=100&page=1",
    "GET /repos/octo-org/zones",
    "POST /repos/octo-org/zones/pulls",
  ]);
});

test("opens another one after the first was closed", async () => {
  const world = await startDrift();
  await open(world);
  for (const pull of world.api.pulls) pull.state = "closed";
  expect(await open(world)).toMatchObject({ outcome: "created", number: 3 });
});

test("leaves a pull request of the same branch alone that it did not open", async () => {
  const world = await startDrift();
  const { api, repository, author } = world;
  const head = { repository, ref: branch, sha: "d".repeat(40) };
  api.addPull({ repository, user: author, head, title: "Mine", body: "text\n<!-- zonewright:drift -->\n" });
  expect(await open(world)).toMatchObject({ outcome: "left", number: 2 });
  expect(shown(world)).toEqual([[2, "main", "Mine", "text\n<!-- zonewright:drift -->\n"]]);
});

test("two runs at once open one pull request", async () => {
  const world = await startDrift();
  const outcomes = await Promise.all([open(world), open(world)]);
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["created", "unchanged"]);
  expect(shown(world)).toHaveLength(1);
});

test("does not open a second one if the reply to the first is lost", async () => {
  const world = await startDrift();
  world.api.faults.push({ at: /^POST /, status: 502, isAfter: true });
  expect(await open(world)).toMatchObject({ outcome: "unchanged", number: 2 });
});

test.each<[string, (world: World) => void, Partial<PullRequestDraft>, string, string]>([
  [
    "a branch that was not pushed",
    () => {},
    { branch: "other" },
    'GitHub rejects the request (422 "Validation Failed: PullRequest head invalid")',
    "",
  ],
  [
    "a branch without changes",
    ({ repository }) => repository.branches.set(branch, repository.branches.get("main") ?? ""),
    {},
    `GitHub rejects the request (422 "Validation Failed: No commits between main and ${branch}")`,
    "",
  ],
  [
    "a repository that does not let workflows open pull requests",
    ({ api }) => {
      api.isActionsAllowed = false;
    },
    {},
    'the settings of the repository forbid it (403 "GitHub Actions is not permitted to create or approve pull requests.")',
    "Allow GitHub Actions to create pull requests (Settings, Actions, General), or use the token of a GitHub App.",
  ],
])("explains %s", async (_, change, draft, summary, fix) => {
  const world = await startDrift();
  change(world);
  await expect(open(world, draft)).rejects.toMatchObject({
    problem: { summary: `POST /repos/octo-org/zones/pulls: ${summary}`, ...(fix && { fix }) },
  });
});

test("a title is one line of at most 256 characters, whatever it contains", async () => {
  const world = await startDrift();
  await open(world, { title: `a\r\n::error::x ${"é".repeat(300)}` });
  expect(world.api.pulls.at(-1)?.title).toBe(`a ::error::x ${"é".repeat(243)}`);
});

test("sends names of branches as they are", async () => {
  const world = await startDrift();
  for (const text of hostileTexts.filter((text) => Buffer.from(text).toString() === text && text.trim() !== "")) {
    const name = `drift/${text}`;
    world.repository.branches.set(name, "d".repeat(40));
    // A colon separates the owner from the branch in GitHub's API; git allows none in the name of a branch.
    if (name.includes(":")) continue;
    expect(await open(world, { branch: name })).toMatchObject({ outcome: "created" });
    expect(world.api.pulls.at(-1)).toMatchObject({ head: { ref: name } });
  }
});
