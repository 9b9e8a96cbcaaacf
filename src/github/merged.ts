import * as z from "zod";
import type { GitHub } from "./client.ts";
import { isGone } from "./github-error.ts";
import { type Repository, repositoryPath } from "./repository.ts";

const user = z.object({ id: z.int(), login: z.string(), type: z.string() });

const branchEnd = z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.int() }).nullable() });

const pull = z.object({
  number: z.int(),
  html_url: z.string(),
  user: user.nullable(),
  merged_at: z.string().nullable(),
  merge_commit_sha: z.string().nullable(),
  head: branchEnd,
  base: branchEnd,
});

/** A pull request that was merged. */
export type MergedPull = z.output<typeof pull>;

const review = z.object({
  user: user.nullable(),
  state: z.string(),
  commit_id: z.string().nullish(),
});

export type Review = z.output<typeof review>;

const readPulls = "pull-requests: read";
const readContents = "contents: read";

/** The commit at the tip of a branch. */
export async function findTip(github: GitHub, repository: Repository, branch: string): Promise<string> {
  const path = repositoryPath(repository, "git", "ref", "heads", ...branch.split("/"));
  const ref = z.object({ object: z.object({ sha: z.string() }) });
  return (await github.call({ method: "GET", path, reply: ref, needs: readContents })).object.sha;
}

/** The pull requests that were merged into a branch of this repository and that contain a commit. */
export async function findMergedPulls(
  github: GitHub,
  repository: Repository,
  { commit, branch }: { readonly commit: string; readonly branch: string },
): Promise<MergedPull[]> {
  const path = repositoryPath(repository, "commits", commit, "pulls");
  const found: MergedPull[] = [];
  for await (const page of github.pages({ path, reply: z.array(pull), needs: readPulls }, 3)) found.push(...page);
  return found.filter(({ merged_at, base }) => merged_at !== null && base.ref === branch);
}

/**
 * The commit of the last run of the same workflow on a branch that was successful; undefined if there is none.
 * `runId` is that of the present run, as in GITHUB_RUN_ID.
 */
export async function findLastSuccess(
  github: GitHub,
  repository: Repository,
  { runId, branch }: { readonly runId: number; readonly branch: string },
): Promise<string | undefined> {
  const needs = "actions: read";
  const run = z.object({ workflow_id: z.int() });
  const path = repositoryPath(repository, "actions", "runs", runId);
  const { workflow_id } = await github.call({ method: "GET", path, reply: run, needs });
  const runs = z.object({ workflow_runs: z.array(z.object({ head_sha: z.string() })) });
  const query = { branch, event: "push", status: "success", per_page: 1 };
  const list = repositoryPath(repository, "actions", "workflows", workflow_id, "runs");
  return (await github.call({ method: "GET", path: list, query, reply: runs, needs })).workflow_runs[0]?.head_sha;
}

/** The commits after one commit up to another; undefined if the first is not an ancestor, or unknown. */
export async function findCommitsBetween(
  github: GitHub,
  repository: Repository,
  { since, commit }: { readonly since: string; readonly commit: string },
): Promise<{ readonly total: number; readonly commits: readonly string[] } | undefined> {
  const path = repositoryPath(repository, "compare", `${since}...${commit}`);
  const comparison = z.object({
    status: z.string(),
    total_commits: z.int(),
    commits: z.array(z.object({ sha: z.string() })),
  });
  try {
    const call = { method: "GET", path, query: { per_page: 100 }, reply: comparison, needs: readContents } as const;
    const { status, total_commits: total, commits } = await github.call(call);
    if (status !== "ahead" && status !== "identical") return undefined;
    return { total, commits: commits.map(({ sha }) => sha) };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The user that merged a pull request. */
export async function findMerger(github: GitHub, repository: Repository, number: number) {
  const path = repositoryPath(repository, "pulls", number);
  const merged = z.object({ merged_by: user.nullish() });
  return (await github.call({ method: "GET", path, reply: merged, needs: readPulls })).merged_by ?? undefined;
}

/** The last review of each user that approves, requests changes or was dismissed. */
export async function findReviews(github: GitHub, repository: Repository, number: number): Promise<Review[]> {
  const path = repositoryPath(repository, "pulls", number, "reviews");
  const last = new Map<number, Review>();
  for await (const page of github.pages({ path, reply: z.array(review), needs: readPulls }, 10)) {
    // GitHub lists reviews in chronological order; a comment does not revoke an approval.
    for (const one of page) if (one.user && one.state !== "COMMENTED") last.set(one.user.id, one);
  }
  return [...last.values()];
}
