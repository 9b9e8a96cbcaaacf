import type { Fix } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Artifact, findArtifacts, readArtifact } from "../../github/artifact.ts";
import { findAuthor } from "../../github/author.ts";
import type { GitHub } from "../../github/client.ts";
import { findComments, findUneditedComments, type PlanComment } from "../../github/comment.ts";
import { GitHubError } from "../../github/github-error.ts";
import { approvalLine, type Marker } from "../../github/marker.ts";
import {
  containsCommit,
  findMerger,
  findReviews,
  findTip,
  listMergedPulls,
  type MergedPull,
  mayPush,
  timeOf,
} from "../../github/merged.ts";
import type { Repository } from "../../github/repository.ts";
import type { ApprovedPlan } from "../../planner/approval/approved-effects.ts";
import { effectDigest } from "../../planner/changes/effects.ts";
import type { SignatureRules } from "../../planner/plan-file/plan-signature.ts";
import { type FoundPlans, readApprovedPlan } from "./approved-plans.ts";

/** A commit to apply, whose changes were approved by merging pull requests. */
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
  /** The commit that was applied last (`findLastSuccess`): a plan that was merged up to it has been used. */
  readonly since?: string | undefined;
  /** Whether a pull request needs the approval of a person who neither wrote nor merged it. */
  readonly isSecondPersonNeeded?: boolean;
  readonly signatures?: SignatureRules | undefined;
}

/** The name of the artifact that a plan is uploaded as. */
export function artifactName(digest: string): string {
  return `zonewright-plan-${digest.slice(0, 16)}`;
}

/** The most artifacts of one name that are downloaded: a commit has one for each run of its plan. */
const mostArtifacts = 5;

/** The file in the artifact. */
const planFileName = "plan.json";

/** The most merged pull requests whose plans are looked for; the comments of each are a request. */
const mostPulls = 300;

/** The way back from every refusal: the next plan compares files with live zones, so it has the pending changes. */
export const planAgain =
  "Open a pull request in this repository, whatever it changes: its plan shows the pending changes too, and merging it approves them.";

/**
 * Finds the plans that were approved by merging pull requests since the last apply, whichever commits lie between.
 * The comment on a pull request names the digest of the effects and the commit that was planned. The plan itself is an
 * artifact of a run for that commit in the same repository, with just these effects. So the effects that a reviewer saw
 * are what is approved, and neither an edited comment nor an artifact from elsewhere changes them.
 *
 * A pull request that approves nothing is a refusal, which matters only to effects that no other one approves:
 * `approval/fork`, `approval/comment`, `approval/commit`, `approval/artifact`, `approval/expired`, `approval/people`,
 * those of `readApprovedPlan`, and `approval/direct-push` for a tip without a pull request.
 * @throws {ProblemError} `approval/replay`
 */
export async function findApprovedPlans(github: GitHub, search: ApprovedPlanSearch): Promise<FoundPlans> {
  const { repository, commit, branch, since } = search;
  const tip = await findTip(github, repository, branch);
  if (tip !== commit) {
    const summary = `commit ${short(commit)} is no longer the tip of "${branch}"; the tip is ${short(tip)}`;
    throw new ProblemError(
      problem("approval/replay", summary, { fix: `Apply ${short(tip)} instead; older commits are not applied again.` }),
    );
  }
  const author = search.author ?? (await findAuthor(github));
  const plans: ApprovedPlan[] = [];
  const refusals: Problem[] = [];
  let pulls = 0;
  let hasPull = false;
  for await (const pull of listMergedPulls(github, repository, branch)) {
    const { merge_commit_sha: merge } = pull;
    if (merge === commit) hasPull = true;
    if (merge === null || !(await containsCommit(github, repository, { commit, contained: merge }))) continue;
    // Earlier merges are contained, too.
    if (since !== undefined && (await containsCommit(github, repository, { commit: since, contained: merge }))) break;
    if (++pulls > mostPulls) break;
    try {
      plans.push(...(await findPlan(github, { ...search, author }, pull)));
    } catch (error) {
      if (!(error instanceof ProblemError) || error instanceof GitHubError) throw error;
      refusals.push(...error.problems);
    }
  }
  if (!hasPull) {
    const summary = `commit ${short(commit)} was pushed to "${branch}" without a pull request`;
    refusals.push(problem("approval/direct-push", summary));
  }
  return { plans, refusals, fix: planAgain };
}

type Search = ApprovedPlanSearch & { readonly author: number };

/** The approved plan of a pull request; none if its plan is empty. */
async function findPlan(github: GitHub, search: Search, pull: MergedPull): Promise<ApprovedPlan[]> {
  const { number, head, base } = pull;
  if (head.repo === null || head.repo.id !== base.repo?.id)
    throw refusal("approval/fork", `pull request #${number} is from a fork, whose plan is not trusted`);
  const comment = await findComment(github, search, pull);
  const { marker } = comment;
  if (marker.digest === effectDigest([])) return [];
  const isOther = await peopleOf(github, search, pull);
  if (search.isSecondPersonNeeded === true) await checkReviews(github, search, pull, { comment, isOther });
  if (marker.isWhole !== true) await checkWord(github, search, pull, { comment, isOther });
  const artifacts = await findPlanArtifacts(github, search, pull, marker);
  for (const artifact of artifacts) {
    const text = await readArtifact(github, search.repository, artifact, planFileName);
    const approved = readApprovedPlan(`the plan of pull request #${number}`, text, search.signatures);
    const { effectDigest, planDigest } = approved.plan;
    if (effectDigest === marker.digest && (marker.plan === undefined || marker.plan === planDigest)) return [approved];
  }
  throw refusal("approval/artifact", `the artifact of pull request #${number} is not the plan that its comment names`);
}

