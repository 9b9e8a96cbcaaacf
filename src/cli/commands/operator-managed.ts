import { escapeControl } from "../../diagnostics/escape.ts";
import { setManaged } from "../../server/areas/managed/managed-operator.ts";
import { type Command, type CommandGroup, defineCommand } from "../command.ts";
import { dataFlags, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";

/** A command that enables or disables managed monitoring; `effect` ends its message. */
function switchCommand(name: "on" | "off", state: string, effect: string): Command {
  return defineCommand({
    example: `  zonewright server operator managed ${name} shop\n`,
    arguments: { "<account>": "account" },
    flags: dataFlags,
    async run(terminal, { account }, options) {
      const hasChanged = await withKnownStore(terminal, options, (store, clock) =>
        setManaged(store, account, name === "on", clock()),
      );
      const shown = `managed monitoring of the account "${escapeControl(account)}"`;
      terminal.log(hasChanged ? `${shown} ${state}: ${effect}\n` : `${shown} was ${state} already\n`);
      return exitCode.done;
    },
  });
}

export const operatorManagedGroup: CommandGroup = {
  commands: {
    on: [
      "enable managed monitoring for an account",
      switchCommand("on", "enabled", "its services are probed, and its users can change them"),
    ],
    off: [
      "disable managed monitoring for an account",
      switchCommand("off", "disabled", "its services are kept, but not probed, and its users cannot see them"),
    ],
  },
};
