import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { advise, commandLine } from "../../diagnostics/advice.ts";
import { yamlLibrary } from "../../lazy-packages.ts";
import { readText } from "../project/files.ts";
import { ciFiles } from "../start/ci-files.ts";
import type { Examination } from "../start/doctor.ts";
import { notChecked } from "./not-checked.ts";

export const gitlabMain = ".gitlab-ci.yml";
export const gitlabOwn = ".gitlab/zonewright.yml";

/** The files of GitLab: whether they are included, and whether a blocked change fails the jobs that plan. */
export function examineGitLab(top: string): Examination[] {
  const subject = "GitLab";
  const others = notChecked(subject, "variables, protected branches and environments, and who may start apply");
  const main = existsSync(join(top, gitlabMain)) ? readText(top, gitlabMain) : undefined;
  if (main === undefined) {
    const next = advise`Run ${{ run: "init", with: { ci: "gitlab" } }}, which writes it.`;
    return [{ subject, state: "fail", text: `${gitlabMain} does not exist, so GitLab runs no job`, next }];
  }
  const entries = includesOf(main);
  if (entries.some(({ component = "" }) => /\/zonewright@/.test(component)))
    return [{ subject, state: "ok", text: `${gitlabMain} includes the component` }, others];
  const isIncluded = entries.some(({ local }) => local?.replace(/^\//, "") === gitlabOwn);
  const found: Examination[] = [];
  if (existsSync(join(top, gitlabOwn))) {
    const [shipped] = ciFiles("gitlab", { commit: undefined, isTwoPeople: true }).files;
    const isSame = readText(top, gitlabOwn) === shipped?.text;
    if (!isIncluded) {
      const next = `Add it: \`include: [{ local: ${gitlabOwn} }]\`.`;
      found.push({ subject, state: "fail", text: `${gitlabMain} does not include ${gitlabOwn}`, next });
    } else if (isSame) found.push({ subject, state: "ok", text: `${gitlabMain} includes ${gitlabOwn}` });
    else {
      const next = "Compare it with templates/zonewright.yml of the package, unless you meant this.";
      found.push({ subject, state: "warn", text: `${gitlabOwn} differs from the file of this version`, next });
    }
  }
  const texts = [gitlabMain, gitlabOwn].flatMap((file) =>
    existsSync(join(top, file)) ? [[file, readText(top, file)] as const] : [],
  );
  const plans = texts.flatMap(([file, text]) => jobsOf(text).map((job) => ({ file, ...job })));
  if (plans.length === 0) {
    const next = advise`Run ${{ run: "init", with: { ci: "gitlab" } }}, which adds the jobs.`;
    return [
      ...found,
      { subject, state: "fail", text: `no job runs \`${commandLine({ run: "plan" })}\``, next },
      others,
    ];
  }
  for (const { file, name, isFailing } of plans) {
    if (isFailing) continue;
    const text = `${file}: the job ${name} does not fail if a guard blocks a change`;
    const next = `Run \`${commandLine({ run: "plan", with: { detailedExitcode: true } })} || [ $? -eq 2 ]\`, without \`allow_failure\`.`;
    found.push({ subject, state: "fail", text, next });
  }
  return [...found, others];
}

const includeShape = z.object({ local: z.string().optional(), component: z.string().optional() });

function includesOf(text: string): z.output<typeof includeShape>[] {
  const include = documentsOf(text).flatMap((one) => one.include ?? []);
  return include.flatMap((one) => {
    const entry = includeShape.safeParse(typeof one === "string" ? { local: one } : one);
    return entry.data ?? [];
  });
}

/** The documents of a file: those that are maps. */
function documentsOf(text: string): Record<string, unknown>[] {
  const documents = yamlLibrary().parseAllDocuments(text, { logLevel: "silent" });
  const parsed = [...documents].map((one) => (one.errors.length > 0 ? undefined : one.toJS()));
  return parsed.filter((one) => typeof one === "object" && one !== null);
}

/** The jobs that plan, and whether a change that a guard blocks fails them. */
function jobsOf(text: string): { readonly name: string; readonly isFailing: boolean }[] {
  const jobs = documentsOf(text).flatMap((one) => Object.entries(one));
  return jobs.flatMap(([name, job]) => {
    const { script, allow_failure: allowed } = (job ?? {}) as { script?: unknown; allow_failure?: unknown };
    const lines = [script].flat(3).flatMap((one) => (typeof one === "string" ? one.split("\n") : []));
    const plans = lines.filter((line) => /^[^#]*\bzonewright plan\b/.test(line));
    if (plans.length === 0) return [];
    const isKept = (line: string) =>
      /\s--detailed-exitcode\b/.test(line) && !/\|\|(?!\s*\[ \$\? -eq 2 \]\s*$)/.test(line);
    return [{ name, isFailing: plans.every(isKept) && !allowed }];
  });
}
