import { relative, resolve } from "node:path";
import { findProxies } from "../client/proxy.ts";
import { ProblemError } from "../diagnostics/problem.ts";
import { createGitHub, type GitHub } from "../github/client.ts";
import { findLastSuccess } from "../github/merged.ts";
import { type Repository, readRepository } from "../github/repository.ts";
import type { SignatureRules } from "../planner/plan-file/plan-signature.ts";
import { type FoundPlans, readApprovedPlans } from "../workflow/plan/approved-plans.ts";
import { type ApprovedPlanSearch, findApprovedPlans } from "../workflow/plan/approved-pulls.ts";
import type { LoadPlanOptions } from "../workflow/plan/load-plan.ts";
import { inputProblem } from "./inputs.ts";
import type { Job } from "./job.ts";

/** A client of GitHub for a job, and the job's repository. */
export interface GitHubOfJob {
  readonly github: GitHub;
  readonly repository: Repository;
  /** Separates the comments of several configurations in one repository. */
  readonly key: string;
}

/** @throws {ProblemError} `github/repository`, `github/token`, `github/url` */
export function openGitHub({ context, inputs }: Pick<Job, "context" | "inputs">, token: string): GitHubOfJob {
  const { env } = context;
  const clock = { now: () => context.now().getTime(), sleep: context.sleep };
  return {
    github: createGitHub({ token, apiUrl: env.GITHUB_API_URL, clock, proxies: findProxies(env) }),
    repository: readRepository(env.GITHUB_REPOSITORY ?? ""),
    key: keyOf(relative(context.cwd, resolve(context.cwd, inputs.config))),
  };
}

/** The key of a config, given its path: one file has one key, however the input spells it. */
function keyOf(config: string): string {
  return config === "zonewright.yaml" ? "default" : config.replaceAll("\\", "/");
}

/**
 * The approved plan file, or for `auto` a search for the plans that were approved by merging pull requests.
 * @throws {ProblemError} `action-input`, and those of `readApprovedPlans`
 */
export function findApproved(
  job: Job,
  plan: string,
  signatures: SignatureRules,
): Pick<LoadPlanOptions, "approved" | "findPlans"> {
  if (plan !== "auto") return { approved: readApprovedPlans(job.context, [plan], signatures) };
  const search = readSearch(job);
  return {
    findPlans: async () => {
      const found = await findPlansOfPush(job, search, signatures);
      for (const { name, plan } of found.plans)
        job.runner.log(`approved: ${name} (effects ${plan.effectDigest.slice(0, 8)})\n`);
      return found;
    },
  };
}

interface PushedCommit extends Pick<ApprovedPlanSearch, "commit" | "branch"> {
  readonly token: string;
}

/** @throws {ProblemError} `action-input` */
function readSearch({ context, inputs }: Job): PushedCommit {
  const { GITHUB_SHA: commit, GITHUB_REF_NAME: branch, GITHUB_REF_TYPE } = context.env;
  const token = inputs["github-token"];
  if (token === undefined)
    throw new ProblemError(inputProblem('the input "plan" is "auto", which needs the input "github-token"'));
  if (!commit || !branch || GITHUB_REF_TYPE !== "branch")
    throw new ProblemError(
      inputProblem('the input "plan" is "auto", which needs a workflow that runs for a push to a branch'),
    );
  return { commit, branch, token };
}

async function findPlansOfPush(
  job: Job,
  { token, commit, branch }: PushedCommit,
  signatures: SignatureRules,
): Promise<FoundPlans> {
  const { context, inputs } = job;
  const { github, repository, key } = openGitHub(job, token);
  const since = await findLastSuccess(github, repository, { runId: Number(context.env.GITHUB_RUN_ID ?? 0), branch });
  const isSecondPersonNeeded = inputs["two-people"];
  const target = job.project.view?.name;
  return findApprovedPlans(github, {
    repository,
    commit,
    branch,
    key,
    since,
    signatures,
    isSecondPersonNeeded,
    target,
  });
}
