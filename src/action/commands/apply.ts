import { ProblemError } from "../../diagnostics/problem.ts";
import { ambiguousText, applyText, runText } from "../../report/apply/apply-text.ts";
import { unansweredText } from "../../report/apply/unanswered-text.ts";
import { verifyMarkdown } from "../../report/apply/verify-markdown.ts";
import { waitingText } from "../../report/apply/waiting-text.ts";
import { problemsText } from "../../report/findings/findings.ts";
import { planMarkdown } from "../../report/plan/markdown.ts";
import { planText } from "../../report/plan/text.ts";
import { type ApplyHooks, type ApplyReport, apply as applyZones } from "../../workflow/apply/apply.ts";
import { exitCodeOfRun, exitCodeOfVerified, exitCodeWithSkipped } from "../../workflow/apply/outcome.ts";
import type { RunResult } from "../../workflow/apply/run-plan.ts";
import { applyInTwoPasses } from "../../workflow/apply/two-passes.ts";
import { readVerifyingOptions, setsOfPlan, type VerifyingOptions, verifyZones } from "../../workflow/apply/verify.ts";
import { connectToWrite } from "../../workflow/connect/connect.ts";
import type { Connection } from "../../workflow/connect/connection.ts";
import { type FirstPass, readApprovedPlans, selectParts } from "../../workflow/plan/approved-plans.ts";
import { planAgain } from "../../workflow/plan/approved-pulls.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { type ExitCode, exitCode } from "../../workflow/project/exit-code.ts";
import { readSignatureRules } from "../../workflow/project/plan-keys.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { isOfSeveral } from "../../workflow/project/targets.ts";
import { divideNames, type TargetPart } from "../../workflow/zones/divide-names.ts";
import { inputsOfService, joinResults, refuseSharedInputs, resultsOfTargets } from "../each-target.ts";
import { annotateProblems, reportSkipped } from "../findings.ts";
import { findApproved } from "../github.ts";
import { inputProblem, readAllowed } from "../inputs.ts";
import { type ActionResult, apiOptions, type Job, logStyle } from "../job.ts";
import type { Result } from "../outputs.ts";
import { planOutputs } from "../plan-outputs.ts";
import { logVerified, resultOfVerified, verifyingOptions } from "./verify.ts";

/** Applies the zone files, or what an approved plan includes, and verifies the result as far as the inputs ask. */
export async function applyStep(job: Job): Promise<ActionResult> {
  const { context, inputs, project } = job;
  const { allow, plan } = inputs;
  readAllowed(allow);
  refuseSharedInputs(job, [...inputsOfService, "delete-zones", "nameservers"]);
  if (!isOfSeveral(project)) return applyOn(job);
  const parts = await divideNames(project, inputs.zones);
  if (plan === undefined || plan === "auto") return applyOnTargets(job, parts);
  // A target that the plan file has no part for is left alone, as on the command line.
  const planned = selectParts(project, readApprovedPlans(context, [plan])).map(({ plan }) => plan.target.name);
  return applyOnTargets(
    job,
    parts.filter(({ view }) => planned.includes(view.view?.name)),
  );
}

/** Applies on one target after another, in two passes. */
async function applyOnTargets(job: Job, parts: readonly TargetPart[]): Promise<ActionResult> {
  const { timeoutMs } = readVerifyingOptions(verifyingOptions(job));
  const { first, second = [] } = await applyInTwoPasses(
    job.context,
    parts,
    (parts, { firstOf, onApplied }) =>
      resultsOfTargets(job, parts, (part) => {
        const target = part.project.view?.name ?? "";
        return applyOn(part, { firstPass: firstOf(target), onApplied: (report) => onApplied(target, report) });
      }),
    { timeoutMs, onWait: (ms, servers) => job.runner.log(waitingText(ms, servers)) },
  );
  const repeated = new Set(second.map(({ target }) => target));
  // The second run of a target has the verdict on NS records that its first left out.
  const firsts = first.map((one) =>
    repeated.has(one.target) && one.result === "partial"
      ? { ...one, result: "applied" as const, code: exitCode.done }
      : one,
  );
  return joinResults(firsts, second);
}

/** Applies on the only target. */
async function applyOn(
  job: Job,
  {
    firstPass,
    onApplied,
  }: { readonly firstPass?: FirstPass | undefined; readonly onApplied?: (report: ApplyReport) => void } = {},
): Promise<ActionResult> {
  const { context, inputs, project } = job;
  const { zones: names, allow, "delete-zones": deleteZone, "skip-invalid": skipInvalid, plan } = inputs;
  const options = verifyingOptions(job);
  const signatures = readSignatureRules(context, false);
  if (plan === undefined && signatures.isRequired) {
    const what = "ZONEWRIGHT_VERIFY_KEYS is set, and only plan files have signatures";
    throw new ProblemError(inputProblem(`${what}: set the input "plan" to "auto" or to a signed plan file`));
  }
  const approvals = plan === undefined ? {} : findApproved(job, plan, signatures);
  return connectToWrite(context, project, apiOptions(job), async (connection) => {
    let planned: PlanReport | undefined;
    const hooks = logHooks(job, (report) => {
      planned = report;
    });
    try {
      const request = { names, allow, deleteZone, skipInvalid, signatures, ...approvals, ...hooks, firstPass };
      const applied = await applyZones(context, project, connection, request);
      onApplied?.(applied);
      return await reportApplied(job, { connection, applied, options });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.id !== "guard-blocked" || !planned) throw error;
      return reportBlocked(job, planned, error);
    }
  });
}

