import type { Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem, problemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Artifact, findArtifacts, readArtifact } from "../../github/artifact.ts";
import { findAuthor } from "../../github/author.ts";
import type { GitHub } from "../../github/client.ts";
import { findPullComments, findUneditedComments, type PlanComment } from "../../github/comment.ts";
import { GitHubError } from "../../github/github-error.ts";
import { approvalLine, commentDigest, hasApprovalLine, type Marker } from "../../github/marker.ts";
import {
  containsCommit,
  findCommitters,
  findMerger,
  findPusher,
  findReviews,
  findTip,
  listMergedPulls,
  type MergedPull,
  mayPush,
  type Review,
  timeOf,
} from "../../github/merged.ts";
import type { Repository } from "../../github/repository.ts";
import type { ApprovedPlan } from "../../planner/approval/approved-effects.ts";
import { createEffectPool } from "../../planner/approval/remainder.ts";
import { digestEffects } from "../../planner/changes/effects.ts";
import { effectOf } from "../../planner/plan-file/plan-file.ts";
import type { SignatureRules } from "../../planner/plan-file/plan-signature.ts";
import { type FoundPlans, readApproved } from "./approved-plans.ts";

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
  /** Whether a pull request needs the approval of a person who may push, and neither wrote, pushed nor merged it. */
  readonly isSecondPersonNeeded?: boolean;
  readonly signatures?: SignatureRules | undefined;
  /** The target whose part of a plan of several targets is applied. */
  readonly target?: string | undefined;
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
  "Open a pull request in this repository, whatever it changes: its plan shows the pending changes too, and merging it approves them. If a guard blocks them, add the entries that its comment shows to acks.yaml in the same pull request.";

/**
 * Finds the plans that were approved by merging pull requests since the last apply, whichever commits lie between.
 * The comment on a pull request names the digest of the effects and the commit that was planned. The plan itself is an
 * artifact of a run for that commit in the same repository, with just these effects and the digest of the comment. So
 * a reviewer approves exactly the effects that the comment showed: an edited comment, or an artifact from elsewhere,
 * approves nothing. A plan that was made after the merge of another one ends the approval of effects that it lacks.
 *
 * A pull request that approves nothing is a refusal, which matters only to effects that no other one approves:
 * `approval/fork`, `approval/comment`, `approval/commit`, `approval/artifact`, `approval/expired`, `approval/people`,
 * `approval/withdrawn`, those of `readApprovedPlan`, and `approval/direct-push` for a tip without a pull request.
 * @throws {ProblemError} `approval/replay`
 */
export async function findApprovedPlans(github: GitHub, search: ApprovedPlanSearch): Promise<FoundPlans> {
  const { repository, commit, branch, since } = search;
  const tip = await findTip(github, repository, branch);
  if (tip !== commit) {
    const summary = `commit ${short(commit)} is no longer the tip of "${branch}"; the tip is ${short(tip)}`;
    throw problemError("approval/replay", summary, {
      fix: `Apply ${short(tip)} instead; older commits are not applied again.`,
    });
  }
  const author = search.author ?? (await findAuthor(github));
  const plans: ApprovedPlan[] = [];
  const refusals: Problem[] = [];
  /** The plans of the pull requests that were merged later, also those that approve nothing or cannot be read. */
  const later: (CommentedPlan | UnreadablePlan)[] = [];
  let pulls = 0;
  let hasPull = false;
  for await (const pull of listMergedPulls(github, repository, branch)) {
    const { merge_commit_sha: merge } = pull;
    if (merge === commit) hasPull = true;
    if (merge === null || !(await containsCommit(github, repository, { commit, contained: merge }))) continue;
    // Earlier merges are contained, too.
    if (since !== undefined && (await containsCommit(github, repository, { commit: since, contained: merge }))) break;
    if (++pulls > mostPulls) {
      const summary = `more than ${mostPulls} pull requests were merged since the last apply that succeeded; only the last ${mostPulls} of them approve changes`;
      refusals.unshift(problem("approval/bound", summary));
      break;
    }
    const comments = isFromFork(pull) ? [] : await findPlanComments(github, { ...search, author }, pull);
    try {
      const found = await findPlan(github, search, pull, comments);
      const { approved, withdrawn } = withoutWithdrawn(found, pull, later);
      later.push(found);
      refusals.push(...withdrawn);
      if (approved === undefined || approved.plan.changes.length === 0) continue;
      checkComment(found);
      await checkPeople(github, search, pull, found);
      plans.push(approved);
    } catch (error) {
      if (!(error instanceof ProblemError) || error instanceof GitHubError) throw error;
      refusals.push(...error.problems);
      const isRead = later.some(({ number }) => number === pull.number);
      if (!isRead && comments.length > 0) later.push({ number: pull.number, plan: "unreadable" });
    }
  }
  if (!hasPull) {
    const summary = `commit ${short(commit)} was pushed to "${branch}" without a pull request`;
    refusals.push(problem("approval/direct-push", summary));
  }
  return { plans, refusals, fix: planAgain };
}

