import { maintenanceTypes } from "../../contract/resources/maintenance.ts";
import { newTicket } from "../../contract/resources/ticket.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import {
  addMaintenance,
  beginMaintenance,
  finishMaintenance,
  listMaintenanceOfAll,
} from "../../server/areas/nodes/operator/maintenance.ts";
import { type CommandGroup, choice, defineCommand, requireFlag, text } from "../command.ts";
import { type DatabaseOptions, dataFlagOf, dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { jobTimeFlag, readJobTime } from "../job-time.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";
import { readMoment } from "../read-moment.ts";
import { requireText } from "../require-text.ts";

const add = defineCommand({
  example: `  zonewright server operator maintenance add 3 "New kernel" --at 2030-01-31
`,
  notes: `The users of the account see the maintenance and a notification. It begins when
you start it.
`,
  arguments: { "<node>": "id of the node", "<reason>": "why it is needed, for people" },
  flags: {
    ...dataFlags,
    type: choice("<type>", maintenanceTypes, "kind of maintenance", "reboot"),
    at: requireFlag(text("<moment>", "when it begins, in UTC, such as 2030-01-31T02:00:00")),
  },
  async run(terminal, given, options) {
    const node_id = readId("node", given.node, `server operator node list${dataFlagOf(options)}`);
    const reason = given.reason.trim();
    requireText("the reason", reason, newTicket.shape.summary);
    const begins = readMoment("--at", options.at, terminal.now());
    const wanted = { node_id, reason, type: options.type, begins };
    const id = await withKnownStore(terminal, options, (store) => addMaintenance(store, wanted));
    terminal.log(`maintenance ${id} of node ${node_id} announced\n`);
    return exitCode.done;
  },
});

const list = defineCommand({
  example: "  zonewright server operator maintenance list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const all = await withKnownStore(terminal, options, listMaintenanceOfAll);
    const rows = all.map(({ id, account, node_id, node, type, status, begins, reason }) => [
      String(id),
      account,
      `${node} (${node_id})`,
      type,
      status,
      begins,
      reason,
    ]);
    const head = ["id", "account", "node", "type", "status", "begins", "reason"];
    printTable(terminal, [head, ...rows], "no maintenance");
    return exitCode.done;
  },
});

const start = defineCommand({
  example: "  zonewright server operator maintenance start 3\n",
  notes: `A running node stops, unless it migrates while it runs.
`,
  arguments: { "<id>": "id of the maintenance; `list` shows it" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const number = readMaintenanceId(id, options);
    const node = await withKnownStore(terminal, options, (store, clock) => beginMaintenance(store, number, clock()));
    terminal.log(`maintenance ${number} started; node "${escapeControl(node.label)}" is ${node.status}\n`);
    return exitCode.done;
  },
});

const end = defineCommand({
  example: "  zonewright server operator maintenance end 3\n",
  notes: `A node that the maintenance stopped is booted by a job. Maintenance that has not
begun is cancelled.
`,
  arguments: { "<id>": "id of the maintenance; `list` shows it" },
  flags: { ...dataFlags, jobTime: jobTimeFlag },
  async run(terminal, { id }, options) {
    const number = readMaintenanceId(id, options);
    const jobDriver = readJobTime(options.jobTime);
    const { node, isBooted, hadBegun } = await withKnownStore(terminal, options, (store, clock) =>
      finishMaintenance(store, number, { jobDriver, now: clock() }),
    );
    const effect = isBooted ? `; node "${escapeControl(node.label)}" boots` : "";
    terminal.log(`maintenance ${number} ${hadBegun ? "ended" : "cancelled"}${effect}\n`);
    return exitCode.done;
  },
});

function readMaintenanceId(id: string, options: DatabaseOptions): number {
  return readId("maintenance", id, `server operator maintenance list${dataFlagOf(options)}`);
}

export const operatorMaintenanceGroup: CommandGroup = {
  commands: {
    add: ["announce maintenance of a node", add],
    list: ["list the maintenance of all accounts", list],
    start: ["start maintenance, which stops the node", start],
    end: ["end or cancel maintenance, and boot the node", end],
  },
};
