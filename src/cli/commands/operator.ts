import type { CommandGroup } from "../command.ts";
import { operatorAccountGroup } from "./operator-account.ts";
import { operatorClientGroup } from "./operator-client.ts";
import { operatorCredentialGroup } from "./operator-credential.ts";
import { operatorMaintenanceGroup } from "./operator-maintenance.ts";
import { operatorManagedGroup } from "./operator-managed.ts";
import { operatorNodeGroup } from "./operator-node.ts";
import { operatorNoticeGroup } from "./operator-notice.ts";
import { operatorSshkeyGroup } from "./operator-sshkey.ts";
import { operatorTicketGroup } from "./operator-ticket.ts";

export const operatorCommand: CommandGroup = {
  commands: {
    client: ["list, disable and re-enable OAuth clients", operatorClientGroup],
    account: ["list, bill and reopen accounts", operatorAccountGroup],
    maintenance: ["announce, start and end the maintenance of nodes", operatorMaintenanceGroup],
    credential: ["list and decrypt the credentials that users give the operator", operatorCredentialGroup],
    managed: ["enable and disable managed monitoring", operatorManagedGroup],
    node: ["list nodes, make them crash, and record their statistics", operatorNodeGroup],
    notice: ["show notices to the users of accounts", operatorNoticeGroup],
    sshkey: ["print the operator's SSH keys for the servers of accounts", operatorSshkeyGroup],
    ticket: ["answer the support tickets of users", operatorTicketGroup],
  },
};
