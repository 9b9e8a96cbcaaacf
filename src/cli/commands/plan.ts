import { resolve } from "node:path";
import { count, plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { readDuration } from "../../dns/duration.ts";
import { Fault } from "../../dns/fault.ts";
import { isEmpty } from "../../planner/change.ts";
import type { PlanFile } from "../../planner/plan-schema.ts";
import { problemsJson } from "../../report/findings.ts";
import { jsonText } from "../../report/json-text.ts";
import { planText } from "../../report/plan-text.ts";
import type { PlanningTarget } from "../../targets/target.ts";
import { type ApiOptions, baseUrl } from "../../workflow/connect.ts";
import { compared, observe, type Planned, type PlanningOptions, type PlanScope } from "../../workflow/plan.ts";
import { fileOfPlan, targetOf } from "../../workflow/plan-file.ts";
import { openProject, type Project, type ProjectOptions } from "../../workflow/project.ts";
import { readSince } from "../../workflow/since.ts";
import { readSnapshot } from "../../workflow/snapshot.ts";
import { writeFiles } from "../../workflow/write-files.ts";
import { type ReadZones, readZones } from "../../workflow/zones.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { reportingRefusals } from "../report-refusal.ts";
import { withApi } from "../with-api.ts";

export interface PlanOptions extends ProjectOptions, ApiOptions, PlanningOptions {
  readonly report: "text" | "json";
  readonly detailedExitcode?: boolean;
  readonly out?: string;
  readonly expires?: string;
  readonly against?: string;
  readonly since?: string;
}

/** `zonewright plan`: what apply would write, for people, as a file that apply carries out, or both. */
export async function plan(context: Context, args: readonly string[], options: PlanOptions): Promise<ExitCode> {
  const format = options.report === "json" ? problemsJson : undefined;
  return reportingRefusals(context, format, () => showPlan(context, args, options));
}

async function showPlan(context: Context, args: readonly string[], options: PlanOptions): Promise<ExitCode> {
  const time = context.now();
  const lifeSeconds = seconds(options.expires ?? "24h");
  const isAll = args.length === 0 && options.since === undefined;
  const needsFile = options.out !== undefined || options.report === "json";
  const project = openProject(context, options);
  const { read, planned, target } = await seen(context, { project, options, isAll }, args, needsFile);
  const isHeld = planned.guards.some(({ state }) => state === "held");
  const apply = `zonewright apply ${options.out}`;
  const next = isHeld ? `approve the blocked changes, then run \`${apply}\`` : apply;
  const report = { ...planned, ...(options.out !== undefined && { next }) };
  const file = target && fileOfPlan(context, project, { read, planned, target: { time, ...target }, lifeSeconds });
  if (file && options.out !== undefined) {
    const fix = "Name a file in a folder that this user may write.";
    writeFiles([{ path: resolve(context.cwd, options.out), file: options.out, text: jsonText(file) }], fix);
  }
  context.out(options.report === "json" && file ? jsonText(file) : planText(report, context.outStyle));
  if (!options.detailedExitcode || isEmpty(planned.plan)) return exitCode.done;
  return isHeld ? exitCode.invalid : exitCode.differences;
}

interface Seen {
  readonly read: ReadZones;
  readonly planned: Planned;
  /** Where the plan is for, and how it is known; where a file is wanted. */
  readonly target: (PlanFile["target"] & { readonly time?: Date; readonly lastEvent?: number | undefined }) | undefined;
}

/** Compares the files with what is stored, or with a snapshot of that, for which no token is needed. */
async function seen(
  context: Context,
  scope: PlanScope & { readonly options: PlanOptions },
  args: readonly string[],
  needsFile: boolean,
): Promise<Seen> {
  const { project, options } = scope;
  const { since, against } = options;
  const { signal } = context;
  const compare = async (service: PlanningTarget) => {
    const read = since === undefined ? readZones(project, args) : sinceSaid(context, project, args, since);
    return { read, planned: compared(scope, await observe(scope, service, read, signal)) };
  };
  if (against !== undefined) {
    const { service, target } = readSnapshot(context, against);
    const { read, planned } = await compare(service);
    return { read, planned: { ...planned, reads: 0 }, target };
  }
  return withApi(context, project, options, async (service) => {
    if (!needsFile) return { ...(await compare(service)), target: undefined };
    const target = await targetOf(service, baseUrl(context, project, options), signal);
    const lastEvent = await service.read.readLastEvent({ signal });
    const forFile = 2; // the account and its newest event, above
    const { read, planned } = await compare(service);
    return { read, planned: { ...planned, reads: planned.reads + forFile }, target: { ...target, lastEvent } };
  });
}

/** Reads the zones that changed since a commit, and says which. */
function sinceSaid({ talk }: Context, project: Project, args: readonly string[], since: string): ReadZones {
  const read = readSince(project, args, since);
  const { zones, known, commit, deleted, isEvery } = read;
  for (const file of deleted) talk(`${plain(file)} is gone since ${since}: its zone is left alone\n`);
  const why = isEvery ? `${project.file} says something else: all zones` : "zones with a change in their files";
  talk(`since ${plain(since)} (${commit.slice(0, 12)}): ${zones.length} of ${count(known, "zone")}; ${why}\n`);
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
