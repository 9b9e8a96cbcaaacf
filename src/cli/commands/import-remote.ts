import { usageError } from "../../diagnostics/problem.ts";
import { connect } from "../../workflow/connect/connect.ts";
import { remoteSource } from "../../workflow/import/remote.ts";
import { openProject } from "../../workflow/project/project.ts";
import { apiFlags, defineCommand, projectFlags, text } from "../command.ts";
import { readNumber } from "../read-number.ts";
import { importFlags, runImport } from "../run-import.ts";
import { readTransferFlags, transferFlags } from "../transfer-flags.ts";

export const remote = defineCommand({
  example: `  zonewright import remote example.com --from ns1.example.net
  zonewright import remote --zones-file zones.txt --from 192.0.2.53
`,
  arguments: { "[zones...]": "zones that the service transfers" },
  flags: {
    ...projectFlags,
    ...apiFlags,
    ...transferFlags,
    jobs: text("<number>", "maximum number of zones at the same time", "2"),
    ...importFlags,
  },
  interruption: "run the same command again to continue",
  async run(terminal, { zones }, options, { argv }) {
    const jobs = readNumber("--jobs", options.jobs, 1);
    const wanted = await readTransferFlags(terminal, zones, options);
    const project = openProject(terminal, options);
    if (project.target.capabilities.zones === "neither")
      throw usageError(
        `import remote asks a service to transfer zones, and a ${project.target.name} does not do that: use \`zonewright import axfr\`.`,
      );
    const clock = { now: () => terminal.now().getTime(), sleep: terminal.sleep };
    return connect(terminal, project, options, ({ target }) => {
      const source = remoteSource({ ...wanted, target, clock, jobs, perServer: jobs });
      return runImport(terminal, project, { source, from: "imported", argv }, options);
    });
  },
});
