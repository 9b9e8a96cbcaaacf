import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { newTicket, newTicketReply } from "../../contract/resources/ticket.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError, usageError } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { ticketText } from "../../report/api/ticket.ts";
import {
  closeAnyTicket,
  listAllTickets,
  openTicket,
  readFile,
  replyToTicket,
  showTicket,
} from "../../server/areas/support/handlers/tickets-operator.ts";
import { readFileOctets } from "../../workflow/project/files.ts";
import { saveReceivedFiles } from "../../workflow/project/save-received-files.ts";
import { type CommandGroup, defineCommand, flag, type Options, text } from "../command.ts";
import { type DatabaseOptions, dataFlagOf, dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";
import { requireText, type TextAttribute } from "../require-text.ts";
import { printText, type Terminal } from "../terminal.ts";

const list = defineCommand({
  example: "  zonewright server operator ticket list\n",
  flags: {
    ...dataFlags,
    account: text("<name>", "tickets of this account only"),
    all: flag("also list closed tickets"),
  },
  async run(terminal, _, options) {
    const { account, all = false } = options;
    const tickets = await withKnownStore(terminal, options, (store) => listAllTickets(store, { account, isAll: all }));
    const rows = tickets.map(({ id, account, status, updated, updated_by, opened_by, summary }) => [
      String(id),
      account,
      status,
      updated,
      updated_by ?? opened_by,
      summary,
    ]);
    printTable(
      terminal,
      [["id", "account", "status", "updated", "by", "summary"], ...rows],
      all ? "no tickets" : "no tickets that are not closed; --all also lists closed ones",
    );
    return exitCode.done;
  },
});

const show = defineCommand({
  example: "  zonewright server operator ticket show 7\n",
  arguments: { "<id>": "id of the ticket; `list` shows it" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const number = readTicketId(id, options);
    const ticket = await withKnownStore(terminal, options, (store) => showTicket(store, number));
    terminal.print(ticketText(ticket, terminal.printWidth()));
    return exitCode.done;
  },
});

const textFlags = {
  text: text("<text>", "the text"),
  file: text("<file>", "file with the text; - reads standard input"),
};

const reply = defineCommand({
  example: `  zonewright server operator ticket reply 7 --text "The zone is served again."
`,
  arguments: { "<id>": "id of the ticket; `list` shows it" },
  flags: { ...dataFlags, ...textFlags },
  async run(terminal, { id }, options) {
    const number = readTicketId(id, options);
    const description = await readDescription(terminal, options, newTicketReply.shape.description);
    await withKnownStore(terminal, options, (store, clock) => replyToTicket(store, number, description, clock()));
    terminal.log(`reply to ticket ${number} added\n`);
    return exitCode.done;
  },
});

const open = defineCommand({
  example: `  zonewright server operator ticket open shop "New host" --file notice.txt
  zonewright server operator ticket open shop Disks --node web-1 --file -
`,
  arguments: { "<account>": "account", "<summary>": "title of the ticket" },
  flags: {
    ...dataFlags,
    ...textFlags,
    domain: text("<name>", "domain of the account that the ticket is about"),
    node: text("<label>", "label or id of the node that it is about"),
    volume: text("<label>", "label or id of the volume that it is about"),
  },
  async run(terminal, { account, summary }, options) {
    requireText("the summary", summary, newTicket.shape.summary);
    const description = await readDescription(terminal, options, newTicket.shape.description);
    const { domain, node, volume } = options;
    if ([domain, node, volume].filter((name) => name !== undefined).length > 1)
      throw usageError("a ticket is about one object: give only one of --domain, --node and --volume.");
    const wanted = { account, about: { domain, node, volume }, summary, description };
    const id = await withKnownStore(terminal, options, (store, clock) =>
      openTicket(store, { ...wanted, now: clock() }),
    );
    terminal.log(`ticket ${id} opened for account "${escapeControl(account)}"\n`);
    return exitCode.done;
  },
});

const close = defineCommand({
  example: "  zonewright server operator ticket close 7\n",
  arguments: { "<id>": "id of the ticket; `list` shows it" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const number = readTicketId(id, options);
    await withKnownStore(terminal, options, (store, clock) => closeAnyTicket(store, number, clock()));
    terminal.log(`ticket ${number} closed\n`);
    return exitCode.done;
  },
});

const files = defineCommand({
  example: "  zonewright server operator ticket files 7 --out ticket-7\n",
  arguments: { "<id>": "id of the ticket; `list` shows it" },
  flags: { ...dataFlags, out: text("<folder>", "folder for the files (default: ticket-<id>)") },
  async run(terminal, { id }, options) {
    const number = readTicketId(id, options);
    const folder = options.out ?? `ticket-${number}`;
    const contents = await withKnownStore(terminal, options, async (store) => {
      const contents = new Map<string, Buffer>();
      for (const { id, name } of (await showTicket(store, number)).files) contents.set(name, await readFile(store, id));
      return contents;
    });
    await saveReceivedFiles(terminal, folder, contents);
    for (const [name, content] of contents)
      printText(terminal, `${escapeControl(join(folder, name))}, ${count(content.length, "octet")}\n`);
    if (contents.size === 0) terminal.log(`ticket ${number} has no files\n`);
    return exitCode.done;
  },
});

export const operatorTicketGroup: CommandGroup = {
  commands: {
    list: ["list the tickets that are not closed", list],
    show: ["show a ticket with its replies and files", show],
    reply: ["reply to a ticket", reply],
    open: ["open a ticket for an account", open],
    close: ["close a ticket", close],
    files: ["save the files of a ticket in a folder", files],
  },
};

function readTicketId(text: string, options: DatabaseOptions): number {
  return readId("ticket", text, `server operator ticket list${dataFlagOf(options)}`);
}

async function readDescription(
  terminal: Terminal,
  options: Options<typeof textFlags>,
  attribute: TextAttribute,
): Promise<string> {
  const { text, file } = options;
  if ((text === undefined) === (file === undefined))
    throw usageError("give the text with either --text or --file; --file - reads standard input.");
  const given = text ?? (file === "-" ? await terminal.readInput() : readUtf8(terminal.cwd, file ?? ""));
  const description = given.trimEnd();
  requireText("the text", description, attribute);
  return description;
}

/** @throws {ProblemError} `file-read` */
function readUtf8(folder: string, file: string): string {
  const octets = readFileOctets(folder, file);
  if (isUtf8(octets)) return octets.toString();
  throw problemError("file-read", `${file} is not UTF-8`, { fix: "Save the file as UTF-8." });
}
