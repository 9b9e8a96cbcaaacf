import { escapeControl } from "../../diagnostics/escape.ts";
import { renewSshKey, showSshKey } from "../../server/areas/managed/managed-operator.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { dataFlags, readSecrets, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";

const show = defineCommand({
  example: "  umask 077\n  zonewright server operator sshkey show shop > shop.key\n",
  arguments: { "<account>": "account" },
  flags: dataFlags,
  async run(terminal, { account }, options) {
    const { public_key, privateKey } = await withKnownStore(terminal, options, (store) =>
      showSshKey(store, account, readSecrets(terminal, options)),
    );
    terminal.print(privateKey);
    terminal.log(
      `private SSH key for the account "${escapeControl(account)}"; its public key is\n${public_key}\n`,
      "exact",
    );
    return exitCode.done;
  },
});

const renew = defineCommand({
  example: "  zonewright server operator sshkey renew shop\n",
  notes: `The old key is deleted: its users replace it in authorized_keys by the new
one, which the API shows them.
`,
  arguments: { "<account>": "account" },
  flags: dataFlags,
  async run(terminal, { account }, options) {
    const key = await withKnownStore(terminal, options, (store) =>
      renewSshKey(store, account, readSecrets(terminal, options)),
    );
    terminal.log(`new SSH key for the account "${escapeControl(account)}"; its public key is\n${key}\n`, "exact");
    return exitCode.done;
  },
});

export const operatorSshkeyGroup: CommandGroup = {
  commands: {
    show: ["print the operator's private SSH key for the servers of an account", show],
    renew: ["replace that key, if it was lost or is known to others", renew],
  },
};
