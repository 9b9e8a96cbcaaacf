import { count, plain } from "../../diagnostics/plain.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { driftHtml } from "../../report/drift-html.ts";
import { driftMarkdown } from "../../report/drift-markdown.ts";
import { driftCommitMessage, driftPullRequest, isDriftCommit } from "../../report/drift-pull-request.ts";
import { driftPullsText } from "../../report/drift-pulls-text.ts";
import { driftText } from "../../report/drift-text.ts";
import { driftWrittenText } from "../../report/drift-written-text.ts";
import { type Annotation, annotationOf } from "../../report/workflow-command.ts";
import { connectToRead } from "../../workflow/connect.ts";
import { type DriftReport, type FoundDrift, findDrift } from "../../workflow/drift.ts";
import { driftBranches, writeDriftBranches } from "../../workflow/drift-branches.ts";
import { isDrift } from "../../workflow/drift-finding.ts";
import { openDriftPulls } from "../../workflow/drift-pulls.ts";
import { adoptDrift, adoptionLimits } from "../../workflow/drift-write.ts";
import { writeFiles } from "../../workflow/files.ts";
import { pushBranch } from "../../workflow/git-push.ts";
import { findPublishedSnapshot } from "../../workflow/git-ref.ts";
import { inputProblem } from "../inputs.ts";
import { apiOptions, codeByFailOn, type Job, logStyle, type Outcome } from "../job.ts";

/** Finds changes that were made outside git, and proposes them on branches and in pull requests on request. */
export async function drift(job: Job): Promise<Outcome> {
  const { context, inputs, project, runner } = job;
  const isWriting = inputs.write || inputs["open-pr"];
  if (inputs["open-pr"] && inputs["github-token"] === undefined)
    throw new ProblemError(inputProblem('the input "open-pr" needs the input "github-token"'));
  const base = inputs.base ?? findPublishedSnapshot(context);
  let requests = 0;
  const counting = { ...apiOptions(job), onReply: () => requests++ };
  const found = await connectToRead(context, project, counting, (connection) =>
    findDrift(context, project, connection, { names: inputs.zones, base }),
  );
  const report: DriftReport = { ...found.report, requests };
  runner.log(driftText(report, logStyle));
  const { html } = inputs;
  if (html !== undefined)
    await writeFiles(
      context,
      [{ file: html, text: await driftHtml(report) }],
      "Name a file in a folder that the runner may write.",
    );
  const notices: Annotation[] = [];
  if (isWriting && base === undefined) notices.push(noBase);
  else if (isWriting) notices.push(...(await proposeDrift(job, found)));
  if (inputs.annotations) runner.annotate([...notices, ...driftAnnotations(report), ...report.notes.map(annotationOf)]);
  else for (const { message } of notices) runner.log(`${plain(message)}\n`);
  const result = report.zones.some(({ findings }) => findings.some(isDrift))
    ? "drift"
    : report.zones.length > 0
      ? "changes"
      : "in-sync";
  return {
    result,
    code: codeByFailOn(result, job),
    outputs: { zones: `${report.zones.length}`, ...(html !== undefined && { "report-path": html }) },
    summary: (budget) => driftMarkdown(report, { budget }),
  };
}

const noBase: Annotation = {
  level: "notice",
  title: "no base",
  message:
    "Nothing is proposed: without a snapshot of the last apply, it is unknown whether git or the live zones are newer. Publish one with the command snapshot after each apply.",
};

/** Commits drift on a branch for each zone, pushes it, and opens a pull request for it if the inputs ask for one. */
async function proposeDrift(job: Job, { compared }: FoundDrift): Promise<Annotation[]> {
  const { context, inputs, project, runner } = job;
  const adoption = await adoptDrift(project, project.target, compared, adoptionLimits);
  const request = { pattern: driftBranches, messageOf: driftCommitMessage, isOwn: isDriftCommit };
  const written = writeDriftBranches(context, adoption.files, request);
  runner.log(driftWrittenText({ ...adoption, ...written }));
  if (!inputs["open-pr"]) {
    for (const { branch, commit } of written.branches)
      pushBranch(context.cwd, { branch, commit, isOwn: isDriftCommit });
    return [];
  }
  const pulls = await openDriftPulls(context, written.branches, hubOf(job));
  runner.log(driftPullsText(pulls));
  return pulls.map((pull) => ({ level: "notice", title: "drift", message: driftPullsText([pull]).trim() }));
}

function hubOf({ context, inputs }: Job) {
  const { GITHUB_REPOSITORY: repository, GITHUB_API_URL: apiUrl } = context.env;
  return { token: inputs["github-token"], repository, apiUrl, textOf: driftPullRequest, isOwn: isDriftCommit };
}

/** A warning for each zone with drift, at its file. */
function driftAnnotations({ zones }: DriftReport): Annotation[] {
  return zones.flatMap(({ zone, file, findings }) => {
    const number = findings.filter(isDrift).length;
    if (number === 0) return [];
    const message = `${zone.slice(0, -1)}: ${count(number, "change")} made outside git; the summary of the job lists them`;
    return [{ level: "warning", title: "drift", message, ...(file !== undefined && { place: firstLine(file) }) }];
  });
}

function firstLine(file: string) {
  return { file, line: 1, column: 1, length: 1 };
}
