import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { readServer } from "../../dns-client/server-address.ts";
import { readFileSource } from "../../workflow/import/file.ts";
import { openProject, toName } from "../../workflow/project/project.ts";
import { defineCommand, list, projectFlags, text } from "../command.ts";
import { importFlags, runImport } from "../run-import.ts";

export const file = defineCommand({
  example: `  zonewright import file /etc/bind/zones
  zonewright import file db.example.com --origin example.com
`,
  arguments: { "[paths...]": "files and folders to read" },
  flags: {
    ...projectFlags,
    origin: text("<zone>", "zone of a single file that does not name it"),
    resolver: list("<server>", "resolver to ask for DS records of each zone; repeatable; by default none"),
    ...importFlags,
  },
  interruption: "run the same command again to continue",
  async run(terminal, { paths }, options, { argv }) {
    if (paths.length === 0) throw usageError("no files are given. Name files, or folders with files.");
    if (options.origin !== undefined && paths.length > 1)
      throw usageError("--origin names the zone of one file. Import the others separately.");
    const origin = options.origin === undefined ? undefined : toName(options.origin);
    const resolvers = options.resolver?.map((server) => readServer(server, "--resolver"));
    const project = openProject(terminal, options);
    const { source, skipped } = await readFileSource(project, { paths, origin, resolvers });
    for (const { path, reason } of skipped) terminal.log(`skipped ${escapeControl(path)}: ${reason}\n`);
    return runImport(terminal, project, { source, from: "imported", argv }, options);
  },
});
