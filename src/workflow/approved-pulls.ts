import { ProblemError, problem } from "../diagnostics/problem.ts";
import type { ProblemId } from "../diagnostics/registry.ts";
import { type Artifact, findArtifacts, readArtifact } from "../github/artifact.ts";
import { findAuthor } from "../github/author.ts";
import type { GitHub } from "../github/client.ts";
import { findComments } from "../github/comment.ts";
import { GitHubError } from "../github/github-error.ts";
import type { Marker } from "../github/marker.ts";
import {
  findCommitsBetween,
  findMergedPulls,
  findMerger,
  findReviews,
  findTip,
  type MergedPull,
} from "../github/merged.ts";
import type { Repository } from "../github/repository.ts";
import type { ApprovedPlan } from "../planner/approved-effects.ts";
import { effectDigest } from "../planner/effects.ts";
import type { SignatureRules } from "../planner/plan-signature.ts";
import { readApprovedPlan } from "./approved-plans.ts";

/** A commit to apply, whose pull requests have approved plans. */
export interface ApprovedPlanSearch {
  readonly repository: Repository;
  /** The commit to apply, as in GITHUB_SHA; it must be the tip of the branch. */
  readonly commit: string;
  /** The name of the branch, as in GITHUB_REF_NAME. */
  readonly branch: string;
  /** The key of the comments (`CommentUpdate`). */
  readonly key: string;
  /** The id of the user that writes the comments; by default it is asked for. */
  readonly author?: number | undefined;
  /**
   * The commit that was applied last (`findLastSuccess`): the pull requests since then count, too, because an apply
   * that failed or was skipped leaves their changes to this one.
   */
  readonly since?: string | undefined;
  /** Whether a pull request needs the approval of a person who neither wrote nor merged it. */
  readonly isSecondPersonNeeded?: boolean;
  readonly signatures?: SignatureRules | undefined;
}

/** The most commits that are looked up, with one request each. */
const mostCommits = 100;

/** The name of the artifact that a plan is uploaded as. */
export function artifactName(digest: string): string {
  return `zonewright-plan-${digest.slice(0, 16)}`;
}

/** The most artifacts of one name that are downloaded: a commit has one for each run of its plan. */
const mostArtifacts = 5;

/** The file in the artifact. */
const planFileName = "plan.json";

/**
 * Finds the plans that were approved by merging their pull requests, for one commit or, with `since` or a merge queue,
 * for several. The comment on a pull request names the digest of the effects and the commit that was planned. The plan
 * itself is an artifact of a run for that commit in the same repository, with just these effects. So the effects that a
 * reviewer saw are what is approved, and neither an edited comment nor an artifact from elsewhere changes them.
 *
 * @throws {ProblemError} with a problem for each pull request or commit that approves nothing:
 * `approval/replay`, `approval/direct-push`, `approval/fork`, `approval/comment`, `approval/commit`,
 * `approval/artifact`, `approval/expired`, `approval/people`, and those of `readApprovedPlan`
 */
