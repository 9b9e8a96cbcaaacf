import { count } from "../../diagnostics/plain.ts";
import { jsonText } from "../../report/json-text.ts";
import { baseUrl, withTarget } from "../../workflow/connect.ts";
import { targetOf } from "../../workflow/plan-file.ts";
import { openProject } from "../../workflow/project.ts";
import { writeFiles } from "../../workflow/write-files.ts";
import { apiFlags, defineCommand, projectFlags, text } from "../command.ts";
import { exitCode } from "../exit-code.ts";

/** `zonewright snapshot`: the live zones of the account as one file, to plan against without a token. */
export const command = defineCommand({
  example: `  zonewright snapshot --out live.json
  zonewright plan --against live.json        needs no token
`,
  flags: { ...projectFlags, ...apiFlags, out: text("<file>", "write to this file instead of standard output") },
  async run(terminal, _, options) {
    const { out } = options;
    const time = `${terminal.now().toISOString().slice(0, 19)}Z`;
    const project = openProject(terminal, options);
    const taken = await withTarget(terminal, project, options, async (service) => {
      const target = await targetOf(service, baseUrl(terminal, project, options), terminal.signal);
      return service.takeSnapshot({ time, target }, terminal.signal);
    });
    if (out === undefined) {
      terminal.print(jsonText(taken));
      return exitCode.done;
    }
    const fix = "Name a file in a folder that this user may write.";
    writeFiles(terminal.cwd, [{ file: out, text: jsonText(taken) }], fix);
    const records = taken.domains.reduce((sum, domain) => sum + domain.records.length, 0);
    terminal.log(`${count(taken.domains.length, "zone")} with ${count(records, "record")} in ${out}\n`);
    return exitCode.done;
  },
});
