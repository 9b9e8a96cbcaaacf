import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import type { RunContext } from "../project/run-context.ts";
import { topOf } from "../project/schema-line.ts";
import { attempt, type Examination, examineGit, examineVersions } from "../start/doctor.ts";
import { examineGitLab, gitlabMain, gitlabOwn } from "./gitlab.ts";
import { examineSecrets } from "./secrets.ts";
import { examineSettings } from "./settings.ts";
import { examineWorkflows } from "./shipped.ts";
import { examineSignatures } from "./signatures.ts";
import { examineSteps } from "./steps.ts";
import { readWorkflows, workflowFolder } from "./workflow-files.ts";

/** Examines the CI of the repository: its files, and on GitHub, with a token, the settings that they rely on. */
export async function examineCi(context: RunContext, { node }: { readonly node: string }): Promise<Examination[]> {
  const found: Examination[] = [examineVersions(node), examineGit(context.cwd)];
  const top = topOf(resolve(context.cwd));
  for (const name of top === resolve(context.cwd) ? [] : [workflowFolder, gitlabMain]) {
    if (!existsSync(join(context.cwd, name))) continue;
    const text = `${relative(top, join(context.cwd, name))} is not in the top folder of the repository, so no service reads it`;
    found.push({ subject: "CI files", state: "fail", text, next: `Move it to ${name} of the top folder.` });
  }
  const files = await readWorkflows(top, found);
  const jobs = files.flatMap((one) => one.jobs);
  const steps = jobs.flatMap(({ actions }) => actions);
  const isGitLab = [gitlabMain, gitlabOwn].some((file) => existsSync(join(top, file)));
  if (steps.length > 0) found.push(...examineWorkflows(context, top, files));
  found.push(...unique([...examineSteps(steps), ...examineSecrets(jobs)]));
  if (steps.length > 0) found.push(...examineSignatures(steps), ...(await examineSettings(context, top, steps)));
  if (isGitLab) await attempt(found, "GitLab", () => found.push(...examineGitLab(top)));
  if (steps.length === 0 && !isGitLab && !found.some(({ state }) => state === "fail")) {
    const next = advise`Run ${{ run: "init", with: { ci: "github" } }} or ${{ run: "init", with: { ci: "gitlab" } }} in the top folder.`;
    found.push({ subject: "CI files", state: "fail", text: "this repository has no CI files of zonewright", next });
  }
  return found;
}

/** Without the lines that two jobs or steps of a file have in common. */
function unique(found: readonly Examination[]): Examination[] {
  return [...new Map(found.map((one) => [`${one.subject} ${one.text}`, one])).values()];
}