/** The newest comment with a plan that stood before the merge; it must be of the commit that was merged. */
async function findComment(github: GitHub, search: Search, { number, head, merged_at }: MergedPull) {
  const comments = await findComments(github, { ...search, number }, search.author);
  const readable = comments.flatMap(({ marker, ...one }) => (marker === undefined ? [] : [{ ...one, marker }]));
  const ofCommit = readable.filter(({ marker }) => marker.commit === head.sha);
  const inTime = ofCommit.findLast(({ updated_at }) => timeOf(updated_at) <= timeOf(merged_at ?? ""));
  if (inTime !== undefined) return inTime;
  if (ofCommit.length > 0)
    throw refusal("approval/comment", `the comment of pull request #${number} was written or edited after the merge`, {
      fix: requireCheck,
    });
  const last = readable.at(-1);
  if (last === undefined)
    throw refusal("approval/comment", `pull request #${number} has no comment with a plan`, { fix: requireCheck });
  const planned = short(last.marker.commit);
  throw refusal(
    "approval/commit",
    `the plan of pull request #${number} is of commit ${planned}, but ${short(head.sha)} was merged`,
    { fix: requireCheck },
  );
}

const requireCheck = "Require the check `plan` on the branch, so that the last push is planned before it is merged.";

/** Whether a person may approve for others: with two people, one who neither wrote nor merged the pull request. */
async function peopleOf(
  github: GitHub,
  { repository, isSecondPersonNeeded = false }: Search,
  { number, user }: MergedPull,
): Promise<(id: number) => boolean> {
  if (!isSecondPersonNeeded) return () => true;
  const merger = await findMerger(github, repository, number);
  return (id) => id !== user?.id && id !== merger?.id;
}

interface PlanInComment {
  readonly comment: PlanComment;
  readonly isOther: (id: number) => boolean;
}

/** Checks that a person approved the last commit after its plan was commented. */
async function checkReviews(
  github: GitHub,
  { repository }: Search,
  { number, head }: MergedPull,
  { comment, isOther }: PlanInComment,
): Promise<void> {
  const reviews = await findReviews(github, repository, number);
  const approvals = reviews.filter((review) => review.state === "APPROVED" && review.user?.type === "User");
  const byOthers = approvals.filter((review) => review.user && isOther(review.user.id));
  const ofCommit = byOthers.filter(({ commit_id }) => commit_id === head.sha);
  if (ofCommit.some(({ submitted_at }) => timeOf(submitted_at ?? "") >= timeOf(comment.updated_at))) return;
  const why =
    ofCommit.length > 0
      ? "was approved before its plan was commented"
      : byOthers.length > 0
        ? "was approved before its last push"
        : "has no approval by a person who neither wrote nor merged it";
  throw refusal("approval/people", `pull request #${number} ${why}`, {
    fix: "Have one person approve the last push once its plan is commented, and another person merge it. If one person works on this repository alone, set `two-people: false` in the apply workflow.",
  });
}

/** Checks that a person approved the effects by their digest, because the comment did not have room for all. */
async function checkWord(
  github: GitHub,
  { repository }: Search,
  { number }: MergedPull,
  { comment: { marker }, isOther }: PlanInComment,
): Promise<void> {
  for (const { user, body } of await findUneditedComments(github, repository, number)) {
    const [, digest] = /^ *zonewright approve effects ([0-9a-f]{16,64}) *$/m.exec(body.replaceAll("\r", "")) ?? [];
    if (digest === undefined || !marker.digest.startsWith(digest) || !isOther(user.id)) continue;
    if (await mayPush(github, repository, user.login)) return;
  }
  throw refusal("approval/not-shown", `the comment of pull request #${number} does not show every effect of its plan`, {
    fix: `Read its full report, and write \`${approvalLine(marker.digest)}\` in a comment on #${number}. Then run the apply again.`,
  });
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
    throw refusal("approval/expired", `the artifact "${name}" of pull request #${number} has expired`);
  if (own.length > 0)
    throw refusal("approval/commit", `the artifact "${name}" is of another commit than pull request #${number}`);
  if (all.length > 0)
    throw refusal("approval/fork", `the artifact "${name}" is of a fork, whose plans are not trusted`);
  throw refusal("approval/artifact", `the artifact "${name}" with the plan of pull request #${number} does not exist`, {
    fix: "The comment was edited, or the plan was not uploaded.",
  });
}

function refusal(id: ProblemId, summary: string, details: { fix?: Fix } = {}): ProblemError {
  return new ProblemError(problem(id, summary, details));
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
