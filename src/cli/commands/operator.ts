import type { CommandGroup } from "../command.ts";
import { group as account } from "./operator-account.ts";
import { group as notice } from "./operator-notice.ts";

export const command: CommandGroup = {
  commands: {
    account: ["list accounts, reopen cancelled ones", account],
    notice: ["show notices to the users of accounts", notice],
  },
};
