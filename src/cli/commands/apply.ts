import { usageError } from "../../diagnostics/problem.ts";
import { apply, findUnfinished } from "../../workflow/apply/apply.ts";
import { exitCodeWithSkipped } from "../../workflow/apply/outcome.ts";
import { readVerifyingOptions, setsOfPlan, verifyZones } from "../../workflow/apply/verify.ts";
import { readApprovedPlans } from "../../workflow/plan/approved-plans.ts";
import { isPlanFile } from "../../workflow/plan/load-plan.ts";
import { connectToWrite } from "../../workflow/project/connect.ts";
import { readSignatureRules } from "../../workflow/project/plan-keys.ts";
import { openProject } from "../../workflow/project/project.ts";
import { ApplyDisplay, printApplied } from "../apply-display.ts";
import {
  allow,
  apiFlags,
  applyFlags,
  choice,
  defineCommand,
  deleteZone,
  flag,
  list,
  projectFlags,
  skipInvalid,
  strict,
  verifyFlags,
  viewNotes,
} from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { printVerified } from "./verify.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  ...verifyFlags,
  strict,
  allow,
  deleteZone,
  skipInvalid,
  approved: list("<file>", "apply only effects that this approved plan file includes; repeatable"),
  requireSignature: flag("refuse plan files that no key in ZONEWRIGHT_VERIFY_KEYS has signed"),
  stale: choice(
    "<edits>",
    ["record", "zone"],
    "refuse a plan file if others edited the records it touches, or anything in its zones",
    "record",
  ),
  resume: flag("continue the last interrupted run"),
  ...applyFlags,
  verify: flag("afterwards check that the name servers answer with the applied records"),
};
/** `zonewright apply`: plan, ask, write, read back. With `--resume`, the zones of the last, interrupted run. */
export const applyCommand = defineCommand({
  example: `  zonewright apply                           shows the plan and asks
  zonewright apply example.com --yes         in CI, without a prompt
  zonewright apply plan.json --allow G05     exactly the reviewed plan
  zonewright apply --approved plan.json      only what was approved
  zonewright apply --resume                  continue the last interrupted run
`,
  notes: viewNotes,
  arguments: { "[zones...]": "zones or files, or one plan file; all zones if none is given" },
  flags,
  async run(terminal, { zones: names }, options) {
    if (options.resume && names.length > 0)
      throw usageError(
        "--resume continues with the zones of the last run: leave out other zones; a plan file is continued without --resume.",
      );
    if (options.zones && names.some((name) => isPlanFile(terminal, name)))
      throw usageError("a plan file names its zone files itself: leave out --zones.");
    readVerifyingOptions(options); // wrong ones are reported before any write
    const project = openProject(terminal, options);
    await logUnfinishedRun(terminal, project);
    const { approved: files, ...rest } = options;
    const signatures = readSignatureRules(terminal, options.requireSignature ?? false);
    const approved = files && readApprovedPlans(terminal, files, signatures);
    const given = { ...rest, signatures, ...(approved && { approved }) };
    const last = options.resume ? await findUnfinished(project, given) : { names };
    return connectToWrite(terminal, project, options, async (connection) => {
      const display = new ApplyDisplay(terminal, options, { words: ["apply", ...names], flags, options });
      const request = { ...given, ...last, ...display.hooks };
      const report = await display.run(() => apply(terminal, project, connection, request));
      const code = printApplied(terminal, report, options, names);
      if (code !== exitCode.done) return code;
      const sets = setsOfPlan(report.plan.plan);
      const verified = options.verify && (await verifyZones(terminal, connection.target, sets, options));
      return exitCodeWithSkipped(verified ? printVerified(terminal, verified, options.jsonl) : code, report.plan);
    });
  },
});
