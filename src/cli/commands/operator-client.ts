import type { OAuthClientStatus } from "../../contract/resources/oauth-client.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { listClients, setClientStatus } from "../../server/areas/oauth/oauth-clients-operator.ts";
import { type Command, type CommandGroup, defineCommand } from "../command.ts";
import { dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";

const list = defineCommand({
  example: "  zonewright server operator client list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const clients = await withKnownStore(terminal, options, listClients);
    const rows = clients.map(({ id, label, account, status, isPublic, redirectUri }) => [
      id,
      label,
      account,
      status,
      isPublic ? "public" : "confidential",
      redirectUri,
    ]);
    printTable(terminal, [["id", "label", "account", "status", "kind", "redirect URI"], ...rows], "no OAuth clients");
    return exitCode.done;
  },
});

/** A command that gives a client another status; `effect` ends its message. */
function statusCommand(name: string, status: OAuthClientStatus, effect: string): Command {
  return defineCommand({
    example: `  zonewright server operator client ${name} 0123456789abcdef0123\n`,
    arguments: { "<id>": "id in the list" },
    flags: dataFlags,
    async run(terminal, { id }, options) {
      const label = await withKnownStore(terminal, options, (store) => setClientStatus(store, id, status));
      terminal.log(`OAuth client ${id} ("${escapeControl(label)}") is ${status}: ${effect}\n`);
      return exitCode.done;
    },
  });
}

const stopped = "users cannot authorise it, and its tokens are refused";

export const operatorClientGroup: CommandGroup = {
  commands: {
    list: ["list the OAuth clients of all accounts", list],
    disable: ["disable an OAuth client and its tokens", statusCommand("disable", "disabled", stopped)],
    suspend: ["suspend an OAuth client and its tokens temporarily", statusCommand("suspend", "suspended", stopped)],
    enable: [
      "re-enable an OAuth client and its tokens",
      statusCommand("enable", "active", "users can authorise it, and its tokens are accepted"),
    ],
  },
};
