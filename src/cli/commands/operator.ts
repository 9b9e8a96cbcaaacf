import type { CommandGroup } from "../command.ts";
import { group as account } from "./operator-account.ts";
import { group as client } from "./operator-client.ts";
import { group as credential } from "./operator-credential.ts";
import { group as maintenance } from "./operator-maintenance.ts";
import { group as managed } from "./operator-managed.ts";
import { group as node } from "./operator-node.ts";
import { group as notice } from "./operator-notice.ts";
import { group as sshkey } from "./operator-sshkey.ts";
import { group as ticket } from "./operator-ticket.ts";

export const command: CommandGroup = {
  commands: {
    client: ["list, disable and re-enable OAuth clients", client],
    account: ["list, bill and reopen accounts", account],
    maintenance: ["announce, start and end the maintenance of nodes", maintenance],
    credential: ["list and decrypt the credentials that users give the operator", credential],
    managed: ["enable and disable managed monitoring", managed],
    node: ["list nodes, make them crash, and record their statistics", node],
    notice: ["show notices to the users of accounts", notice],
    sshkey: ["print the operator's SSH keys for the servers of accounts", sshkey],
    ticket: ["answer the support tickets of users", ticket],
  },
};
