import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { driftHtml } from "../../report/drift/html.ts";
import { driftMarkdown } from "../../report/drift/markdown.ts";
import { driftCommitMessage, driftPullRequest, isDriftCommit } from "../../report/drift/pull-request.ts";
import { driftPullsText } from "../../report/drift/pulls-text.ts";
import { driftText } from "../../report/drift/text.ts";
import { driftWrittenText } from "../../report/drift/written-text.ts";
import { problemsText } from "../../report/findings/findings.ts";
import { type Annotation, annotationOf } from "../../report/format/workflow-command.ts";
import { exitCodeOf } from "../../workflow/apply/outcome.ts";
import { type DriftReport, type FoundDrift, findDrift } from "../../workflow/drift/drift.ts";
import { isDrift } from "../../workflow/drift/finding.ts";
import { findPublishedSnapshot } from "../../workflow/git/git-ref.ts";
import { connectToRead } from "../../workflow/project/connect.ts";
import { type ExitCode, exitCode } from "../../workflow/project/exit-code.ts";
import { writeFiles } from "../../workflow/project/files.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { driftBranches, pushDriftBranches, writeDriftBranches } from "../../workflow/proposals/branches.ts";
import { openDriftPulls } from "../../workflow/proposals/pulls.ts";
import { adoptDrift, adoptionLimits } from "../../workflow/proposals/write.ts";
import { inputProblem } from "../inputs.ts";
import { type ActionResult, apiOptions, codeByFailOn, type Job, logStyle } from "../job.ts";

/** Finds changes that were made outside git, and proposes them on branches and in pull requests on request. */
export async function driftStep(job: Job): Promise<ActionResult> {
  const { context, inputs, project, runner } = job;
  const isWriting = inputs.write || inputs["open-pr"];
  if (inputs["open-pr"] && inputs["github-token"] === undefined)
    throw new ProblemError(inputProblem('the input "open-pr" needs the input "github-token"'));
  const snapshot = inputs.snapshot ?? inputs.base ?? findPublishedSnapshot(context, project);
  let requests = 0;
  const counting = { ...apiOptions(job), onReply: () => requests++ };
  const found = await connectToRead(context, project, counting, (connection) =>
    findDrift(context, project, connection, { names: inputs.zones, snapshot }),
  );
  const report: DriftReport = { ...found.report, requests };
  runner.log(driftText(report, logStyle));
  const { html } = inputs;
  if (html !== undefined)
    await writeFiles(
      context,
      [{ file: html, text: await driftHtml(report, "action") }],
      "Name a file in a folder that the runner may write.",
    );
  const notices: Annotation[] = [];
  const isKnown = snapshot !== undefined || !project.target.capabilities.events;
  const proposed = isWriting && isKnown ? await proposeDrift(job, found) : undefined;
  if (isWriting && !isKnown) notices.push(noSnapshot);
  else if (proposed) notices.push(...proposed.notices);
  if (inputs.annotations)
    runner.annotate([
      ...notices,
      ...driftAnnotations(report),
      ...report.notes.map((note) => annotationOf(note, "action")),
    ]);
  else for (const { message } of notices) runner.log(`${escapeControl(message)}\n`);
  const result = report.zones.some(({ findings }) => findings.some(isDrift))
    ? "drift"
    : report.zones.length > 0
      ? "changes"
      : "in-sync";
  return {
    result,
    code: proposed?.code ?? codeByFailOn(result, job),
    outputs: { zones: `${report.zones.length}`, ...(html !== undefined && { "report-path": html }) },
    summary: (budget) => driftMarkdown(report, { budget, door: "action" }),
  };
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
function driftAnnotations({ snapshot, baselines, zones }: DriftReport): Annotation[] {
  return zones.flatMap(({ zone, file, findings }) => {
    const number = findings.filter(isDrift).length;
    if (number === 0) return [];
    const found = snapshot || baselines ? `${count(number, "change")} made outside git` : count(number, "difference");
    const message = `${zone.slice(0, -1)}: ${found}; the summary of the job lists ${number === 1 ? "it" : "them"}`;
    return [{ level: "warning", title: "drift", message, ...(file !== undefined && { place: firstLine(file) }) }];
  });
}

function firstLine(file: string) {
  return { file, line: 1, column: 1, length: 1 };
}
