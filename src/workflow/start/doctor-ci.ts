import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import * as z from "zod";
import { advise, commandLine, type Fix } from "../../diagnostics/advice.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { createGitHub, type GitHub } from "../../github/client.ts";
import { findDefaultBranch, findDeployers, findProtection } from "../../github/protection.ts";
import { type Repository, readRepository } from "../../github/repository.ts";
import { yamlLibrary } from "../../lazy-packages.ts";
import { readText } from "../project/files.ts";
import type { RunContext } from "../project/run-context.ts";
import { tryGit } from "../project/run-git.ts";
import { topOf } from "../project/schema-line.ts";
import { ciFiles } from "./ci-files.ts";
import { attempt, type Examination, examineGit, examineVersions } from "./doctor.ts";

const workflowFolder = ".github/workflows";
const gitlabMain = ".gitlab-ci.yml";
const gitlabOwn = ".gitlab/zonewright.yml";

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
  const steps = files.flatMap(stepsOf);
  const isGitLab = [gitlabMain, gitlabOwn].some((file) => existsSync(join(top, file)));
  if (steps.length > 0) {
    found.push(...examineWorkflows(files, steps), ...examineSteps(steps));
    found.push(...(await examineSettings(context, top, steps)));
  }
  if (isGitLab) await attempt(found, "GitLab", () => found.push(...examineGitLab(top)));
  if (steps.length === 0 && !isGitLab && !found.some(({ state }) => state === "fail")) {
    const next = advise`Run ${{ run: "init", with: { ci: "github" } }} or ${{ run: "init", with: { ci: "gitlab" } }} in the top folder.`;
    found.push({ subject: "CI files", state: "fail", text: "this repository has no CI files of zonewright", next });
  }
  return found;
}

const values = z.record(z.string(), z.unknown());
const permissionsShape = z.union([z.string(), z.record(z.string(), z.string())]).nullish();

const workflowShape = z.object({
  on: z.unknown(),
  permissions: permissionsShape,
  env: values.nullish(),
  jobs: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      permissions: permissionsShape,
      environment: z.union([z.string(), z.object({ name: z.string() })]).optional(),
      env: values.nullish(),
      steps: z
        .array(z.object({ uses: z.string().optional(), with: values.nullish(), env: values.nullish() }))
        .default([]),
    }),
  ),
});

type Workflow = z.output<typeof workflowShape>;

interface WorkflowFile {
  readonly file: string;
  /** All that is in it, and the part that is examined. */
  readonly data: unknown;
  readonly workflow: Workflow;
}

/** A step that runs the action, with what it gets from its job and workflow. */
interface ActionStep {
  readonly file: string;
  readonly uses: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The command, where a plan against a snapshot is one of its own. */
  readonly role: string;
  readonly env: Readonly<Record<string, unknown>>;
  /** The name of the job as a status check. */
  readonly check: string;
  readonly permissions: z.output<typeof permissionsShape>;
  readonly environment: string | undefined;
  /** The events of the workflow, with their filters. */
  readonly events: Readonly<Record<string, unknown>>;
}

/** Reads the workflow files that run the action; one that cannot be read is a line. */
async function readWorkflows(top: string, found: Examination[]): Promise<WorkflowFile[]> {
  const folder = join(top, workflowFolder);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)) : [];
  const files: WorkflowFile[] = [];
  for (const name of names.sort()) {
    const file = `${workflowFolder}/${name}`;
    await attempt(found, "CI files", () => {
      const text = readText(top, file);
      if (!/\buses:.*\/zonewright@/.test(text)) return;
      const parsed = parseWorkflow(text);
      if (parsed) files.push({ file, ...parsed });
      else {
        const next = advise`Remove it and run ${{ run: "init", with: { ci: "github" } }}, which writes it again.`;
        found.push({ subject: "CI files", state: "fail", text: `${file} is not a workflow of GitHub`, next });
      }
    });
  }
  return files;
}

