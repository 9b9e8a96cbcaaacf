import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { jsonText } from "../../report/format/json-text.ts";
import type { Planned } from "../../report/plan/sections.ts";
import { type PlanView, planText } from "../../report/plan/text.ts";
import type { Style } from "../../report/text/palette.ts";
import type { ApiOptions } from "../../workflow/connect/connection.ts";
import { type PlanRequest, type PlanResult, planZones } from "../../workflow/plan/plan.ts";
import type { SavedPlan } from "../../workflow/plan/plan-file.ts";
import type { FileToWrite } from "../../workflow/project/files.ts";
import { readSigningKey } from "../../workflow/project/plan-keys.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { folderInRepository } from "../../workflow/project/schema-line.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { forTarget, isOfSeveral } from "../../workflow/project/targets.ts";
import { version } from "../../workflow/project/version.ts";
import { divideNames } from "../../workflow/zones/divide-names.ts";
import type { ReadSince } from "../../workflow/zones/since.ts";
import {
  allow,
  apiFlags,
  base,
  defineCommand,
  deleteZone,
  flag,
  projectFlags,
  skipInvalid,
  snapshotOf,
  strict,
  text,
  viewFlags,
  viewNotes,
  viewOf,
} from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { printSkipped } from "../print-error.ts";
import { readReports, readReportUrl, reportFlag, reportUrl, type WantedReport, writeReports } from "../reports.ts";
import { printFailed, refuseSharedOptions, requirePattern } from "../targets.ts";
import type { Terminal } from "../terminal.ts";

const fileStyle = { color: false, unicode: true };
const formats = ["text", "json", "markdown", "github", "gitlab", "html", "junit", "sarif", "codequality"] as const;

type Format = (typeof formats)[number];

// Loaded on use: the client with the contract, and each report, would slow down the start of every plan.
const connects = () => import("../../workflow/connect/connect.ts");
const readsSnapshot = () => import("../../workflow/snapshot/snapshot.ts");
const inMarkdown = () => import("../../report/plan/markdown.ts");

/** `zonewright plan`: shows what apply would write, and saves it as a plan file on request. */
export const planCommand = defineCommand({
  example: `  zonewright plan                            every zone of the project
  zonewright plan example.com --detailed-exitcode
  zonewright plan --out plan.json            a file to review and apply
  zonewright plan --against live.json --since main
  zonewright plan --report github=comment.md a comment for a pull request
  zonewright plan --report text --report junit=plan.xml
`,
  notes: viewNotes,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    ...apiFlags,
    strict,
    report: reportFlag(formats),
    reportUrl,
    ...viewFlags,
    out: text("<file>", "save the plan as a file to review and apply"),
    expires: text("<time>", "time until the plan file expires; 24h by default"),
    sign: flag("sign the plan file with the key in ZONEWRIGHT_SIGNING_KEY"),
    allow,
    deleteZone,
    skipInvalid,
    against: text("<file>", "plan against a snapshot (a file, or ref:REF in git); needs no token"),
    snapshot: text("<file>", "mark changes that undo others made outside git since this snapshot"),
    base,
    since: text("<revision>", "only zones whose files changed since a git commit"),
    detailedExitcode: flag("exit with 2 when there are differences, with 3 when a guard blocks one"),
  },
  interruption: "nothing was changed",
  async run(terminal, { zones: names }, options) {
    const { out } = options;
    const wanted = readReports(options.report, formats);
    const limits = { reportUrl: readReportUrl(options.reportUrl) };
    const project = openProject(terminal, options);
    await logUnfinishedRun(terminal, project);
    const needsFile = out !== undefined || wanted.some(({ format }) => format === "json");
    const fileOptions = readFileOptions(terminal, options, needsFile);
    const request = { ...options, names, snapshot: snapshotOf(terminal, options), ...fileOptions };
    const writing = { wanted, out, limits, view: viewOf(options, terminal.printWidth()) };
    if (isOfSeveral(project)) {
      refuseSharedOptions(project, options, ofOneTarget);
      requirePattern(project, options, ["against", "snapshot"]);
      return planOnTargets(terminal, project, request, { ...options, writing });
    }
    const planned = await planOnTarget(terminal, project, request, options);
    const { report, file, isEmpty, isBlocked, isPartial } = planned;
    await writePlans(terminal, report, file, { ...writing, next: nextOf(out, isBlocked) });
    return codeOfPlan({ isEmpty, isBlocked, isPartial }, options);
  },
  reportProblems(problems, { report }, terminal) {
    return writeReports(terminal, readReports(report, formats), (format) => problemsOf(format, problems, terminal.cwd));
  },
});

