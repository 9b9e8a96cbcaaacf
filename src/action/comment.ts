import { ProblemError } from "../diagnostics/problem.ts";
import { updateComment } from "../github/comment.ts";
import { type Annotation, annotationOf } from "../report/format/workflow-command.ts";
import { changedZones, pullRequestComment } from "../report/plan/pull-request-comment.ts";
import type { Planned } from "../report/plan/sections.ts";
import { readPullRequest } from "./event.ts";
import { openGitHub } from "./github.ts";
import type { Job } from "./job.ts";

/** Facts that a comment shows besides the plan. */
interface CommentFacts {
  /** How old the snapshot is that the plan was made against. */
  readonly age: string | undefined;
  /** Gives the digest of the plan file, for the digest of the comment (`CommentContext`). */
  readonly planOf: ((comment: string) => string) | undefined;
}

/**
 * Comments the plan on the pull request of this workflow. Returns a notice if it cannot: a token that may not write, as
 * in a pull request from a fork, does not fail the step.
 */
export async function commentPlan(
  job: Job,
  planned: Planned,
  { age, planOf }: CommentFacts,
): Promise<Annotation | undefined> {
  const { context, inputs, runner } = job;
  const { env } = context;
  const { comment: mode } = inputs;
  const pull = readPullRequest(env);
  if (mode === "off" || pull === undefined) return undefined;
  const token = inputs["github-token"];
  if (token === undefined) return skippedAnnotation('the input "github-token" is not set');
  const run = Number(env.GITHUB_RUN_ID ?? 0);
  try {
    const { github, repository, key } = openGitHub(job, token);
    const facts = { key, commit: pull.commit, run, now: context.now(), lead: age, planOf, reportUrl: runUrl(env) };
    const { outcome, url } = await updateComment(github, {
      repository,
      number: pull.number,
      key,
      mode,
      run,
      zones: changedZones(planned),
      render: (previous, others) =>
        pullRequestComment(planned, { ...facts, previous, others, isFinal: mode === "new" }),
    });
    runner.log(url === undefined ? `comment: ${outcome}\n` : `comment ${outcome}: ${url}\n`);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { problem } = error;
    // The token of a fork, or of a workflow without the permission, may not write: that is no fault of the plan.
    if (problem.id === "github/permission") return skippedAnnotation(problem.summary);
    return { ...annotationOf(problem, "action"), level: "warning" };
  }
}

function skippedAnnotation(reason: string): Annotation {
  return {
    level: "notice",
    title: "no comment",
    message: `No comment was written to the pull request: ${reason}. The summary of the job shows the plan.`,
  };
}

/** The page of this run, with its summary and artifacts. */
function runUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Job["context"]["env"]): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}
