import * as z from "zod";
import type { GitHub } from "./client.ts";
import { GitHubError, isGone } from "./github-error.ts";
import { type Repository, repositoryApiPath } from "./repository.ts";

/** The rules of a branch that protect its review, of rulesets and of classic branch protection together. */
export interface Protection {
  /** Whether changes need a pull request. */
  readonly needsPull: boolean;
  /** Number of approvals that a pull request needs. */
  readonly approvals: number;
  readonly dismissesStale: boolean;
  readonly needsLastPushApproval: boolean;
  /** Names of the required status checks. */
  readonly checks: readonly string[];
  /** Whether a branch has to contain its base before the merge, or a merge queue sees to it. */
  readonly isUpToDate: boolean;
  /** Whether there may be more rules, which this token may not read. */
  readonly isPartial: boolean;
}

const pullRule = z.object({
  type: z.literal("pull_request"),
  parameters: z.object({
    dismiss_stale_reviews_on_push: z.boolean(),
    require_last_push_approval: z.boolean(),
    required_approving_review_count: z.int(),
  }),
});

const checksRule = z.object({
  type: z.literal("required_status_checks"),
  parameters: z.object({
    required_status_checks: z.array(z.object({ context: z.string() })),
    strict_required_status_checks_policy: z.boolean(),
  }),
});

const rule = z.union([pullRule, checksRule, z.object({ type: z.string() })]);

const classic = z.object({
  required_pull_request_reviews: z
    .object({
      dismiss_stale_reviews: z.boolean(),
      required_approving_review_count: z.int().optional(),
      require_last_push_approval: z.boolean().optional(),
    })
    .optional(),
  required_status_checks: z.object({ contexts: z.array(z.string()), strict: z.boolean().optional() }).optional(),
});

/** The branch that a repository names as its default. */
export async function findDefaultBranch(github: GitHub, repository: Repository): Promise<string> {
  const reply = z.object({ default_branch: z.string() });
  const call = { method: "GET", path: repositoryApiPath(repository), reply, needs: "metadata: read" } as const;
  return (await github.call(call)).default_branch;
}

/** The protection of a branch, as far as the token may read it. */
export async function findProtection(github: GitHub, repository: Repository, branch: string): Promise<Protection> {
  const rules: z.output<typeof rule>[] = [];
  const list = { path: repositoryApiPath(repository, "rules", "branches", branch), needs: "metadata: read" };
  const ofRules = await ifReadable(async () => {
    for await (const page of github.pages({ ...list, reply: z.array(rule) }, 10)) rules.push(...page);
    return rules;
  });
  const ofBranch = await ifReadable(() => readClassic(github, repository, branch));
  const pulls = rules.flatMap((one) => pullRule.safeParse(one).data?.parameters ?? []);
  const checks = rules.flatMap((one) => checksRule.safeParse(one).data?.parameters ?? []);
  const { required_pull_request_reviews: reviews, required_status_checks: statuses } = ofBranch ?? {};
  const counts = pulls.map((one) => one.required_approving_review_count);
  return {
    needsPull: pulls.length > 0 || reviews !== undefined,
    approvals: Math.max(0, reviews?.required_approving_review_count ?? 0, ...counts),
    dismissesStale: pulls.some((one) => one.dismiss_stale_reviews_on_push) || (reviews?.dismiss_stale_reviews ?? false),
    needsLastPushApproval:
      pulls.some((one) => one.require_last_push_approval) || (reviews?.require_last_push_approval ?? false),
    checks: [
      ...checks.flatMap((one) => one.required_status_checks.map(({ context }) => context)),
      ...(statuses?.contexts ?? []),
    ],
    isUpToDate:
      checks.some((one) => one.strict_required_status_checks_policy) ||
      (statuses?.strict ?? false) ||
      rules.some(({ type }) => type === "merge_queue"),
    isPartial: ofRules === undefined || ofBranch === undefined,
  };
}

/** The classic protection of a branch, which only administrators may read; empty if the branch has none. */
async function readClassic(
  github: GitHub,
  repository: Repository,
  branch: string,
): Promise<z.output<typeof classic> | undefined> {
  const path = repositoryApiPath(repository, "branches", branch);
  const reply = z.object({ protected: z.boolean() });
  const { protected: isProtected } = await github.call({ method: "GET", path, reply, needs: "contents: read" });
  if (!isProtected) return {};
  const needs = "administration: read";
  return github.call({ method: "GET", path: [...path, "protection"], reply: classic, needs });
}

/** Undefined if the token may not read it; GitHub replies with 404 as well then. */
async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isHidden = isGone(error) || (error instanceof GitHubError && error.problem.id === "github/permission");
    if (isHidden) return undefined;
    throw error;
  }
}

/** The branches and tags that may use an environment, as patterns. */
export type Deployers = "all" | "protected branches" | readonly string[];

/** The branches that may use an environment; undefined if there is none, or the token may not read it. */
export function findDeployers(github: GitHub, repository: Repository, name: string): Promise<Deployers | undefined> {
  return ifReadable(() => readDeployers(github, repository, name));
}

async function readDeployers(github: GitHub, repository: Repository, name: string): Promise<Deployers> {
  const needs = "actions: read";
  const path = repositoryApiPath(repository, "environments", name);
  const settings = z.object({ custom_branch_policies: z.boolean() }).nullable();
  const reply = z.object({ deployment_branch_policy: settings });
  const { deployment_branch_policy: policy } = await github.call({ method: "GET", path, reply, needs });
  if (policy === null) return "all";
  if (!policy.custom_branch_policies) return "protected branches";
  const list = z.object({ branch_policies: z.array(z.object({ name: z.string(), type: z.string().optional() })) });
  const query = { per_page: 100 };
  const call = { method: "GET", path: [...path, "deployment-branch-policies"], query, reply: list, needs } as const;
  const { branch_policies: policies } = await github.call(call);
  return policies.map(({ name, type }) => (type === "tag" ? `tag ${name}` : name));
}