/** The options that are about one service. */
const ofOneTarget = ["base", "deleteZone", "apiUrl", "tokenFile"] as const;

/** Plans on a target, or against the snapshot of it that the options name, and prints the zones that are left out. */
async function planOnTarget(
  terminal: Terminal,
  project: Project,
  given: PlanRequest,
  options: ApiOptions & { readonly against?: string; readonly since?: string },
): Promise<PlanResult> {
  const against = forTarget(options.against, project);
  const request = { ...given, snapshot: forTarget(given.snapshot, project) };
  const planned =
    against !== undefined
      ? await planZones(terminal, project, (await readsSnapshot()).readSnapshot(terminal, against), request)
      : await (await connects()).connectToRead(terminal, project, options, (service) =>
          planZones(terminal, project, service, request),
        );
  printSkipped(terminal, planned.report);
  if (planned.since) terminal.log(sinceText(planned.since, options.since ?? "", project.file));
  return planned;
}

interface PlanOptions {
  readonly against?: string;
  readonly since?: string;
  readonly detailedExitcode?: boolean;
  readonly writing: Writing;
}

/** Plans on each target, and shows and saves the plans of all as one. An error of one does not prevent the others. */
async function planOnTargets(
  terminal: Terminal,
  project: Project,
  request: PlanRequest,
  { writing, ...options }: PlanOptions,
): Promise<ExitCode> {
  const { planTargets } = await import("../../workflow/plan/plan-targets.ts");
  const { targetPlans } = await import("../../report/plan/sections.ts");
  const parts = await divideNames(project, request.names);
  const planned = await planTargets(terminal, parts, request, async ({ view, names }) => {
    await logUnfinishedRun(terminal, view);
    return planOnTarget(terminal, view, { ...request, names }, options);
  });
  const { plans, failed, errors, file, isBlocked } = planned;
  const shown = targetPlans(plans, failed);
  await writePlans(terminal, shown, file, {
    ...writing,
    next: planned.isEmpty ? undefined : nextOf(writing.out, isBlocked),
  });
  return printFailed(terminal, { done: plans, failed, errors }, codeOfPlan(planned, options));
}

function codeOfPlan(
  { isEmpty, isBlocked, isPartial }: Pick<PlanResult, "isEmpty" | "isBlocked" | "isPartial">,
  { detailedExitcode }: { readonly detailedExitcode?: boolean },
): ExitCode {
  if (detailedExitcode && isBlocked) return exitCode.invalid;
  if (isPartial) return exitCode.partly;
  return detailedExitcode && !isEmpty ? exitCode.differences : exitCode.done;
}

/** The command that applies a plan file. */
function nextOf(out: string | undefined, isBlocked: boolean): string | undefined {
  if (out === undefined) return undefined;
  const apply = `zonewright apply ${out}`;
  return isBlocked ? `approve the blocked changes, then run \`${apply}\`` : apply;
}

/** The forms and places in which a plan is written. */
interface Writing {
  readonly wanted: readonly WantedReport<Format>[];
  /** The plan file. */
  readonly out: string | undefined;
  readonly limits: { readonly reportUrl: string | undefined };
  readonly view: PlanView;
}

