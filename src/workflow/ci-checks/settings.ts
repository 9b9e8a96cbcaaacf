import * as z from "zod";
import { findProxies } from "../../client/proxy.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { createGitHub, type GitHub } from "../../github/client.ts";
import { findDeployers } from "../../github/protection.ts";
import { type Repository, readRepository } from "../../github/repository.ts";
import type { RunContext } from "../project/run-context.ts";
import { tryGit } from "../project/run-git.ts";
import type { Examination } from "../start/doctor.ts";
import { examineBranch } from "./branch.ts";
import { notChecked } from "./not-checked.ts";
import type { ActionStep } from "./workflow-files.ts";

/** The settings of the repository on GitHub, as far as a token may read them. */
export async function examineSettings(
  { env, now, sleep }: RunContext,
  top: string,
  steps: readonly ActionStep[],
): Promise<Examination[]> {
  const others = notChecked("settings", "values of secrets and variables, CODEOWNERS, and who may bypass the rules");
  const what = "the protection of the main branch and of the environment";
  const token = env.GH_TOKEN || env.GITHUB_TOKEN;
  if (!token)
    return [notChecked("settings", what, "Set GITHUB_TOKEN to a token that may read the repository."), others];
  const found: Examination[] = [];
  const look = async (subject: string, action: (github: GitHub, repository: Repository) => Promise<Examination[]>) => {
    try {
      const clock = { now: () => now().getTime(), sleep };
      const github = createGitHub({ token, apiUrl: env.GITHUB_API_URL, clock, proxies: findProxies(env) });
      found.push(...(await action(github, repositoryOf(env, top))));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      found.push(notChecked(subject, error.problem.summary, error.problem.fix));
    }
  };
  const apply = steps.find(({ role }) => role === "apply");
  const branch = branchOf(apply) ?? "main";
  const checks = steps.filter(({ role, events }) => ["validate", "plan"].includes(role) && "pull_request" in events);
  await look("branch", (github, repository) =>
    examineBranch(github, repository, { branch, checks: [...new Set(checks.map(({ check }) => check))] }),
  );
  const { environment } = apply ?? {};
  if (environment !== undefined)
    await look("environment", async (github, repository) => {
      const deployers = await findDeployers(github, repository, environment);
      const subject = "environment";
      if (deployers === undefined) {
        const next = `Create it, and let only ${branch} use it: GitHub creates a missing one that every branch may use.`;
        const text = `${environment} does not exist, or the token lacks \`actions: read\``;
        return [{ subject, state: "warn", text, next }];
      }
      if (Array.isArray(deployers) && deployers.length > 0 && deployers.every((name) => name === branch))
        return [{ subject, state: "ok", text: `only ${branch} may use ${environment}` }];
      const who = typeof deployers === "string" ? deployers : deployers.join(", ");
      const text = `${who === "all" ? "all branches" : who || "no branch"} may use ${environment}`;
      return [
        {
          subject,
          state: deployers === "all" ? "fail" : "warn",
          text,
          next: `Let only ${branch} use the environment ${environment}, because it has the token that writes.`,
        },
      ];
    });
  return [...found, others];
}

/** The branch that a workflow runs for, if it names one. */
function branchOf(step: ActionStep | undefined): string | undefined {
  const push = z.object({ branches: z.array(z.string()).min(1) }).safeParse(step?.events.push);
  return push.data?.branches[0];
}

/** The repository of a job, or that of `origin`. The token is sent only to GitHub, or to the API that is set. */
function repositoryOf(env: RunContext["env"], top: string): Repository {
  if (env.GITHUB_REPOSITORY) return readRepository(env.GITHUB_REPOSITORY);
  const { stdout } = tryGit(top, ["remote", "get-url", "origin"]);
  const [, host = "", path = ""] =
    /^(?:\w+:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/](.+?)(?:\.git)?\/?\s*$/.exec(stdout) ?? [];
  return readRepository(host === "github.com" || env.GITHUB_API_URL ? path : "");
}
