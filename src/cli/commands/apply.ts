import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name.ts";
import { listRuns } from "../../executor/runs.ts";
import { type AdmissionOptions, toApply } from "../../workflow/load-plan.ts";
import { openProject, type Project, type ProjectOptions, stateFolder } from "../../workflow/project.ts";
import { settleLastRun } from "../../workflow/run-plan.ts";
import { setsOfPlan, type VerifyingOptions, verifyZones } from "../../workflow/verify.ts";
import { type ConfirmOptions, confirmAndRun, sayUnanswered } from "../confirm-and-run.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { showVerified } from "../show-verified.ts";
import { withApi } from "../with-api.ts";

export interface ApplyOptions extends ProjectOptions, AdmissionOptions, ConfirmOptions, VerifyingOptions {
  readonly resume?: boolean;
  /** Asks the name servers afterwards. */
  readonly verify?: boolean;
}

/** `zonewright apply`: plan, ask, write, read back. With `--resume`, the zones of the last run, which did not get done. */
export async function apply(context: Context, args: readonly string[], options: ApplyOptions): Promise<ExitCode> {
  if (options.resume && args.length > 0)
    throw new ProblemError(problem("usage", "--resume takes the zones of the last run: name none."));
  const project = openProject(context, options);
  const last = options.resume ? toResume(project) : { args };
  return withApi(context, project, options, async (target, api) => {
    const resumes = await settleLastRun(context, target, project, sayUnanswered(context));
    const { origin, ...report } = await toApply(context, target, last.args, {
      project,
      options: { ...options, ...last.options },
    });
    const about = { api, ...origin, ...(resumes.length > 0 && { resumes: [...resumes] }) };
    const code = await confirmAndRun(context, target, report, { project, options, about });
    if (!options.verify || code !== exitCode.done) return code;
    return showVerified(context, await verifyZones(context, target, setsOfPlan(report.plan), options), options.jsonl);
  });
}

/** The zones of the last run, and the domains that it was to delete. */
function toResume(project: Project): { args: readonly string[]; options?: Pick<ApplyOptions, "deleteZone"> } {
  const last = listRuns(stateFolder(project)).at(-1);
  if (last?.undoes !== undefined && last.state !== "done")
    throw new ProblemError(
      problem(
        "run-unknown",
        `the last run, ${last.id}, reverts run ${last.undoes}: resuming with apply would repeat the changes that it reverts`,
        { fix: `Go on with it: zonewright undo ${last.undoes}` },
      ),
    );
  if (last?.nonce !== undefined && last.state !== "done")
    throw new ProblemError(
      problem(
        "run-unknown",
        `the last run, ${last.id}, applied a plan file: --resume would apply a plan that was not reviewed`,
        { fix: "Go on with the same file: zonewright apply FILE" },
      ),
    );
  if (last !== undefined && last.state !== "done") {
    const args = last.zones.filter((zone) => !last.deletions.has(nameKey(zone))).map((zone) => zone.slice(0, -1));
    const deleteZone = [...last.deletions].flatMap(([zone, isDone]) => (isDone ? [] : [zone]));
    return deleteZone.length > 0 ? { args, options: { deleteZone } } : { args };
  }
  const why = last === undefined ? "there is no run yet" : `the last run, ${last.id}, is done`;
  throw new ProblemError(
    problem("run-unknown", `nothing is to be resumed: ${why}`, { fix: "Run apply without --resume." }),
  );
}
