import { join } from "node:path";
import { jsonText } from "../../report/json-text.ts";
import { planHtml } from "../../report/plan-html.ts";
import { planMarkdown } from "../../report/plan-markdown.ts";
import { planText } from "../../report/plan-text.ts";
import { snapshotAgeText } from "../../report/snapshot-age.ts";
import { annotationOf } from "../../report/workflow-command.ts";
import { connectToRead } from "../../workflow/connect.ts";
import { type FileToWrite, writeFiles } from "../../workflow/files.ts";
import { planZones } from "../../workflow/plan.ts";
import { readSnapshot } from "../../workflow/snapshot.ts";
import { lineOfFile } from "../../workflow/source-lines.ts";
import { effectAnnotations } from "../effect-annotations.ts";
import { findingFiles } from "../findings.ts";
import { apiOptions, codeByFailOn, type Job, logStyle, type Outcome } from "../job.ts";
import { planOutputs } from "../plan-outputs.ts";

/** The lifetime of a plan file: a review may take days. */
const lifeSeconds = 7 * 86_400;

/** Plans what apply would write, live or against a snapshot; a snapshot needs no token. Nothing is written. */
export async function plan(job: Job): Promise<Outcome> {
  const { context, inputs, project, runner } = job;
  const { against, zones: names, allow, html } = inputs;
  const request = { names, allow, lifeSeconds };
  const snapshot = against === "live" ? undefined : readSnapshot(context, against);
  const { report, file, isEmpty, isBlocked } = snapshot
    ? await planZones(context, project, snapshot, request)
    : await connectToRead(context, project, apiOptions(job), (service) =>
        planZones(context, project, service, request),
      );
  const age = snapshot && snapshotAgeText(snapshot.source.time, context.now());
  if (age !== undefined) runner.log(`${age}\n`);
  runner.log(planText(report, logStyle));
  if (inputs.annotations) runner.annotate([...effectAnnotations(report), ...report.notes.map(annotationOf)]);
  const findings = {
    problems: report.notes,
    files: [],
    zones: report.plan.zones.length + report.plan.inSync,
    records: 0,
    lineOf: lineOfFile(context.cwd),
  };
  const planPath = inputs.plan ?? join(context.env.RUNNER_TEMP ?? ".zonewright", "zonewright", "plan.json");
  const files: FileToWrite[] = [
    ...(file ? [{ file: planPath, text: jsonText(file) }] : []),
    ...(html === undefined ? [] : [{ file: html, text: await planHtml(report) }]),
    ...findingFiles(inputs, findings),
  ];
  await writeFiles(context, files, "Name a file in a folder that the runner may write.");
  const result = isEmpty ? "in-sync" : isBlocked ? "held" : "changes";
  const head = age === undefined ? "" : `${age.slice(0, 1).toUpperCase()}${age.slice(1)}.\n\n`;
  return {
    result,
    code: codeByFailOn(result, job),
    outputs: {
      ...planOutputs(report),
      "plan-path": planPath,
      ...(html !== undefined && { "report-path": html }),
    },
    summary: (budget) => head + planMarkdown(report, { budget: budget - Buffer.byteLength(head) }),
  };
}
