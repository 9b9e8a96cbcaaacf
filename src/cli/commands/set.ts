import { setRecords } from "../../workflow/edit/edit-records.ts";
import { openProject } from "../../workflow/project/project.ts";
import { defineCommand, text } from "../command.ts";
import { editFlags, finishEdit } from "../edit-record.ts";

/** `zonewright set`: one RRset of a zone file, replaced by values. */
export const setCommand = defineCommand({
  example: `  zonewright set www A 192.0.2.1
  zonewright set www.example.com A 192.0.2.1 192.0.2.2 --ttl 5m
  zonewright set @ MX '10 mail' --zone example.com
  zonewright set @ TXT 'v=spf1 mx -all'
  zonewright set '*' CNAME www.example.net. --check
`,
  notes: `The values replace all records of the type at the name. Each argument is one
value, as in a BIND zone file of the zone: a name without a final dot is
relative to the zone. A value of TXT is the text itself; one that starts with a
quotation mark is read as in a zone file. Values that start with a hyphen
follow --.

Comments, order and everything else in the file stay. The change is checked like
\`zonewright validate\` does; if it makes new errors, nothing is written. Errors
that the project has already do not matter, unless they are in the syntax of the
file.
`,
  arguments: {
    "<name>": "name of the record, relative to the zone or with its name at the end; @ for the zone itself",
    "<type>": "record type, such as A or MX",
    "<values...>": "all values of the record, each one argument",
  },
  flags: {
    ...editFlags,
    ttl: text("<time>", "TTL, such as 300 or 5m; by default that of the records there, or of the file"),
  },
  interruption: "no file was written",
  async run(terminal, { name, type, values }, options) {
    const project = openProject(terminal, options);
    const edited = await setRecords(project, { ...options, name, type, values });
    return finishEdit(terminal, project, edited, options);
  },
});
