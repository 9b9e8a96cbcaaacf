import { join } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { problemsText } from "../../report/findings/findings.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { annotationOf } from "../../report/format/workflow-command.ts";
import { planHtml } from "../../report/plan/html.ts";
import { planJunit } from "../../report/plan/junit.ts";
import { planMarkdown } from "../../report/plan/markdown.ts";
import { planSarif } from "../../report/plan/sarif.ts";
import { type Planned, type TargetPlans, targetPlans } from "../../report/plan/sections.ts";
import { targetPlansText } from "../../report/plan/targets-text.ts";
import { planText } from "../../report/plan/text.ts";
import { isOfTargets, sectionsOf } from "../../report/text/on-targets.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import { type PlanRequest, type PlanResult, planZones } from "../../workflow/plan/plan.ts";
import { type SavedPlan, setWithComment, withComment } from "../../workflow/plan/plan-file.ts";
import { planTargets } from "../../workflow/plan/plan-targets.ts";
import { exitCode } from "../../workflow/project/exit-code.ts";
import { type FileToWrite, writeFiles } from "../../workflow/project/files.ts";
import { readSigningKey, signingVariable } from "../../workflow/project/plan-keys.ts";
import { lineOfFile } from "../../workflow/project/source-lines.ts";
import { forTarget, isOfSeveral } from "../../workflow/project/targets.ts";
import { version } from "../../workflow/project/version.ts";
import { readSnapshot } from "../../workflow/snapshot/snapshot.ts";
import { divideNames } from "../../workflow/zones/divide-names.ts";
import { commentPlan } from "../comment.ts";
import { inputsOfService, refuseSharedInputs, requireTargetPattern } from "../each-target.ts";
import { effectAnnotations } from "../effect-annotations.ts";
import { annotateProblems, reportSkipped } from "../findings.ts";
import { readAllowed, readTime } from "../inputs.ts";
import { type ActionResult, apiOptions, codeByFailOn, type Job, logStyle } from "../job.ts";
import { planOutputs } from "../plan-outputs.ts";

/** Plans what apply would write, live or against a snapshot; a snapshot needs no token. Nothing is written. */
export async function planStep(job: Job): Promise<ActionResult> {
  const { context, inputs, runner } = job;
  const { html } = inputs;
  readAllowed(inputs.allow);
  const signingKey = context.env[signingVariable] ? readSigningKey(context) : undefined;
  const { shown, file, age, isEmpty, isBlocked, isPartial } = await planAll(job, signingKey);
  if (age !== undefined) runner.log(`${age}\n`);
  for (const { report } of sectionsOf(shown)) reportSkipped(job, report);
  runner.log(isOfTargets<TargetPlans>(shown) ? targetPlansText(shown, logStyle) : planText(shown, logStyle));
  const planPath = inputs.plan ?? join(context.env.RUNNER_TEMP ?? ".zonewright", "zonewright", "plan.json");
  const files: FileToWrite[] = [
    ...(file ? [{ file: planPath, text: jsonText(file) }] : []),
    ...(html === undefined ? [] : [{ file: html, text: await planHtml(shown, "action") }]),
    ...(inputs.sarif === undefined
      ? []
      : [{ file: inputs.sarif, text: planSarif(shown, version(), undefined, undefined, "action") }]),
    ...(inputs.junit === undefined ? [] : [{ file: inputs.junit, text: planJunit(shown, undefined, "action") }]),
  ];
  const fix = "Name a file in a folder that the runner may write.";
  await writeFiles(context, files, fix);
  /** The plan file with the digest of its comment. */
  let sealed: typeof file;
  const keepSealed = (made: NonNullable<typeof file>) => (digest: string) => {
    sealed = "plans" in made ? setWithComment(made, digest, signingKey) : withComment(made, digest, signingKey);
    return sealed.planDigest;
  };
  const comment = await commentPlan(job, shown, { age, planOf: file && keepSealed(file) });
  if (sealed !== undefined) await writeFiles(context, [{ file: planPath, text: jsonText(sealed) }], fix);
  if (inputs.annotations) {
    const ofComment = comment ? [comment] : [];
    const notes = sectionsOf(shown).flatMap(({ report }) => report.notes);
    runner.annotate([...ofComment, ...effectAnnotations(shown), ...notes.map((note) => annotationOf(note, "action"))]);
  } else if (comment) runner.log(`${escapeControl(comment.message)}\n`);
  const isUndoing = sectionsOf(shown).some(({ report }) => (report.handEdits ?? []).length > 0);
  const result = isEmpty ? "in-sync" : isBlocked ? "blocked" : "changes";
  const code = isUndoing && inputs["fail-on"] === "drift" ? exitCode.differences : codeByFailOn(result, job);
  const head = age === undefined ? "" : `${age.slice(0, 1).toUpperCase()}${age.slice(1)}.\n\n`;
  return {
    result: isPartial && !isBlocked ? "partial" : result,
    code: isPartial && code !== exitCode.invalid ? exitCode.partly : code,
    outputs: {
      ...planOutputs(shown),
      "plan-path": planPath,
      ...(html !== undefined && { "report-path": html }),
    },
    summary: (budget) => head + planMarkdown(shown, { budget: budget - Buffer.byteLength(head), door: "action" }),
  };
}

