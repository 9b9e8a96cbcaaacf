import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { driftHtml } from "../../report/drift/html.ts";
import { type Drifts, driftMarkdown } from "../../report/drift/markdown.ts";
import { driftCommitMessage, driftPullRequest, isDriftCommit } from "../../report/drift/pull-request.ts";
import { driftPullsText } from "../../report/drift/pulls-text.ts";
import { driftText } from "../../report/drift/text.ts";
import { driftWrittenText } from "../../report/drift/written-text.ts";
import { problemsText } from "../../report/findings/findings.ts";
import { type Annotation, annotationOf } from "../../report/format/workflow-command.ts";
import type { TargetSection } from "../../report/text/on-targets.ts";
import { exitCodeOf } from "../../workflow/apply/outcome.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import {
  type DriftReport,
  type FoundDrift,
  findDrift,
  hasDrift,
  hasUnread,
  snapshotOfDrift,
} from "../../workflow/drift/drift.ts";
import { isDrift } from "../../workflow/drift/finding.ts";
import { type ExitCode, exitCode } from "../../workflow/project/exit-code.ts";
import { writeFiles } from "../../workflow/project/files.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { forTarget, isOfSeveral } from "../../workflow/project/targets.ts";
import { driftBranches, pushDriftBranches, writeDriftBranches } from "../../workflow/proposals/branches.ts";
import { openDriftPulls } from "../../workflow/proposals/pulls.ts";
import { adoptDrift, adoptionLimits } from "../../workflow/proposals/write.ts";
import { divideNames } from "../../workflow/zones/divide-names.ts";
import { onEachTarget } from "../../workflow/zones/each-target.ts";
import { inputsOfService, refuseSharedInputs, requireTargetPattern } from "../each-target.ts";
import { annotateProblems } from "../findings.ts";
import { inputProblem } from "../inputs.ts";
import { type ActionResult, apiOptions, codeByFailOn, type Job, logStyle } from "../job.ts";
import type { Outputs } from "../outputs.ts";

/** Finds changes that were made outside git, and proposes them on branches and in pull requests on request. */
export async function driftStep(job: Job): Promise<ActionResult> {
  const { inputs, project, runner } = job;
  if (inputs["open-pr"] && inputs["github-token"] === undefined)
    throw new ProblemError(inputProblem('the input "open-pr" needs the input "github-token"'));
  if (isOfSeveral(project)) return driftOnTargets(job);
  const { report, found, snapshot } = await driftOn(job);
  const written = await writeReport(job, report);
  const notices: Annotation[] = [];
  const isKnown = snapshot !== undefined || !job.project.target.capabilities.events;
  const proposed = isToWrite(inputs) && isKnown ? await proposeDrift(job, found) : undefined;
  if (isToWrite(inputs) && !isKnown) notices.push(noSnapshot);
  else if (proposed) notices.push(...proposed.notices);
  if (inputs.annotations) runner.annotate([...notices, ...annotationsOf({ report, on: "" })]);
  else for (const { message } of notices) runner.log(`${escapeControl(message)}\n`);
  const result = resultOfDrift([report]);
  return {
    result: hasUnread(report) ? "partial" : result,
    code: hasUnread(report) ? exitCode.partly : (proposed?.code ?? codeByFailOn(result, job)),
    outputs: { zones: `${report.zones.length}`, ...written },
    summary: (budget) => driftMarkdown(report, { budget, door: "action" }),
  };
}

/** Finds drift on each target, and shows that of all as one report. */
async function driftOnTargets(job: Job): Promise<ActionResult> {
  const { context, inputs, project, runner } = job;
  // Branches would put the changes of one service into files that are applied to all.
  refuseSharedInputs(job, [...inputsOfService, "write", "open-pr", "base"]);
  requireTargetPattern(job, ["snapshot"]);
  const parts = await divideNames(project, inputs.zones);
  const { done, failed, errors } = await onEachTarget(context, parts, ({ view, names }) =>
    driftOn({ ...job, project: view, inputs: { ...inputs, zones: [...names] } }),
  );
  if (done.length === 0) throw new ProblemError(errors.flatMap(({ problems }) => problems));
  const sections = done.map(({ target, value }) => ({ report: value.report, on: ` on ${target}` }));
  const written = await writeReport(job, { sections, failed });
  for (const { target, problems } of failed) {
    runner.log(`on ${target}:\n${problemsText(problems, lineOfFile(context.cwd), logStyle)}`);
    annotateProblems(runner, inputs, problems);
  }
  if (inputs.annotations) runner.annotate(sections.flatMap(annotationsOf));
  const reports = sections.map(({ report }) => report);
  const result = resultOfDrift(reports);
  const isPartial = failed.length > 0 || reports.some(hasUnread);
  const zones = reports.reduce((sum, { zones }) => sum + zones.length, 0);
  return {
    result: isPartial ? "partial" : result,
    code: isPartial ? exitCode.partly : codeByFailOn(result, job),
    outputs: { zones: `${zones}`, ...written },
    summary: (budget) => driftMarkdown({ sections, failed }, { budget, door: "action" }),
  };
}

