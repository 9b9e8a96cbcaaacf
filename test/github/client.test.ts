import { inspect } from "node:util";
import { expect, test } from "vitest";
import * as z from "zod";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { createGitHub, type GitHubCall } from "../../src/github/client.ts";
import { actionsToken, startWorld } from "./world.ts";

const path = ["repos", "octo-org", "zones", "pulls", 1];
const at = "GET /repos/octo-org/zones/pulls/1";
const call: GitHubCall<{ number: number }> = {
  method: "GET",
  path,
  reply: z.object({ number: z.number() }),
  needs: "pull-requests: read",
};

const reset = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Date.UTC(2026, 2, 4, 12, 41) / 1000) };

test.each([
  {
    reply: { status: 401, body: { message: "Bad credentials" } },
    summary: 'GitHub does not accept the token (401 "Bad credentials")',
    fix: "Set the GitHub token to one that is valid and has not expired; in a workflow, pass `${{ github.token }}`.",
    id: "github/token",
  },
  {
    reply: { status: 403, body: { message: "Resource not accessible by integration" } },
    summary: 'the token lacks the permission `pull-requests: read` (403 "Resource not accessible by integration")',
    fix: "Add `pull-requests: read` to the permissions of the job or of the token. In a pull request from a fork, the token can only read.",
    id: "github/permission",
  },
  {
    reply: { status: 404, body: { message: "Not Found" } },
    summary: 'not found on GitHub (404 "Not Found")',
    fix: "Check the repository and the number. GitHub gives the same reply if the token lacks `pull-requests: read`.",
    id: "github/not-found",
  },
  {
    reply: {
      status: 422,
      body: { message: "Validation Failed", errors: [{ resource: "Issue", field: "body", code: "invalid" }] },
    },
    summary: 'GitHub rejects the request (422 "Validation Failed: Issue body invalid")',
    id: "github/invalid",
  },
  {
    reply: { status: 403, headers: reset, body: { message: "API rate limit exceeded for installation." } },
    summary:
      'the token has reached a rate limit of GitHub until 2026-03-04 12:41:00 UTC (403 "API rate limit exceeded for installation.")',
    fix: "Run it again after that time.",
    id: "github/rate",
  },
  {
    reply: { status: 301, headers: { location: "https://api.github.com/repositories/1" }, body: {} },
    summary: "GitHub redirects to https://api.github.com/repositories/1 (301)",
    fix: "Use the current name of the repository; it may have been renamed or moved.",
    id: "github/reply",
  },
  {
    reply: { status: 200, body: { number: "\u001b[31mone" } },
    summary: "the reply is not GitHub's: number: Invalid input: expected number, received string",
    fix: "Check GITHUB_API_URL, and any proxy between.",
    id: "github/reply",
  },
  {
    reply: { status: 403, body: { message: `\u001b[2J\u202e ${actionsToken} @octocat` } },
    summary: 'the token lacks the permission `pull-requests: read` (403 "\\x1b[2J\\u202e [token] @octocat")',
    fix: "Add `pull-requests: read` to the permissions of the job or of the token. In a pull request from a fork, the token can only read.",
    id: "github/permission",
  },
])("explains a reply of $reply.status as $id", async ({ reply, summary, fix, id }) => {
  const { api, github } = await startWorld();
  api.faults.push({ at, ...reply });
  const error = await github.call(call).catch((error) => error);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error.problem).toMatchObject({ id, summary: `${at}: ${summary}`, ...(fix !== undefined && { fix }) });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(actionsToken);
});

