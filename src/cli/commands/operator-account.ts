import { plain } from "../../diagnostics/plain.ts";
import { listAccounts, reopenAccount } from "../../server/operator/accounts.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";

const list = defineCommand({
  example: "  zonewright operator account list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const accounts = await withKnownStore(terminal, options, listAccounts);
    const rows = accounts.map(({ name, company, created, closed, closing_comments }) => [
      name,
      company,
      created,
      closed ?? "",
      closing_comments ?? "",
    ]);
    printTable(terminal, [["account", "company", "created", "closed", "comments"], ...rows], "no accounts");
    return exitCode.done;
  },
});

const reopen = defineCommand({
  example: "  zonewright operator account reopen shop\n",
  arguments: { "<name>": "account" },
  flags: dataFlags,
  async run(terminal, { name }, options) {
    await withKnownStore(terminal, options, (store) => reopenAccount(store, name));
    terminal.log(`account "${plain(name)}" reopened: its tokens are valid and its domains are served again\n`);
    return exitCode.done;
  },
});

export const group: CommandGroup = {
  commands: {
    list: ["list accounts, with the time and the reason of cancellations", list],
    reopen: ["reopen a cancelled account", reopen],
  },
};
