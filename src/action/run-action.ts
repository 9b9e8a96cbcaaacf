import { adviceText } from "../diagnostics/advice.ts";
import { progressLog, silenceText, waitText } from "../report/apply/progress.ts";
import { problemsText } from "../report/findings/findings.ts";
import { exitCode } from "../workflow/project/exit-code.ts";
import { internalErrorText } from "../workflow/project/internal-error.ts";
import type { OnProgress, ProgressEvent } from "../workflow/project/progress.ts";
import { openProject } from "../workflow/project/project.ts";
import { type RunContext, reportOnce } from "../workflow/project/run-context.ts";
import { lineOfFile } from "../workflow/project/source-lines.ts";
import { unknownVariables } from "../workflow/project/variables.ts";
import { applyStep } from "./commands/apply.ts";
import { driftStep } from "./commands/drift.ts";
import { importStep } from "./commands/import.ts";
import { planStep } from "./commands/plan.ts";
import { snapshotStep } from "./commands/snapshot.ts";
import { validateStep } from "./commands/validate.ts";
import { verifyStep } from "./commands/verify.ts";
import { reportFailure } from "./failure.ts";
import { type CommandName, type Inputs, readInputs, readSecretInputs } from "./inputs.ts";
import { type ActionResult, type Job, logStyle } from "./job.ts";
import { legacyResult, outputNames } from "./outputs.ts";
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
    onNote: reportOnce((note) => runner.log(problemsText([note], lineOfFile(given.cwd), logStyle))),
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
    outcome = await reportFailure(error, { context, inputs, runner });
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