test.each([
  ["a GET after failures", "GET", [500, 502], [1000, 2000], "done"],
  ["a GET at most three times", "GET", [500, 500, 500, 500], [1000, 2000, 4000], "github/server"],
  ["a PATCH after a failure", "PATCH", [503], [1000], "done"],
  ["no POST after a failure", "POST", [500], [], "github/server"],
  ["a POST after a rate limit", "POST", [429], [60_000], "done"],
] as const)("repeats %s", async (_, method, statuses, expected, outcome) => {
  const { api, github, waits, repository } = await startWorld();
  repository.branches.set("drift", "d".repeat(40));
  const create = { path: path.slice(0, -1), body: { title: "t", head: "drift", base: "main" } };
  const request = {
    ...call,
    method,
    ...(method === "POST" && create),
    ...(method === "PATCH" && { body: { title: "t" } }),
  };
  for (const status of statuses) api.faults.push({ at: /./, status });
  const result = await github.call(request).then(
    () => "done",
    (error) => error.problem.id,
  );
  expect([result, waits]).toEqual([outcome, expected]);
});

test("waits as long as GitHub says after a secondary rate limit, but not for an hour", async () => {
  const { api, github, waits } = await startWorld();
  const body = { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." };
  api.faults.push({ at, status: 403, headers: { "retry-after": "30" }, body });
  expect(await github.call(call)).toEqual({ number: 1 });
  api.faults.push({ at, status: 403, headers: { "retry-after": "3600" }, body });
  await expect(github.call(call)).rejects.toThrow("until 2026-03-04 13:00:00 UTC");
  expect(waits).toEqual([30_000]);
});

test("never follows the link of a page to another host", async () => {
  const { api, github } = await startWorld();
  const link = '<https://evil.example/?page=2>; rel="next"';
  api.faults.push({ at: "GET /repos/octo-org/zones/pulls", status: 200, headers: { link }, body: [{ number: 7 }] });
  const pages: unknown[] = [];
  const list = {
    path: path.slice(0, -1),
    reply: z.array(z.object({ number: z.number() })),
    needs: "pull-requests: read",
  };
  for await (const page of github.pages(list, 5)) pages.push(page);
  expect(pages).toEqual([[{ number: 7 }], []]);
  expect(api.requests).toEqual([
    "GET /repos/octo-org/zones/pulls?per_page=100&page=1",
    "GET /repos/octo-org/zones/pulls?per_page=100&page=2",
  ]);
});

test("explains that GitHub cannot be reached", async () => {
  const { api } = await startWorld();
  const { url } = api;
  await api.close();
  const clock = { now: () => 0, sleep: async () => {} };
  const github = createGitHub({ token: actionsToken, apiUrl: `${url}/`, clock });
  await expect(github.call(call)).rejects.toMatchObject({
    problem: {
      id: "github/connect",
      summary: `${at}: no server listens at ${url}`,
      fix: "Check GITHUB_API_URL, the network and any firewall in between.",
    },
  });
});

test.each(["ftp://x", "https://user:secret@github.example/api/v3", "https://github.example/?x=1", "github.example"])(
  "does not accept or quote the address %s",
  (apiUrl) => {
    const message = "the address of GitHub's API is not an http or https URL";
    expect(() => createGitHub({ token: actionsToken, apiUrl })).toThrow(expect.objectContaining({ message }));
  },
);

test.each(["", "a b", "a\nb", "tökén"])("does not accept or quote the token %j", (token) => {
  const message = "the GitHub token is empty, or contains a space, a line break or a character outside ASCII";
  expect(() => createGitHub({ token })).toThrow(expect.objectContaining({ message }));
});

test("keeps the path of an Enterprise server, and encodes the segments of a path", async () => {
  const urls: string[] = [];
  const send = async (request: Request) => {
    urls.push(request.url);
    return Response.json({ number: 1 });
  };
  const github = createGitHub({ token: "t", apiUrl: "https://github.example/api/v3/", send });
  await github.call({ ...call, path: ["repos", "a/../b", "#?", 1] });
  expect(urls).toEqual(["https://github.example/api/v3/repos/a%2F..%2Fb/%23%3F/1"]);
  await expect(github.call({ ...call, path: ["repos", ".."] })).rejects.toThrow('".." cannot be part of a path');
});