/** Writes the reports and the plan file, and prints the report for standard output. */
async function writePlans(
  terminal: Terminal,
  planned: Planned,
  file: SavedPlan | undefined,
  { wanted, out, limits, view, next }: Writing & { readonly next: string | undefined },
): Promise<void> {
  const folder = folderInRepository(terminal.cwd);
  const inText = async (style: Style, view?: PlanView) => {
    if (!("sections" in planned)) return planText({ ...planned, ...(next !== undefined && { next }) }, style, view);
    if (planned.sections.length === 0) return "";
    return (await import("../../report/plan/targets-text.ts")).targetPlansText(planned, style, { ...view, next });
  };
  const texts: Readonly<Record<Format, (isFile: boolean) => string | Promise<string>>> = {
    text: (isFile) => (isFile ? inText(fileStyle) : inText(terminal.printStyle, view)),
    json: () => (file ? jsonText(file) : ""),
    markdown: async () => (await inMarkdown()).planMarkdown(planned, limits),
    github: async () => {
      const { githubComment, planMarkdown } = await inMarkdown();
      return planMarkdown(planned, { ...githubComment, ...limits });
    },
    gitlab: async () => {
      const { gitlabNote, planMarkdown } = await inMarkdown();
      return planMarkdown(planned, { ...gitlabNote, ...limits });
    },
    html: async () => (await import("../../report/plan/html.ts")).planHtml(planned),
    junit: async () => (await import("../../report/plan/junit.ts")).planJunit(planned, folder),
    sarif: async () => (await import("../../report/plan/sarif.ts")).planSarif(planned, version(), folder),
    codequality: async () => (await import("../../report/plan/code-quality.ts")).planCodeQuality(planned, folder),
  };
  const hasPlans = !("plans" in planned) || planned.plans.length > 0;
  const planFile: FileToWrite[] = file && out !== undefined && hasPlans ? [{ file: out, text: jsonText(file) }] : [];
  const printed = await writeReports(terminal, wanted, (format, isFile) => texts[format](isFile), planFile);
  const [{ signature } = {}] = file === undefined ? [] : "plans" in file ? file.plans : [file];
  if (signature) terminal.log(`the plan file is signed with the key ${signature.key}\n`);
  terminal.print(printed ?? "");
}

/** The problems that prevented a plan, in a format that programs or people read instead of it. */
async function problemsOf(format: Format, problems: readonly Problem[], cwd: string): Promise<string | undefined> {
  switch (format) {
    case "json":
      return (await import("../../report/findings/findings.ts")).problemsJson(problems);
    case "markdown":
    case "github":
    case "gitlab":
      return (await import("../../report/findings/markdown.ts")).failureMarkdown("Plan of zones", problems);
    case "junit":
      return (await import("../../report/findings/junit.ts")).findingsJunit(
        { problems, files: [], lineOf: lineOfFile(cwd) },
        "zonewright plan",
      );
    case "sarif":
      return (await import("../../report/findings/sarif.ts")).findingsSarif(
        { problems },
        version(),
        folderInRepository(cwd),
      );
    case "codequality":
      return (await import("../../report/plan/code-quality.ts")).findingsCodeQuality(
        { problems },
        folderInRepository(cwd),
      );
    default:
      return undefined;
  }
}

/** Describes which zones changed since a revision. */
function sinceText({ zones, known, commit, deleted, isEvery }: ReadSince, revision: string, config: string): string {
  const gone = deleted.map(
    (file) =>
      `${escapeControl(file)} was deleted since ${escapeControl(revision)}: this change orphans its zone, which is left alone\n`,
  );
  const why = isEvery ? `${escapeControl(config)} changed: all zones` : "zones with changed files";
  const counted = `${zones.length} of ${count(known, "zone")}`;
  return `${gone.join("")}since ${escapeControl(revision)} (${commit.slice(0, 12)}): ${counted}; ${why}\n`;
}

/** How the plan file is made, if there is one. @throws {ProblemError} `usage`, and the errors of the key */
function readFileOptions(
  terminal: Terminal,
  { sign = false, expires }: { readonly sign?: boolean; readonly expires?: string },
  needsFile: boolean,
) {
  if (needsFile)
    return { lifeSeconds: readSeconds(expires ?? "24h"), signingKey: sign ? readSigningKey(terminal) : undefined };
  if (sign) throw usageError("--sign signs a plan file: add --out FILE, or --report json.");
  if (expires !== undefined) throw usageError("--expires is about a plan file: add --out FILE, or --report json.");
  return undefined;
}

function readSeconds(text: string): number {
  try {
    const life = readDuration(text);
    if (life > 0) return life;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw usageError(`--expires ${text}: ${error.message}. Write a duration such as "2h" or "1d".`);
  }
  throw usageError(`--expires ${text}: such a plan could never be applied. Write a duration such as "2h" or "1d".`);
}