/** The plan of a merged pull request, as its comment shows it. */
interface CommentedPlan {
  readonly number: number;
  readonly comment: PlanComment;
  /** Absent if the plan is empty, as is its artifact. */
  readonly approved?: ApprovedPlan;
  readonly artifact?: Artifact;
  /** The runs for the merged commit that made such a plan. */
  readonly runs?: readonly number[];
}

/** A pull request with a comment of a plan that cannot be read, so it counts as withdrawing every older approval. */
interface UnreadablePlan {
  readonly number: number;
  readonly plan: "unreadable";
}

/** A fork's plans are made by a stranger's workflow. */
function isFromFork({ head, base }: MergedPull): boolean {
  return head.repo === null || head.repo.id !== base.repo?.id;
}

/** The comments of a pull request that show plans, the oldest first. */
async function findPlanComments(
  github: GitHub,
  search: ApprovedPlanSearch & { readonly author: number },
  { number }: MergedPull,
): Promise<PlanComment[]> {
  const comments = await findPullComments(github, { ...search, number }, search.author);
  return comments.flatMap(({ marker, ...one }) => (marker === undefined ? [] : [{ ...one, marker }]));
}

/** The plan of a pull request; the text of the comment and the people are checked later. */
async function findPlan(
  github: GitHub,
  search: ApprovedPlanSearch,
  pull: MergedPull,
  comments: readonly PlanComment[],
): Promise<CommentedPlan> {
  const { number } = pull;
  if (isFromFork(pull))
    throw refusal("approval/fork", `pull request #${number} is from a fork, whose plan is not trusted`);
  const comment = chooseComment(pull, comments);
  const { marker } = comment;
  if (marker.digest === digestEffects([])) return { number, comment };
  const artifacts = await findPlanArtifacts(github, search, pull, marker);
  const runs = artifacts.flatMap(({ workflow_run: run }) => run?.id ?? []);
  for (const artifact of artifacts) {
    const text = await readArtifact(github, search.repository, artifact, planFileName);
    const file = readApproved(`the plan of pull request #${number}`, text, search.signatures);
    const { effectDigest, planDigest, parts } = file;
    if (effectDigest !== marker.digest || (marker.plan !== undefined && marker.plan !== planDigest)) continue;
    const approved = parts.find(({ partOf, plan }) => partOf === undefined || plan.target.name === search.target);
    if (approved === undefined) {
      const summary = `the plan of pull request #${number} has no part for the target ${search.target}`;
      throw refusal("approval/artifact", summary);
    }
    return { number, comment, approved, artifact, runs };
  }
  throw refusal("approval/artifact", `the artifact of pull request #${number} is not the plan that its comment names`);
}

/**
 * The most milliseconds by which a comment may be newer than the artifact: the run writes the comment first, but the
 * clocks may differ.
 */
const mostSkew = 60_000;

/**
 * Checks that a comment is the text that its plan names, and that it was not edited since. An editor's name would not
 * do: a workflow in any branch edits as the user that wrote it. An edit that was taken back shows in the time.
 */
function checkComment({ number, comment, approved, artifact }: CommentedPlan): void {
  const { plan } = approved ?? {};
  const made = artifact?.created_at;
  const why =
    plan?.comment === undefined
      ? `the plan of pull request #${number} does not name its comment: another version made it, or no comment was written`
      : plan.comment !== commentDigest(comment.body ?? "")
        ? `the comment of pull request #${number} was edited: it is not the text of its plan`
        : made && timeOf(comment.updated_at) > timeOf(made) + mostSkew
          ? `the comment of pull request #${number} was edited after its plan was made`
          : undefined;
  if (why !== undefined) throw refusal("approval/comment", why);
}

/**
 * The plan without the effects that plans of later pull requests no longer include. A later plan that was made before
 * the merge says nothing about them.
 */
function withoutWithdrawn(
  { number, approved }: CommentedPlan,
  { merged_at }: MergedPull,
  later: readonly (CommentedPlan | UnreadablePlan)[],
): { approved?: ApprovedPlan; withdrawn: readonly Problem[] } {
  if (approved === undefined) return { withdrawn: [] };
  let { changes } = approved.plan;
  const withdrawn: Problem[] = [];
  for (const one of later) {
    if ("plan" in one) {
      const summary = `pull request #${one.number} may have withdrawn the plan of pull request #${number}: its own plan cannot be read`;
      if (changes.length > 0) withdrawn.push(problem("approval/withdrawn", summary));
      changes = [];
      continue;
    }
    if (timeOf(one.comment.updated_at) <= timeOf(merged_at ?? "")) continue;
    const left = createEffectPool(one.approved?.plan.changes.map(effectOf) ?? []);
    const skipped = new Set(one.approved?.plan.skipped?.map(({ zone }) => zone));
    const kept = changes.filter((change) => skipped.has(change.zone) || left.take(effectOf(change)));
    const gone = changes.length - kept.length;
    changes = kept;
    if (gone === 0) continue;
    const summary = `pull request #${one.number} no longer plans ${count(gone, "effect")} of the plan of pull request #${number}`;
    withdrawn.push(problem("approval/withdrawn", summary));
  }
  return { approved: { ...approved, plan: { ...approved.plan, changes } }, withdrawn };
}

