import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { nameKey } from "../../dns/name.ts";
import { listRuns } from "../../executor/runs.ts";
import { withTarget } from "../../workflow/connect.ts";
import { toApply } from "../../workflow/load-plan.ts";
import { openProject, type Project, stateFolder } from "../../workflow/project.ts";
import { settleLastRun } from "../../workflow/run-plan.ts";
import { setsOfPlan, verifyZones } from "../../workflow/verify.ts";
import {
  allow,
  apiFlags,
  applyFlags,
  choice,
  defineCommand,
  deleteZone,
  flag,
  type Options,
  projectFlags,
  strict,
  verifyFlags,
} from "../command.ts";
import { confirmAndRun, sayUnanswered } from "../confirm-and-run.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { printVerified } from "./verify.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  ...verifyFlags,
  strict,
  allow,
  deleteZone,
  stale: choice(
    "<edits>",
    ["record", "zone"],
    "refuse a plan file after edits by others of the records it touches, or anywhere in its zones",
    "record",
  ),
  resume: flag("continue the last interrupted run"),
  ...applyFlags,
  verify: flag("then ask the name servers whether they answer what was written"),
};
type ApplyOptions = Options<typeof flags>;

/** `zonewright apply`: plan, ask, write, read back. With `--resume`, the zones of the last run, which did not get done. */
export const command = defineCommand({
  example: `  zonewright apply                           shows the plan and asks
  zonewright apply example.com --yes         in CI, where nobody can answer
  zonewright apply plan.json --allow G05     exactly the reviewed plan
  zonewright apply --resume                  continue the last interrupted run
`,
  arguments: { "[zones...]": "zones or files, or one plan file; all zones if none is given" },
  flags,
  run: (terminal, { zones }, options) => apply(terminal, zones, options),
});

async function apply(terminal: Terminal, args: readonly string[], options: ApplyOptions): Promise<ExitCode> {
  if (options.resume && args.length > 0)
    throw new ProblemError(problem("usage", "--resume takes the zones of the last run: name none."));
  const project = openProject(terminal, options);
  const last = options.resume ? toResume(project) : { args };
  return withTarget(terminal, project, options, async (target, api) => {
    const resumes = await settleLastRun(terminal, target, project, sayUnanswered(terminal));
    const { origin, ...report } = await toApply(terminal, target, last.args, {
      project,
      options: { ...options, ...last.options },
    });
    const about = { api, ...origin, ...(resumes.length > 0 && { resumes: [...resumes] }) };
    const code = await confirmAndRun(terminal, target, report, { project, options, about });
    if (!options.verify || code !== exitCode.done) return code;
    return printVerified(
      terminal,
      await verifyZones(terminal, target, setsOfPlan(report.plan), options),
      options.jsonl,
    );
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
