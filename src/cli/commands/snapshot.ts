import { count, plain } from "../../diagnostics/plain.ts";
import { jsonText } from "../../report/json-text.ts";
import { connect } from "../../workflow/connect.ts";
import { writeFiles } from "../../workflow/files.ts";
import { openProject } from "../../workflow/project.ts";
import { takeSnapshot } from "../../workflow/snapshot.ts";
import { apiFlags, defineCommand, projectFlags, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/** `zonewright snapshot`: the live zones of the account as one file, to plan against without a token. */
export const command = defineCommand({
  example: `  zonewright snapshot --out live.json
  zonewright plan --against live.json        needs no token
`,
  flags: { ...projectFlags, ...apiFlags, out: text("<file>", "write to this file instead of standard output") },
  async run(terminal, _, options) {
    const { cwd, signal } = terminal;
    const { out } = options;
    const project = openProject(terminal, options);
    const taken = await connect(terminal, project, options, (connection) => takeSnapshot(terminal, connection));
    if (out === undefined) {
      terminal.print(jsonText(taken));
      return exitCode.done;
    }
    const fix = "Name a file in a folder that this user may write.";
    await writeFiles({ cwd, signal }, [{ file: out, text: jsonText(taken) }], fix);
    const records = taken.domains.reduce((sum, domain) => sum + domain.records.length, 0);
    terminal.log(`${count(taken.domains.length, "zone")} with ${count(records, "record")} in ${plain(out)}\n`);
    return exitCode.done;
  },
});
