import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import { checkPublished } from "../../workflow/drift/known-primaries.ts";
import { publishedRef, snapshotRef } from "../../workflow/git/git-ref.ts";
import { exitCode } from "../../workflow/project/exit-code.ts";
import { isOfApi, snapshotSize } from "../../workflow/project/snapshot-target.ts";
import { forTarget } from "../../workflow/project/targets.ts";
import {
  namesOfZones,
  needsNodes,
  publishSnapshot,
  takeSnapshot,
  withoutEvents,
  withoutNodes,
} from "../../workflow/snapshot/snapshot.ts";
import { inputsOfService, refuseSharedInputs, requireTargetPattern, stepOnTargets } from "../each-target.ts";
import { type ActionResult, apiOptions, type Job } from "../job.ts";

/** Publishes a snapshot of the project's live zones as a git ref of `origin`, for plans of forks and for drift. */
export async function snapshotStep(job: Job): Promise<ActionResult> {
  refuseSharedInputs(job, inputsOfService);
  requireTargetPattern(job, ["ref"]);
  return stepOnTargets(job, publishOn);
}

/** Publishes the snapshot of the only target. */
async function publishOn(job: Job): Promise<ActionResult> {
  const { context, inputs, project, runner } = job;
  const ref = inputs.ref === snapshotRef ? publishedRef(project) : (forTarget(inputs.ref, project) ?? snapshotRef);
  const names = await namesOfZones(project, inputs.zones);
  const withNodes = await needsNodes(project);
  const taken = await connectToRead(context, project, apiOptions(job), (connection) =>
    takeSnapshot(context, connection, names, { withNodes }),
  );
  await checkPublished(project, taken);
  const commit = publishSnapshot(context, jsonText(taken), { ref, time: new Date(taken.time), isPushed: true });
  const size = snapshotSize(taken);
  const what = `${count(size.zones, "zone")} with ${count(size.records, "record")}`;
  runner.log(`${what} in ${escapeControl(ref)} (${commit.slice(0, 12)}), pushed to origin\n`);
  if (isOfApi(taken) && taken.lastEvent === undefined) runner.log(`${withoutEvents}\n`);
  if (withNodes && isOfApi(taken) && taken.nodes === undefined) runner.log(`${withoutNodes}\n`);
  return { result: "published", code: exitCode.done, outputs: { zones: `${size.zones}` } };
}
