import { isSecretVariable } from "../../config/target-kinds.ts";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import type { Examination } from "../start/doctor.ts";
import { notChecked } from "./not-checked.ts";
import { shippedWorkflows } from "./shipped.ts";
import type { ActionStep, WorkflowJob } from "./workflow-files.ts";

/** Events that people without write access can cause, and the merge queue. */
const ofOthers = /^(?:pull_request.*|merge_group|issue.*|discussion.*|workflow_run|fork|watch|gollum)$/;

/** The lines of all jobs: which of them other people start, although they have the token that writes. */
export function examineSecrets(jobs: readonly WorkflowJob[]): Examination[] {
  const found: Examination[] = [];
  const appliesOf = (all: readonly WorkflowJob[]) =>
    all.flatMap(({ actions }) => actions).filter(({ role }) => role === "apply");
  const applies = appliesOf(jobs);
  const shipped = appliesOf([...shippedWorkflows().values()].flatMap((one) => one.jobs));
  const secrets = new Set([...shipped, ...applies].flatMap(tokensOf));
  const environments = new Set(applies.flatMap(({ environment }) => environment ?? []));
  for (const job of jobs) {
    const { file, id, text, environment, events } = job;
    const add = (subject: string, state: "warn" | "fail", what: Fix, next: Fix) =>
      found.push({
        subject,
        state,
        text: typeof what === "string" ? `${file}: ${what}` : advise`${file}: ${what}`,
        next,
      });
    const isOurs = job.actions.length + job.commands.length > 0;
    if (isOurs && "pull_request_target" in events)
      add("trigger", "fail", "`pull_request_target` gives secrets to runs for forks", "Use `pull_request`.");
    const applying = job.commands.find(
      ({ role, line }) => role === "apply" && !/\s(?:--approved\b|(?!-)\S+\.json\b)/.test(line),
    );
    if (applying !== undefined) {
      const what = advise`the job ${id} runs ${{ run: "apply" }} without a plan file, so no reviewed plan is required`;
      add("approval", "warn", what, advise`Use the action with \`plan: auto\`, or name a plan file that was approved.`);
    }
    const event = Object.keys(events).find((name) => ofOthers.test(name));
    if (event === undefined) continue;
    const secret = [...secrets].find((name) => new RegExp(`\\b${name}\\b`, "i").test(text));
    const starts = `\`${event}\` starts the job ${id}`;
    if (secret !== undefined) {
      const next = "Use a token there that can only read, such as ZONEWRIGHT_READ_TOKEN.";
      add("token", "fail", `${starts}, which has ${secret}`, next);
    } else if (/toJSON\(\s*secrets\s*\)|"secrets":"inherit"|secrets\[\s*[^'\s]/i.test(text))
      add("token", "warn", `${starts}, which passes on all secrets`, "Name the secrets that it needs.");
    if (environment === undefined) continue;
    if (environments.has(environment)) {
      const next = "Remove the environment there, and let only the main branch use it.";
      add("environment", "fail", `${starts} in ${environment}, the environment of the token that writes`, next);
    } else if (environment.includes("${{"))
      found.push(notChecked("environment", `${file}: the environment of the job ${id}, an expression`));
  }
  return found;
}

/** The names of the secrets that a step gets as its token, or as the token or key of a target. */
function tokensOf({ inputs, env }: ActionStep): string[] {
  const ofTargets = Object.entries(env).flatMap(([name, value]) =>
    /^ZONEWRIGHT_/.test(name) && isSecretVariable(name) ? [value] : [],
  );
  const texts = [inputs.token, ...ofTargets].map((value) => String(value ?? ""));
  return texts.flatMap((text) => [...text.matchAll(/secrets(?:\.|\[')(\w+)/gi)].map(([, name = ""]) => name));
}