function parseWorkflow(text: string): Omit<WorkflowFile, "file"> | undefined {
  try {
    const data: unknown = yamlLibrary().parse(text);
    return { data, workflow: workflowShape.parse(data) };
  } catch {
    return undefined;
  }
}

function stepsOf({ file, workflow }: Pick<WorkflowFile, "file" | "workflow">): ActionStep[] {
  return Object.entries(workflow.jobs).flatMap(([id, job]) =>
    job.steps.flatMap(({ uses = "", with: given, env }): ActionStep[] => {
      if (!/\/zonewright@/.test(uses)) return [];
      const inputs = given ?? {};
      const isOfSnapshot = inputs.command === "plan" && (inputs.against ?? "live") !== "live";
      return [
        {
          file,
          uses,
          inputs,
          role: isOfSnapshot ? "plan against a snapshot" : String(inputs.command),
          env: { ...workflow.env, ...job.env, ...env },
          check: job.name ?? id,
          permissions: job.permissions ?? workflow.permissions,
          environment: typeof job.environment === "object" ? job.environment.name : job.environment,
          events: eventsOf(workflow.on),
        },
      ];
    }),
  );
}

function eventsOf(on: unknown): Readonly<Record<string, unknown>> {
  const names = typeof on === "string" ? [on] : Array.isArray(on) ? on.map(String) : undefined;
  if (names) return Object.fromEntries(names.map((name) => [name, null]));
  return typeof on === "object" && on !== null ? { ...on } : {};
}

/** The workflows that `init` writes, with the command by which a file of the repository is recognised. */
const commands = { check: "validate", plan: "plan", apply: "apply", drift: "drift" } as const;

/** The lines of the files: whether each is there, and whether it was changed. */
function examineWorkflows(files: readonly WorkflowFile[], steps: readonly ActionStep[]): Examination[] {
  const shipped = shippedWorkflows();
  return Object.entries(commands).flatMap(([subject, command]): Examination[] => {
    const [own] = steps.filter(({ role }) => role === command);
    if (own === undefined) {
      const next = advise`Run ${{ run: "init", with: { ci: "github" } }}, which adds the missing files.`;
      return [{ subject, state: "warn", text: `no workflow runs the command ${command}`, next }];
    }
    const { file } = own;
    const at = files.find((one) => one.file === file);
    const original = shipped.find(({ file }) => file.endsWith(`-${subject}.yml`));
    const places = at && original ? differences(original.data, at.data) : [];
    if (places.length === 0) return [{ subject, state: "ok", text: file }];
    const text = `${file} differs from the file of this version at ${listed(places)}`;
    const next = `Compare it with examples/github/${subject}.yml of the package, unless you meant this.`;
    return [{ subject, state: "warn", text, next }];
  });
}

function shippedWorkflows(): WorkflowFile[] {
  return ciFiles("github", { commit: undefined, isTwoPeople: true }).files.flatMap(({ file, text }) => {
    const parsed = parseWorkflow(text);
    return parsed ? [{ file, ...parsed }] : [];
  });
}

const mostPlaces = 4;