/** Shows the plan and the events of its writes in the log. */
function logHooks(job: Job, onPlan: (report: PlanReport) => void): ApplyHooks {
  const { signal } = job.context;
  const { runner } = job;
  return {
    onPlan: (report) => {
      onPlan(report);
      reportSkipped(job, report);
      runner.log(planText(report, logStyle));
    },
    confirm: async () => {
      signal.addEventListener("abort", () => runner.log("finishing the writes under way\n"), { once: true });
      return true;
    },
    onEvent: (event) => {
      if (event.kind === "ambiguous") runner.log(`lost the reply to a write (${ambiguousText(event)}); checking it\n`);
      runner.log(applyText(event, logStyle, "usual"));
    },
    onUnanswered: (ms, writes) => runner.log(unansweredText(ms, writes)),
  };
}

interface Applied {
  readonly connection: Connection;
  readonly applied: ApplyReport;
  readonly options: VerifyingOptions;
}

async function reportApplied(job: Job, { connection, applied, options }: Applied): Promise<ActionResult> {
  const { context, inputs, runner } = job;
  const { plan: report } = applied;
  const outputs = planOutputs(report);
  const summary =
    (head: string, rest = "") =>
    (budget: number) => {
      const text = `${head}.\n\n`;
      return text + planMarkdown(report, { budget: budget - Buffer.byteLength(text + rest), door: "action" }) + rest;
    };
  // `confirm` never declines, so a plan is empty or runs.
  const isPartial = exitCodeWithSkipped(exitCode.done, report) === exitCode.partly;
  if (applied.state !== "run") {
    const result = isPartial ? "partial" : "in-sync";
    const code = exitCodeWithSkipped(exitCode.done, report);
    return { result, code, outputs, summary: (budget) => planMarkdown(report, { budget, door: "action" }) };
  }
  const { run } = applied;
  const text = runText(run);
  runner.log(`${text}\n`);
  reportErrors(job, run);
  const withRun = { ...outputs, "undo-id": run.id };
  const code = exitCodeOfRun(run);
  if (code !== exitCode.done || inputs.verify === "off") {
    const whole = exitCodeWithSkipped(code, report);
    return { result: resultOfRun(whole), code: whole, outputs: withRun, summary: summary(text) };
  }
  const verified = await verifyZones(context, connection.target, setsOfPlan(report.plan), options);
  logVerified(job, verified);
  const verifiedCode = exitCodeOfVerified(verified, context.signal.aborted);
  return {
    result: resultOfVerified(verifiedCode, isPartial ? "partial" : "applied"),
    code: exitCodeWithSkipped(verifiedCode, report),
    outputs: withRun,
    summary: summary(text, `\n${verifyMarkdown(verified.checks, mostChecks, "action")}`),
  };
}

/** The octets of a summary that the checks of the name servers may fill. */
const mostChecks = 100_000;

/** Shows the errors of zones that failed, and of the journal. */
function reportErrors({ context, inputs, runner }: Job, { errors, journalFailure }: RunResult): void {
  const problems = [...errors, journalFailure].flatMap((error) =>
    error instanceof ProblemError ? [...error.problems] : [],
  );
  if (problems.length === 0) return;
  runner.log(problemsText(problems, lineOfFile(context.cwd), logStyle));
  annotateProblems(runner, inputs, problems);
}

function resultOfRun(code: ExitCode): Result {
  const results: Partial<Record<ExitCode, Result>> = {
    [exitCode.done]: "applied",
    [exitCode.partly]: "partial",
    [exitCode.notVerified]: "verify-failed",
    [exitCode.interrupted]: "interrupted",
  };
  return results[code] ?? "failed";
}

/** Reports changes that guards block: nothing was written. */
function reportBlocked({ context, inputs, runner }: Job, report: PlanReport, { problems }: ProblemError): ActionResult {
  const way = inputs.plan === "auto" ? `${planAgain}\n` : "";
  runner.log(problemsText(problems, lineOfFile(context.cwd), logStyle) + way);
  annotateProblems(runner, inputs, problems);
  return {
    result: "blocked",
    code: exitCode.invalid,
    outputs: planOutputs(report),
    summary: (budget) => {
      const plan = planMarkdown(report, { budget: budget - Buffer.byteLength(way) - 1, door: "action" });
      return `${way === "" ? "" : `${way}\n`}${plan}`;
    },
  };
}
