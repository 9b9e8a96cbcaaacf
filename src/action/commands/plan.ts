import { join } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { annotationOf } from "../../report/format/workflow-command.ts";
import { planHtml } from "../../report/plan/html.ts";
import { planJunit } from "../../report/plan/junit.ts";
import { planMarkdown } from "../../report/plan/markdown.ts";
import { planSarif } from "../../report/plan/sarif.ts";
import { planText } from "../../report/plan/text.ts";
import { planZones } from "../../workflow/plan/plan.ts";
import { withComment } from "../../workflow/plan/plan-file.ts";
import { connectToRead } from "../../workflow/project/connect.ts";
import { exitCode } from "../../workflow/project/exit-code.ts";
import { type FileToWrite, writeFiles } from "../../workflow/project/files.ts";
import { readSigningKey, signingVariable } from "../../workflow/project/plan-keys.ts";
import { version } from "../../workflow/project/version.ts";
import { readSnapshot } from "../../workflow/snapshot/snapshot.ts";
import { commentPlan } from "../comment.ts";
import { effectAnnotations } from "../effect-annotations.ts";
import { reportSkipped } from "../findings.ts";
import { readAllowed, readTime } from "../inputs.ts";
import { type ActionResult, apiOptions, codeByFailOn, type Job, logStyle } from "../job.ts";
import { planOutputs } from "../plan-outputs.ts";

/** Plans what apply would write, live or against a snapshot; a snapshot needs no token. Nothing is written. */
export async function planStep(job: Job): Promise<ActionResult> {
  const { context, inputs, project, runner } = job;
  const { against, zones: names, allow, "delete-zones": deleteZone, "skip-invalid": skipInvalid, html } = inputs;
  readAllowed(allow);
  const lifeSeconds = readTime("expires", inputs.expires);
  const signingKey = context.env[signingVariable] ? readSigningKey(context) : undefined;
  const request = {
    names,
    allow,
    deleteZone,
    skipInvalid,
    lifeSeconds,
    signingKey,
    snapshot: inputs.snapshot ?? inputs.base,
  };
  const snapshot = against === "live" ? undefined : readSnapshot(context, against);
  const { report, file, isEmpty, isBlocked, isPartial } = snapshot
    ? await planZones(context, project, snapshot, request)
    : await connectToRead(context, project, apiOptions(job), (service) =>
        planZones(context, project, service, request),
      );
  const age = snapshot && `planned against ${snapshot.target.read.snapshot}`;
  if (age !== undefined) runner.log(`${age}\n`);
  reportSkipped(job, report);
  runner.log(planText(report, logStyle));
  const planPath = inputs.plan ?? join(context.env.RUNNER_TEMP ?? ".zonewright", "zonewright", "plan.json");
  const files: FileToWrite[] = [
    ...(file ? [{ file: planPath, text: jsonText(file) }] : []),
    ...(html === undefined ? [] : [{ file: html, text: await planHtml(report, "action") }]),
    ...(inputs.sarif === undefined
      ? []
      : [{ file: inputs.sarif, text: planSarif(report, version(), undefined, undefined, "action") }]),
    ...(inputs.junit === undefined ? [] : [{ file: inputs.junit, text: planJunit(report, undefined, "action") }]),
  ];
  const fix = "Name a file in a folder that the runner may write.";
  await writeFiles(context, files, fix);
  /** The plan file with the digest of its comment. */
  let sealed: typeof file;
  const keepSealed = (made: NonNullable<typeof file>) => (digest: string) => {
    sealed = withComment(made, digest, signingKey);
    return sealed.planDigest;
  };
  const comment = await commentPlan(job, report, { age, planOf: file && keepSealed(file) });
  if (sealed !== undefined) await writeFiles(context, [{ file: planPath, text: jsonText(sealed) }], fix);
  if (inputs.annotations) {
    const ofComment = comment ? [comment] : [];
    runner.annotate([
      ...ofComment,
      ...effectAnnotations(report),
      ...report.notes.map((note) => annotationOf(note, "action")),
    ]);
  } else if (comment) runner.log(`${escapeControl(comment.message)}\n`);
  const isUndoing = (report.handEdits ?? []).length > 0;
  const result = isEmpty ? "in-sync" : isBlocked ? "blocked" : "changes";
  const code = isUndoing && inputs["fail-on"] === "drift" ? exitCode.differences : codeByFailOn(result, job);
  const head = age === undefined ? "" : `${age.slice(0, 1).toUpperCase()}${age.slice(1)}.\n\n`;
  return {
    result: isPartial && !isBlocked ? "partial" : result,
    code: isPartial && code !== exitCode.invalid ? exitCode.partly : code,
    outputs: {
      ...planOutputs(report),
      "plan-path": planPath,
      ...(html !== undefined && { "report-path": html }),
    },
    summary: (budget) => head + planMarkdown(report, { budget: budget - Buffer.byteLength(head), door: "action" }),
  };
}