function listed(places: readonly string[]): string {
  const more = places.length - mostPlaces;
  return `${places.slice(0, mostPlaces).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The keys at which two values differ. The pin of an action, and `two-people`, which has a line of its own, may. */
function differences(one: unknown, other: unknown, path = ""): string[] {
  if (one === other || /\.(?:uses|two-people)$/.test(path)) return [];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return [path];
  const [left, right] = [one, other] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].flatMap((key) => differences(left?.[key], right?.[key], path === "" ? key : `${path}.${key}`));
}

/** The lines of steps: what weakens the review of changes, or stops the workflows. */
function examineSteps(steps: readonly ActionStep[]): Examination[] {
  const found: Examination[] = [];
  const shipped = shippedWorkflows().flatMap(stepsOf);
  for (const step of steps) {
    const { file, uses, role, inputs, events, environment, permissions } = step;
    const add = (subject: string, state: "ok" | "warn" | "fail", text: string, next?: Fix) =>
      found.push({ subject, state, text: `${file}: ${text}`, ...(next !== undefined && { next }) });
    if (/@0+$/.test(uses))
      add("action", "fail", `\`uses: ${uses}\` names no commit`, "Replace the zeros by the commit of a release.");
    else if (!/@[0-9a-f]{40,64}$/.test(uses))
      add("action", "warn", `\`uses: ${uses}\` can change without a commit here`, "Name a commit instead.");
    if ("pull_request_target" in events)
      add("trigger", "fail", "`pull_request_target` gives secrets to runs for forks", "Use `pull_request`.");
    const secrets = JSON.stringify([inputs, step.env]);
    if (/ZONEWRIGHT_WRITE_TOKEN/.test(secrets) && ("pull_request" in events || "merge_group" in events))
      add(
        "token",
        "fail",
        "ZONEWRIGHT_WRITE_TOKEN in a workflow for pull requests",
        "Use ZONEWRIGHT_READ_TOKEN there.",
      );
    if (role.startsWith("plan") && !["guards", "changes"].includes(String(inputs["fail-on"] ?? "guards")))
      add(
        "fail-on",
        "warn",
        `\`fail-on: ${inputs["fail-on"]}\` passes plans that guards block`,
        "Set `fail-on: guards`.",
      );
    if (role === "apply") {
      if (inputs.plan !== "auto")
        add("approval", "fail", "without `plan: auto`, apply asks for no reviewed plan", "Set `plan: auto`.");
      else if (String(inputs["two-people"]) === "true") add("two people", "ok", "`two-people: true`");
      else {
        const next = "Set `two-people: true`, unless one person works on this repository alone.";
        add("two people", "warn", "without `two-people: true`, an author can approve alone", next);
      }
      if (environment === undefined) {
        const next = "Set `environment: dns`, and let only the main branch use it.";
        add("environment", "fail", "apply has no environment, so any branch can use its token", next);
      }
    }
    const needs = shipped.find((one) => one.role === role)?.permissions;
    for (const { state, text, next } of comparePermissions(permissions, needs)) add("permissions", state, text, next);
  }
  return [...unique(found), ...examineSignatures(steps)];
}

/** Without the lines that two steps of a file have in common. */
function unique(found: readonly Examination[]): Examination[] {
  return [...new Map(found.map((one) => [`${one.subject} ${one.text}`, one])).values()];
}

type Permissions = ActionStep["permissions"];
type Line = Pick<Examination, "state" | "text" | "next">;

/** The permissions that a job has too many, or too few, for a command. */
function comparePermissions(own: Permissions, needs: Permissions): Line[] {
  if (typeof needs !== "object" || needs === null) return [];
  const list = Object.entries(needs).map(([name, level]) => `\`${name}: ${level}\``);
  const next = `Give the job ${list.join(" and ")}.`;
  if (own === undefined || own === null)
    return [{ state: "warn", text: "the job names no permissions, so it has those of the repository", next }];
  const levelOf = (name: string) => (typeof own === "string" ? own.replace("-all", "") : (own[name] ?? "none"));
  const missing = Object.entries(needs).filter(([name, level]) => rank(levelOf(name)) < rank(level));
  const names = typeof own === "string" ? [] : Object.keys(own);
  const excess =
    own === "write-all" ? [own] : names.filter((name) => levelOf(name) === "write" && needs[name] !== "write");
  return [
    ...missing.map(([name, level]) => ({
      state: "fail" as const,
      text: `the job lacks the permission \`${name}: ${level}\``,
      next,
    })),
    ...excess.map((name) => {
      const what = name === "write-all" ? name : `${name}: write`;
      return { state: "warn" as const, text: `the job does not need the permission \`${what}\``, next };
    }),
  ];
}

function rank(level: string): number {
  return ["none", "read", "write"].indexOf(level);
}

