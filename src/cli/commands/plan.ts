import { count, plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { Id } from "../../dns/desired-live.ts";
import { readDuration } from "../../dns/duration.ts";
import { Fault } from "../../dns/fault.ts";
import { isEmpty } from "../../planner/change.ts";
import type { PlanFile } from "../../planner/plan-schema.ts";
import { problemsJson } from "../../report/findings.ts";
import { jsonText } from "../../report/json-text.ts";
import { planText } from "../../report/plan-text.ts";
import type { PlanningTarget } from "../../targets/target.ts";
import { baseUrl, withTarget } from "../../workflow/connect.ts";
import { compared, observe, type Planned, type PlanScope } from "../../workflow/plan.ts";
import { fileOfPlan, targetOf } from "../../workflow/plan-file.ts";
import { openProject, type Project } from "../../workflow/project.ts";
import { readSince } from "../../workflow/since.ts";
import { readSnapshot } from "../../workflow/snapshot.ts";
import { writeFiles } from "../../workflow/write-files.ts";
import { type ReadZones, readZones } from "../../workflow/zones.ts";
import {
  allow,
  apiFlags,
  choice,
  defineCommand,
  deleteZone,
  flag,
  type Options,
  projectFlags,
  strict,
  text,
} from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

const flags = {
  ...projectFlags,
  ...apiFlags,
  strict,
  report: choice("<format>", ["text", "json"], "output format", "text"),
  out: text("<file>", "save the plan as a file to review and apply"),
  expires: text("<time>", "how long the plan file may be applied", "24h"),
  allow,
  deleteZone,
  against: text("<file>", "plan against a snapshot; needs no token"),
  since: text("<revision>", "only zones whose files changed since a git commit"),
  detailedExitcode: flag("exit with 2 when there are differences, with 3 when a guard blocks one"),
};
type PlanOptions = Options<typeof flags>;

/** `zonewright plan`: what apply would write, for people, as a file that apply carries out, or both. */
export const command = defineCommand({
  example: `  zonewright plan                            every zone of the project
  zonewright plan example.com --detailed-exitcode
  zonewright plan --out plan.json            a file to review and apply
  zonewright plan --against live.json --since main
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags,
  run: (terminal, { zones }, options) => showPlan(terminal, zones, options),
  formatProblems: (problems, { report }) => (report === "json" ? problemsJson(problems) : undefined),
});

async function showPlan(terminal: Terminal, args: readonly string[], options: PlanOptions): Promise<ExitCode> {
  const time = terminal.now();
  const lifeSeconds = seconds(options.expires);
  const isAll = args.length === 0 && options.since === undefined;
  const needsFile = options.out !== undefined || options.report === "json";
  const project = openProject(terminal, options);
  const { read, planned, target } = await seen(terminal, { project, options, isAll }, args, needsFile);
  const isHeld = planned.guards.some(({ state }) => state === "held");
  const apply = `zonewright apply ${options.out}`;
  const next = isHeld ? `approve the blocked changes, then run \`${apply}\`` : apply;
  const report = { ...planned, ...(options.out !== undefined && { next }) };
  const file = target && fileOfPlan(terminal, project, { read, planned, target: { time, ...target }, lifeSeconds });
  if (file && options.out !== undefined) {
    const fix = "Name a file in a folder that this user may write.";
    writeFiles(terminal.cwd, [{ file: options.out, text: jsonText(file) }], fix);
  }
  terminal.print(options.report === "json" && file ? jsonText(file) : planText(report, terminal.printStyle));
  if (!options.detailedExitcode || isEmpty(planned.plan)) return exitCode.done;
  return isHeld ? exitCode.invalid : exitCode.differences;
}

interface Seen {
  readonly read: ReadZones;
  readonly planned: Planned;
  /** Where the plan is for, and how it is known; where a file is wanted. */
  readonly target: (PlanFile["target"] & { readonly time?: Date; readonly lastEvent?: Id | undefined }) | undefined;
}

/** Compares the files with what is stored, or with a snapshot of that, for which no token is needed. */
async function seen(
  terminal: Terminal,
  scope: PlanScope & { readonly options: PlanOptions },
  args: readonly string[],
  needsFile: boolean,
): Promise<Seen> {
  const { project, options } = scope;
  const { since, against } = options;
  const { signal } = terminal;
  const compare = async (service: PlanningTarget) => {
    const read = since === undefined ? readZones(project, args) : sinceSaid(terminal, project, args, since);
    return { read, planned: compared(scope, await observe(scope, service, read, signal)) };
  };
  if (against !== undefined) {
    const { service, target } = readSnapshot(terminal, against);
    const { read, planned } = await compare(service);
    return { read, planned: { ...planned, reads: 0 }, target };
  }
  return withTarget(terminal, project, options, async (service) => {
    if (!needsFile) return { ...(await compare(service)), target: undefined };
    const target = await targetOf(service, baseUrl(terminal, project, options), signal);
    const lastEvent = await service.read.readLastEvent({ signal });
    const forFile = 2; // the account and its newest event, above
    const { read, planned } = await compare(service);
    return { read, planned: { ...planned, reads: planned.reads + forFile }, target: { ...target, lastEvent } };
  });
}

/** Reads the zones that changed since a commit, and says which. */
function sinceSaid({ log }: Terminal, project: Project, args: readonly string[], since: string): ReadZones {
  const read = readSince(project, args, since);
  const { zones, known, commit, deleted, isEvery } = read;
  for (const file of deleted) log(`${plain(file)} is gone since ${since}: its zone is left alone\n`);
  const why = isEvery ? `${project.file} says something else: all zones` : "zones with a change in their files";
  log(`since ${plain(since)} (${commit.slice(0, 12)}): ${zones.length} of ${count(known, "zone")}; ${why}\n`);
  return read;
}

function seconds(text: string): number {
  try {
    const life = readDuration(text);
    if (life > 0) return life;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new ProblemError(problem("usage", `--expires ${text}: ${error.message}. Write 2h, 1d or the like.`));
  }
  throw new ProblemError(
    problem("usage", `--expires ${text}: such a plan could never be applied. Write 2h, 1d or the like.`),
  );
}
