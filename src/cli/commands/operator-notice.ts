import { newTicket } from "../../contract/resources/ticket.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { addNotice, listNotices, removeNotice } from "../../server/areas/account/notices-operator.ts";
import { type CommandGroup, defineCommand, text } from "../command.ts";
import { dataFlagOf, dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";
import { readMoment } from "../read-moment.ts";
import { requireText } from "../require-text.ts";

const add = defineCommand({
  example: `  zonewright server operator notice add Maintenance "No changes on Sunday."
`,
  arguments: { "<label>": "short description", "<message>": "description for people" },
  flags: {
    ...dataFlags,
    account: text("<name>", "account that sees the notice (default: all)"),
    until: text("<moment>", "expiry in UTC, 2030-01-31 or 2030-01-31T12:00:00 (default: never)"),
  },
  async run(terminal, given, options) {
    const [label, message] = [given.label.trim(), given.message.trim()];
    // The limits are those of tickets.
    requireText("the label", label, newTicket.shape.summary);
    requireText("the message", message, newTicket.shape.description);
    const { account } = options;
    const until = options.until === undefined ? undefined : readMoment("--until", options.until, terminal.now());
    const notice = { label, message, account, until };
    const id = await withKnownStore(terminal, options, (store) => addNotice(store, notice));
    const readers = account === undefined ? "all accounts" : `the account "${escapeControl(account)}"`;
    terminal.log(`notice ${id} added for ${readers}\n`);
    return exitCode.done;
  },
});

const list = defineCommand({
  example: "  zonewright server operator notice list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const notices = await withKnownStore(terminal, options, listNotices);
    const rows = notices.map(({ id, account, label, message, until }) => [
      String(id),
      account ?? "",
      label,
      message,
      until ?? "",
    ]);
    printTable(terminal, [["id", "account", "label", "message", "until"], ...rows], "no notices");
    return exitCode.done;
  },
});

const remove = defineCommand({
  example: "  zonewright server operator notice remove 3\n",
  arguments: { "<id>": "id of the notice; `list` shows it" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const number = readId("notice", id, `server operator notice list${dataFlagOf(options)}`);
    await withKnownStore(terminal, options, (store) => removeNotice(store, number));
    terminal.log(`notice ${number} removed\n`);
    return exitCode.done;
  },
});

export const operatorNoticeGroup: CommandGroup = {
  commands: {
    add: ["show a notice to all accounts, or to one", add],
    list: ["list notices", list],
    remove: ["remove a notice", remove],
  },
};
