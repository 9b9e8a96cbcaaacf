import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { readStatement, receivePayment } from "../../server/areas/account/payments-operator.ts";
import { amountOf } from "../../server/areas/billing/amounts.ts";
import { listAccounts, reopenAccount } from "../../server/areas/users/accounts-operator.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";

const list = defineCommand({
  example: "  zonewright server operator account list\n",
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
  example: "  zonewright server operator account reopen shop\n",
  arguments: { "<name>": "account" },
  flags: dataFlags,
  async run(terminal, { name }, options) {
    await withKnownStore(terminal, options, (store) => reopenAccount(store, name));
    terminal.log(`account "${escapeControl(name)}" reopened: its tokens are valid and its domains are served again\n`);
    return exitCode.done;
  },
});

const statement = defineCommand({
  example: "  zonewright server operator account statement shop\n",
  arguments: { "<name>": "account" },
  flags: dataFlags,
  async run(terminal, { name }, options) {
    const lines = await withKnownStore(terminal, options, (store) => readStatement(store, name));
    const rows = lines.map(({ date, description, amount, balance }) => [
      date,
      description,
      amount.toFixed(2),
      balance.toFixed(2),
    ]);
    printTable(terminal, [["date", "entry", "amount", "balance"], ...rows], "no invoices and no payments");
    return exitCode.done;
  },
});

const pay = defineCommand({
  example: "  zonewright server operator account pay shop 12.50\n",
  arguments: { "<name>": "account", "<amount>": "US dollars that you received" },
  flags: dataFlags,
  async run(terminal, { name, amount: text }, options) {
    const amount = readAmount(text);
    const balance = await withKnownStore(terminal, options, (store, clock) =>
      receivePayment(store, name, { amount, now: clock() }),
    );
    terminal.log(`payment of account "${escapeControl(name)}" recorded; its balance is now ${balance.toFixed(2)}\n`);
    return exitCode.done;
  },
});

/** An amount in dollars and cents, as the store has it. @throws {ProblemError} `usage` */
function readAmount(text: string): number {
  if (/^\d{1,9}(\.\d{1,2})?$/.test(text) && Number(text) > 0) return amountOf(Number(text));
  throw usageError(
    `the amount must be from 0.01 to 999999999.99 dollars, such as 12.50, not "${escapeControl(text)}".`,
  );
}

export const operatorAccountGroup: CommandGroup = {
  commands: {
    list: ["list accounts, with the time and the reason of cancellations", list],
    statement: ["list the invoices and payments of an account, with its balance", statement],
    pay: ["record a payment that you received", pay],
    reopen: ["reopen a cancelled account", reopen],
  },
};
