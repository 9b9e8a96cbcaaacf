import { ProblemError, usageError } from "../../diagnostics/problem.ts";
import { driftJson, driftsJson } from "../../report/drift/json.ts";
import { type Drifts, driftMarkdown } from "../../report/drift/markdown.ts";
import { driftCommitMessage, driftPullRequest, isDriftCommit } from "../../report/drift/pull-request.ts";
import { driftPullsText } from "../../report/drift/pulls-text.ts";
import { driftText } from "../../report/drift/text.ts";
import { type DriftWriting, driftWrittenText } from "../../report/drift/written-text.ts";
import { problemsJson } from "../../report/findings/findings.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { githubComment } from "../../report/plan/markdown.ts";
import { exitCodeOf } from "../../workflow/apply/outcome.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import { type FoundDrift, findDrift, hasDrift, hasUnread, snapshotOfDrift } from "../../workflow/drift/drift.ts";
import { publishedRef, publishingPlace } from "../../workflow/git/git-ref.ts";
import { writeFiles } from "../../workflow/project/files.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { forTarget, isOfSeveral, shownTarget, targetPlaceholder } from "../../workflow/project/targets.ts";
import { driftBranches, writeDriftBranches } from "../../workflow/proposals/branches.ts";
import { connectToGitHub, openDriftPulls } from "../../workflow/proposals/pulls.ts";
import { adoptDrift, adoptionLimits } from "../../workflow/proposals/write.ts";
import { divideNames } from "../../workflow/zones/divide-names.ts";
import { onEachTarget } from "../../workflow/zones/each-target.ts";
import { apiFlags, base, defineCommand, flag, projectFlags, snapshotOf, strict, text } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { printProblems } from "../print-error.ts";
import { readNumber } from "../read-number.ts";
import { readReports, reportFlag, type WantedReport, writeReports } from "../reports.ts";
import { printFailed, refuseSharedOptions, requirePattern } from "../targets.ts";
import type { Terminal } from "../terminal.ts";

const fileStyle = { color: false, unicode: true };
const formats = ["text", "json", "markdown", "github", "html"] as const;

/** How to get a snapshot, which a fresh clone does not have: git fetches no refs outside of branches and tags. */
function snapshotAdvice(terminal: Terminal, project: Project): string {
  const ref = publishedRef(project);
  const hasSeveral = shownTarget(project) !== undefined;
  const file = hasSeveral ? `live-${targetPlaceholder}.json` : "FILE";
  const refOfAll = hasSeveral ? `refs/zonewright/targets/${targetPlaceholder}` : ref;
  switch (publishingPlace(terminal)) {
    case "none":
      return `Save it after an apply with \`zonewright snapshot --out ${file}\`, and name the file with --snapshot.`;
    case "clone":
      return `Keep it after an apply with \`zonewright snapshot --ref ${refOfAll}\`, or name a file with --snapshot.`;
    case "origin":
      return (
        `Fetch the snapshot with \`git fetch origin +${ref}:${ref}\`, publish it after an apply ` +
        `with \`zonewright snapshot --ref ${refOfAll} --push\`, or name a file with --snapshot.`
      );
  }
}

/** The commits that drift may replace, and how to take a branch with another name. */
const branchRules = { isOwn: isDriftCommit, otherName: "name another one with --branch" };