/** The plan of a project, or those of its targets. */
interface PlanOfJob extends Pick<PlanResult, "isEmpty" | "isBlocked" | "isPartial"> {
  readonly shown: Planned;
  readonly file?: SavedPlan;
  /** How old the snapshots are that were planned against. */
  readonly age: string | undefined;
}

async function planAll(job: Job, signingKey: PlanRequest["signingKey"]): Promise<PlanOfJob> {
  const { inputs, project, runner } = job;
  const { zones: names, allow, "delete-zones": deleteZone, "skip-invalid": skipInvalid } = inputs;
  const lifeSeconds = readTime("expires", inputs.expires);
  const request = { names, allow, deleteZone, skipInvalid, lifeSeconds, signingKey };
  if (!isOfSeveral(project)) {
    const { age, report, ...result } = await planOn(job, request);
    return { ...result, shown: report, age };
  }
  refuseSharedInputs(job, [...inputsOfService, "delete-zones", "base"]);
  requireTargetPattern(job, ["against", "snapshot"]);
  const ages = new Set<string>();
  const parts = await divideNames(project, names);
  const planned = await planTargets(job.context, parts, request, async ({ view, names }) => {
    const { age, ...result } = await planOn({ ...job, project: view }, { ...request, names });
    if (age !== undefined) ages.add(age);
    return result;
  });
  const { plans, failed, errors, isPartial, ...rest } = planned;
  if (plans.length === 0) throw new ProblemError(errors.flatMap(({ problems }) => problems));
  for (const { target, problems } of failed) {
    runner.log(`on ${target}:\n${problemsText(problems, lineOfFile(job.context.cwd), logStyle)}`);
    annotateProblems(runner, inputs, problems);
  }
  const age = ages.size === 0 ? undefined : [...ages].join(", ");
  return { ...rest, isPartial: isPartial || failed.length > 0, shown: targetPlans(plans, failed), age };
}

/** Plans on the only target. */
async function planOn(job: Job, rest: PlanRequest): Promise<PlanResult & { readonly age: string | undefined }> {
  const { context, inputs, project } = job;
  const request = { ...rest, snapshot: forTarget(inputs.snapshot ?? inputs.base, project) };
  const against = forTarget(inputs.against, project) ?? "live";
  const snapshot = against === "live" ? undefined : readSnapshot(context, against);
  const planned = snapshot
    ? await planZones(context, project, snapshot, request)
    : await connectToRead(context, project, apiOptions(job), (service) =>
        planZones(context, project, service, request),
      );
  return { ...planned, age: snapshot && `planned against ${snapshot.target.read.snapshot}` };
}
