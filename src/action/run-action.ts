import { adviceText } from "../diagnostics/advice.ts";
import { type Problem, ProblemError } from "../diagnostics/problem.ts";
import { progressLog, silenceText, waitText } from "../report/apply/progress.ts";
import { problemsText } from "../report/findings/findings.ts";
import { failureMarkdown } from "../report/findings/markdown.ts";
import { noPlanText } from "../report/plan/skipped.ts";
import { exitCodeOf } from "../workflow/apply/outcome.ts";
import { exitCode } from "../workflow/project/exit-code.ts";
import { writeFiles } from "../workflow/project/files.ts";
import { internalErrorText } from "../workflow/project/internal-error.ts";
import type { OnProgress, ProgressEvent } from "../workflow/project/progress.ts";
import { openProject } from "../workflow/project/project.ts";
import type { RunContext } from "../workflow/project/run-context.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { unknownVariables } from "../workflow/project/variables.ts";
import { NoPlanError } from "../workflow/zones/skip-invalid.ts";
import { applyStep } from "./commands/apply.ts";
import { driftStep } from "./commands/drift.ts";
import { importStep } from "./commands/import.ts";
import { planStep } from "./commands/plan.ts";
import { snapshotStep } from "./commands/snapshot.ts";
import { validateStep } from "./commands/validate.ts";
import { verifyStep } from "./commands/verify.ts";
import { annotateProblems, findingFiles } from "./findings.ts";
import { type CommandName, type Inputs, readInputs, readSecretInputs } from "./inputs.ts";
import { type ActionResult, type Job, logStyle } from "./job.ts";
import { legacyResult, outputNames, type Result } from "./outputs.ts";
import { Runner } from "./runner.ts";

const commands: Readonly<Record<CommandName, (job: Job) => Promise<ActionResult>>> = {
  validate: validateStep,
  plan: planStep,
  apply: applyStep,
  verify: verifyStep,
  drift: driftStep,
  import: importStep,
  snapshot: snapshotStep,
};

/** Runs the command of a step. Never throws: the exit code says how it ended. */
export async function runAction(given: RunContext, write: (text: string) => void): Promise<number> {
  const { env } = given;
  const runner = new Runner(env, write);
  for (const secret of readSecretInputs(env)) runner.mask(secret);
  const context = withToken({
    ...given,
    onProgress: progressLines(given, runner),
    onWait: (why, seconds) => runner.log(`${waitText(why, seconds)}\n`),
    onSilence: (origin, seconds) => runner.log(`${silenceText(origin, seconds)}\n`),
  });
  let inputs: Inputs | undefined;
  let outcome: ActionResult;
  try {
    inputs = readInputs(env);
    warnOfVariables(context, inputs, runner);
    const { config, target } = inputs;
    const project = openProject(context, { config, ...(target.length > 0 && { target }) });
    outcome = await commands[inputs.command]({ context, inputs, project, runner });
  } catch (error) {
    outcome = await reportError(error, { context, inputs, runner });
  }
  try {
    const outputs = { ...outcome.outputs, result: outcome.result, "legacy-result": legacyResult(outcome.result) };
    runner.setOutputs(Object.fromEntries(outputNames.map((name) => [name, outputs[name]])));
    if (outcome.summary && inputs?.summary !== false) runner.addSummary(outcome.summary);
  } catch (error) {
    runner.log(`${internalErrorText(context, error)}\n`);
    return exitCode.failed;
  }
  return outcome.code;
}

/** Warns of variables that look like ours: a misspelt one would be without effect in silence. */
function warnOfVariables(context: RunContext, { annotations, config }: Inputs, runner: Runner): void {
  for (const message of unknownVariables(context, config).map((text) => adviceText(text, "action"))) {
    if (annotations) runner.annotate([{ level: "warning", title: "unknown variable", message }]);
    else runner.log(`warning: ${message}\n`);
  }
}

/** The token of the inputs takes precedence over that of the environment. */
function withToken(context: RunContext): RunContext {
  const token = context.env.INPUT_TOKEN?.trim();
  return token ? { ...context, env: { ...context.env, ZONEWRIGHT_TOKEN: token } } : context;
}

interface FailedJob extends Pick<Job, "context" | "runner"> {
  readonly inputs: Inputs | undefined;
}

/** Shows why a command failed: in the log, at the lines of files, and in the files that the inputs ask for. */
async function reportError(error: unknown, { context, inputs, runner }: FailedJob): Promise<ActionResult> {
  if (context.signal.aborted) {
    runner.log("interrupted: no further writes are sent\n");
    return { result: "interrupted", code: exitCode.interrupted };
  }
  if (!(error instanceof ProblemError)) {
    runner.log(`${internalErrorText(context, error)}\n`);
    return { result: "failed", code: exitCode.failed };
  }
  const { problems } = error;
  const reason = error instanceof NoPlanError ? noPlanText(error, "set `skip-invalid: true`") : "";
  const lineOf = lineOfFile(context.cwd);
  runner.log(problemsText(problems, lineOf, logStyle));
  annotateProblems(runner, inputs ?? { annotations: true }, problems);
  runner.log(reason);
  const findings = { problems, files: [], zones: 0, records: 0, lineOf };
  if (inputs) {
    const files = findingFiles(inputs, findings);
    await writeFiles(context, files, "").catch(() => {}); // the first error matters more
  }
  return {
    result: resultOf(problems),
    code: exitCodeOf(error),
    summary: (budget) =>
      failureMarkdown(inputs ? `zonewright ${inputs.command}` : "zonewright", problems, {
        budget,
        reason,
        door: "action",
      }),
  };
}

/** The result of a command that failed, by the exit code of its problems. */
function resultOf(problems: readonly Problem[]): Result {
  const has = (...ids: readonly Problem["id"][]) => problems.some(({ id }) => ids.includes(id));
  if (has("guard-blocked")) return "blocked";
  if (has("run-locked")) return "locked";
  const code = exitCodeOf(new ProblemError(problems));
  if (code === exitCode.planRefused) return "refused";
  return code === exitCode.invalid || code === exitCode.usage ? "invalid" : "failed";
}

/** Intervals between lines of progress, in milliseconds. */
const pauseMs = 10_000;

/** Writes progress as lines, none during the first seconds. */
function progressLines({ now }: RunContext, runner: Runner): OnProgress {
  let task = "";
  let begun = 0;
  let next = now().getTime() + pauseMs;
  return (event: ProgressEvent) => {
    const time = now().getTime();
    if (event.task !== task) {
      task = event.task;
      begun = time;
    }
    if (time < next) return;
    next = time + pauseMs;
    runner.log(`${progressLog({ event, seconds: (time - begun) / 1000, idleSeconds: 0 })}\n`);
  };
}
