import { driftText } from "../../report/drift-text.ts";
import { connectToRead } from "../../workflow/connect.ts";
import { findDrift, isDrift } from "../../workflow/drift.ts";
import { openProject } from "../../workflow/project.ts";
import { findPublishedSnapshot } from "../../workflow/snapshot.ts";
import { apiFlags, defineCommand, flag, projectFlags, strict, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/** `zonewright drift`: what changed outside git, and who did it. */
export const command = defineCommand({
  example: `  zonewright drift                           since the published snapshot
  zonewright drift example.com --base live.json
  zonewright drift --full --detailed-exitcode
`,
  notes: `The base is a snapshot of the live zones after the last apply: a file of
\`zonewright snapshot --out\`, or ref:REF for one published with --ref. Without
--base, refs/zonewright/base is used if this clone has it. The event log of the
API tells which zones changed since, and only these are read.
`,
  arguments: { "[zones...]": "zones or files; all if none is given" },
  flags: {
    ...projectFlags,
    ...apiFlags,
    strict,
    wide: flag("show every finding on one line, with its values in full, as in a pipe"),
    base: text("<file>", "snapshot of what was last applied (a file, or ref:REF in git)"),
    full: flag("read every zone, also those without an event"),
    detailedExitcode: flag("exit with 2 when something was changed outside git"),
  },
  interruption: "nothing was changed",
  async run(terminal, { zones: names }, options) {
    const { full: isFull, wide, detailedExitcode } = options;
    const project = openProject(terminal, options);
    const base = options.base ?? findPublishedSnapshot(terminal);
    let requests = 0;
    const counting = { ...options, onReply: () => requests++ };
    const found = await connectToRead(terminal, project, counting, (connection) =>
      findDrift(terminal, project, connection, { names, base, isFull }),
    );
    const report = { ...found, requests };
    const width = wide ? undefined : terminal.printWidth();
    terminal.print(driftText(report, terminal.printStyle, width));
    const isFound = report.zones.some(({ findings }) => findings.some(isDrift));
    return detailedExitcode && isFound ? exitCode.differences : exitCode.done;
  },
});
