import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { crashNode, listNodesOfAll, recordSamples } from "../../server/areas/nodes/operator/nodes.ts";
import { readSamples } from "../../server/areas/nodes/operator/samples.ts";
import { readFileOctets } from "../../workflow/project/files.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { dataFlagOf, dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { jobTimeFlag, readJobTime } from "../job-time.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";

const list = defineCommand({
  example: "  zonewright server operator node list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const nodes = await withKnownStore(terminal, options, listNodesOfAll);
    const rows = nodes.map(({ id, account, label, status, type, region }) => [
      String(id),
      account,
      label,
      status,
      type,
      region,
    ]);
    printTable(terminal, [["id", "account", "label", "status", "type", "region"], ...rows], "no nodes");
    return exitCode.done;
  },
});

const crash = defineCommand({
  example: "  zonewright server operator node crash 3\n",
  notes: `A running node stops without a job. If its watchdog is on, a job boots it again,
unless more than five jobs have booted it in the last 15 minutes.
`,
  arguments: { "<id>": "id of the node; `list` shows it" },
  flags: { ...dataFlags, jobTime: jobTimeFlag },
  async run(terminal, { id }, options) {
    const number = readId("node", id, `server operator node list${dataFlagOf(options)}`);
    const jobDriver = readJobTime(options.jobTime);
    const boots = await withKnownStore(terminal, options, (store, clock) =>
      crashNode(store, number, { jobDriver, now: clock() }),
    );
    terminal.log(`node ${number} crashed; ${boots ? "its watchdog boots it" : "it stays offline"}\n`);
    return exitCode.done;
  },
});

const sample = defineCommand({
  example: "  zonewright server operator node sample 3 measured.csv\n",
  notes: `The file has a line for each five minutes. Its first line names the columns:
time (UTC), then any of cpu (percent of a virtual CPU), io and swap (blocks a
second), and netv4_in, netv4_out, netv4_private_in, netv4_private_out and the
same of netv6 (bit/s). Missing columns are 0. A sample of the same time replaces
the former.
`,
  arguments: { "<id>": "id of the node; `list` shows it", "<file>": "file of comma-separated values" },
  flags: dataFlags,
  async run(terminal, { id, file }, options) {
    const number = readId("node", id, `server operator node list${dataFlagOf(options)}`);
    const content = readFileOctets(terminal.cwd, file, "Name a file of comma-separated values.");
    const samples = readSamples(file, Buffer.from(content).toString());
    await withKnownStore(terminal, options, (store, clock) => recordSamples(store, number, samples, clock()));
    terminal.log(`${count(samples.length, "sample")} of node ${number} recorded from ${escapeControl(file)}\n`);
    return exitCode.done;
  },
});

export const operatorNodeGroup: CommandGroup = {
  commands: {
    list: ["list the nodes of all accounts", list],
    crash: ["stop a node as if it had failed", crash],
    sample: ["record measured statistics of a node", sample],
  },
};
