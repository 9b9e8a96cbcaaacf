import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { jsonText } from "../../report/format/json-text.ts";
import { connectToRead } from "../../workflow/connect/connect.ts";
import type { ApiOptions } from "../../workflow/connect/connection.ts";
import { checkPublished } from "../../workflow/drift/known-primaries.ts";
import { writeFiles } from "../../workflow/project/files.ts";
import { openProject, type Project } from "../../workflow/project/project.ts";
import { isOfApi, snapshotSize } from "../../workflow/project/snapshot-target.ts";
import { forTarget, isOfSeveral } from "../../workflow/project/targets.ts";
import {
  namesOfZones,
  needsNodes,
  publishSnapshot,
  takeSnapshot,
  withoutEvents,
  withoutNodes,
} from "../../workflow/snapshot/snapshot.ts";
import { divideNames, type TargetPart } from "../../workflow/zones/divide-names.ts";
import { apiFlags, defineCommand, flag, projectFlags, text } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { logUnfinishedRun } from "../log-unfinished-run.ts";
import { refuseSharedOptions, refuseStream, requirePattern, runOnTargets } from "../targets.ts";
import type { Terminal } from "../terminal.ts";

/** `zonewright snapshot`: live zones as one file or git ref, to plan against without a token and to find drift. */
export const snapshotCommand = defineCommand({
  example: `  zonewright snapshot --out live.json
  zonewright plan --against live.json        needs no token
  zonewright snapshot --ref refs/zonewright/snapshot --push
  zonewright drift                           what changed since, and who did it
`,
  notes: `A file contains every zone of the account, and a git ref, or a snapshot of a
name server, those of the project:
whoever can read the repository can read the published snapshot. With names,
either contains only these zones. If zone files refer to nodes, either also
contains the labels and addresses of the nodes that the token may see.
`,
  arguments: { "[zones...]": "zones of the project to save" },
  flags: {
    ...projectFlags,
    ...apiFlags,
    out: text("<file>", "write to this file instead of standard output"),
    ref: text("<ref>", "publish it as this git ref, for example refs/zonewright/snapshot"),
    push: flag("with --ref: push the ref to origin"),
  },
  async run(terminal, { zones }, options) {
    const { out, ref, push: isPushed = false } = options;
    if (isPushed && ref === undefined) throw usageError("--push needs --ref.");
    const project = openProject(terminal, options);
    if (!isOfSeveral(project)) return saveSnapshot(terminal, project, zones, options);
    refuseSharedOptions(project, options, ["apiUrl", "tokenFile"]);
    if (out === undefined && ref === undefined) refuseStream(project, "--out live-{target}.json");
    requirePattern(project, options, ["out", "ref"]);
    const save = ({ view, names }: TargetPart) => saveSnapshot(terminal, view, names, { push: isPushed, out, ref });
    return runOnTargets(terminal, await divideNames(project, zones), save, { isDataInFiles: true });
  },
});

interface SnapshotOptions extends ApiOptions {
  readonly out?: string | undefined;
  readonly ref?: string | undefined;
  readonly push?: boolean;
}

/** Saves the live zones of the only target. */
async function saveSnapshot(
  terminal: Terminal,
  project: Project,
  zones: readonly string[],
  { push: isPushed = false, ...options }: SnapshotOptions,
): Promise<ExitCode> {
  const { cwd, signal } = terminal;
  const [out, ref] = [forTarget(options.out, project), forTarget(options.ref, project)];
  await logUnfinishedRun(terminal, project);
  const isLimited = zones.length > 0 || ref !== undefined || !project.target.capabilities.events;
  const names = isLimited ? await namesOfZones(project, zones) : undefined;
  const withNodes = await needsNodes(project);
  const taken = await connectToRead(terminal, project, options, (connection) =>
    takeSnapshot(terminal, connection, names, { withNodes }),
  );
  if (ref !== undefined) await checkPublished(project, taken);
  const json = jsonText(taken);
  if (withNodes && isOfApi(taken) && taken.nodes === undefined) terminal.log(`${withoutNodes}\n`);
  if (out === undefined && ref === undefined) {
    terminal.print(json);
    return exitCode.done;
  }
  const size = snapshotSize(taken);
  const what = `${count(size.zones, "zone")} with ${count(size.records, "record")}`;
  if (out !== undefined) {
    const fix = "Name a file in a folder that this user may write.";
    await writeFiles({ cwd, signal }, [{ file: out, text: json }], fix);
    terminal.log(`${what} in ${escapeControl(out)}\n`);
  }
  if (ref !== undefined) {
    const commit = publishSnapshot(terminal, json, { ref, time: new Date(taken.time), isPushed });
    terminal.log(`${what} in ${escapeControl(ref)} (${commit.slice(0, 12)})${isPushed ? ", pushed to origin" : ""}\n`);
    if (isOfApi(taken) && taken.lastEvent === undefined) terminal.log(`${withoutEvents}\n`);
  }
  return exitCode.done;
}
