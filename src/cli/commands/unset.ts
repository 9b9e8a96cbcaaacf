import { unsetRecords } from "../../workflow/edit/edit-records.ts";
import { openProject } from "../../workflow/project/project.ts";
import { defineCommand } from "../command.ts";
import { editFlags, finishEdit } from "../edit-record.ts";

/** `zonewright unset`: one RRset of a zone file, or some of its values, removed. */
export const unsetCommand = defineCommand({
  example: `  zonewright unset www A
  zonewright unset www.example.com A 192.0.2.2
  zonewright unset @ MX '10 mail' --zone example.com
`,
  notes: `Without values, all records of the type at the name are removed. Values are
written as for \`zonewright set\`.
`,
  arguments: {
    "<name>": "name of the record, relative to the zone or with its name at the end; @ for the zone itself",
    "<type>": "record type, such as A or MX",
    "[values...]": "values to remove; all if none is given",
  },
  flags: editFlags,
  interruption: "no file was written",
  async run(terminal, { name, type, values }, options) {
    const project = openProject(terminal, options);
    const edited = await unsetRecords(project, { ...options, name, type, values });
    return finishEdit(terminal, project, edited, options);
  },
});