/** The newest comment with a plan that stood before the merge; it must be of the commit that was merged. */
function chooseComment({ number, head, merged_at }: MergedPull, readable: readonly PlanComment[]): PlanComment {
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

/** Checks who approved the plan, where that is needed. */
async function checkPeople(
  github: GitHub,
  search: ApprovedPlanSearch,
  pull: MergedPull,
  { comment, runs = [] }: CommentedPlan,
): Promise<void> {
  const isOther = await othersOf(github, search, pull, runs);
  if (search.isSecondPersonNeeded === true) await checkReviews(github, search, pull, { comment, isOther });
  if (comment.marker.isWhole !== true) await checkWord(github, search, pull, { comment, isOther });
}

/** Whether a person may approve for others: with two people, one who neither wrote, pushed nor merged it. */
async function othersOf(
  github: GitHub,
  { repository, isSecondPersonNeeded = false }: ApprovedPlanSearch,
  { number, user }: MergedPull,
  runs: readonly number[],
): Promise<(id: number) => boolean> {
  if (!isSecondPersonNeeded) return () => true;
  const committers = await findCommitters(github, repository, number);
  if (committers === "many")
    throw refusal(
      "approval/people",
      `pull request #${number} has more commits than GitHub lists, so their authors are not known`,
    );
  if (committers === "unknown")
    throw refusal("approval/people", `pull request #${number} has commits of which GitHub does not know the author`, {
      fix: "Add the e-mail address of these commits to the account of their author at GitHub, or commit with an address that it has.",
    });
  const merger = await findMerger(github, repository, number);
  // A run can be started again, or by reopening the pull request: whoever started one of them may have pushed.
  const pushers = await Promise.all(runs.map((run) => findPusher(github, repository, run)));
  const own = new Set([user?.id, merger?.id, ...pushers, ...committers]);
  return (id) => !own.has(id);
}

interface PlanInComment {
  readonly comment: PlanComment;
  readonly isOther: (id: number) => boolean;
}

/** Checks that a person who may push approved the last commit after its plan was commented, and none objects. */
async function checkReviews(
  github: GitHub,
  { repository }: ApprovedPlanSearch,
  { number, head }: MergedPull,
  { comment, isOther }: PlanInComment,
): Promise<void> {
  const counting: (Review & { readonly user: NonNullable<Review["user"]> })[] = [];
  for (const { user, ...review } of await findReviews(github, repository, number))
    if (user?.type === "User" && (await mayPush(github, repository, user.login))) counting.push({ ...review, user });
  const objection = counting.find(({ state }) => state === "CHANGES_REQUESTED");
  const byOthers = counting.filter(({ state, user }) => state === "APPROVED" && isOther(user.id));
  const ofCommit = byOthers.filter(({ commit_id }) => commit_id === head.sha);
  const inTime = ofCommit.filter(({ submitted_at }) => timeOf(submitted_at ?? "") >= timeOf(comment.updated_at));
  if (objection === undefined && inTime.length > 0) return;
  const why =
    objection !== undefined
      ? `has a review of ${escapeControl(objection.user.login)} that requests changes`
      : ofCommit.length > 0
        ? "was approved before its plan was commented"
        : byOthers.length > 0
          ? "was approved before its last push"
          : "has no approval by a person who may push, and neither wrote, pushed nor merged it";
  throw refusal("approval/people", `pull request #${number} ${why}`, {
    fix: "Have one person approve the last push once its plan is commented, and another person merge it. If one person works on this repository alone, set `two-people: false` in the apply workflow.",
  });
}

/** Checks that a person approved the effects by their digest, because the comment did not have room for all. */
async function checkWord(
  github: GitHub,
  { repository }: ApprovedPlanSearch,
  { number }: MergedPull,
  { comment: { marker }, isOther }: PlanInComment,
): Promise<void> {
  for (const { user, body } of await findUneditedComments(github, repository, number)) {
    if (!hasApprovalLine(body, marker.digest) || !isOther(user.id)) continue;
    if (await mayPush(github, repository, user.login)) return;
  }
  throw refusal("approval/not-shown", `the comment of pull request #${number} does not show every effect of its plan`, {
    fix: `Read its full report, and write \`${approvalLine(marker.digest)}\` as a line of its own in a comment on #${number}. Then run the apply again.`,
  });
}

/** Artifacts with the plan: of runs for the merged commit, in this repository, and not expired. The newest first. */
async function findPlanArtifacts(
  github: GitHub,
  { repository }: ApprovedPlanSearch,
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
  return problemError(id, summary, details);
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
