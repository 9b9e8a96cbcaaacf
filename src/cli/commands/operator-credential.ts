import { escapeControl, escapeQuoted } from "../../diagnostics/escape.ts";
import { listCredentials, showCredential } from "../../server/areas/managed/managed-operator.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { dataFlagOf, dataFlags, readSecrets, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";

const list = defineCommand({
  example: "  zonewright server operator credential list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const credentials = await withKnownStore(terminal, options, listCredentials);
    const rows = credentials.map(({ id, account, label, last_decrypted }) => [
      String(id),
      account,
      label,
      last_decrypted ?? "",
    ]);
    printTable(terminal, [["id", "account", "label", "last decrypted"], ...rows], "no credentials");
    return exitCode.done;
  },
});

const show = defineCommand({
  example: "  zonewright server operator credential show 3\n",
  arguments: { "<id>": "id in the list" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const number = readId("credential", id, `server operator credential list${dataFlagOf(options)}`);
    const { username, password } = await withKnownStore(terminal, options, (store, clock) =>
      showCredential(store, number, readSecrets(terminal, options), clock()),
    );
    terminal.print(`username  ${exactText(username)}\npassword  ${exactText(password)}\n`);
    return exitCode.done;
  },
});

/** A text from which the original can be typed: as it is, or a JSON string if a terminal would not show it exactly. */
function exactText(text: string): string {
  const isVisible = escapeControl(text) === text && text.trim() === text;
  return isVisible ? text : `${escapeQuoted(JSON.stringify(text))} (a JSON string, for characters that cannot be seen)`;
}

export const operatorCredentialGroup: CommandGroup = {
  commands: {
    list: ["list the credentials of all accounts, without their secrets", list],
    show: ["decrypt a credential; its users see when", show],
  },
};
