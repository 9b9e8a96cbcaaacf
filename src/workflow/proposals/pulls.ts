import { findProxies } from "../../client/proxy.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { createGitHub } from "../../github/client.ts";
import { type OpenedPullRequest, openPullRequest } from "../../github/pull-request.ts";
import { readRepository } from "../../github/repository.ts";
import { currentBranch, pushBranch } from "../git/git-push.ts";
import type { RunContext } from "../project/run-context.ts";
import { type BranchRequest, type DoneBranches, type DriftBranch, eachBranch } from "./branches.ts";

/** The repository on GitHub, and the texts of its pull requests. */
export interface DriftPullsRequest extends Pick<BranchRequest, "isOwn" | "otherName"> {
  /** The token for GitHub; undefined if none is set. */
  readonly token: string | undefined;
  /** `owner/name`; undefined if none is set. */
  readonly repository: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly textOf: (drift: Pick<DriftBranch, "files" | "digest">) => { readonly title: string; readonly body: string };
}

/** The pull request for a branch with drift. */
export interface DriftPull extends OpenedPullRequest {
  readonly branch: string;
}

/**
 * Checks that pull requests can be opened, before anything is written.
 * @throws {ProblemError} `github/token`, `github/repository`, `github/url`
 */
export function connectToGitHub(
  { env, now, sleep }: Pick<RunContext, "env" | "now" | "sleep">,
  { token, repository, apiUrl }: Pick<DriftPullsRequest, "token" | "repository" | "apiUrl">,
) {
  if (!token) {
    const fix = "Set GITHUB_TOKEN to a token with `contents: write` and `pull-requests: write`.";
    throw problemError("github/token", "no GitHub token is set", { fix });
  }
  const clock = { now: () => now().getTime(), sleep };
  return {
    github: createGitHub({ token, apiUrl: apiUrl || undefined, clock, proxies: findProxies(env) }),
    repository: readRepository(repository ?? ""),
  };
}

/**
 * Pushes branches with drift to `origin`, and opens a pull request for each, or edits the one that it has. They are
 * merged into the branch that is checked out.
 * @throws {ProblemError} as `connectToGitHub`
 */
export async function openDriftPulls(
  context: Pick<RunContext, "cwd" | "env" | "now" | "sleep">,
  branches: readonly DriftBranch[],
  request: DriftPullsRequest,
): Promise<DoneBranches<DriftPull>> {
  const { cwd } = context;
  const { textOf, isOwn, otherName } = request;
  const { github, repository } = connectToGitHub(context, request);
  const base = currentBranch(cwd);
  return eachBranch(branches, async (drift) => {
    const { branch, commit } = drift;
    pushBranch(cwd, { branch, commit, isOwn, otherName });
    const draft = { repository, branch, base, mark: "drift", ...textOf(drift) };
    return { branch, ...(await openPullRequest(github, draft)) };
  });
}