export async function findApprovedPlans(github: GitHub, search: ApprovedPlanSearch): Promise<ApprovedPlan[]> {
  const { repository, commit, branch } = search;
  const tip = await findTip(github, repository, branch);
  if (tip !== commit) {
    const summary = `commit ${short(commit)} is no longer the tip of "${branch}"; the tip is ${short(tip)}`;
    throw new ProblemError(
      problem("approval/replay", summary, { fix: `Apply ${short(tip)} instead; older commits are not applied again.` }),
    );
  }
  const commits = await listCommits(github, search);
  const { pulls, direct } = await listPulls(github, search, commits);
  const author = search.author ?? (await findAuthor(github));
  const plans: ApprovedPlan[] = [];
  const problems = direct.map((sha) =>
    problem("approval/direct-push", `commit ${short(sha)} was pushed to "${branch}" without a pull request`, {
      fix: "Change zones in pull requests, or review a plan of this commit and apply it with `--approved`.",
    }),
  );
  for (const pull of pulls) {
    try {
      plans.push(...(await findPlan(github, { ...search, author }, pull)));
    } catch (error) {
      if (!(error instanceof ProblemError) || error instanceof GitHubError) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return plans;
}

/** The commits to apply, the newest last. */
async function listCommits(github: GitHub, { repository, commit, since }: ApprovedPlanSearch): Promise<string[]> {
  const between = since === undefined ? undefined : await findCommitsBetween(github, repository, { since, commit });
  if (between === undefined) return [commit];
  if (between.total > mostCommits || between.total > between.commits.length) {
    const summary = `${between.total} commits since ${short(since ?? "")}, which was applied last; the limit is ${mostCommits}`;
    throw refusal("approval/commit", summary, { fix: reviewAgain });
  }
  return between.commits.includes(commit) ? [...between.commits] : [...between.commits, commit];
}

/** The pull requests that brought commits to the branch, and the commits without one. */
async function listPulls(github: GitHub, { repository, branch }: ApprovedPlanSearch, commits: readonly string[]) {
  const all = new Set(commits);
  const pulls = new Map<number, MergedPull>();
  const direct: string[] = [];
  for (const commit of commits) {
    const merged = await findMergedPulls(github, repository, { commit, branch });
    const found = merged.filter(({ merge_commit_sha: sha }) => sha !== null && all.has(sha));
    for (const pull of found) pulls.set(pull.number, pull);
    if (found.length === 0) direct.push(commit);
  }
  return { pulls: [...pulls.values()].sort((a, b) => a.number - b.number), direct };
}

type Search = ApprovedPlanSearch & { readonly author: number };

/** The approved plan of a pull request; none if its plan is empty. */
async function findPlan(github: GitHub, search: Search, pull: MergedPull): Promise<ApprovedPlan[]> {
  const { number, head, base } = pull;
  if (head.repo === null || head.repo.id !== base.repo?.id)
    throw refusal("approval/fork", `pull request #${number} is from a fork, whose plan is not trusted`, {
      fix: "Push its branch to this repository and open a pull request from there, or review a plan and apply it with `--approved`.",
    });
  const marker = await findMarker(github, search, pull);
  if (search.isSecondPersonNeeded === true) await checkPeople(github, search, pull);
  if (marker.digest === effectDigest([])) return [];
  const artifacts = await findPlanArtifacts(github, search, pull, marker);
  for (const artifact of artifacts) {
    const text = await readArtifact(github, search.repository, artifact, planFileName);
    const approved = readApprovedPlan(`the plan of pull request #${number}`, text, search.signatures);
    const { effectDigest, planDigest } = approved.plan;
    if (effectDigest === marker.digest && (marker.plan === undefined || marker.plan === planDigest)) return [approved];
  }
  const summary = `the artifact of pull request #${number} is not the plan that its comment names`;
  throw refusal("approval/artifact", summary, { fix: reviewAgain });
}

const reviewAgain = "Review a plan of the current commit, and apply it with `--approved`.";

/** The marker of the newest comment, which must be of the commit that was merged. */
async function findMarker(github: GitHub, search: Search, { number, head }: MergedPull): Promise<Marker> {
  const comments = await findComments(github, { ...search, number }, search.author);
  const markers = comments.flatMap(({ marker }) => marker ?? []);
  const [first] = markers;
  if (first === undefined)
    throw refusal("approval/comment", `pull request #${number} has no comment with a plan`, {
      fix: "Require the check of the plan workflow, so that its comment is written before a merge.",
    });
  const marker = markers.findLast(({ commit }) => commit === head.sha);
  if (marker !== undefined) return marker;
  const planned = short((markers.at(-1) ?? first).commit);
  throw refusal(
    "approval/commit",
    `the plan of pull request #${number} is of commit ${planned}, but ${short(head.sha)} was merged`,
    { fix: "Require the check of the plan workflow, so that the last push is planned before it is merged." },
  );
}

/** Artifacts with the plan: of runs for the merged commit, in this repository, and not expired. The newest first. */
async function findPlanArtifacts(
  github: GitHub,
  { repository }: Search,
  { number, head, base }: MergedPull,
  { digest }: Marker,
): Promise<Artifact[]> {
  const name = artifactName(digest);
  const all = await findArtifacts(github, repository, name);
  const own = all.filter(({ workflow_run: run }) => {
    const repo = base.repo?.id;
    return run?.repository_id === repo && run?.head_repository_id === repo && repo !== undefined;
  });
  const ofCommit = own.filter(({ workflow_run: run }) => run?.head_sha === head.sha);
  const usable = ofCommit.filter(({ expired }) => !expired);
  if (usable.length > 0) return usable.slice(0, mostArtifacts);
  if (ofCommit.length > 0)
    throw refusal("approval/expired", `the artifact "${name}" of pull request #${number} has expired`, {
      fix: reviewAgain,
    });
  if (own.length > 0)
    throw refusal("approval/commit", `the artifact "${name}" is of another commit than pull request #${number}`, {
      fix: reviewAgain,
    });
  if (all.length > 0)
    throw refusal("approval/fork", `the artifact "${name}" is of a fork, whose plans are not trusted`, {
      fix: reviewAgain,
    });
  throw refusal("approval/artifact", `the artifact "${name}" with the plan of pull request #${number} does not exist`, {
    fix: `The comment was edited, or the plan was not uploaded. ${reviewAgain}`,
  });
}

/** Checks that a person approved the last commit who neither wrote nor merged the pull request. */
async function checkPeople(github: GitHub, { repository }: Search, { number, user, head }: MergedPull): Promise<void> {
  const merger = await findMerger(github, repository, number);
  const reviews = await findReviews(github, repository, number);
  const isOther = (id: number) => id !== user?.id && id !== merger?.id;
  const approvals = reviews.filter((review) => review.state === "APPROVED" && review.user?.type === "User");
  const byOthers = approvals.filter((review) => review.user && isOther(review.user.id));
  if (byOthers.some(({ commit_id }) => commit_id === head.sha)) return;
  const why =
    byOthers.length > 0
      ? "was approved before its last push"
      : "has no approval by a person who neither wrote nor merged it";
  throw refusal("approval/people", `pull request #${number} ${why}`, {
    fix: "Have one person approve the last push, and another person merge it.",
  });
}

function refusal(id: ProblemId, summary: string, details: { fix?: string } = {}): ProblemError {
  return new ProblemError(problem(id, summary, details));
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
