import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { shellWord } from "../../diagnostics/shell-word.ts";
import { waitingText } from "../../report/apply/waiting-text.ts";
import { type ApplyReport, apply, findUnfinished } from "../../workflow/apply/apply.ts";
import { exitCodeWithSkipped } from "../../workflow/apply/outcome.ts";
import { readVerifyingOptions, setsOfPlan, verifyZones } from "../../workflow/apply/verify.ts";
import { connectToWrite } from "../../workflow/connect/connect.ts";
import { type FirstPass, readApprovedPlans, selectParts } from "../../workflow/plan/approved-plans.ts";
import { isPlanFile } from "../../workflow/plan/load-plan.ts";
import { joinCodes } from "../../workflow/project/exit-code.ts";
import { readSignatureRules } from "../../workflow/project/plan-keys.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { targetViews } from "../../workflow/project/targets.ts";
import type { TargetPart } from "../../workflow/zones/divide-names.ts";
import { ApplyDisplay, printApplied } from "../apply-display.ts";
import {
  allow,
  apiFlags,
  applyFlags,
  defineCommand,
  deleteZone,
  flag,
  former,
  list,
  type Options,
  projectFlags,
  skipInvalid,
  strict,
  text,
  verifyFlags,
  viewNotes,
} from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import type { Terminal } from "../terminal.ts";
import { printVerified } from "./verify.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  ...verifyFlags,
  strict,
  allow,
  deleteZone,
  skipInvalid,
  requireSignature: flag("refuse plan files that no key in ZONEWRIGHT_VERIFY_KEYS has signed"),
  approved: former(list("<file>", "a plan file, now an argument")),
  stale: former(text("<edits>", "edits that make a plan file stale")),
  resume: flag("continue the last interrupted run"),
  ...applyFlags,
  verify: flag("afterwards check that the name servers answer with the applied records"),
};
/** `zonewright apply`: plan, ask, write, read back. With `--resume`, the zones of the last, interrupted run. */
export const applyCommand = defineCommand({
  example: `  zonewright apply                           shows the plan and asks
  zonewright apply example.com --yes         in CI, without a prompt
  zonewright apply plan.json --yes           only what this plan file approves
  zonewright apply --resume                  continue the last interrupted run
`,
  notes: viewNotes,
  arguments: { "[zones...]": "zones or files, and plan files that approve changes; all zones if none is given" },
  flags,
  async run(terminal, { zones }, { approved, stale, ...options }) {
    const names = [...zones, ...(approved ?? [])];
    const words = ["apply", ...names];
    if (stale !== undefined)
      throw usageError(
        "--stale was removed: leave it out. Edits of other records are kept, and edits of records that the plan file changes are refused.",
      );
    if (approved) terminal.log(`note: ${escapeControl(approvedNote(words))}\n`);
    const hasPlan = names.some((name) => isPlanFile(terminal, name));
    if (options.resume && approved === undefined && names.length > 0)
      throw usageError(
        "--resume continues with the zones of the last run: leave out other zones; a plan file is continued without --resume.",
      );
    if (options.zones && hasPlan) throw usageError("a plan file names its zone files itself: leave out --zones.");
    readVerifyingOptions(options); // wrong ones are reported before any write
    const project = openProject(terminal, options);
    if (project.view || project.selected.length === 0) return applyTarget(terminal, project, names, options);
    const { refuseSharedOptions } = await import("../targets.ts"); // most projects have one
    refuseSharedOptions(project, options, ofOneTarget);
    return applyOnTargets(terminal, await divideArguments(terminal, project, names), options);
  },
});

