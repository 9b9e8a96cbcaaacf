import { ProblemError } from "../diagnostics/problem.ts";
import { digestTargets } from "../planner/changes/digests.ts";
import { shareBudget } from "../report/format/markdown-sections.ts";
import { snapshotRef } from "../workflow/git/git-ref.ts";
import { artifactName } from "../workflow/plan/approved-pulls.ts";
import { exitCode, joinCodes } from "../workflow/project/exit-code.ts";
import { isOfSeveral, targetPlaceholder } from "../workflow/project/targets.ts";
import { divideNames, type TargetPart } from "../workflow/zones/divide-names.ts";
import { reportFailure } from "./failure.ts";
import { type InputName, inputProblem } from "./inputs.ts";
import type { ActionResult, Job } from "./job.ts";
import type { Outputs, Result } from "./outputs.ts";

/** The result of a step on a target. */
export interface TargetResult extends ActionResult {
  readonly target: string;
}

/**
 * Runs a step on the selected targets, one after another. An error of one does not stop the others; an interruption
 * does.
 */
export async function stepOnTargets(job: Job, run: (job: Job) => Promise<ActionResult>): Promise<ActionResult> {
  if (!isOfSeveral(job.project)) return run(job);
  const parts = await divideNames(job.project, job.inputs.zones);
  return joinResults(await resultsOfTargets(job, parts, run));
}

/** The results of a step on targets, in their order, as `stepOnTargets` runs it. */
export async function resultsOfTargets(
  job: Job,
  parts: readonly TargetPart[],
  run: (job: Job) => Promise<ActionResult>,
): Promise<TargetResult[]> {
  const { context, inputs, runner } = job;
  const results: TargetResult[] = [];
  for (const part of parts) {
    if (context.signal.aborted) break;
    const target = part.view.view?.name ?? "";
    runner.log(`on ${target}:\n`);
    const ofTarget = { ...job, project: part.view, inputs: { ...inputs, zones: [...part.names] } };
    try {
      results.push({ target, ...(await run(ofTarget)) });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.kind === "usage") throw error;
      results.push({ target, ...(await reportFailure(error, ofTarget)) });
    }
  }
  return results;
}

/** The results from the one that matters most. */
const ranked: readonly Result[] = [
  "interrupted",
  "failed",
  "refused",
  "locked",
  "invalid",
  "blocked",
  "verify-failed",
  "inconclusive",
  "partial",
  "drift",
  "changes",
  "applied",
];

/** The result of a step on several targets; `again` are the second results of some. */
export function joinResults(firsts: readonly TargetResult[], again: readonly TargetResult[] = []): ActionResult {
  const results = [...firsts, ...again];
  const code = joinCodes(results.map(({ code }) => code));
  const [first] = results;
  if (first === undefined) return { result: "interrupted", code: exitCode.interrupted };
  const worst = ranked.find((one) => results.some(({ result }) => result === one)) ?? first.result;
  const isPartly = code === exitCode.partly && results.some((one) => one.code !== code && one.code !== exitCode.done);
  return {
    result: isPartly ? "partial" : worst,
    code,
    outputs: joinOutputs(firsts, again),
    summary: (budget) =>
      shareBudget(
        budget,
        results.flatMap(({ target, summary }) => {
          if (summary === undefined) return [];
          const head = `## On ${target}\n\n`;
          return [
            (share: { readonly budget?: number }) => ({
              text: head + summary((share.budget ?? budget) - Buffer.byteLength(head)),
            }),
          ];
        }),
      )
        .map(({ text }) => text)
        .join("\n"),
  };
}

/**
 * Numbers are added, ids are listed, and the digest is of all effects, if all targets have one. One that wrote twice
 * has none: its plan is in two parts.
 */
function joinOutputs(firsts: readonly TargetResult[], again: readonly TargetResult[]): Outputs {
  const valuesOf = (name: keyof Outputs) => [...firsts, ...again].flatMap(({ outputs }) => outputs?.[name] ?? []);
  const sum = (name: keyof Outputs) => {
    const values = valuesOf(name);
    return values.length === 0 ? {} : { [name]: `${values.reduce((total, value) => total + Number(value), 0)}` };
  };
  const ids = valuesOf("undo-id");
  const approvals = valuesOf("needs-approval");
  const digests = firsts.flatMap((first) => {
    const second = again.find(({ target }) => target === first.target);
    const digest = (second !== undefined && isEmpty(first) ? second : first).outputs?.["effect-digest"];
    return digest === undefined || (second !== undefined && !isEmpty(first)) ? [] : [{ target: first.target, digest }];
  });
  const digest = digests.length === firsts.length ? digestTargets(digests) : undefined;
  return {
    ...(digest !== undefined && { "effect-digest": digest, "artifact-name": artifactName(digest) }),
    ...sum("creates"),
    ...sum("changes"),
    ...sum("deletes"),
    ...sum("zones"),
    ...(approvals.length > 0 && { "needs-approval": `${approvals.includes("true")}` }),
    ...(ids.length > 0 && { "undo-id": ids.join(" ") }),
  };
}

const isEmpty = ({ outputs }: TargetResult) => outputs?.zones === "0";

/**
 * Refuses inputs that are about one service for a project with several targets.
 * @throws {ProblemError} `action-input`
 */
export function refuseSharedInputs({ project, inputs }: Job, names: readonly InputName[]): void {
  if (!isOfSeveral(project)) return;
  const isGiven = (name: InputName) => {
    const value = inputs[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  };
  const name = names.find(isGiven);
  if (name === undefined) return;
  const known = project.selected.map(({ name }) => name).join(", ");
  if (name === "token") {
    const variables = project.selected.map(({ variable }) => variable).join(", ");
    const summary = `the input "token" is for one target: set ${variables} in the environment of the step`;
    throw new ProblemError(inputProblem(summary));
  }
  const summary = `the input "${name}" works with one target at a time: set the input "target" to one of ${known}`;
  throw new ProblemError(inputProblem(summary));
}

/**
 * Refuses inputs with the name of one file or ref for several targets, unless it contains `{target}`.
 * @throws {ProblemError} `action-input`
 */
export function requireTargetPattern(
  { project, inputs }: Job,
  names: readonly ("against" | "snapshot" | "ref")[],
): void {
  if (!isOfSeveral(project)) return;
  const initial: readonly (string | undefined)[] = ["live", snapshotRef, undefined];
  const name = names.find((name) => !initial.includes(inputs[name]) && !inputs[name]?.includes(targetPlaceholder));
  if (name === undefined) return;
  const known = project.selected.map(({ name }) => name).join(", ");
  const summary = `the input "${name}" is one place for the targets ${known}: write ${targetPlaceholder} in it, which stands for the name of each, or set the input "target" to one of them`;
  throw new ProblemError(inputProblem(summary));
}

/** The inputs that are about one service, in every command that calls one. */
export const inputsOfService: readonly InputName[] = ["api-url", "token"];