/** `zonewright drift`: what changed outside git, and who did it. */
export const driftCommand = defineCommand({
  example: `  zonewright drift                           since the published snapshot
  zonewright drift example.com --snapshot live.json
  zonewright drift --full --detailed-exitcode
  zonewright drift --write                   into the zone files
  zonewright drift --write --branch auto     one branch for each zone
  zonewright drift --write --open-pr         and a pull request on GitHub
`,
  notes: `drift compares with a snapshot of the live zones after the last apply: a file
of \`zonewright snapshot --out\`, or ref:REF for one published with --ref. Without
--snapshot, refs/zonewright/snapshot is used if this clone has it. The event log
of the API tells which zones changed since, and only these are read.

--open-pr takes the token and the repository from GITHUB_TOKEN and
GITHUB_REPOSITORY, as in a workflow.
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    ...apiFlags,
    strict,
    report: reportFlag(formats),
    wide: flag("show every finding on one line, with its values in full, as in a pipe"),
    snapshot: text("<file>", "snapshot of the last applied state (a file, or ref:REF in git)"),
    base,
    state: text("<file>", "keep what a poll has read in this file, for the next poll"),
    full: flag("read every zone, also those without an event"),
    acceptPrimary: flag("accept the primary and the name servers that the zones have now"),
    write: flag("write the changes into the zone files; conflicts are left to you"),
    branch: text("<name>", "with --write: commit on this branch; {zone} or `auto`: one for each zone"),
    openPr: flag("with --write: push the branches to origin, and open pull requests on GitHub"),
    mostChanges: text("<number>", "with --write: write nothing if more was changed", `${adoptionLimits.records}`),
    mostZones: text("<number>", "with --write: write nothing if more zones were changed", `${adoptionLimits.zones}`),
    detailedExitcode: flag("exit with 2 if something was changed outside git"),
  },
  interruption: "nothing was changed",
  async run(terminal, { zones: names }, options) {
    const { full: isFull, wide, detailedExitcode, write = false, openPr = false, acceptPrimary } = options;
    const branch = options.branch ?? (openPr ? "auto" : undefined);
    const wanted = readReports(options.report, formats);
    if (openPr && !write) throw usageError("--open-pr needs --write.");
    if (options.state !== undefined && names.length > 0)
      throw usageError("--state keeps all zones of the project: leave out the names.");
    if (branch !== undefined && !write) throw usageError("--branch needs --write.");
    const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository, GITHUB_API_URL: apiUrl } = terminal.env;
    const hub = { token, repository, apiUrl, textOf: driftPullRequest, ...branchRules };
    if (openPr) connectToGitHub(terminal, hub);
    const limits = {
      records: readNumber("--most-changes", options.mostChanges, 1),
      zones: readNumber("--most-zones", options.mostZones, 1),
    };
    const project = openProject(terminal, options);
    if (isOfSeveral(project)) return driftOnTargets(terminal, project, { ...options, wanted, names });
    await logUnfinishedRun(terminal, project);
    const snapshot = snapshotOfDrift(terminal, project, forTarget(snapshotOf(terminal, options), project));
    const needsSnapshot = snapshot === undefined && project.target.capabilities.events;
    if (write && needsSnapshot)
      throw usageError(
        `--write needs a snapshot, which tells changes made in git from others. ${snapshotAdvice(terminal, project)}`,
      );
    let requests = 0;
    const counting = { ...options, onReply: () => requests++ };
    const found = await connectToRead(terminal, project, counting, (connection) =>
      findDrift(terminal, project, connection, {
        names,
        snapshot,
        isFull,
        state: options.state,
        isToWrite: write,
        acceptsPrimary: acceptPrimary,
      }),
    );
    const report = { requests, ...found.report };
    if (options.state !== undefined && found.state) {
      const { cwd, signal } = terminal;
      const files = [{ file: options.state, text: jsonText(found.state) }];
      await writeFiles({ cwd, signal }, files, "Name a file in a folder that this user may write.");
    }
    const writing = write ? await writeDrift(terminal, project, found, { branch, limits }) : undefined;
    await writeDriftReports(terminal, wanted, { found: report, json: () => driftJson(report), wide });
    if (needsSnapshot) terminal.log(`${snapshotAdvice(terminal, project)}\n`);
    if (writing) terminal.log(driftWrittenText(writing, "raise --most-changes and --most-zones", "cli"));
    const pulls = openPr ? await openDriftPulls(terminal, writing?.branches ?? [], hub) : undefined;
    if (pulls) terminal.log(driftPullsText(pulls.done));
    const failed = [...(writing?.failed ?? []), ...(pulls?.failed ?? [])];
    if (failed.length > 0) {
      const error = new ProblemError(failed);
      printProblems(terminal, failed);
      return (pulls?.done ?? writing?.branches ?? []).length > 0 ? exitCode.partly : exitCodeOf(error);
    }
    if (hasUnread(report)) return exitCode.partly;
    if (writing && (writing.left.length > 0 || writing.exceeded || (writing.modified ?? []).length > 0))
      return exitCode.partly;
    return detailedExitcode && hasDrift(report) ? exitCode.differences : exitCode.done;
  },
  reportProblems(problems, { report }, terminal) {
    return writeReports(terminal, readReports(report, formats), (format) =>
      format === "json" ? problemsJson(problems) : undefined,
    );
  },
});

type Format = (typeof formats)[number];

/** The options that are about one service, and those that write its changes into files that belong to all. */
const ofOneTarget = ["acceptPrimary", "write", "branch", "openPr", "state", "base", "apiUrl", "tokenFile"] as const;

interface DriftOptions {
  readonly wanted: readonly WantedReport<Format>[];
  readonly names: readonly string[];
  readonly snapshot?: string;
  readonly full?: boolean;
  readonly wide?: boolean;
  readonly detailedExitcode?: boolean;
}

/** Looks for drift on each target, and shows that of all as one report. */
async function driftOnTargets(
  terminal: Terminal,
  project: Project,
  { wanted, names, full: isFull, wide, detailedExitcode, ...options }: DriftOptions,
): Promise<ExitCode> {
  refuseSharedOptions(project, options, ofOneTarget);
  requirePattern(project, options, ["snapshot"]);
  const results = await onEachTarget(terminal, await divideNames(project, names), async ({ view, names }) => {
    await logUnfinishedRun(terminal, view);
    const snapshot = snapshotOfDrift(terminal, view, forTarget(options.snapshot, view));
    let requests = 0;
    const found = await connectToRead(terminal, view, { onReply: () => requests++ }, (connection) =>
      findDrift(terminal, view, connection, { names, snapshot, isFull }),
    );
    if (snapshot === undefined && view.target.capabilities.events)
      terminal.log(`on ${view.view?.name}:\n${snapshotAdvice(terminal, view)}\n`);
    return { requests, ...found.report };
  });
  const { done, failed } = results;
  const found = { sections: done.map(({ target, value }) => ({ report: value, on: ` on ${target}` })), failed };
  const json = () =>
    driftsJson(
      done.map(({ target, value }) => ({ target, report: value })),
      failed,
    );
  await writeDriftReports(terminal, wanted, { found, json, wide });
  const isFound = done.some(({ value }) => hasDrift(value));
  const code = detailedExitcode && isFound ? exitCode.differences : exitCode.done;
  return printFailed(terminal, results, done.some(({ value }) => hasUnread(value)) ? exitCode.partly : code);
}

interface DriftToWrite {
  readonly found: Drifts;
  readonly json: () => object;
  readonly wide?: boolean | undefined;
}

async function writeDriftReports(
  terminal: Terminal,
  wanted: readonly WantedReport<Format>[],
  { found, json, wide }: DriftToWrite,
): Promise<void> {
  const width = wide ? undefined : terminal.printWidth();
  const printed = await writeReports(terminal, wanted, (format, isFile): string | Promise<string> => {
    switch (format) {
      case "text":
        return isFile ? driftText(found, fileStyle) : driftText(found, terminal.printStyle, width);
      case "json":
        return jsonText(json());
      case "markdown":
        return driftMarkdown(found);
      case "github":
        return driftMarkdown(found, githubComment);
      case "html":
        // Loaded on use: hono would slow down the start of every check.
        return import("../../report/drift/html.ts").then(({ driftHtml }) => driftHtml(found));
    }
  });
  if (printed !== undefined) terminal.print(printed);
}

/** Writes drift into the work tree, or on branches. */
async function writeDrift(
  terminal: Terminal,
  project: Project,
  { compared }: FoundDrift,
  { branch, limits }: { readonly branch: string | undefined; readonly limits: { records: number; zones: number } },
): Promise<DriftWriting> {
  const adoption = await adoptDrift(project, project.target, compared, limits);
  const { files } = adoption;
  if (branch === undefined) {
    const { cwd, signal } = terminal;
    await writeFiles({ cwd, signal }, files, "Make the folder writable, or name another one with --zones.");
    return adoption;
  }
  const pattern = branch === "auto" ? driftBranches : branch;
  const request = { pattern, messageOf: driftCommitMessage, ...branchRules };
  return { ...adoption, ...(await writeDriftBranches(terminal, files, request)) };
}