/** Applies on one target after another, in two passes. */
async function applyOnTargets(
  terminal: Terminal,
  parts: readonly TargetPart[],
  options: ApplyOptions,
): Promise<ExitCode> {
  const { codesOfTargets } = await import("../targets.ts");
  const { applyInTwoPasses } = await import("../../workflow/apply/two-passes.ts");
  const { timeoutMs } = readVerifyingOptions(options);
  const { first, second = [] } = await applyInTwoPasses(
    terminal,
    parts,
    (parts, { firstOf, onApplied }) =>
      codesOfTargets(terminal, parts, ({ view, names }) => {
        // Advice repeats the options, so that it is about one target only.
        const target = view.selected.map(({ name }) => name);
        const firstPass = firstOf(target.join());
        const report = (applied: ApplyReport) => onApplied(target.join(), applied);
        return applyTarget(terminal, view, names, { ...options, target, onApplied: report, firstPass });
      }),
    { timeoutMs, onWait: (ms, servers) => terminal.log(waitingText(ms, servers)) },
  );
  // The second run of a target has the verdict on NS records that its first left out.
  for (const [target, code] of second)
    if (first.get(target) === exitCode.partly || first.get(target) === exitCode.done) first.set(target, code);
  return joinCodes([...first.values()]);
}

type ApplyOptions = Omit<Options<typeof flags>, "approved" | "stale">;

/** An apply on one of several targets. */
interface OneOfTwoPasses {
  readonly firstPass?: FirstPass | undefined;
  readonly onApplied?: (report: ApplyReport) => void;
}

/** The options that are about one service. */
const ofOneTarget = ["apiUrl", "tokenFile", "deleteZone", "resume", "jsonl", "nameserver"] as const;

/** Applies on the only target. */
async function applyTarget(
  terminal: Terminal,
  project: Project,
  names: readonly string[],
  { onApplied, firstPass, ...options }: ApplyOptions & OneOfTwoPasses,
): Promise<ExitCode> {
  if (!options.resume) await logUnfinishedRun(terminal, project);
  const hasPlan = names.some((name) => isPlanFile(terminal, name));
  const given = { ...options, signatures: readSignatureRules(terminal, options.requireSignature ?? false) };
  const last = options.resume && !hasPlan ? await findUnfinished(project) : { names };
  return connectToWrite(terminal, project, options, async (connection) => {
    const display = new ApplyDisplay(terminal, options, { words: ["apply", ...names], flags, options });
    const request = { ...given, ...last, ...display.hooks, firstPass };
    const report = await display.run(connection, () => apply(terminal, project, connection, request));
    const isVerified = options.verify === true;
    onApplied?.(report);
    const code = printApplied(terminal, report, { ...options, isVerified }, names);
    if (code !== exitCode.done) return code;
    if (isVerified && terminal.signal.aborted) {
      terminal.log("interrupted before the name servers were asked: `zonewright verify` asks them\n");
      return exitCode.interrupted;
    }
    const sets = setsOfPlan(report.plan.plan);
    const verified = isVerified && (await verifyZones(terminal, connection.target, sets, { ...options, project }));
    return exitCodeWithSkipped(
      verified ? printVerified(terminal, { ...connection, project }, verified, options.jsonl) : code,
      report.plan,
    );
  });
}

/** Divides zones, files and plan files among the targets; plan files name theirs. */
async function divideArguments(
  terminal: Terminal,
  project: Project,
  names: readonly string[],
): Promise<readonly TargetPart[]> {
  const { divideNames } = await import("../../workflow/zones/divide-names.ts");
  const plans = names.filter((name) => isPlanFile(terminal, name));
  if (plans.length === 0) return divideNames(project, names);
  const zones = names.filter((name) => !plans.includes(name));
  const parts = zones.length === 0 ? [] : await divideNames(project, zones);
  const files = plans.map((file) => {
    const approved = selectParts(project, readApprovedPlans(terminal, [file]));
    return { file, targets: approved.map(({ plan }) => plan.target.name) };
  });
  const found = targetViews(project).flatMap((view) => {
    const own = files.filter(({ targets }) => targets.includes(view.view?.name)).map(({ file }) => file);
    const ofZones = parts.find((part) => part.view.view?.name === view.view?.name)?.names ?? [];
    // Without its zones, a plan file would be applied as a whole.
    const isLeftOut = own.length === 0 || (zones.length > 0 && ofZones.length === 0);
    return isLeftOut ? [] : [{ view, names: [...own, ...ofZones] }];
  });
  if (found.length > 0) return found;
  throw usageError(`${plans.join(", ")} has no changes on the targets of ${zones.join(", ")}: leave these zones out.`);
}

function approvedNote(words: readonly string[]): string {
  return `plan files are arguments now: \`zonewright ${words.map(shellWord).join(" ")}\`; the option --approved ends with the next version`;
}
