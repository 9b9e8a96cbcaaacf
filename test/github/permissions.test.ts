import { describe, expect, test } from "vitest";
import { findArtifacts, readArtifact } from "../../src/github/artifact.ts";
import { updateComment } from "../../src/github/comment.ts";
import { GitHubError } from "../../src/github/github-error.ts";
import {
  containsCommit,
  findLastSuccess,
  findMerger,
  findReviews,
  findTip,
  listMergedPulls,
} from "../../src/github/merged.ts";
import { openPullRequest } from "../../src/github/pull-request.ts";
import type { Token } from "./stand-in.ts";
import { addPlanArtifact, head, startWorld, tip, type World } from "./world.ts";

type Permissions = Token["permissions"];

interface Use {
  readonly use: string;
  /** The permission that suffices, as GitHub's API and as workflows call it. */
  readonly permissions: Permissions;
  readonly named: string;
  readonly call: (world: World) => Promise<unknown>;
}

const uses: readonly Use[] = [
  {
    use: "write the comment with the plan",
    permissions: { pull_requests: "write" },
    named: "pull-requests: ",
    call: ({ github, named }) =>
      updateComment(github, {
        repository: named,
        number: 1,
        key: "default",
        mode: "sticky",
        run: 1,
        zones: ["example.com."],
        render: () => ({ body: "text", isEmpty: false }),
      }),
  },
  {
    use: "open a pull request",
    permissions: { pull_requests: "write" },
    named: "pull-requests: ",
    call: ({ github, named }) =>
      openPullRequest(github, {
        repository: named,
        branch: "drift",
        title: "t",
        body: "b",
        mark: "m",
      }),
  },
  {
    use: "find the merged pull requests",
    permissions: { pull_requests: "read" },
    named: "pull-requests: read",
    call: ({ github, named }) => listMergedPulls(github, named, "main").next(),
  },
  {
    use: "find reviews",
    permissions: { pull_requests: "read" },
    named: "pull-requests: read",
    call: ({ github, named }) => findReviews(github, named, 1),
  },
  {
    use: "find who merged",
    permissions: { pull_requests: "read" },
    named: "pull-requests: read",
    call: ({ github, named }) => findMerger(github, named, 1),
  },
  {
    use: "find the tip of a branch",
    permissions: { contents: "read" },
    named: "contents: read",
    call: ({ github, named }) => findTip(github, named, "main"),
  },
  {
    use: "compare commits",
    permissions: { contents: "read" },
    named: "contents: read",
    call: ({ github, named }) => containsCommit(github, named, { contained: tip, commit: head }),
  },
  {
    use: "find the last successful run",
    permissions: { actions: "read" },
    named: "actions: read",
    call: ({ github, named }) => findLastSuccess(github, named, { runId: 1, branch: "main" }),
  },
  {
    use: "read the artifact of a plan",
    permissions: { actions: "read" },
    named: "actions: read",
    call: async ({ github, named }) => {
      for (const artifact of await findArtifacts(github, named, "plan"))
        await readArtifact(github, named, artifact, "plan.json");
    },
  },
];

async function startFor(permissions: Permissions): Promise<World> {
  const world = await startWorld();
  const { api, repository } = world;
  repository.history.push(tip, head);
  repository.branches.set("drift", "d".repeat(40));
  const run = { id: 1, repository, branch: "main", sha: tip };
  api.runs.push({ ...run, workflow: 3, event: "push", conclusion: "success" });
  addPlanArtifact(world, run);
  return { ...world, github: world.clientOf("ghs_token-to-try", permissions) };
}

describe.each(uses)("to $use", ({ permissions, named, call }) => {
  test(`needs no more than ${JSON.stringify(permissions)}`, async () => {
    await call(await startFor(permissions));
  });

  test("names the permission that is missing", async () => {
    const all: Permissions = { actions: "read", contents: "read", pull_requests: "write" };
    const [name] = Object.keys(permissions) as (keyof Permissions)[];
    const rest = Object.fromEntries(Object.entries(all).filter(([other]) => other !== name));
    const error = await call(await startFor(rest)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(GitHubError);
    expect((error as GitHubError).problem).toMatchObject({
      id: "github/permission",
      summary: expect.stringContaining(named),
      fix: expect.stringContaining(named),
    });
  });
});
