import * as z from "zod";
import type { GitHub } from "./client.ts";
import { isGone } from "./github-error.ts";
import { type Repository, repositoryApiPath } from "./repository.ts";

const user = z.object({ id: z.int(), login: z.string(), type: z.string() });

const branchEnd = z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.int() }).nullable() });

const pull = z.object({
  number: z.int(),
  html_url: z.string(),
  user: user.nullable(),
  updated_at: z.string(),
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
  submitted_at: z.string().nullish(),
});

export type Review = z.output<typeof review>;

const readPulls = "pull-requests: read";
const readContents = "contents: read";

/** The commit at the tip of a branch. */
export async function findTip(github: GitHub, repository: Repository, branch: string): Promise<string> {
  const path = repositoryApiPath(repository, "git", "ref", "heads", ...branch.split("/"));
  const ref = z.object({ object: z.object({ sha: z.string() }) });
  return (await github.call({ method: "GET", path, reply: ref, needs: readContents })).object.sha;
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
  const path = repositoryApiPath(repository, "actions", "runs", runId);
  const { workflow_id } = await github.call({ method: "GET", path, reply: run, needs });
  const runs = z.object({ workflow_runs: z.array(z.object({ head_sha: z.string() })) });
  const query = { branch, event: "push", status: "success", per_page: 1 };
  const list = repositoryApiPath(repository, "actions", "workflows", workflow_id, "runs");
  return (await github.call({ method: "GET", path: list, query, reply: runs, needs })).workflow_runs[0]?.head_sha;
}

/** At most 5,000 closed pull requests are listed, with 50 requests. */
const mostPullPages = 50;

/** The pull requests that were merged into a branch of this repository, those that were merged last first. */
export async function* listMergedPulls(
  github: GitHub,
  repository: Repository,
  branch: string,
): AsyncGenerator<MergedPull & { readonly merged_at: string }> {
  const path = repositoryApiPath(repository, "pulls");
  const query = { state: "closed", base: branch, sort: "updated", direction: "desc" };
  let waiting: (MergedPull & { readonly merged_at: string })[] = [];
  for await (const page of github.pages({ path, query, reply: z.array(pull), needs: readPulls }, mostPullPages)) {
    const merged = page.flatMap((one) => (one.merged_at === null ? [] : [{ ...one, merged_at: one.merged_at }]));
    waiting.push(...merged.filter(({ base }) => base.ref === branch));
    waiting.sort((a, b) => timeOf(b.merged_at) - timeOf(a.merged_at) || b.number - a.number);
    // What follows was updated earlier, and so was merged earlier.
    const oldest = timeOf(page.at(-1)?.updated_at ?? "");
    yield* waiting.filter(({ merged_at }) => timeOf(merged_at) > oldest);
    waiting = waiting.filter(({ merged_at }) => !(timeOf(merged_at) > oldest));
  }
  yield* waiting;
}

/** A time of GitHub in milliseconds. */
export function timeOf(text: string): number {
  return Date.parse(text);
}

/** Whether the history of a commit contains another one; false as well if GitHub does not know one of them. */
export async function containsCommit(
  github: GitHub,
  repository: Repository,
  { commit, contained }: { readonly commit: string; readonly contained: string },
): Promise<boolean> {
  const path = repositoryApiPath(repository, "compare", `${contained}...${commit}`);
  const reply = z.object({ status: z.string() });
  try {
    const call = { method: "GET", path, query: { per_page: 1 }, reply, needs: readContents } as const;
    return ["ahead", "identical"].includes((await github.call(call)).status);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** The user that merged a pull request. */
export async function findMerger(github: GitHub, repository: Repository, number: number) {
  const path = repositoryApiPath(repository, "pulls", number);
  const merged = z.object({ merged_by: user.nullish() });
  return (await github.call({ method: "GET", path, reply: merged, needs: readPulls })).merged_by ?? undefined;
}

/** GitHub lists 250 commits of a pull request. */
const mostCommits = 250;

/**
 * The ids of the users that wrote or committed its commits; `many` if it has more commits than GitHub lists, `unknown`
 * if GitHub does not know who wrote or committed one, because no account has the e-mail address.
 */
export async function findCommitters(
  github: GitHub,
  repository: Repository,
  number: number,
): Promise<ReadonlySet<number> | "many" | "unknown"> {
  const path = repositoryApiPath(repository, "pulls", number, "commits");
  const who = z.object({ id: z.int().optional() }).nullish();
  const reply = z.array(z.object({ author: who, committer: who }));
  const found = new Set<number>();
  let commits = 0;
  let isKnown = true;
  for await (const page of github.pages({ path, reply, needs: readPulls }, 3)) {
    commits += page.length;
    for (const { author, committer } of page)
      for (const one of [author, committer]) {
        if (one?.id === undefined) isKnown = false;
        else found.add(one.id);
      }
  }
  if (commits >= mostCommits) return "many";
  return isKnown ? found : "unknown";
}

/** The id of the user who started a run, by a push or by reopening; undefined if GitHub does not tell. */
export async function findPusher(github: GitHub, repository: Repository, run: number): Promise<number | undefined> {
  const path = repositoryApiPath(repository, "actions", "runs", run);
  const reply = z.object({ actor: z.object({ id: z.int() }).nullish() });
  try {
    return (await github.call({ method: "GET", path, reply, needs: "actions: read" })).actor?.id;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The last review of each user that approves, requests changes or was dismissed. */
export async function findReviews(github: GitHub, repository: Repository, number: number): Promise<Review[]> {
  const path = repositoryApiPath(repository, "pulls", number, "reviews");
  const last = new Map<number, Review>();
  for await (const page of github.pages({ path, reply: z.array(review), needs: readPulls }, 30)) {
    // GitHub lists reviews in chronological order; a comment does not revoke an approval.
    for (const one of page) if (one.user && one.state !== "COMMENTED") last.set(one.user.id, one);
  }
  return [...last.values()];
}

/** Whether a user may push to a repository. */
export async function mayPush(github: GitHub, repository: Repository, login: string): Promise<boolean> {
  const path = repositoryApiPath(repository, "collaborators", login, "permission");
  const reply = z.object({ permission: z.string() });
  try {
    const { permission } = await github.call({ method: "GET", path, reply, needs: "metadata: read" });
    return ["admin", "write"].includes(permission);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