/** Whether plans are signed, and apply requires it. */
function examineSignatures(steps: readonly ActionStep[]): Examination[] {
  const subject = "signatures";
  const has = (role: string, variable: string) => steps.some((step) => step.role === role && variable in step.env);
  const [isSigned, isVerified] = [has("plan", "ZONEWRIGHT_SIGNING_KEY"), has("apply", "ZONEWRIGHT_VERIFY_KEYS")];
  if (isSigned && isVerified)
    return [{ subject, state: "ok", text: "plan signs, and apply has ZONEWRIGHT_VERIFY_KEYS" }];
  if (isVerified) {
    const text = "apply has ZONEWRIGHT_VERIFY_KEYS, but plan has no ZONEWRIGHT_SIGNING_KEY: apply refuses every plan";
    return [{ subject, state: "fail", text, next: "Add ZONEWRIGHT_SIGNING_KEY to `env` of the step that plans." }];
  }
  if (isSigned) {
    const text = "plan signs, but apply has no ZONEWRIGHT_VERIFY_KEYS, so it takes plans without a signature";
    return [{ subject, state: "warn", text, next: "Add ZONEWRIGHT_VERIFY_KEYS to `env` of the step that applies." }];
  }
  return [{ subject, state: "ok", text: "none required: apply has no ZONEWRIGHT_VERIFY_KEYS" }];
}

const docs = advise`${{ run: "help", args: ["ci"] }} lists the settings.`;

function notChecked(subject: string, what: string, next: Fix = docs): Examination {
  return { subject, state: "warn", text: `not checked: ${what}`, next };
}

/** The settings of the repository on GitHub, as far as a token may read them. */
async function examineSettings(
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
      const github = createGitHub({ token, apiUrl: env.GITHUB_API_URL, clock });
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

/** The protection of the branch that is applied. */
async function examineBranch(
  github: GitHub,
  repository: Repository,
  { branch, checks }: { readonly branch: string; readonly checks: readonly string[] },
): Promise<Examination[]> {
  const subject = "branch";
  const usual = await findDefaultBranch(github, repository);
  const protection = await findProtection(github, repository, branch);
  const missing = checks.filter((check) => !protection.checks.includes(check));
  const rows: readonly [isMet: boolean, rule: string, without: string][] = [
    [protection.needsPull, "a pull request", "require a pull request"],
    [protection.approvals > 0, "a review", "require an approval"],
    [
      protection.dismissesStale,
      "no stale approval",
      "dismiss stale pull request approvals when new commits are pushed",
    ],
    [protection.needsLastPushApproval, "an approval of the last push", "require approval of the most recent push"],
    [missing.length === 0, `the checks ${checks.join(" and ")}`, `require the status check ${missing.join(" and ")}`],
    [protection.isUpToDate, "an up-to-date branch", "require branches to be up to date"],
  ];
  const met = rows.filter(([isMet]) => isMet).map(([, rule]) => rule);
  const unmet = rows.filter(([isMet]) => !isMet).map(([, , without]) => without);
  const found: Examination[] = [];
  if (usual !== branch) {
    const next = `Name ${usual} in the apply workflow, or make ${branch} the default branch.`;
    found.push({ subject, state: "fail", text: `apply runs for ${branch}, but the default branch is ${usual}`, next });
  }
  if (met.length > 0) found.push({ subject, state: "ok", text: `${branch} requires ${met.join(", ")}` });
  if (protection.isPartial && unmet.length > 0) {
    const next = "Use a token of an administrator (`administration: read`), or look at the settings.";
    return [...found, notChecked(subject, `whether the rules of ${branch} ${unmet.join("; ")}`, next)];
  }
  for (const without of unmet) {
    const state = protection.needsPull ? "warn" : "fail";
    found.push({ subject, state, text: `${branch} does not ${without}`, next: advise`Turn it on; ${docs}` });
  }
  return found;
}

/** The files of GitLab: whether they are included, and whether a blocked change fails the jobs that plan. */
function examineGitLab(top: string): Examination[] {
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
