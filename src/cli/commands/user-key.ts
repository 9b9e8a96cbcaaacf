import { newTicket } from "../../contract/resources/ticket.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { addSshKey, listSshKeys, removeSshKey } from "../../server/areas/account/ssh-keys-operator.ts";
import { readText } from "../../workflow/project/files.ts";
import { type CommandGroup, defineCommand, text } from "../command.ts";
import { dataFlagOf, dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";
import { requireText } from "../require-text.ts";

const add = defineCommand({
  example: "  zonewright server user key add admin ~/.ssh/id_ed25519.pub\n",
  notes: `Nodes can then be deployed with the user in authorized_users.
`,
  arguments: { "<name>": "user", "<file>": "file of a public key" },
  flags: { ...dataFlags, label: text("<label>", "name of the key (default: its comment)") },
  async run(terminal, { name, file }, options) {
    const key = readText(terminal.cwd, file, "Name a file such as ~/.ssh/id_ed25519.pub.");
    const label = options.label?.trim() ?? (/^\S+ +\S+ +(\S[^\n]{0,63})/.exec(key)?.[1] ?? "key").trim();
    requireText("the label", label, newTicket.shape.summary);
    const wanted = { username: name, label, key };
    const id = await withKnownStore(terminal, options, (store, clock) => addSshKey(store, { ...wanted, now: clock() }));
    terminal.log(`SSH key ${id} "${escapeControl(label)}" added to user "${escapeControl(name)}"\n`);
    return exitCode.done;
  },
});

const list = defineCommand({
  example: "  zonewright server user key list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const keys = await withKnownStore(terminal, options, listSshKeys);
    const rows = keys.map(({ id, username, label, created, ssh_key }) => [
      String(id),
      username,
      label,
      created,
      ssh_key.split(" ")[0] ?? "",
    ]);
    printTable(terminal, [["id", "user", "label", "created", "type"], ...rows], "no SSH keys");
    return exitCode.done;
  },
});

const remove = defineCommand({
  example: "  zonewright server user key remove 3\n",
  arguments: { "<id>": "id of the key; `list` shows it" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const number = readId("SSH key", id, `server user key list${dataFlagOf(options)}`);
    const key = await withKnownStore(terminal, options, (store, clock) => removeSshKey(store, number, clock()));
    terminal.log(
      `SSH key ${number} "${escapeControl(key.label)}" removed from user "${escapeControl(key.username)}"\n`,
    );
    return exitCode.done;
  },
});

export const userKeyGroup: CommandGroup = {
  commands: {
    add: ["add a public SSH key to a user", add],
    list: ["list the public SSH keys of all users", list],
    remove: ["remove a public SSH key", remove],
  },
};
