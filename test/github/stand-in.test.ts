import { Octokit } from "@octokit/rest";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { actionsToken, addPlanArtifact, head, startWorld, type World } from "./world.ts";

/** GitHub's own client, which shares no code with ours. */
function octokit({ api }: World, auth = actionsToken): Octokit {
  const quiet = () => {};
  return new Octokit({ auth, baseUrl: api.url, log: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
}

const zones = { owner: "octo-org", repo: "zones" };

test("Octokit writes, edits, lists and deletes a comment", async () => {
  const world = await startWorld();
  const { issues } = octokit(world).rest;
  const { data: made, status } = await issues.createComment({ ...zones, issue_number: 1, body: "one" });
  expect([status, made.body, made.user?.login]).toEqual([201, "one", "github-actions[bot]"]);
  await issues.updateComment({ ...zones, comment_id: made.id, body: "two" });
  expect((await issues.getComment({ ...zones, comment_id: made.id })).data.body).toBe("two");
  expect((await issues.listComments({ ...zones, issue_number: 1 })).data.map(({ body }) => body)).toEqual(["two"]);
  expect((await issues.deleteComment({ ...zones, comment_id: made.id })).status).toBe(204);
  await expect(issues.getComment({ ...zones, comment_id: made.id })).rejects.toMatchObject({ status: 404 });
});

test("Octokit follows the links of 250 comments", async () => {
  const world = await startWorld();
  for (let index = 0; index < 250; index++) world.api.addComment(world.pull, world.author, `comment ${index}`);
  const client = octokit(world);
  const all = await client.paginate(client.rest.issues.listComments, { ...zones, issue_number: 1, per_page: 100 });
  expect(all.map(({ body }) => body)).toEqual(Array.from({ length: 250 }, (_, index) => `comment ${index}`));
  expect(world.api.requests.length).toBe(3);
});

test("Octokit opens, edits, labels and finds a pull request", async () => {
  const world = await startWorld();
  world.repository.branches.set("drift", "d".repeat(40));
  const { issues, pulls, repos } = octokit(world).rest;
  const { data } = await pulls.create({ ...zones, title: "Drift", head: "drift", base: "main", body: "text" });
  expect([data.number, data.state, data.head.label, data.mergeable]).toEqual([2, "open", "octo-org:drift", true]);
  await issues.addLabels({ ...zones, issue_number: 2, labels: ["dns"] });
  await pulls.update({ ...zones, pull_number: 2, title: "Other" });
  const { data: open } = await pulls.list({ ...zones, head: "octo-org:drift" });
  expect(open.map(({ title, labels }) => [title, labels.map(({ name }) => name)])).toEqual([["Other", ["dns"]]]);
  const { data: ofCommit } = await repos.listPullRequestsAssociatedWithCommit({ ...zones, commit_sha: head });
  expect(ofCommit.map(({ number }) => number)).toEqual([1]);
  await expect(pulls.create({ ...zones, title: "Drift", head: "drift", base: "main" })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining("A pull request already exists for octo-org:drift."),
  });
});

test("Octokit finds an artifact by its name, and downloads it from the storage", async () => {
  const world = await startWorld();
  const run = { id: 5, repository: world.repository, branch: "new-names", sha: head };
  addPlanArtifact(world, run);
  const { actions } = octokit(world).rest;
  const { data } = await actions.listArtifactsForRepo({ ...zones, name: "plan" });
  expect(data.artifacts.map(({ id, workflow_run }) => [id, workflow_run?.head_sha])).toEqual([[9, head]]);
  const reply = await actions.downloadArtifact({ ...zones, artifact_id: 9, archive_format: "zip" });
  const files = unzipSync(new Uint8Array(reply.data as ArrayBuffer));
  expect(Object.keys(files)).toEqual(["plan.json"]);
});

test.each([
  ["without a permission", { contents: "read" as const }, 403, "Resource not accessible by integration"],
  ["with a permission to read only", { pull_requests: "read" as const }, 403, "Resource not accessible by integration"],
  ["with the permission for issues", { issues: "write" as const }, 201, ""],
])("a token %s writes a comment as GitHub allows", async (_, permissions, status, message) => {
  const world = await startWorld();
  world.clientOf("ghs_another-token", permissions);
  const { issues } = octokit(world, "ghs_another-token").rest;
  const reply = await issues.createComment({ ...zones, issue_number: 1, body: "x" }).catch((error) => error);
  expect(reply.status).toBe(status);
  if (status === 403) {
    expect(reply.message).toContain(message);
    expect(reply.response.headers["x-accepted-github-permissions"]).toBe("issues=write; pull_requests=write");
  }
});

test.each([
  ["blank", " ", "Body cannot be blank"],
  ["too long", "x".repeat(65_537), "Body is too long (maximum is 65536 characters)"],
])("a comment that is %s is refused", async (_, body, message) => {
  const { issues } = octokit(await startWorld()).rest;
  await expect(issues.createComment({ ...zones, issue_number: 1, body })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining(message),
  });
});

test("the token of a workflow may not ask who it is, a person's may", async () => {
  const world = await startWorld();
  await expect(octokit(world).rest.users.getAuthenticated()).rejects.toMatchObject({ status: 403 });
  world.clientOf("github_pat_alice", {}, { user: world.author, kind: "person" });
  expect((await octokit(world, "github_pat_alice").rest.users.getAuthenticated()).data.login).toBe("alice");
});