function isToWrite({ write, "open-pr": opensPull }: Job["inputs"]): boolean {
  return write || opensPull;
}

/** The drift of the only target. */
async function driftOn(job: Job) {
  const { context, inputs, project } = job;
  const place = forTarget(inputs.snapshot ?? inputs.base, project);
  const snapshot = snapshotOfDrift(context, project, place);
  let requests = 0;
  const counting = { ...apiOptions(job), onReply: () => requests++ };
  const found = await connectToRead(context, project, counting, (connection) =>
    findDrift(context, project, connection, { names: inputs.zones, snapshot, isToWrite: isToWrite(inputs) }),
  );
  const report: DriftReport = { requests, ...found.report };
  return { report, found, snapshot };
}

/** Shows drift in the log, and writes the page that the inputs ask for. */
async function writeReport({ context, inputs, runner }: Job, drifts: Drifts): Promise<Outputs> {
  runner.log(driftText(drifts, logStyle));
  const { html } = inputs;
  if (html === undefined) return {};
  const fix = "Name a file in a folder that the runner may write.";
  await writeFiles(context, [{ file: html, text: await driftHtml(drifts, "action") }], fix);
  return { "report-path": html };
}

function annotationsOf({ report, on }: TargetSection<DriftReport>): Annotation[] {
  return [...driftAnnotations(report, on), ...report.notes.map((note) => annotationOf(note, "action"))];
}

function resultOfDrift(reports: readonly DriftReport[]): "drift" | "changes" | "in-sync" {
  if (reports.some(hasDrift)) return "drift";
  return reports.some(({ zones }) => zones.length > 0) ? "changes" : "in-sync";
}

const noSnapshot: Annotation = {
  level: "notice",
  title: "no snapshot",
  message:
    "Nothing is proposed: without a snapshot of the last apply, it is unknown whether git or the live zones are newer. Publish one with the command snapshot after each apply.",
};

/** Drift that was proposed, as far as it could be. */
interface Proposed {
  readonly notices: readonly Annotation[];
  /** The exit code of the step, if a branch could not be written. */
  readonly code?: ExitCode;
}

/** Commits drift on a branch for each zone, pushes it, and opens a pull request for it if the inputs ask for one. */
async function proposeDrift(job: Job, { compared }: FoundDrift): Promise<Proposed> {
  const { context, inputs, project, runner } = job;
  const adoption = await adoptDrift(project, project.target, compared, adoptionLimits);
  const rules = { isOwn: isDriftCommit };
  const request = { pattern: driftBranches, messageOf: driftCommitMessage, ...rules };
  const written = await writeDriftBranches(context, adoption.files, request);
  runner.log(driftWrittenText({ ...adoption, ...written }, byHand, "action"));
  const pulls = inputs["open-pr"] ? await openDriftPulls(context, written.branches, hubOf(job)) : undefined;
  const { done, failed: unpublished } = pulls ?? (await pushDriftBranches(context, written.branches, rules));
  if (pulls) runner.log(driftPullsText(pulls.done));
  const notices = (pulls?.done ?? []).map(
    (pull): Annotation => ({ level: "notice", title: "drift", message: driftPullsText([pull]).trim() }),
  );
  const failed = [...written.failed, ...unpublished];
  if (failed.length === 0) return { notices };
  runner.log(problemsText(failed, lineOfFile(context.cwd), logStyle));
  const code = done.length > 0 ? exitCode.partly : exitCodeOf(new ProblemError(failed));
  return { notices: [...failed.map((one) => annotationOf(one, "action")), ...notices], code };
}

/** The action has no inputs for larger limits. */
const byHand = "run `zonewright drift --write --branch auto` with higher --most-changes and --most-zones, and push";

function hubOf({ context, inputs }: Job) {
  const { GITHUB_REPOSITORY: repository, GITHUB_API_URL: apiUrl } = context.env;
  return { token: inputs["github-token"], repository, apiUrl, textOf: driftPullRequest, isOwn: isDriftCommit };
}

/** A warning for each zone with drift, at its file. */
function driftAnnotations({ snapshot, baselines, zones }: DriftReport, on: string): Annotation[] {
  return zones.flatMap(({ zone, file, findings }) => {
    const number = findings.filter(isDrift).length;
    if (number === 0) return [];
    const found = snapshot || baselines ? `${count(number, "change")} made outside git` : count(number, "difference");
    const message = `${zone.slice(0, -1)}${on}: ${found}; the summary of the job lists ${number === 1 ? "it" : "them"}`;
    return [{ level: "warning", title: "drift", message, ...(file !== undefined && { place: firstLine(file) }) }];
  });
}

function firstLine(file: string) {
  return { file, line: 1, column: 1, length: 1 };
}
